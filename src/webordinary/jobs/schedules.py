"""Schedules: what has to happen at a moment of its own; missed moments happen at the next look."""

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


class Phase(StrEnum):
    """What happens at that moment."""

    PUBLISH = "publish"
    REVERT = "revert"


@dataclass(frozen=True, slots=True)
class Schedule:
    """One moment of a timed change; `about` is the commit that is published then, or those that are taken back."""

    id: str
    thread: str
    lane: Lane
    phase: Phase
    at: datetime
    about: str
    # The job whose change it is, and to whom its end is told.
    job: str
    reply_to: str | None = None
    # When what is published then ends again; its own moment is kept as soon as it is live.
    until: datetime | None = None
    # What a visitor would have noticed when the change was made.
    receipt: str = ""
    closed_by: str = ""
    # Where the change is kept, if that is not the branch of this very moment because somebody has moved it.
    branch: str = ""

    @property
    def name(self) -> str:
        """Name the change's own branch."""
        return self.branch or timed_name(self.id)

    @property
    def commits(self) -> tuple[str, ...]:
        """Return what is taken back, the newest first: below it may lie others whose own time was over before."""
        return tuple(self.about.split())


# Who closes a schedule when its moment has come.
BY_TIME = "time"


def timed_name(schedule: str) -> str:
    """Name the branch in which nothing but this timed change happens."""
    return f"timed-{schedule.partition('.')[0]}"


def schedule_id(job: str, phase: Phase) -> str:
    """Return the one name of a moment: a job has at most one of each."""
    return f"{job}.{phase.value}"


class Schedules(Protocol):
    """Made in the transaction that ends the job which asked for them; each is taken or cancelled once."""

    def due(self, now: Moment, *, limit: int = 20) -> Sequence[Schedule]:
        """Return what has to happen by now, the earliest first."""

    def find(self, schedule: str) -> Schedule | None:
        """Return one moment, also one that is over; `closed_by` says who took it off the list."""

    def all(self, *, project: str | None = None) -> Sequence[Schedule]:
        """Return what is still to happen, the earliest first."""

    def add(self, schedule: Schedule, now: Moment) -> bool:
        """Keep one more moment; False when its id is known."""

    def close(self, schedule: str, by: str, now: Moment) -> bool:
        """Take it off the list because it was done or cancelled; False when it was off already."""


def about_schedule(schedule: Schedule, by: str, now: Moment) -> Entry:
    """Return the trail's words about a moment that was taken or cancelled."""
    return Entry(
        EventType.SCHEDULE_CLOSED,
        now.wall_at,
        lane=schedule.lane.key,
        thread=schedule.thread,
        job=schedule.job,
        facts={"schedule": schedule.id, "phase": schedule.phase.value, "by": by},
    )
