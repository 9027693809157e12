"""The places of pictures in a request: which words speak of which of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PICTURES = re.compile(r"(?:\[picture: [^\]\n]+\]\s*)+")
_PICTURE = re.compile(r"\[picture: ([^\]\n]+)\]")


@dataclass(frozen=True, slots=True)
class Passage:
    """Some words, and the names of the pictures that stand with them."""

    words: str
    pictures: tuple[str, ...] = ()


def passages_of(text: str) -> list[Passage]:
    """Part a request at its pictures: each belongs to the words before it, or to those after it if it comes first."""
    words = _PICTURES.split(text)
    shown = [tuple(_PICTURE.findall(run)) for run in _PICTURES.findall(text)]
    if not shown:
        return [Passage(text)]
    before_their_words = not words[0].strip() and bool(words[-1].strip())
    around = [(), *shown] if before_their_words else [*shown, ()]
    return [Passage(said, names) for said, names in zip(words, around, strict=True) if said.strip()]
