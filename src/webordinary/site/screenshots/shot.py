"""What is to be seen, and a picture of it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")


@dataclass(frozen=True, slots=True)
class NoBrowser:
    """Why no pictures can be taken, and what to do about it."""

    why: str


def find_browser(program: Path | None = None) -> Path | NoBrowser:
    """Return the browser; the one that is named, or the first that is on the path."""
    if find_spec("playwright") is None:
        return NoBrowser("the extra that drives a browser is not installed: pip install 'webordinary[screenshots]'")
    if program is not None:
        found = shutil.which(program)
        return Path(found) if found else NoBrowser(f"there is no browser at {program}: correct `pictures.browser`")
    for name in _NAMES:
        if found := shutil.which(name):
            return Path(found)
    return NoBrowser("there is no chromium on this machine (on Debian and Ubuntu: apt install chromium)")


class Side(StrEnum):
    """On which side of a change."""

    BEFORE = "before"
    AFTER = "after"


class Screen(StrEnum):
    """On which kind of screen."""

    COMPUTER = "computer"
    PHONE = "phone"


@dataclass(frozen=True, slots=True)
class View:
    """One page of the site, and in which of the two builds it is; its path inside of them."""

    path: str
    sides: tuple[Side, ...] = (Side.BEFORE, Side.AFTER)


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture that is small enough for a mail; `subtype` is what stands behind `image/`."""

    path: str
    screen: Screen
    side: Side
    subtype: str
    width: int
    height: int
    content: bytes


@dataclass(frozen=True, slots=True)
class PictureLimits:
    """How many pages are shown, how long all of it may take, and what a mail carries."""

    pages: int = 3
    deadline: timedelta = timedelta(seconds=20)
    bytes_each: int = 150_000
    bytes_together: int = 900_000
