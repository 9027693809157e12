"""The state of the model of two lanes that publish to one project."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from webordinary.jobs.job import State as JobState

NONE = -1


@dataclass(frozen=True, slots=True)
class PublishGuards:
    """What keeps two lanes of one project from harming each other; a mutation switches one of them off."""

    push_needs_the_fence: bool = True
    push_needs_the_lease: bool = True
    pointer_needs_the_fence: bool = True
    pointer_moves_only_forward: bool = True
    settle_advances_the_fences: bool = True
    fence_ref_is_per_lane: bool = True
    refusal_returns_to_running: bool = True


class Stage(StrEnum):
    """Where a worker stands on the way to live."""

    FREE = "free"
    WANTING_SLOT = "waiting for the slot"
    REBASING = "rebasing"
    BUILT = "built"
    PUSHING = "pushing"
    POINTING = "pointing"
    FINISHING = "finishing"
    FENCING_REMOTE = "fencing the remote"
    FENCING_POINTER = "fencing the pointer"
    LOOKING = "looking"


class Commit(NamedTuple):
    """A squashed commit, named by the lane it comes from and by what it was built upon."""

    lane: int
    base: int


class Row(NamedTuple):
    """A lane with its one job; `recorded_base` names the commit that its commit point recorded."""

    fence: int = 0
    is_owned: bool = False
    is_lapsed: bool = False
    job: JobState = JobState.QUEUED
    recorded_base: int = NONE


class Publisher(NamedTuple):
    """A worker: the lane and fence it believes in, what it rebased onto, and its ticket for the slot."""

    lane: int = NONE
    fence: int = 0
    stage: Stage = Stage.FREE
    base: int = NONE
    ticket: int = 0
    is_paused: bool = False

    def at(self, stage: Stage) -> Publisher:
        return self._replace(stage=stage)

    def __str__(self) -> str:
        return f"lane {'ab'[self.lane]}@{self.fence}"


FREE_PUBLISHER = Publisher()


class Slot(NamedTuple):
    """The project's publish slot: who holds it, under which ticket."""

    ticket: int = 0
    lane: int = NONE
    is_lapsed: bool = False

    def is_held_by(self, publisher: Publisher) -> bool:
        return (self.ticket, self.lane) == (publisher.ticket, publisher.lane)


class Remote(NamedTuple):
    """The repository and the pointer; a pair holds one number for each lane."""

    live: tuple[Commit, ...] = ()
    fences: tuple[int, int] = (0, 0)
    pointer: int = 0
    pointer_fences: tuple[int, int] = (0, 0)

    def position(self, lane: int) -> int:
        """Count how many commits must be shown before this lane's is; none if it is not there."""
        return next((place + 1 for place, commit in enumerate(self.live) if commit.lane == lane), 0)


class Faults(NamedTuple):
    crashes: int = 0
    pauses: int = 0
    failures: int = 0


NO_FAULTS = Faults()


class Project(NamedTuple):
    """Everything at one instant; `newest` is for the checks: the highest fence that looked or acted."""

    faults: Faults
    rows: tuple[Row, Row] = (Row(), Row())
    publishers: tuple[Publisher, Publisher] = (FREE_PUBLISHER, FREE_PUBLISHER)
    slot: Slot = Slot()
    remote: Remote = Remote()
    newest: tuple[int, int] = (0, 0)

    def is_held_by(self, publisher: Publisher) -> bool:
        row = self.rows[publisher.lane]
        return row.is_owned and row.fence == publisher.fence

    def with_row(self, lane: int, row: Row) -> Project:
        first, second = self.rows
        return self._replace(rows=(row, second) if lane == 0 else (first, row))

    def with_publisher(self, old: Publisher, new: Publisher) -> Project:
        first, second = self.publishers
        return self._replace(publishers=(new, second) if first == old else (first, new))

    def move(self, publisher: Publisher, stage: Stage) -> Project:
        return self.with_publisher(publisher, publisher.at(stage))

    def decided_by(self, publisher: Publisher) -> Project:
        return self._replace(newest=raised(self.newest, publisher.lane, publisher.fence))

    def spend(self, what: str) -> Project:
        return self._replace(faults=self.faults._replace(**{what: getattr(self.faults, what) - 1}))

    def without_slot_of(self, publisher: Publisher) -> Project:
        return self._replace(slot=Slot(self.slot.ticket)) if self.slot.is_held_by(publisher) else self


def raised(pair: tuple[int, int], index: int, fence: int) -> tuple[int, int]:
    first, second = pair
    return (max(first, fence), second) if index == 0 else (first, max(second, fence))
