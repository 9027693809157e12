"""Versions: which one runs here, and whether a newer one was recorded, so that the older gives way."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Protocol

_DIGITS = 6


class Versions(Protocol):
    """The newest version that works on this installation."""

    def record(self, mine: str) -> None:
        """Note that this version works, unless a newer one was noted."""

    def newest(self) -> str | None:
        """Return the newest that was noted; None when nobody has."""


def this_version() -> str:
    return version("webordinary")


def rank(name: str) -> str:
    """Return a text that sorts as versions do: by their numbers; what follows them does not count."""
    numbers = re.match(r"\d+(?:\.\d+)*", name, re.ASCII)
    parts = (numbers[0].split(".") if numbers else ["0"])[:4]
    return ".".join(part.zfill(_DIGITS) for part in (*parts, *["0"] * (4 - len(parts))))


def is_outdated(mine: str, versions: Versions) -> bool:
    """Tell whether a newer version than this one works beside it."""
    newest = versions.newest()
    return newest is not None and rank(newest) > rank(mine)
