"""The line that begins each of our mails: a person answers above it, and below it stands nothing but our own words."""

from __future__ import annotations

from typing import Final

from webordinary.languages import find, known


def marker_line(language: str = "en") -> str:
    """Return the marker in the language of the mail that it begins."""
    return f"^^^ WebOrdinary: {(find(language) or known()[0]).marker} ^^^"


MARKER_LINES: Final = tuple(marker_line(each.code) for each in known())
