"""The places of pictures in a request: which words speak of which of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PICTURE = re.compile(r"\[picture: ([^\]\n]+)\]")
# The beginning of a sentence is enough to find it again; its end may have been read away.
_BEGINNING = 25


def without_pictures(text: str) -> str:
    return _PICTURE.sub(" ", text)


def pictures_beside(text: str, wishes: Sequence[str]) -> list[tuple[str, ...]]:
    """Return for each of these sentences the pictures that stand with it.

    A picture belongs to the words before it, or to those after it in a mail that begins with a picture.
    """
    plain, places = _laid_out(text)
    starts = _starts(plain, wishes)
    come_first = bool(places) and not plain[: places[0][0]].strip() and bool(plain[places[-1][0] :].strip())
    beside: list[list[str]] = [[] for _ in wishes]
    for place, name in places:
        known = [number for number, start in enumerate(starts) if start >= 0 and (start >= place) == come_first]
        if known:
            beside[known[0] if come_first else known[-1]].append(name)
    return [tuple(names) for names in beside]


def _laid_out(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Return the words in one line, and where between them each picture stands."""
    plain, places = "", []
    words, *others = _PICTURE.split(text)
    plain = _squeezed(words)
    for name, following in zip(others[::2], others[1::2], strict=True):
        places.append((len(plain), name))
        plain += _squeezed(following)
    return plain, places


def _squeezed(words: str) -> str:
    return "".join(f"{word} " for word in words.split())


def _starts(plain: str, wishes: Sequence[str]) -> list[int]:
    starts, at = [], 0
    for wish in wishes:
        start = plain.find(_squeezed(wish)[:_BEGINNING].rstrip(), at)
        starts.append(start)
        at = max(at, start + 1)
    return starts
