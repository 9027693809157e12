"""A conflict: two changes of the same lines."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import JobFailed
from webordinary.workspace.extent import told

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


_LARGEST_FILE = 1_000_000
_MOST_CLASHES = 3
_LONGEST = 160
_HUNK = re.compile(r"^<{7}[^\n]*\n(.*?)^={7}\n(.*?)^>{7}", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Clash:
    """What stands there, and what should have."""

    ours: str
    theirs: str


def read_clashes(files: Iterable[Path]) -> tuple[Clash, ...]:
    """Return the first few clashes of files that a merge has marked."""
    found = (Clash(_plain(hunk[1]), _plain(hunk[2])) for path in files for hunk in _HUNK.finditer(_text_of(path)))
    return tuple(clash for clash, _ in zip(found, range(_MOST_CLASHES), strict=False))


def _text_of(path: Path) -> str:
    """Return a file's text; one that is no plain file, or too large to be read through, has none."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST_FILE:
        return ""
    return path.read_text(encoding="utf-8", errors="replace")


def _plain(markup: str) -> str:
    text = " ".join(html.unescape(_TAG.sub(" ", markup)).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


_MOST_TOLD = 20


class MergeConflict(JobFailed):
    """The same lines were changed in two ways, and only a person can say which is right."""

    def __init__(self, files: tuple[str, ...], clashes: tuple[Clash, ...] = ()) -> None:
        self.files = files
        self.clashes = clashes
        named = ", ".join(map(told, files[:3])) or "the site"
        super().__init__(
            f"Meanwhile something else changed the same place in {named}; please say how it should read now."
        )

    @property
    def there_now(self) -> str:
        """What a visitor reads at the places now, line by line."""
        return "\n".join(dict.fromkeys(clash.ours for clash in self.clashes if clash.ours))

    @property
    def before_it(self) -> str:
        """What the places would have become."""
        return "\n".join(dict.fromkeys(clash.theirs for clash in self.clashes if clash.theirs))

    @property
    def places(self) -> str:
        """The files, line by line, as an answer names them."""
        return "\n".join(map(told, self.files[:_MOST_TOLD]))
