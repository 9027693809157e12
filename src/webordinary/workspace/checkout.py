"""A checkout: one thread's branch in its lane's folder, entered by one owner at a time."""

from __future__ import annotations

import tempfile
import unicodedata
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Self

from webordinary.workspace import fences, history, push
from webordinary.workspace.change import Change, ChangeKind, read_changes, read_files
from webordinary.workspace.conflict import MergeConflict, read_conflict
from webordinary.workspace.difference import read_difference
from webordinary.workspace.fences import check_name
from webordinary.workspace.git import GitFailed
from webordinary.workspace.lane_folder import LaneFolder
from webordinary.workspace.mirror import Mirror
from webordinary.workspace.push import Owner, Prepared, PushResult
from webordinary.workspace.staging import clean, discard, stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webordinary.child import Child
    from webordinary.workspace.access import Access
    from webordinary.workspace.git import Git
    from webordinary.workspace.lock import Lock


# Git drops these at both ends of a name and then refuses one of which nothing is left.
_DROPPED = " .,:;<>\"'\\"


def author(name: str, address: str) -> dict[str, str]:
    """Name the author for git by its environment."""
    known = printable(name).strip(_DROPPED) or "Editor"
    return {"GIT_AUTHOR_NAME": known, "GIT_AUTHOR_EMAIL": printable(address).strip(_DROPPED)}


def write_message(message: str, trailers: Mapping[str, str]) -> bytes:
    """Write the trailers into a last paragraph of their own, so that none of the message's lines is one."""
    body = "\n".join(printable(line) for line in message.strip().splitlines()) or "Change"
    last = "\n".join(f"{key}: {printable(value)}" for key, value in trailers.items())
    return f"{body}\n\n{last}".strip().encode(errors="replace") + b"\n"


def printable(text: str) -> str:
    """Leave out control characters: some end a line, some hide what stands before them."""
    return "".join(each for each in text if each == "\t" or unicodedata.category(each) not in {"Cc", "Cs", "Cf"})


__all__ = ["Change", "ChangeKind", "Checkout", "MergeConflict", "Prepared", "PushResult", "Workspace"]

# Longer than a stopped agent needs to die, shorter than an owner's lease.
_PATIENCE = timedelta(seconds=20)


