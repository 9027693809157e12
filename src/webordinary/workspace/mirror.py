"""A project's mirror: one bare copy of its repository, through which all its lanes fetch and push."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured, TryAgain
from webordinary.workspace.git import Git, GitFailed
from webordinary.workspace.lock import take_lock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from webordinary.workspace.access import Access

FENCES = "refs/webordinary/fence"
HISTORY = "refs/webordinary/history"
_SEEN_FENCES = "refs/webordinary/seen-fence"
_SEEN_HISTORY = "refs/webordinary/seen-history"
_FETCH = (
    ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
    ("remote.origin.fetch", f"+{FENCES}/*:{_SEEN_FENCES}/*"),
    ("remote.origin.fetch", f"+{HISTORY}/*:{_SEEN_HISTORY}/*"),
)
# What nobody else has: threads that were not pushed, and work that was left aside.
_OURS = ("refs/heads/thread-*", "refs/webordinary/left/**")
_CONSTANTS = {
    "HEAD": "ref: refs/heads/main\n",
    "config": "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n",
}
# Fetching and pushing have deadlines of their own; somebody who waits longer waits for something broken.
_PATIENCE = timedelta(minutes=6)


class BranchGone(Misconfigured):
    """The repository has no live branch."""


@dataclass(frozen=True, slots=True)
class Update:
    """A ref that is to move at the remote, if it still is where we believe (None: it does not exist)."""

    ref: str
    expected: str | None
    commit: str


class Mirror:
    """The remote's branches and fences as last seen, and the one door to it.

    The remote's address is never written into the mirror: it may contain a password, and it may change.
    """

    def __init__(self, folder: Path, access: Access, branch: str) -> None:
        self.path = folder / "mirror.git"
        self.branch = branch
        self._access = access
        self._settings = (("remote.origin.url", access.address), *_FETCH)
        self._locked: tuple[int, ...] = ()
        self._lock_file = folder / "mirror.lock"
        self._suspicion = folder / "mirror.suspect"
        self.path.mkdir(parents=True, exist_ok=True)
        self.git = Git(self.path, repository=self.path, settings=self._settings)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only one that exchanges anything with the remote; git's own processes hold the lock too."""
        if self._locked:
            yield
            return
        lock = take_lock(self._lock_file, patience=_PATIENCE)
        if lock is None:
            raise TryAgain("Another lane of the project is busy with the repository; it will be tried again.")
        with lock:
            self._locked = (lock.fileno(),)
            try:
                yield
            finally:
                self._locked = ()

    def fetch(self) -> None:
        """See the remote as it is now."""
        with self.locked():
            self._fetch_into(self.git)

    def push(self, updates: Sequence[Update]) -> str | None:
        """Move all refs or none; None when they were moved, else the remote's reason for refusing.

        The lease makes git compare what the remote has with what we believe, and the remote compares again when
        it moves the ref. A ref that already is where it should go is not sent, and so it is not compared.
        """
        leases = [f"--force-with-lease={each.ref}:{each.expected or ''}" for each in updates]
        moves = [f"{each.commit}:{each.ref}" for each in updates]
        with self.locked():
            pushed = self.git.reach(
                self._access, "push", "--atomic", "--porcelain", *leases, "origin", *moves, keep_open=self._locked
            )
        return None if pushed.succeeded else _refusal(pushed.stdout.decode(errors="replace"))

    def live(self) -> str:
        """Return the commit of the live branch, as last seen."""
        commit = self.branch_at_remote(self.branch)
        if commit is None:
            message = f"has no branch {self.branch!r}; push a first version of the site to it"
            raise BranchGone(f"The repository {self._access.address} {message}.")
        return commit

    def branch_at_remote(self, branch: str) -> str | None:
        return self.git.commit_named(f"refs/remotes/origin/{branch}")

    def history_at_remote(self, name: str) -> str | None:
        return self.git.commit_named(f"{_SEEN_HISTORY}/{name}")

    def fence_at_remote(self, name: str) -> str | None:
        return self.git.commit_named(f"{_SEEN_FENCES}/{name}")

    def descends(self, newer: str, older: str) -> bool:
        """Say whether the newer commit has the older one in its history, or is it; unknown ones have none."""
        answer = self.git.attempt("merge-base", "--is-ancestor", older, newer)
        # Git also says "no" when it could not read something in between, and then it complains.
        if answer.code == 0 or (answer.code == 1 and not answer.stderr):
            return answer.code == 0
        if None in {self.git.commit_named(older), self.git.commit_named(newer)}:
            return False
        raise GitFailed(f"The mirror {self.path} is damaged; it will be made anew.")

    def is_live(self, commit: str) -> bool:
        """Look at the remote whether this commit is part of the live branch."""
        self.fetch()
        live = self.branch_at_remote(self.branch)
        return live is not None and self.descends(live, commit)

    def export(self, commit: str, into: Path, index: Path) -> None:
        """Lay a commit's files into an empty folder; `index` is a file that git may make for it."""
        env = {"GIT_INDEX_FILE": str(index), "GIT_WORK_TREE": str(into)}
        self.git.read("read-tree", commit, env=env)
        self.git.read("checkout-index", "--all", "--quiet", f"--prefix={into}/", env=env)

    def add_working_tree(self, folder: Path) -> None:
        """Link a new folder to the mirror; alone, because git trips over another one that is half made."""
        with self.locked():
            self.git.read("worktree", "add", "--quiet", "--force", "--detach", str(folder), self.live())

    def suspect(self) -> None:
        """Have the whole mirror looked through before it is used again."""
        self._suspicion.touch()

    def heal_if_suspected(self) -> None:
        if self._suspicion.exists():
            self.heal("--full")

    def heal(self, how: str = "--connectivity-only") -> None:
        """Make the mirror anew if something that a branch needs is missing in it."""
        with self.locked():
            self._restore_constants()
            if not self._is_sound(how):
                self._remake()
            self._suspicion.unlink(missing_ok=True)

    def _is_sound(self, how: str) -> bool:
        try:
            return self.git.succeeds("fsck", how, "--no-dangling", "--no-reflogs")
        except GitFailed:
            # Whatever takes longer to look through than to fetch is fetched.
            return False

    def _restore_constants(self) -> None:
        """Write down anew what is the same in every mirror, and without which git reads nothing else."""
        for name, text in _CONSTANTS.items():
            path = self.path / name
            if path.is_file() and path.read_text(encoding="utf-8", errors="replace") != text:
                path.write_text(text, encoding="ascii")
        for lock in (*self.path.glob("*.lock"), *(self.path / "refs" / "remotes").rglob("*.lock")):
            lock.unlink(missing_ok=True)

    def _remake(self) -> None:
        """Fill a new mirror beside the broken one; what was never pushed is saved as far as it can be read."""
        fresh, broken = self.path.with_name("fresh.git"), self.path.with_name("broken.git")
        for folder in (fresh, broken):
            shutil.rmtree(folder, ignore_errors=True)
        fresh.mkdir()
        git = Git(fresh, repository=fresh, settings=self._settings)
        self._fetch_into(git)
        self._save_into(git)
        self.path.rename(broken)
        fresh.rename(self.path)

    def _save_into(self, git: Git) -> None:
        names = self.git.attempt("for-each-ref", "--format=%(refname)", *_OURS).stdout.decode().splitlines()
        fetch = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", str(self.path))
        if not git.succeeds(*fetch, *(f"{name}:{name}" for name in names)):
            # One that cannot be read must not take the others with it.
            for name in names:
                git.attempt(*fetch, f"{name}:{name}")

    def _fetch_into(self, git: Git) -> None:
        if not (git.folder / "HEAD").is_file():
            git.read("init", "--quiet", "--bare", "--template=")
        options = ("--quiet", "--prune", "--no-tags", "--no-write-fetch-head")
        git.reach(self._access, "fetch", *options, "origin", keep_open=self._locked)


def _refusal(said: str) -> str:
    """Find the remote's own reason among the lines about each ref: `!  from:to  [remote rejected] (reason)`."""
    refused = [line.split("\t")[-1] for line in said.splitlines() if line.startswith("!")]
    reasons = [line for line in refused if "atomic" not in line]
    return (reasons or refused or ["[rejected] (no reason was given)"])[0]
