"""The data of an installation are closed to other users of the machine, but for what they are meant to reach."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from webordinary.workspace.own_uid import OPEN_TO_ALL

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_CLOSED, _PASSABLE = 0o700, 0o711
_READ_OR_WRITE = 0o066


def close_to_others(data: Path, meant: Iterable[Path] = ()) -> None:
    """Let nobody else look into `data`; they may pass to what is `meant` for them, such as the socket of a mail server.

    Whether a program with a uid of its own passes through is decided when it starts: that way stays as it is.
    """
    # Somebody else's folder, or one that cannot be changed: its owner has decided.
    with suppress(PermissionError, FileNotFoundError):
        data.mkdir(parents=True, exist_ok=True, mode=_CLOSED)
        status = data.stat()
        ways = {folder for place in meant for folder in place.parents if folder.is_relative_to(data)}
        if status.st_uid != os.geteuid():
            return
        if not ways and stat.S_IMODE(status.st_mode) & _READ_OR_WRITE:
            data.chmod(_CLOSED)
        for folder in ways:
            if folder.is_dir():
                folder.chmod(_PASSABLE)
        if data.stat().st_mode & stat.S_IXOTH:
            _close_what_lies_in(data, ways | set(meant))


def _close_what_lies_in(data: Path, open_ones: set[Path]) -> None:
    for place in data.iterdir():
        mode = place.lstat().st_mode
        is_ours = stat.S_ISDIR(mode) or stat.S_ISREG(mode)
        if is_ours and place not in open_ones and place.name != OPEN_TO_ALL and mode & _READ_OR_WRITE:
            place.chmod(stat.S_IMODE(mode) & ~_READ_OR_WRITE & ~(stat.S_IXGRP | stat.S_IXOTH))
