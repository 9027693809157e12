"""The scratch folder: what a job needs while it runs, and what one leaves behind whose worker was killed."""

from __future__ import annotations

import shutil
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

# No attempt lasts nearly as long; whatever is younger may belong to another worker of this machine.
_NOBODYS_AFTER = timedelta(days=1)


def open_scratch(folder: Path, now: datetime) -> Path:
    """Return the folder, without what nobody can need any more."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.iterdir():
        with suppress(FileNotFoundError):
            if left.lstat().st_mtime < (now - _NOBODYS_AFTER).timestamp():
                _remove(left)
    return folder


def _remove(left: Path) -> None:
    if left.is_dir() and not left.is_symlink():
        shutil.rmtree(left, ignore_errors=True)
    else:
        left.unlink()
