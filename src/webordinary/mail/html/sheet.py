"""The sheet on which the words of a page are written down, line by line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from webordinary.mail.message import STRUCK_OUT, STRUCK_OUT_ENDS

BULLET = "- "
_DEEPEST_QUOTE = 10
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_SIGNATURE = re.compile(r"[ \t\r\n\f]*--[ \xa0][ \t\r\n\f\xa0]*\Z")


@dataclass(slots=True)
class Sheet:
    """The text so far, as lines; the last one is still being written."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    quoting: int = 0
    item: str = BULLET
    # How many of the open elements cross their words out, and whether the mark of that is open on this line.
    struck: int = 0
    _is_marked: bool = False

    def write(self, text: str) -> None:
        if not self.struck:
            self._end_mark()
        elif not self._is_marked and text.strip():
            self.words.append(STRUCK_OUT)
            self._is_marked = True
        # Inside of the mark its own bracket would end it too early.
        self.words.append(text.replace(STRUCK_OUT_ENDS, ")") if self.struck else text)

    def _end_mark(self) -> None:
        """Close the mark behind the last word that was crossed out, and leave the space behind it outside."""
        if self._is_marked:
            self._is_marked = False
            last = self.words.pop()
            self.words += [last.rstrip(), STRUCK_OUT_ENDS, last[len(last.rstrip()) :]]

    def begin_item(self, number: int | None) -> None:
        """Begin an item of a list; people speak of those that are counted by their numbers."""
        if self.words == [self.item]:
            # The one before was empty.
            self.words.clear()
        self.item = BULLET if number is None else f"{number}. "
        self._end_mark()
        self.words.append(self.item)

    def end_line(self, *, blank: bool = False) -> None:
        """End the line; one of spaces leaves a gap where it was meant as one."""
        if self.words == [self.item]:
            return
        self._end_mark()
        written = "".join(self.words)
        self.words.clear()
        line = _SPACES.sub(" ", written).strip()
        if _SIGNATURE.match(written):
            line = "-- "
        if line:
            self.lines.append("> " * min(self.quoting, _DEEPEST_QUOTE) + line)
        elif blank:
            self._end_block()

    def end_paragraph(self) -> None:
        self.end_line()
        self._end_block()

    def _end_block(self) -> None:
        if self.words != [self.item] and self.lines and self.lines[-1]:
            self.lines.append("")

    def text(self) -> str:
        self.end_line()
        return "\n".join(self.lines).strip("\n")
