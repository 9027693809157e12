"""Excerpts: two versions of a text, as short as they can be while everything that differs still stands in them."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# Nobody minds to read so much as it stands; and more than this nobody reads at all.
_WHOLE, LONGEST = 160, 600
_WORDS_AROUND, _LETTERS_AROUND = 5, 30
# Comparing word by word takes longer than their number, and makes no sense where words have no end.
_MOST_COMPARED, _LONGEST_WORD = 300_000, 60
_GAP = "…"
_WORD = re.compile(r"\S+")


class Excerpt(NamedTuple):
    """Both versions, and whether all that differs is in them."""

    before: str
    after: str
    is_whole: bool = True


def excerpt(before: str, after: str, longest: int = LONGEST) -> Excerpt:
    """Return both versions, shortened around what differs; one without another differs as a whole."""
    before, after = one_line(before), one_line(after)
    if before and after and max(len(before), len(after)) > _WHOLE:
        before, after = _around(before, after)
    is_whole = max(len(before), len(after)) <= longest
    return Excerpt(cut(before, longest), cut(after, longest), is_whole)


def one_line(text: str) -> str:
    return " ".join(text.split())


def cut(text: str, longest: int = _WHOLE) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}{_GAP}"


def _around(before: str, after: str) -> tuple[str, str]:
    old, new = _WORD.findall(before), _WORD.findall(after)
    is_plain = max(map(len, (*old, *new))) <= _LONGEST_WORD and len(old) * len(new) <= _MOST_COMPARED
    return _by_words(old, new) if is_plain else _by_letters(before, after)


def _by_words(old: Sequence[str], new: Sequence[str]) -> tuple[str, str]:
    kept_old, kept_new = set[int](), set[int]()
    for kind, *ranges in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            from_old, to_old, from_new, to_new = ranges
            kept_old.update(range(from_old - _WORDS_AROUND, to_old + _WORDS_AROUND))
            kept_new.update(range(from_new - _WORDS_AROUND, to_new + _WORDS_AROUND))
    return _kept(old, kept_old), _kept(new, kept_new)


def _kept(words: Sequence[str], kept: set[int]) -> str:
    places = [place for place in range(len(words)) if place in kept]
    pieces = [
        words[place] if place - last == 1 else f"{_GAP} {words[place]}" for last, place in pairwise([-1, *places])
    ]
    is_at_end = bool(places) and places[-1] == len(words) - 1
    return " ".join([*pieces, *([] if is_at_end else [_GAP])])


def _by_letters(before: str, after: str) -> tuple[str, str]:
    shared = min(len(before), len(after))
    first = next((place for place in range(shared) if before[place] != after[place]), shared)
    last = next((place for place in range(shared - first) if before[-1 - place] != after[-1 - place]), shared - first)
    begin = max(0, first - _LETTERS_AROUND)
    return _slice(before, begin, len(before) - last), _slice(after, begin, len(after) - last)


def _slice(text: str, begin: int, end: int) -> str:
    end = min(len(text), end + _LETTERS_AROUND)
    return f"{_GAP if begin else ''}{text[begin:end]}{_GAP if end < len(text) else ''}"
