"""What is to be seen, and a picture of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


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