class Checkout:
    """What may be done in a lane's folder while its lock is held."""

    def __init__(self, git: Git, mirror: Mirror, branch: str, lock: Lock, process_record: Path) -> None:
        self.branch = branch
        self.path = git.folder
        self._git = git
        self._mirror = mirror
        self._lock = lock
        self._process_record = process_record
        # Ours alone: the mirror is shared, and what another lane sees in it must not move below work in here.
        self._live = mirror.live()
        # Once the work is committed, what else appears in the folder comes from a build.
        self._is_committed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, problem: BaseException | None, _where: object) -> None:
        if isinstance(problem, GitFailed) and problem.hints_at_damage:
            self._mirror.suspect()
        self.close()

    def close(self) -> None:
        """Let the next owner in, as soon as no child holds the lock any more."""
        self._lock.close()

    @property
    def lock(self) -> int:
        """The descriptor that a child must keep open while it works in here."""
        return self._lock.fileno()

    @property
    def tip(self) -> str:
        return self._git.read("rev-parse", "HEAD")

    def record_agent(self, child: Child) -> None:
        """Write down who edits in here: what appears in the folder from now on is work to keep."""
        self._is_committed = False
        self.record_child(child)

    def record_child(self, child: Child) -> None:
        """Write down who works in here, so that the next owner can end it if we cannot."""
        fresh = self._process_record.with_suffix(".new")
        fresh.write_text(child.identity, encoding="ascii")
        fresh.replace(self._process_record)

    def live_commit(self) -> str:
        """Return the live branch's commit as this checkout last looked at it."""
        return self._live

    def differs_from_live(self) -> bool:
        return not self._git.succeeds("diff", "--quiet", "--ignore-submodules=all", self.live_commit(), "HEAD")

    def changes_for_live(self) -> tuple[Change, ...]:
        """Return what publishing the committed work would change in the live branch as last looked at."""
        return read_changes(self._git, self.live_commit(), "HEAD")

    def files(self) -> tuple[str, ...]:
        """Return the paths of all files of the branch's last commit."""
        return read_files(self._git)

    def describe(self, commit: str) -> str:
        """Say in a line for each file what a commit did."""
        changes = read_changes(self._git, f"{commit}^", commit)
        return "\n".join(f"{change.kind} {change.path}" for change in changes)

    def commit(
        self, message: str, *, author_name: str, author_email: str, trailers: Mapping[str, str] | None = None
    ) -> str | None:
        """Commit everything that has changed; None when nothing has. Also ends a merge that was left open."""
        stage(self._git)
        if self._is_merging():
            self._refuse_conflict_marks()
        commit = self._commit_staged(message, trailers or {}, author(author_name, author_email))
        self._is_committed = True
        return commit

    def set_aside(self, message: str) -> str | None:
        """Keep an agent's unfinished work on the thread's branch; None when there is none."""
        if self._is_committed or self._is_merging():
            self.discard_changes()
        stage(self._git, is_rest=True)
        return self._commit_staged(message, {}, {})

    def leave_aside(self, job: str, began: str) -> bool:
        """Keep what a job has committed under a name of its own, and let the thread go on as it was before it.

        Say whether the remote has some of that: the next owner of the thread would go on there.
        """
        tip = self.tip
        if tip == began:
            return False
        self._git.read("update-ref", f"refs/webordinary/left/{check_name(job, 'A job')}", tip)
        self._git.read("reset", "--quiet", "--hard", began)
        there = self._mirror.branch_at_remote(self.branch)
        return there is not None and self.descends(tip, there) and not self.descends(began, there)

    def held_work(self, commit: str) -> bool:
        """Tell whether the thread had work of its own at this commit that was not live."""
        base = self._git.attempt("merge-base", commit, self.live_commit())
        left_at = base.stdout.decode(errors="replace").strip()
        return not left_at or not self._git.succeeds("diff", "--quiet", "--ignore-submodules=all", left_at, commit)

    def has_newer_work(self, commit: str) -> bool:
        """Tell whether the branch holds work on top of this commit that is not live either."""
        newer = ("log", "--max-count=1", "--no-merges", "--format=%H", "HEAD", f"^{commit}", *self._besides_live())
        return bool(self._git.read(*newer))

    def _besides_live(self) -> tuple[str, ...]:
        """Return what leaves out all that is live, or was before its history was replaced."""
        bridge = history.last_bridge(self._mirror)
        return (f"^{self.live_commit()}", *([f"^{bridge.commit}"] if bridge else ()))

    def rejoin(self, tip: str) -> None:
        """Bring work back that was left aside, if it fits; else it stays where it was left."""
        if not self._git.succeeds("merge", "--quiet", "--no-verify", "-m", "Go on with what was begun", tip):
            self.discard_changes()

    def commit_of(self, job: str) -> str | None:
        """Return the commit that this job has made on the branch and that is not live yet."""
        trailer = "%H %(trailers:key=Job,valueonly,separator=%x2C)"
        lines = self._git.read("log", "--max-count=50", f"--format={trailer}", "HEAD", *self._besides_live())
        found = (line.split(" ", 1) for line in lines.splitlines() if " " in line)
        return next((commit for commit, name in found if name.strip() == job), None)

    def discard_changes(self) -> None:
        """Go back to the branch's last commit, leaving nothing else in the folder."""
        discard(self._git)
        self._is_committed = True

    def remove_build(self) -> None:
        """Remove what a build has left in the folder, which nobody needs any more: what is young is gone at once.

        A minute later it would be on the disk, from where it is removed with four times the work.
        """
        clean(self._git)

    def merge_live(self, *, leave_conflict: bool = False) -> bool:
        """Bring what is live now into the thread; say whether there was anything new.

        Work has to be committed before: whatever else lies in the folder, such as a build's output, is removed.
        With `leave_conflict` the marked files stay, to be put right and committed.
        """
        self.look_at_live()
        return self.merge_seen_live(leave_conflict=leave_conflict)

    def look_at_live(self) -> str:
        """See the live branch as it is now, and bring nothing of it into the thread yet."""
        self.discard_changes()
        self._mirror.fetch()
        self._live = self._mirror.live()
        return self._live

    def merge_seen_live(self, *, leave_conflict: bool = False) -> bool:
        """Do the same with the live branch as last looked at."""
        bridge = history.bridge_for(self._mirror, self.tip, self._live)
        if bridge is not None:
            self._merge(bridge, leave=leave_conflict)
        if self.descends(self.tip, self._live):
            return bridge is not None
        self._merge(self._live, leave=leave_conflict)
        return True

    def _merge(self, commit: str, *, leave: bool) -> None:
        merge = ("merge", "--quiet", "--no-ff", "--no-verify", "-m", "Bring in the live site", commit)
        self._join(*merge, leave=leave)

    def job_of(self, commit: str) -> str | None:
        """Return the job that a commit names as its own; anybody can write such a name."""
        format_ = "--format=%(trailers:key=Job,valueonly)"
        # A commit of a history that was thrown away names nobody.
        named = self._git.attempt("log", "--max-count=1", format_, commit).stdout
        return named.decode(errors="replace").strip() or None

    def file_at(self, commit: str, path: str) -> bytes | None:
        """Return what a file held in a commit; None when there was no such file."""
        found = self._git.attempt("cat-file", "blob", f"{commit}:{path}")
        return found.stdout if found.succeeded and not found.truncated else None

    @contextmanager
    def exported(self, commit: str, scratch: Path) -> Iterator[Path]:
        """Lay a commit's files out in a folder of their own, until the block ends."""
        with tempfile.TemporaryDirectory(prefix="export-", dir=scratch) as folder:
            into = Path(folder) / "source"
            into.mkdir()
            # With an index of its own: the folder that is worked in stays as it is.
            self._mirror.export(commit, into, Path(folder) / "index")
            yield into

    def lay(self, files: Mapping[str, bytes | None]) -> None:
        """Go back to the branch's last commit, but with these files; one that is None goes. Nothing is committed."""
        self.discard_changes()
        self.put(files)

    def put(self, files: Mapping[str, bytes | None]) -> None:
        """Write files into the folder, and nowhere else; first what goes, for a file may come where a folder was."""
        for path, content in sorted(files.items(), key=lambda file: file[1] is not None):
            place = self.path / path
            if place.is_symlink() or not place.resolve().is_relative_to(self.path.resolve()):
                raise GitFailed(f"{path} leads out of {self.path}.")
            if content is None:
                _remove(place, self.path)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)

    def revert(self, commit: str) -> None:
        """Take one commit's change out of the folder again; nothing is committed."""
        self._join("revert", "--no-commit", commit, leave=False)
        # Without a commit of its own git believes that the revert goes on.
        self._git.attempt("revert", "--quit")

    def restore(self, commit: str) -> None:
        """Make all files what they were in a commit; nothing is committed."""
        self._git.read("read-tree", "--reset", "-u", commit)

    def squash(
        self, message: str, *, author_name: str, author_email: str, trailers: Mapping[str, str] | None = None
    ) -> Prepared:
        """Make one commit on top of live with exactly the thread's files; no branch moves yet."""
        base = self.live_commit()
        if not self.descends(self.tip, base):
            raise GitFailed("The thread does not have what is live; merge that first, or it would be undone.")
        tree = self._git.read("rev-parse", "HEAD^{tree}")
        words, env = write_message(message, trailers or {}), author(author_name, author_email)
        return Prepared(self._git.read("commit-tree", tree, "-p", base, stdin=words, env=env), base)

    def told_diff(self, prepared: Prepared) -> bytes:
        """Return how a prepared commit differs from what is live, line by line, as far as anybody reads it."""
        return read_difference(self._git, prepared.base, prepared.commit)

    def push_live(self, prepared: Prepared, *, lane: str, fence: int, job: str) -> PushResult:
        """Make the prepared commit live at the remote, unless live or the lane's ownership has moved on."""
        tip, tree = self.tip, self._git.read("rev-parse", "HEAD^{tree}")
        # With both parents the next merge of live has nothing to do.
        joined = self._git.read("commit-tree", tree, "-p", tip, "-p", prepared.commit, stdin=b"Published\n")
        result = push.push_live(self._mirror, self.branch, joined, prepared, Owner(lane, fence, job))
        if result == PushResult.PUSHED:
            self._follow_remote(tip, joined)
            self._live = prepared.commit
        return result

    def push_thread(self, *, lane: str, fence: int, job: str) -> bool:
        """Keep the thread's committed work at the remote too; False when a newer owner has the lane."""
        return push.push_thread(self._mirror, self.branch, self.tip, Owner(lane, fence, job))

    def keep_at_remote(self, thread: str, commit: str, *, lane: str, fence: int, job: str) -> bool:
        """Keep a commit at the remote as the branch of a thread of its own; False when a newer owner has the lane."""
        branch = f"thread-{check_name(thread, 'A thread')}"
        return push.push_thread(self._mirror, branch, commit, Owner(lane, fence, job))

    def put_back(self) -> None:
        """Let the thread go on with what is live; what it had stays in its history, so that no branch moves back."""
        if self.differs_from_live():
            tree = self._git.read("rev-parse", f"{self.live_commit()}^{{tree}}")
            made = self._git.read("commit-tree", tree, "-p", self.tip, stdin=b"Kept for its time\n")
            self._git.read("reset", "--quiet", "--hard", made)

    @property
    def is_ahead(self) -> bool:
        """Whether the thread has commits that the remote does not know."""
        known = [self.live_commit(), self._mirror.branch_at_remote(self.branch)]
        return not any(self.descends(commit, self.tip) for commit in known if commit is not None)

    def advance_fence(self, lane: str, fence: int) -> bool:
        """Show our fence to the remote; False when a newer owner has been there."""
        return fences.advance_fence(self._mirror, lane, fence)

    def has(self, commit: str) -> bool:
        """Tell whether the thread's branch holds this commit."""
        return self._git.commit_named(commit) is not None and self.descends(self.tip, commit)

    def is_live(self, commit: str) -> bool:
        return self._mirror.is_live(commit)

    def has_been_live(self, commit: str) -> bool:
        return history.has_been_live(self._mirror, commit)

    def follows(self, newer: str, older: str) -> bool:
        """Tell whether a commit goes on from another one, also over a history that was accepted."""
        return history.follows(self._mirror, newer, older)

    def moved_since(self, commit: str) -> history.Moved:
        """Return what the live branch as last looked at has, and this commit had not."""
        return history.moved_between(self._mirror, commit, self._live)

    def knows(self, commit: str) -> bool:
        """Tell whether the mirror has this commit at all."""
        return self._mirror.git.commit_named(commit) is not None

    def descends(self, newer: str, older: str) -> bool:
        return self._mirror.descends(newer, older)

    def _is_merging(self) -> bool:
        return self._git.commit_named("MERGE_HEAD") is not None

    def _commit_staged(self, message: str, trailers: Mapping[str, str], env: Mapping[str, str]) -> str | None:
        unchanged = self._git.succeeds("diff", "--cached", "--quiet", "--ignore-submodules=all", "HEAD")
        if unchanged and not self._is_merging():
            return None
        options = ("--quiet", "--no-verify", "--allow-empty", "--cleanup=whitespace", "--file=-")
        self._git.read("commit", *options, stdin=write_message(message, trailers), env=env)
        return self.tip

    def _join(self, *arguments: str, leave: bool) -> None:
        joined = self._git.attempt(*arguments)
        if joined.succeeded:
            return
        files = self._git.read("diff", "--name-only", "--diff-filter=U", "-z").split("\0")
        conflict = read_conflict(self.path, tuple(path for path in files if path))
        if conflict.files and leave:
            raise conflict
        self._git.read("reset", "--quiet", "--hard", "HEAD")
        if not conflict.files:
            raise GitFailed(f"git {arguments[0]} failed in {self.path}.", joined.stderr.decode(errors="replace"))
        raise conflict

    def _refuse_conflict_marks(self) -> None:
        checked = self._git.attempt("diff", "--cached", "--check", "HEAD").stdout.decode(errors="replace")
        marked = [line.partition(":")[0] for line in checked.splitlines() if "leftover conflict marker" in line]
        if marked:
            raise MergeConflict(tuple(dict.fromkeys(marked)))

    def _follow_remote(self, tip: str, joined: str) -> None:
        """Let the local branch go on from what was pushed, which after a crash may be another join than ours."""
        pushed = self._mirror.branch_at_remote(self.branch)
        if pushed is not None and self.descends(pushed, tip):
            # Our own join has the very files that lie here: of a large site nobody has to look at each of them.
            self._git.read("reset", "--quiet", "--soft" if pushed == joined else "--hard", pushed)


