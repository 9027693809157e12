"""The sandbox of the process that reads files: what a decoder is made to do stays in its own folder."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from PIL import Image, MpoImagePlugin, TiffImagePlugin

from webordinary.workspace.bubblewrap import LINKS_INTO_USR, OF_ETC, SYSTEM
from webordinary.workspace.confined.landlock import landlock_version, restrict_self
from webordinary.workspace.confined.rights import become, give_up_powers
from webordinary.workspace.confined.seccomp import Reach, filter_calls, is_known_machine
from webordinary.workspace.confined.stage import set_stage
from webordinary.workspace.own_uid import hand_over, is_root, uid_of

if TYPE_CHECKING:
    from pathlib import Path

_DEVICES = ("/dev/null", "/dev/urandom")
# Pillow fetches these when it first needs them, which may be too late: the folder of somebody else cannot be read then.
FETCHED = (MpoImagePlugin, TiffImagePlugin)


def enter_sandbox(folder: Path) -> None:
    """Give up every file but our own modules and this folder, every socket and every power, as far as it can be done.

    A kernel without these walls is no reason to refuse photos: memory and time are limited everywhere.
    """
    Image.preinit()
    modules = (place for place in sys.path if place)
    readable = (*SYSTEM, *LINKS_INTO_USR, *OF_ETC, sys.prefix, sys.base_prefix, *modules)
    if is_root():
        _stop_being_root(folder, readable)
    with suppress(OSError):
        give_up_powers()
        if landlock_version():
            restrict_self(readable, (str(folder),), _DEVICES, ())
        if is_known_machine():
            filter_calls(reach=Reach.NOTHING, sockets=False)


def _stop_being_root(folder: Path, readable: tuple[str, ...]) -> None:
    """Become somebody of its own: a decoder is not ours, and nothing that is not ours runs as root."""
    uid = uid_of(folder)
    hand_over((folder,))
    # Only where our modules lie behind a closed door is anything missed without it.
    with suppress(OSError):
        set_stage(uid, readable, (str(folder),), ())
        os.chdir(folder)
    become(uid, uid)
