"""Whether a line asks for something: below two dashes that tells the rest of an order from a signature."""

from __future__ import annotations

import re

from webordinary.languages import any_of

_MOST_WORDS = 14
_LONGEST_LINE = 200
_ITEM = re.compile(r"\s*(?:[-*\u2022\u00b7]\s|\d{1,2}[.)]\s)\s*\S")
# Verbs in the forms in which people ask for a change, and the words with which they ask politely.
_ASKS = re.compile(rf"\b(?:{any_of(lambda each: each.letters.asks)})\b", re.IGNORECASE)
# What servers and careful people put below every mail.
_ENVIRONMENT = re.compile(any_of(lambda each: each.programs.environment), re.IGNORECASE)


def asks_for_something(line: str) -> bool:
    """Tell whether a line orders a change, is an item of a list, a question or a long sentence."""
    line = line.strip()
    if len(line) > _LONGEST_LINE or len(line.split(None, _MOST_WORDS)) > _MOST_WORDS or line.endswith("?"):
        return not _ENVIRONMENT.search(line[:_LONGEST_LINE])
    if _ITEM.match(line):
        return True
    return _ASKS.search(line) is not None and _ENVIRONMENT.search(line) is None