class Workspace:
    """All checkouts of this machine, below one folder: a mirror for each project, a folder for each lane."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def mirror_of(self, project_id: str, repository: Access, branch: str) -> Mirror:
        """Return the copy of a project's repository, to look into without a checkout."""
        return Mirror(self._root / "projects" / check_name(project_id, "A project"), repository, branch)

    def open_checkout(
        self,
        project_id: str,
        repository: Access,
        branch: str,
        lane_user: str,
        thread: str,
        *,
        patience: timedelta = _PATIENCE,
        merge: bool = True,
    ) -> Checkout:
        """Enter the lane's folder on the thread's branch, with what is live now merged in.

        Without `merge` the branch is as it was left: for settling a push, or for a conflict that is to be solved.
        """
        project = check_name(project_id, "A project")
        folder = LaneFolder(self._root / "lanes" / project, check_name(lane_user, "A lane's user"))
        thread_branch = f"thread-{check_name(thread, 'A thread')}"
        mirror = self.mirror_of(project, repository, branch)
        lock = folder.enter(patience)
        try:
            git = folder.open_branch(mirror, thread_branch, lock)
            checkout = Checkout(git, mirror, thread_branch, lock, folder.process_record)
            if merge:
                checkout.merge_seen_live()
        except BaseException:
            lock.close()
            raise
        return checkout


def _remove(place: Path, root: Path) -> None:
    """Remove a file with the folders that are empty without it."""
    place.unlink(missing_ok=True)
    with suppress(OSError):
        for folder in (each for each in place.parents if root in each.parents):
            folder.rmdir()
