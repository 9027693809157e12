"""A conflict: two changes of the same lines."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from webordinary.errors import JobFailed
from webordinary.workspace.extent import told

if TYPE_CHECKING:
    from pathlib import Path


_LARGEST_FILE = 1_000_000
_MOST_CLASHES, _MOST_TOLD_OF = 20, 3
_LONGEST = 160
_HUNK = re.compile(r"^<{7}[^\n]*\n(.*?)^={7}\n(.*?)^>{7}", re.MULTILINE | re.DOTALL)
_HUNK_LINES = re.compile(r"^<{7}[^\n]*\n.*?^={7}\n(?P<theirs>.*?)^>{7}[^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Clash:
    """What stands there, and what should have; and in which file."""

    ours: str
    theirs: str
    path: str = ""


def read_conflict(folder: Path, paths: tuple[str, ...]) -> MergeConflict:
    """Return the conflict of files that a merge has marked, with the first of their clashes."""
    hunks = {path: _HUNK.findall(_text_of(folder / path)) for path in paths}
    found = (Clash(_plain(ours), _plain(theirs), path) for path, some in hunks.items() for ours, theirs in some)
    clashes = tuple(islice(found, _MOST_CLASHES))
    return MergeConflict(paths, clashes, is_marked=all(hunks.values()))


def keep_theirs(text: str) -> str:
    """Return the text of a marked file with their version alone."""
    return _HUNK_LINES.sub(r"\g<theirs>", text)


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

    def __init__(self, files: tuple[str, ...], clashes: tuple[Clash, ...] = (), *, is_marked: bool = False) -> None:
        self.files = files
        self.clashes = clashes
        # Whether each of the files holds both versions; a picture does not, nor a page that one side has removed.
        self.is_marked = is_marked
        named = ", ".join(map(told, files[:3])) or "the site"
        super().__init__(
            f"Meanwhile something else changed the same place in {named}; please say how it should read now."
        )

    @property
    def ours(self) -> str:
        """What our side has at the places, line by line."""
        return "\n".join(dict.fromkeys(clash.ours for clash in self.clashes[:_MOST_TOLD_OF] if clash.ours))

    @property
    def theirs(self) -> str:
        """What the side that should have come in has there."""
        return "\n".join(dict.fromkeys(clash.theirs for clash in self.clashes[:_MOST_TOLD_OF] if clash.theirs))

    @property
    def places(self) -> str:
        """The files, line by line, as an answer names them."""
        return "\n".join(map(told, self.files[:_MOST_TOLD]))
