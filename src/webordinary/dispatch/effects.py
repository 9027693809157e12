"""What an operation brings about besides its rows: trail entries, letters, wake-ups and answers, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow
    from webordinary.jobs.proposals import Proposal
    from webordinary.jobs.schedules import Schedule
    from webordinary.reply.outbox import Letter


class WakeReason(StrEnum):
    """Whom a wake-up is for, and why."""

    # Somebody idle: a lane needs an owner.
    CLAIM = "claim"
    # The lane's owner, which has nothing to do: there is a job.
    WORK = "work"
    # Somebody idle, when the owner that was rung has not answered: it may be gone.
    OFFER = "offer"
    # The lane's owner, which has a job: somebody wants it to stop, or it is over.
    INTERRUPT = "interrupt"


@dataclass(frozen=True, slots=True)
class Wakeup:
    """One wake-up about a lane; it may be lost, late or doubled, and nothing goes wrong."""

    reason: WakeReason
    lane: str
    # The owner that is meant; of a lane without one the worker that had it last.
    worker: str | None = None


@dataclass(slots=True)
class Effects:
    """What one transaction says besides its rows, in the order in which it happened."""

    entries: list[Entry] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)
    wakeups: list[Wakeup] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    schedules: list[Schedule] = field(default_factory=list)
    # Jobs for whose end somebody waits under another token than before, or under one that came after it.
    tokens: list[JobRow] = field(default_factory=list)
    # Jobs that begin to wait for their turn while no execution of the flow waits for them.
    alone: list[str] = field(default_factory=list)
    # Lanes that still wait when a worker has taken one: somebody else should come for the first of them.
    left: list[LaneRow] = field(default_factory=list)

    def tell(
        self,
        what: EventType,
        row: JobRow,
        now: Moment,
        *,
        worker: str | None = None,
        text: str = "",
        facts: dict[str, str] | None = None,
    ) -> None:
        """Write a trail entry about a job."""
        entry = Entry(
            what,
            now.wall_at,
            row.lane,
            row.thread,
            row.id,
            row.mail,
            worker,
            row.fence or None,
            text,
            facts or {},
        )
        self.entries.append(entry)

    def tell_of_lane(
        self, what: EventType, row: LaneRow, now: Moment, worker: str | None, facts: dict[str, str] | None = None
    ) -> None:
        """Write a trail entry about the lane itself."""
        self.entries.append(Entry(what, now.wall_at, lane=row.lane, worker=worker, fence=row.fence, facts=facts or {}))
