"""What was said in a conversation before, so that it is known again when a reply brings it back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable

_LINK = re.compile(r"<?\b(?:https?://|www\.)[^\s<>]{1,2000}>?")
_NO_LETTERS = re.compile(r"[\W_]+")
# A shorter line is too common to tell whose it is.
_FEWEST_LETTERS = 8
_LETTERS_OF_A_PIECE = 12
_MOST_LETTERS = 200_000
_LONGEST_LINE = 2_000


def squeeze(line: str) -> str:
    """Return only the letters and digits of a line: programs change everything else when they quote."""
    return _NO_LETTERS.sub("", _LINK.sub("", line[:_LONGEST_LINE]).casefold())


@dataclass(frozen=True, slots=True)
class Sent:
    """The lines that went back and forth before this mail."""

    lines: frozenset[str] = frozenset()
    whole: str = field(default="", repr=False)
    ends: tuple[str, ...] = ()

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Remember these texts, up to a length that a conversation does not have."""
        each = [[squeeze(line) for line in text[:_MOST_LETTERS].split("\n")] for text in texts]
        squeezed = [line for lines in each for line in lines]
        ends = (next((line for line in reversed(lines) if line), "") for lines in each)
        known = frozenset(line for line in squeezed if line)
        return cls(known, "".join(squeezed)[:_MOST_LETTERS], tuple(dict.fromkeys(end for end in ends if end)))

    def knows(self, line: str) -> bool:
        """Tell whether this line, or a line of which a program broke off this piece, was said before."""
        letters = squeeze(line)
        return letters in self.lines or (len(letters) >= _LETTERS_OF_A_PIECE and letters in self.whole)

    def ends_with(self, line: str) -> bool:
        """Tell whether a text that was said before ends with this line, or with this piece of its last line."""
        letters = squeeze(line)
        return len(letters) >= _FEWEST_LETTERS and any(end.endswith(letters) for end in self.ends)

    def tells(self, line: str) -> bool:
        """Tell whether this line is known and long enough to be nobody else's."""
        return len(squeeze(line)) >= _FEWEST_LETTERS and self.knows(line)
