"""Which browser takes the pictures, and why there is none."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")


@dataclass(frozen=True, slots=True)
class Missing:
    """Why no pictures can be taken, and what to do about it."""

    why: str


def find_browser(program: Path | None = None) -> Path | Missing:
    """Return the browser; the one that is named, or the first that is on the path."""
    if find_spec("playwright") is None:
        return Missing("the extra that drives a browser is not installed: pip install 'webordinary[screenshots]'")
    if program is not None:
        found = shutil.which(program)
        return Path(found) if found else Missing(f"there is no browser at {program}: correct `pictures.browser`")
    for name in _NAMES:
        if found := shutil.which(name):
            return Path(found)
    return Missing("there is no chromium on this machine (on Debian and Ubuntu: apt install chromium)")
