"""Sites: the releases of every project, the pointer to the one that is live, and the threads' previews."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from webordinary.errors import PublishFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]*", re.ASCII)
_LANE = re.compile(r"[0-9a-z-]+#[0-9a-z-]+", re.ASCII)


def is_name(text: str) -> bool:
    """Tell whether a text may be a folder's name or a part of an object's: it leads nowhere else."""
    return _NAME.fullmatch(text) is not None


def checked_name(name: str) -> str:
    """Return a project, a thread or a commit that becomes part of a path; refuse one that could lead elsewhere."""
    if not is_name(name):
        raise PublishFailed(f"{name[:60]!r} cannot be part of a path")
    return name


def checked_lane(lane: str) -> str:
    """Return a lane that becomes part of a path, or refuse it."""
    if not _LANE.fullmatch(lane):
        raise PublishFailed(f"{lane[:60]!r} cannot be the name of a lane")
    return lane


class Switched(Enum):
    """What became of the wish to make a commit live."""

    SWITCHED = "switched"
    RENAMED = "switched by renaming folders"
    FILE_BY_FILE = "switched file by file"
    ALREADY_LIVE = "already live"


def needs_switch(commit: str, live: str | None, descends: Callable[[str, str], bool]) -> bool:
    """Tell whether the pointer has to move; it only moves forward: PublishFailed where the commit does not follow."""
    if live is None:
        return True
    if live == commit or descends(live, commit):
        return False
    if not descends(commit, live):
        raise PublishFailed(f"{commit[:12]} does not build on what is live ({live[:12]}), so it was not published")
    return True


def missing_release(commit: str) -> PublishFailed:
    return PublishFailed(f"the release {commit[:12]} is missing: ask for the change again")


@dataclass(frozen=True, slots=True)
class Release:
    """A release that is kept: the commit it was built from, and since when it has been there."""

    commit: str
    added_at: datetime


@dataclass(frozen=True, slots=True)
class PreviewShown:
    """A preview that is shown: the conversation it belongs to, and when it was last made."""

    thread: str
    shown_at: datetime


class Sites(Protocol):
    """A visitor never sees a half release, and the pointer to the live one only moves forward."""

    def add_release(self, project: str, commit: str, built: Path) -> None:
        """Lay a complete release beside the old ones; one that is there already stays as it is."""

    def take_release(self, project: str, commit: str, built: Path) -> Path:
        """Do the same with a folder that nobody needs any more, and return where its files lie now."""

    def switch_live(
        self, project: str, commit: str, *, lane: str, fence: int, descends: Callable[[str, str], bool]
    ) -> Switched:
        """Make a commit's release live, unless something built on it is; `descends(new, old)` tells.

        Raises LostOwnership when a higher fence of the lane is recorded, and PublishFailed when the commit
        and the live one do not build on each other.
        """

    def advance_fence(self, project: str, lane: str, fence: int) -> None:
        """Keep earlier owners of the lane from switching; LostOwnership when a later one did that to us."""

    def live(self, project: str) -> str | None:
        """Return the commit that visitors see."""

    def releases(self, project: str) -> Sequence[Release]:
        """Return the releases that are kept, the newest first; none where the host keeps them itself."""

    def folder_of(self, project: str, commit: str) -> Path | None:
        """Return the folder of a release, to be read only; None where its files do not lie on this machine."""

    def show_preview(self, project: str, thread: str, built: Path) -> None:
        """Show this as the thread's preview instead of the last one; a release that lies here is shown from there."""

    def previews(self, project: str) -> Sequence[PreviewShown]:
        """Return the previews that are shown."""

    def remove_preview(self, project: str, thread: str) -> None:
        """Show nothing as the thread's preview any more; one that is not there is as good as removed."""

    def remove_old(self, project: str, *, keep: int) -> None:
        """Remove all but the newest releases, and never the live one nor the one before it."""
