"""Fences at the remote: one ref for each lane, with the highest number that was ever shown there.

The number stands in a chain of empty commits. Every push adds a new one, because the remote compares only refs
that really move: an owner of yesterday who pushes with yesterday's end of the chain is refused.
"""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured, TryAgain
from webordinary.routing.lane import Lane
from webordinary.workspace.mirror import FENCES, Update

if TYPE_CHECKING:
    from webordinary.workspace.mirror import Mirror


# A label of a host name may have 63 characters, and a thread is one in its preview's address.
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)


def check_name(text: str, what: str) -> str:
    """Return the name as it is, or refuse it with a sentence that begins with what it names."""
    if _NAME.fullmatch(text) is None:
        raise Misconfigured(f"{what} may have only a-z, 0-9 and inner hyphens in its name, not {text[:80]!r}.")
    return text


def lane_file(lane: str) -> str:
    """Name a lane in one word: neither side of the '_' can contain one, so no two lanes share it."""
    parsed = Lane.parse(lane)
    return f"{parsed.project}_{parsed.user}"


_SUBJECT = re.compile(r"fence (\d+) ")
_TRIES = 5


def fence_seen(mirror: Mirror, lane: str) -> int:
    """Return the highest fence of the lane, as last seen at the remote."""
    commit = mirror.fence_at_remote(lane_file(lane))
    if commit is None:
        return 0
    subject = mirror.git.read("log", "-1", "--format=%s", commit)
    found = _SUBJECT.match(subject)
    if found is None:
        raise Misconfigured(f"The ref {FENCES}/{lane_file(lane)} is not ours; remove it from the repository.")
    return int(found[1])


def next_link(mirror: Mirror, lane: str, fence: int, job: str) -> Update:
    """Make the chain's next commit; the random word keeps two first commits from being the same one."""
    name = lane_file(lane)
    last = mirror.fence_at_remote(name)
    tree = mirror.git.read("mktree")
    message = f"fence {fence} job {job} {secrets.token_hex(8)}\n".encode()
    parents = ("-p", last) if last else ()
    return Update(f"{FENCES}/{name}", last, mirror.git.read("commit-tree", tree, *parents, stdin=message))


def advance_fence(mirror: Mirror, lane: str, fence: int) -> bool:
    """Show our fence to the remote, so that no older owner can push any more; False when ours is the older."""
    with mirror.locked():
        for _ in range(_TRIES):
            mirror.fetch()
            if fence_seen(mirror, lane) > fence:
                return False
            if mirror.push([next_link(mirror, lane, fence, "none")]) is None:
                return True
    raise TryAgain("The lane's fence kept moving at the repository; it will be tried again.")
