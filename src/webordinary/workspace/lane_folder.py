"""A lane's folder on this machine: entered under a lock, kept warm between jobs, made anew when broken."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from webordinary.child import kill_group
from webordinary.errors import TryAgain
from webordinary.workspace.git import Git, GitFailed
from webordinary.workspace.leaving import date_honestly, remove_oddities, remove_tree, take_powers
from webordinary.workspace.lock import take_lock
from webordinary.workspace.staging import clean

if TYPE_CHECKING:
    from datetime import timedelta
    from pathlib import Path

    from webordinary.workspace.lock import Lock
    from webordinary.workspace.mirror import Mirror


class LaneFolder:
    """The files of one lane: its working tree, its lock, and a note of who works in there."""

    def __init__(self, lanes: Path, user: str) -> None:
        self.path = lanes / user
        self.process_record = lanes / f"{user}.process"
        self._lock_file = lanes / f"{user}.lock"

    def enter(self, patience: timedelta) -> Lock:
        """Be the only one in here; whatever an owner before us left running is ended first."""
        lock = take_lock(self._lock_file, patience=patience, when_busy=self._end_orphan)
        if lock is None:
            raise TryAgain(f"Somebody still works in {self.path}; it will be tried again.")
        self.process_record.unlink(missing_ok=True)
        return lock

    def open_branch(self, mirror: Mirror, branch: str, lock: Lock) -> Git:
        """Put the thread's last committed state into the folder and nothing else; heal what is broken."""
        mirror.heal_if_suspected()
        try:
            mirror.fetch()
            return self._switch(mirror, branch, lock)
        except GitFailed:
            mirror.heal()
            mirror.fetch()
            self._remake(mirror)
            return self._switch(mirror, branch, lock)

    def _end_orphan(self) -> None:
        """End the agent of the owner before us: the lane is ours now."""
        with suppress(FileNotFoundError):
            kill_group(self.process_record.read_text(encoding="ascii"))

    def _switch(self, mirror: Mirror, branch: str, lock: Lock) -> Git:
        repository = self._repository(mirror)
        if not self._is_linked(repository):
            self._remake(mirror)
        _remove_stale_locks(repository, mirror.path / "refs" / "heads" / f"{branch}.lock")
        git = Git(self.path, repository=repository, keep_open=(lock.fileno(),))
        start = _choose_start(mirror, branch)
        _recognise(git)
        git.read("checkout", "--quiet", "--force", "--ignore-other-worktrees", "--no-track", "-B", branch, start)
        git.read("reset", "--quiet", "--hard", "HEAD")
        clean(git)
        remove_oddities(self.path)
        take_powers(self.path)
        return git

    def _repository(self, mirror: Mirror) -> Path:
        return mirror.path / "worktrees" / self.path.name

    def _is_linked(self, repository: Path) -> bool:
        link = self.path / ".git"
        if link.is_symlink() or not link.is_file() or not (repository / "HEAD").is_file():
            return False
        return link.read_bytes() == b"gitdir: " + os.fsencode(repository) + b"\n"

    def _remake(self, mirror: Mirror) -> None:
        remove_tree(self.path)
        remove_tree(self._repository(mirror))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        mirror.add_working_tree(self.path)


def _choose_start(mirror: Mirror, branch: str) -> str:
    """Go on where the thread is furthest; the remote wins over work here that its later owner did not have."""
    here = mirror.git.commit_named(f"refs/heads/{branch}")
    there = mirror.branch_at_remote(branch)
    if here is None or there is None:
        return here or there or mirror.live()
    if mirror.descends(here, there):
        return here
    if not mirror.descends(there, here):
        mirror.git.read("update-ref", f"refs/webordinary/left/{branch}/{here}", here)
    return there


def _recognise(git: Git) -> None:
    """Let git look into the files that only have another owner now; a forced checkout would write each of them anew.

    Written anew they would be ours again, would be handed over again, and would never be recognised.
    """
    date_honestly(git.folder)
    git.attempt("update-index", "-q", "--refresh")


def _remove_stale_locks(repository: Path, branch_lock: Path) -> None:
    """Remove what a killed git left: we hold the lane's lock, and every git in here would hold it too."""
    for stale in (*repository.glob("*.lock"), branch_lock):
        stale.unlink(missing_ok=True)
