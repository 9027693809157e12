"""What an answer says, in the language of the person, from the texts in `templates`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from string import Template

FALLBACK_LANGUAGE = "en"
OUTCOMES = (
    "published",
    "nothing_changed",
    "failed",
    "not_understood",
    "build_failed",
    "refused_empty",
    "stopped",
    "timed_out",
    "dead",
    "dropped",
    "ack",
    "our_fault",
    "which_project",
    "paused",
    "buried",
    "unanswered",
    "refused",
    "help",
    "status",
    "not_yet",
    "too_late",
    "nothing_to_stop",
)

_LANGUAGE = re.compile(r"[a-z]{2,3}")


def words_for(outcome: str, language: str, **facts: str) -> str:
    """Return the text of an answer; a paragraph that needs a fact nobody gave is left out."""
    if outcome not in OUTCOMES:
        raise LookupError(f"There are no words for {outcome!r}; known are {', '.join(OUTCOMES)}.")
    given = {name: fact.strip() for name, fact in facts.items() if fact.strip()}
    paragraphs = (Template(paragraph) for paragraph in _template(outcome, language).split("\n\n"))
    said = [paragraph.substitute(given) for paragraph in paragraphs if _is_complete(paragraph, given)]
    return "\n\n".join(said) + "\n"


def _is_complete(paragraph: Template, given: dict[str, str]) -> bool:
    return all(name in given for name in paragraph.get_identifiers())


@cache
def _template(outcome: str, language: str) -> str:
    folder = files("webordinary.reply") / "templates"
    spoken = _LANGUAGE.match(language.lower())
    for choice in (spoken[0] if spoken else FALLBACK_LANGUAGE, FALLBACK_LANGUAGE):
        text = folder / choice / f"{outcome}.txt"
        if text.is_file():
            return text.read_text(encoding="utf-8").strip()
    raise LookupError(f"The text {FALLBACK_LANGUAGE}/{outcome}.txt is missing from this installation.")
