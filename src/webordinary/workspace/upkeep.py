"""Upkeep of a project's mirror: branches of ended conversations are removed, and loose objects packed."""

from __future__ import annotations

import re
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from webordinary.errors import TryAgain
from webordinary.workspace.git import Git
from webordinary.workspace.leaving import remove_tree
from webordinary.workspace.lock import take_lock
from webordinary.workspace.mirror import Mirror, Update

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from webordinary.workspace.access import Access

_THREADS = "refs/heads/thread-*"
_THREADS_THERE = "refs/remotes/origin/thread-*"
_LEFT = "refs/webordinary/left/**"
_FORMAT = "--format=%(refname)%00%(objectname)%00%(committerdate:unix)%00%(committeremail)%00%(worktreepath)"
_OURS = "<webordinary@localhost>"
_AT_ONCE = 50
_LOOSE, _PACKS = 500, 10
# Whatever an attempt has made and not named yet is younger; git itself takes the same time.
_UNNAMED_FOR = "14.days.ago"
_AT_MOST = timedelta(minutes=30)
_COUNT = re.compile(r"^(count|packs): (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Ref:
    name: str
    commit: str
    made_at: datetime
    committer: str
    is_checked_out: bool

    @property
    def thread(self) -> str:
        return self.name.rpartition("/thread-")[2]


@dataclass(frozen=True, slots=True)
class Ages:
    """Before which moment a conversation's branch, and what an interrupted job has left, are too old."""

    branches: datetime
    left: datetime


class MirrorUpkeep:
    """Works in a mirror only while no job of its project runs on this machine."""

    def __init__(self, root: Path, project: str, access: Access, branch: str) -> None:
        self._folder = root / "projects" / project
        self._lanes = root / "lanes" / project
        self._access = access
        self._branch = branch

    @property
    def is_there(self) -> bool:
        return (self._folder / "mirror.git" / "HEAD").is_file()

    def prune_branches(self, ages: Ages, needed: Callable[[], set[str]], *, at_remote: bool) -> int | None:
        """Remove branches that are too old and that nothing needs; None when a job runs or is about to."""
        with self._alone() as is_quiet:
            if not is_quiet:
                return None
            mirror = Mirror(self._folder, self._access, self._branch)
            with mirror.locked():
                keep = needed()
                gone = [ref for ref in _refs(mirror.git, _THREADS) if _may_go(ref, ages.branches, keep)]
                gone += [ref for ref in _refs(mirror.git, _LEFT) if ref.made_at < ages.left]
                _delete(mirror.git, gone[: 10 * _AT_ONCE])
                there = self._prune_remote(mirror, ages, keep) if at_remote else 0
            return len(gone[: 10 * _AT_ONCE]) + there

    def pack(self) -> bool:
        """Pack what is loose and drop what nothing names any more, if it is worth it; False while a job runs."""
        with self._alone() as is_quiet:
            pass
        # Not kept alone: git lets others work meanwhile, and nobody has to wait.
        return is_quiet and pack(Git(self._folder / "mirror.git", repository=self._folder / "mirror.git"))

    def forget(self, threads: set[str], jobs: set[str], users: set[str], *, at_remote: bool) -> None:
        """Remove the branches of a person's conversations and what their jobs left, with all that only they held.

        Raises TryAgain while a job of the project runs.
        """
        with self._alone() as is_quiet:
            if not is_quiet:
                raise TryAgain("A job of the project runs; try again when it has ended.")
            mirror = Mirror(self._folder, self._access, self._branch)
            with mirror.locked():
                mirror.fetch()
                if at_remote:
                    self._remove_there(mirror, threads)
                for user in users:
                    remove_tree(self._lanes / user)
                    remove_tree(mirror.path / "worktrees" / user)
                gone = [ref for ref in _refs(mirror.git, _THREADS) if ref.thread in threads]
                gone += [ref for ref in _refs(mirror.git, _LEFT) if ref.name.rpartition("/")[2] in jobs]
                _delete(mirror.git, gone)
                remove_tree(mirror.path.with_name("broken.git"))
                pack(mirror.git, now=True)

    def commits_by(self, address: str) -> int:
        """Return how many commits of the live branch name an address, as author or in their words."""
        git = Mirror(self._folder, self._access, self._branch).git
        live = f"refs/remotes/origin/{self._branch}"
        asked = ("rev-list", "--fixed-strings", "--regexp-ignore-case")
        return len(
            {
                *git.read(*asked, f"--author={address}", live).split(),
                *git.read(*asked, f"--grep={address}", live).split(),
            }
        )

    @staticmethod
    def _remove_there(mirror: Mirror, threads: set[str]) -> None:
        for ref in _refs(mirror.git, _THREADS_THERE):
            if ref.thread in threads:
                refusal = mirror.push([Update(f"refs/heads/thread-{ref.thread}", ref.commit, "")])
                if refusal is not None:
                    raise TryAgain(f"The repository keeps the branch thread-{ref.thread}: {refusal}; allow it there.")

    def _prune_remote(self, mirror: Mirror, ages: Ages, keep: set[str]) -> int:
        mirror.fetch()
        found = [ref for ref in _refs(mirror.git, _THREADS_THERE) if _may_go(ref, ages.branches, keep)][:_AT_ONCE]
        wanted = [Update(f"refs/heads/thread-{ref.thread}", ref.commit, "") for ref in found]
        if not wanted or mirror.push(wanted) is None:
            return len(wanted)
        # One that the repository protects must not keep the others.
        return sum(mirror.push([each]) is None for each in wanted)

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Hold the locks of all lanes of the project, if nobody works in one of them."""
        with ExitStack() as held:
            is_quiet = True
            for path in sorted(self._lanes.glob("*.lock")):
                lock = take_lock(path, patience=timedelta(0))
                if lock is None:
                    is_quiet = False
                    break
                held.enter_context(lock)
            if not is_quiet:
                held.close()
            yield is_quiet


def pack(git: Git, *, now: bool = False) -> bool:
    """Pack a repository that has many loose objects; with `now` anyway, and what nothing names is gone at once."""
    known = {name: int(number) for name, number in _COUNT.findall(git.read("count-objects", "-v"))}
    if not now and known.get("count", 0) < _LOOSE and known.get("packs", 0) < _PACKS:
        return False
    if now:
        git.read("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    prune = "--prune=now" if now else f"--prune={_UNNAMED_FOR}"
    # In a pack of its own: loose again, what nothing names would be packed every hour until its time is over.
    return git.attempt("gc", "--quiet", "--cruft", prune, deadline=_AT_MOST).succeeded


def _may_go(ref: _Ref, before: datetime, keep: set[str]) -> bool:
    """Say whether a branch is ours, old and not needed; one with somebody else's last commit is theirs."""
    is_ours = ref.committer == _OURS and not ref.is_checked_out
    return is_ours and ref.made_at < before and ref.thread not in keep


def _refs(git: Git, pattern: str) -> list[_Ref]:
    found = []
    for line in git.read("for-each-ref", _FORMAT, pattern).splitlines():
        name, commit, at, committer, where = line.split("\0")
        found.append(_Ref(name, commit, datetime.fromtimestamp(int(at or 0), UTC), committer, bool(where)))
    return found


def _delete(git: Git, refs: Sequence[_Ref]) -> None:
    orders = "".join(f"delete {ref.name} {ref.commit}\n" for ref in refs)
    if orders:
        git.read("update-ref", "--stdin", stdin=orders.encode())
