"""The sheet on which the words of a page are written down, line by line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

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

    def write(self, text: str) -> None:
        self.words.append(text)

    def begin_item(self, number: int | None) -> None:
        """Begin an item of a list; people speak of those that are counted by their numbers."""
        if self.words == [self.item]:
            # The one before was empty.
            self.words.clear()
        self.item = BULLET if number is None else f"{number}. "
        self.write(self.item)

    def end_line(self, *, blank: bool = False) -> None:
        """End the line; one of spaces leaves a gap where it was meant as one."""
        if self.words == [self.item]:
            return
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
