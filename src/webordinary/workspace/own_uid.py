"""A uid of its own for programs that are not ours: it owns what it may write, and can read what everybody can."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from pathlib import Path

# Of no account: systems number people from 1,000 up and services below that; containers map ranges from 100,000 on.
OWN_UID = 64_222


def hand_over(places: tuple[Path, ...], data: Path | None) -> None:
    """Give these folders to the other uid; inside `data` it finds one way to them, past closed doors."""
    for place in places:
        _give(place)
        if data is not None and place.is_relative_to(data):
            _leave_one_way(place, data)
    closed = next((folder for folder in places[0].parents if not folder.stat().st_mode & stat.S_IXOTH), None)
    if closed is not None:
        raise Misconfigured(
            f"Programs with a uid of their own cannot reach {places[0]}, because {closed} is closed to others: "
            f"move `data` to a folder such as /var/lib/webordinary, or install bubblewrap."
        )


def _give(place: Path) -> None:
    for parent, _, names in os.walk(place):
        for path in (parent, *(os.path.join(parent, name) for name in names)):  # noqa: PTH118 - a hundred thousand files
            with suppress(FileNotFoundError):
                # A link is given, never what it leads to.
                if os.lstat(path).st_uid != OWN_UID:
                    os.chown(path, OWN_UID, OWN_UID, follow_symlinks=False)


def _leave_one_way(place: Path, data: Path) -> None:
    """Let it pass through our own folders above the place, and close everything that lies beside the way."""
    step = place
    while step != data:
        folder = step.parent
        folder.chmod(stat.S_IMODE(folder.stat().st_mode) & ~0o007 | stat.S_IXOTH)
        for beside in folder.iterdir():
            if beside != step and not beside.is_symlink():
                with suppress(FileNotFoundError):
                    beside.chmod(stat.S_IMODE(beside.stat().st_mode) & ~0o007)
        step = folder
