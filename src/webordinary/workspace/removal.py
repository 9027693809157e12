"""Removing what programs that are not ours have left, whatever they made of it."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child import run
from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE = timedelta(minutes=5)


def remove_tree(folder: Path) -> None:
    """Remove a folder, also one with locked parts or with more levels than Python can climb down."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
        return
    # Another program's work: Python climbs down by calling itself.
    for argv in (("rm", "-rf"), ("chmod", "-R", "u+rwX"), ("rm", "-rf")):
        if not folder.exists():
            return
        words = (*argv, "--", str(folder))
        run(words, cwd=folder.parent, env={"PATH": os.defpath}, deadline=_PATIENCE, stays_in_group=True)
    if folder.exists():
        raise TryAgain(f"{folder} cannot be removed; look at its rights.")


@contextmanager
def fresh_folder(within: Path, prefix: str = "tmp") -> Iterator[Path]:
    """Return a new folder that is gone after the block, whatever was put into it."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=within))
    try:
        yield folder
    finally:
        remove_tree(folder)


def remove_oddities(folder: Path) -> None:
    """Remove pipes, sockets and devices: git neither sees nor removes them, and a build would stumble over them."""
    waiting = [str(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not entry.is_file(follow_symlinks=False) and not entry.is_symlink():
                    os.unlink(entry.path)  # noqa: PTH108 - a hundred thousand files
