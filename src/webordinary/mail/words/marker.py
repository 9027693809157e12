"""The line that begins each of our mails: a person answers above it, and below it stands nothing but our own words."""

from __future__ import annotations

from typing import Final

# Short enough for no client to wrap it, and in letters that no charset or transfer encoding changes.
_ASKS: Final = {
    "en": "reply above this line",
    "de": "bitte oberhalb dieser Zeile antworten",
    "fr": "votre texte au-dessus de cette ligne",
    "es": "responda por encima de esta marca",
}


def marker_line(language: str = "en") -> str:
    """Return the marker in the language of the mail that it begins."""
    return f"^^^ WebOrdinary: {_ASKS.get(language, _ASKS['en'])} ^^^"


MARKER_LINES: Final = tuple(marker_line(language) for language in _ASKS)
