"""Going live at the remote: live branch, thread and fence move together or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from webordinary.errors import PublishFailed, TryAgain
from webordinary.workspace.fences import fence_seen, next_link
from webordinary.workspace.git import LockedOut
from webordinary.workspace.mirror import Update

if TYPE_CHECKING:
    from webordinary.workspace.mirror import Mirror

_TRIES = 3


class PushResult(Enum):
    """What became of a push; everything else that can happen is an error."""

    PUSHED = "pushed"
    LIVE_MOVED = "live moved"
    STALE_FENCE = "stale fence"


class PushRefused(PublishFailed):
    """The remote said no for a reason of its own, such as a protected branch; nothing of the push has happened."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """One commit that holds a job's whole change, and the live commit it was made for."""

    commit: str
    base: str


@dataclass(frozen=True, slots=True)
class Owner:
    """Who pushes: the fence proves it, the job is for people who read the history."""

    lane: str
    fence: int
    job: str


def push_live(mirror: Mirror, branch: str, joined: str, prepared: Prepared, owner: Owner) -> PushResult:
    """Push until it is known how it ended; asking again about the same commit is harmless.

    `joined` is the thread's branch with the prepared commit merged in.
    """
    refusal: PushRefused | TryAgain | None = None
    with mirror.locked():
        for _ in range(_TRIES):
            mirror.fetch()
            settled = _look(mirror, prepared, owner)
            if settled is not None:
                return settled
            refusal = _push(mirror, branch, joined, prepared, owner)
            if refusal is None:
                return PushResult.PUSHED
        mirror.fetch()
        settled = _look(mirror, prepared, owner)
    if settled is None and refusal is not None:
        raise refusal
    return settled or PushResult.PUSHED


def push_thread(mirror: Mirror, branch: str, tip: str, owner: Owner) -> bool:
    """Keep a thread's work at the remote, where another machine can go on; False when the fence is stale."""
    with mirror.locked():
        for _ in range(_TRIES):
            mirror.fetch()
            if fence_seen(mirror, owner.lane) > owner.fence:
                return False
            thread = Update(f"refs/heads/{branch}", mirror.branch_at_remote(branch), tip)
            if mirror.push([thread, next_link(mirror, owner.lane, owner.fence, owner.job)]) is None:
                return True
    raise TryAgain("The thread's branch kept moving at the repository; it will be tried again.")


def _look(mirror: Mirror, prepared: Prepared, owner: Owner) -> PushResult | None:
    # None when somebody has deleted it.
    live = mirror.branch_at_remote(mirror.branch)
    # Asked first: after a crash behind the push it is live, and nothing else matters.
    if live is not None and mirror.descends(live, prepared.commit):
        return PushResult.PUSHED
    if fence_seen(mirror, owner.lane) > owner.fence:
        return PushResult.STALE_FENCE
    return PushResult.LIVE_MOVED if live != prepared.base else None


def _push(mirror: Mirror, branch: str, joined: str, prepared: Prepared, owner: Owner) -> PushRefused | TryAgain | None:
    """Push once; None when it went well, else what to raise if a look at the remote does not say otherwise.

    TryAgain means that it may still be on its way: only after the fence has moved is "not live" final.
    """
    updates = [
        Update(f"refs/heads/{mirror.branch}", prepared.base, prepared.commit),
        Update(f"refs/heads/{branch}", mirror.branch_at_remote(branch), joined),
        next_link(mirror, owner.lane, owner.fence, owner.job),
    ]
    try:
        refusal = mirror.push(updates)
    except TryAgain as passing:
        return passing
    except LockedOut as refused:
        # Who may read but not write is told so before anything is sent.
        return PushRefused(f"{refused} It needs the right to write.")
    if refusal is None:
        return None
    return PushRefused(f"The repository refused the change to {mirror.branch!r}: {refusal}; allow it there.")
