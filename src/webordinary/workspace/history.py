"""The history of the live branch: whether it goes on from what visitors see, and which other one was accepted.

Accepting a rewritten branch is a commit in a ref of its own at the remote, the *bridge*. It has the files of the new
branch, and both histories as parents: a thread that was begun on the old one takes the difference of the two by merging
it, and nothing that was live before is lost to an undo.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.workspace.mirror import HISTORY, Update

if TYPE_CHECKING:
    from webordinary.workspace.mirror import Mirror

_REF = f"{HISTORY}/live"
_MOST_COMMITS = 20
_ACCEPTED, _REPLACED = "Accepted", "Replaced"


@dataclass(frozen=True, slots=True)
class Bridge:
    """What was accepted instead of what; `commit` has both of them in its history."""

    commit: str
    accepted: str
    replaced: str


class BranchState(StrEnum):
    """How the live branch stands to what visitors see."""

    UNSEEN = "nothing is published from here"
    LEVEL = "visitors see it"
    AHEAD = "ahead of what visitors see"
    REWRITTEN = "rewritten"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Moved:
    """What lies between two commits: those that are gone, those that came (the newest first), and the files."""

    gone: tuple[str, ...]
    came: tuple[str, ...]
    files: tuple[str, ...]


def state_of(mirror: Mirror, seen: str | None) -> BranchState:
    """Look at the remote how its live branch stands to the commit that visitors see."""
    mirror.fetch()
    live = mirror.branch_at_remote(mirror.branch)
    if live is None:
        return BranchState.GONE
    if seen is None or live == seen:
        return BranchState.LEVEL if seen else BranchState.UNSEEN
    return BranchState.AHEAD if follows(mirror, live, seen) else BranchState.REWRITTEN


def last_bridge(mirror: Mirror) -> Bridge | None:
    """Return the last acceptance, as last seen at the remote."""
    commit = mirror.history_at_remote("live")
    if commit is None:
        return None
    form = f"--format=%(trailers:key={_ACCEPTED},valueonly)%(trailers:key={_REPLACED},valueonly)"
    words = mirror.git.read("log", "--max-count=1", form, commit).split()
    if len(words) != 2:  # noqa: PLR2004 - one of each
        raise Misconfigured(f"The ref {_REF} is not ours; remove it from the repository.")
    return Bridge(commit, *words)


def follows(mirror: Mirror, newer: str, older: str) -> bool:
    """Tell whether a commit goes on from another one: by its history, or because somebody accepted that it does."""
    bridge = last_bridge(mirror)
    if bridge is None:
        return mirror.descends(newer, older)
    if _is_replaced(mirror, bridge, newer):
        return newer == older
    if _is_replaced(mirror, bridge, older):
        return mirror.descends(newer, bridge.accepted)
    return mirror.descends(newer, older)


def _is_replaced(mirror: Mirror, bridge: Bridge, commit: str) -> bool:
    """Tell whether a commit belongs to what was accepted to be gone, and not to what took its place."""
    if mirror.descends(bridge.accepted, commit):
        return False
    return commit == bridge.replaced or mirror.descends(bridge.commit, commit)


def has_been_live(mirror: Mirror, commit: str) -> bool:
    """Look at the remote whether a commit is part of the live branch, or was before its history was replaced."""
    if mirror.is_live(commit):
        return True
    bridge = last_bridge(mirror)
    return bridge is not None and mirror.descends(bridge.commit, commit)


def bridge_for(mirror: Mirror, tip: str, live: str) -> str | None:
    """Return what a thread has to merge before the live branch; None when it was not begun on a replaced history.

    It was if it shares something with the bridge that the live branch does not have.
    """
    bridge = last_bridge(mirror)
    if bridge is None or mirror.descends(tip, bridge.commit):
        return None
    shared = mirror.git.attempt("merge-base", "--all", tip, bridge.commit).stdout.decode().split()
    return None if all(mirror.descends(live, each) for each in shared) else bridge.commit


def accept(mirror: Mirror, live: str, replaced: str, by: str) -> bool:
    """Accept that the live branch goes on from what it replaces; False when somebody else did so meanwhile."""
    last = mirror.history_at_remote("live")
    parents = [each for each in (replaced, live, last) if each is not None and mirror.git.commit_named(each)]
    words = f"Accept another history of {mirror.branch}\n\n{_ACCEPTED}: {live}\n{_REPLACED}: {replaced}\nBy: {by}\n"
    named = [word for parent in dict.fromkeys(parents) for word in ("-p", parent)]
    bridge = mirror.git.read("commit-tree", f"{live}^{{tree}}", *named, stdin=words.encode(errors="replace"))
    return mirror.push([Update(_REF, last, bridge)]) is None


def moved_between(mirror: Mirror, old: str, new: str) -> Moved:
    """Return what a developer's push has changed; of a commit that nobody has any more nothing can be told."""
    if mirror.git.commit_named(old) is None:
        return Moved((), _subjects(mirror, new), ())
    files = mirror.git.read("diff", "--name-status", "--no-renames", old, new).splitlines()
    told = tuple(" ".join(line.split("\t", 1)) for line in files)
    return Moved(_subjects(mirror, old, f"^{new}"), _subjects(mirror, new, f"^{old}"), told)


def _subjects(mirror: Mirror, *commits: str) -> tuple[str, ...]:
    form = ("--format=%h %s", f"--max-count={_MOST_COMMITS}")
    return tuple(mirror.git.read("log", *form, *commits).splitlines())
