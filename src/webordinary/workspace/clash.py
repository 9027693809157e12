"""A clash: the two texts that a conflict leaves in a file, in the words that a visitor would read."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
