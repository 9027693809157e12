"""Proposals: finished changes that wait for somebody's `ok`; a thread has at most one, and a newer one replaces it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - stores read these values back by their types
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from webordinary.audit.entry import Entry, EventType
from webordinary.routing.lane import Lane  # noqa: TC001 - stores read these values back by their types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.clock import Moment


class Standing(StrEnum):
    """What became of a proposal."""

    OPEN = "open"
    APPROVED = "approved"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that was built and checked, under the name of the job that made it.

    An `ok` binds to `commit`; `receipt` tells whether the same change would still look the same on today's live site.
    """

    id: str
    thread: str
    lane: Lane
    commit: str
    receipt: str
    proposed_at: datetime
    remind_at: datetime
    expires_at: datetime
    for_agency: bool = False
    reason: str = ""
    standing: Standing = Standing.OPEN
    reminded: bool = False
    closed_by: str = ""


class Proposals(Protocol):
    """Put forward in the transaction that ends their job; closed exactly once."""

    def find(self, thread: str) -> Proposal | None:
        """Return the last proposal of a thread, open or not."""

    def all_open(self, *, project: str | None = None) -> Sequence[Proposal]:
        """Return the open proposals, the oldest first."""

    def close(self, proposal: Proposal, standing: Standing, by: str, now: Moment) -> bool:
        """Decide it; False when it is no longer the thread's open one."""

    def mark_reminded(self, proposal: Proposal, now: Moment) -> bool:
        """Note that the reminder was written; False when it was before, or the proposal is no longer open."""


def about_proposal(proposal: Proposal, now: Moment) -> Entry:
    """Return the trail's words about a proposal that was decided."""
    return Entry(
        EventType.PROPOSAL_CLOSED,
        now.wall_at,
        lane=proposal.lane.key,
        thread=proposal.thread,
        job=proposal.id,
        text=proposal.reason,
        facts={"standing": proposal.standing.value, "by": proposal.closed_by},
    )
