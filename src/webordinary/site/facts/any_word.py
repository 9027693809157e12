"""A pattern for any of many words that looks at each letter once, instead of trying one word after the other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def any_word(words: Iterable[str]) -> str:
    """Return a pattern for these words that prefers the longest, with the letters they begin with written once."""
    ordered = sorted(set(words))
    return _tree(ordered)


def _tree(words: list[str]) -> str:
    """Join sorted words: the branches begin with different letters, so that no more than one of them fits."""
    by_letter: dict[str, list[str]] = {}
    for word in filter(None, words):
        by_letter.setdefault(word[0], []).append(word[1:])
    branches = [_branch(letter, rest) for letter, rest in by_letter.items()]
    if not branches:
        return ""
    joined = branches[0] if len(branches) == 1 and words[0] else f"(?:{'|'.join(branches)})"
    return joined if words[0] else f"{joined}?"


def _branch(letter: str, rest: list[str]) -> str:
    return re.escape(letter) + _tree(rest)
