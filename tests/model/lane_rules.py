"""The rules a model of one lane runs under: who mails in which thread, how bells ring, which guards stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from .lane_state import LIVE, NOTHING, JobState

if TYPE_CHECKING:
    from .lane_state import Lane


class Doorbell(StrEnum):
    """How a free worker learns that there is work."""

    LOOK = "every free worker looks at the table from time to time"
    QUEUE = "a bell waits in a queue, and only the worker who takes it looks"
    DATAGRAM = "a bell reaches only a worker that has said it is idle"


@dataclass(frozen=True, slots=True)
class Guards:
    """Every condition the protocol insists on; a mutation switches exactly one of them off."""

    claim_needs_a_free_lane: bool = True
    takeover_advances_the_fence: bool = True
    claim_parks_the_cancelled: bool = True
    claim_settles_the_committing: bool = True
    settle_advances_the_fences: bool = True
    start_needs_the_fence: bool = True
    start_needs_nothing_running: bool = True
    beat_needs_the_fence: bool = True
    beat_needs_an_unlapsed_lease: bool = True
    beat_tells_only_cancels_of_its_fence: bool = True
    commit_point_needs_the_fence: bool = True
    commit_point_needs_no_cancel: bool = True
    push_needs_the_fence: bool = True
    pointer_needs_the_fence: bool = True
    finish_needs_the_fence: bool = True
    finish_needs_a_running_job: bool = True
    park_needs_the_fence: bool = True
    park_clears_the_cancel: bool = True
    park_keeps_the_place: bool = True
    park_remembers_the_interrupter: bool = True
    stop_ends_the_job: bool = True
    give_back_needs_the_fence: bool = True
    give_back_parks_the_cancelled: bool = True
    give_back_rings: bool = True
    retry_parks_the_cancelled: bool = True
    release_needs_the_fence: bool = True
    release_needs_an_empty_lane: bool = True
    interrupt_names_the_job: bool = True
    interrupt_needs_another_thread: bool = True
    interrupt_needs_a_startable_job: bool = True
    interrupt_at_most_twice: bool = True
    interrupt_never_replaces_a_stop: bool = True
    interrupt_never_replaces_an_interrupt: bool = True
    deadline_spares_the_committing: bool = True
    ring_follows_the_commit: bool = True
    idle_flag_precedes_the_look: bool = True


@dataclass(frozen=True, slots=True)
class Rules:
    """One letter for each job, in the order of arrival: its thread."""

    threads: str
    doorbell: Doorbell = Doorbell.LOOK
    sweeps_ready_lanes: bool = True
    guards: Guards = field(default_factory=Guards)

    def name(self, number: int) -> str:
        return f"m{number}({self.threads[number]})"

    def has_live_job(self, lane: Lane, thread: str) -> bool:
        return any(job.state in LIVE and mine == thread for job, mine in zip(lane.jobs, self.threads, strict=True))

    def head(self, lane: Lane) -> int:
        """Name the job whose turn it is: the interrupter's thread first, then by sequence."""
        waiting = [number for number, job in enumerate(lane.jobs) if job.state in LIVE]
        if not self.guards.park_keeps_the_place:
            waiting.sort(key=lambda number: lane.jobs[number].state is JobState.PARKED)
        if lane.interrupter:
            for number in waiting:
                if self.threads[number] == lane.interrupter:
                    return number
        return waiting[0] if waiting else NOTHING

    def startable_head(self, lane: Lane) -> int:
        """Name the head if it can start now; a head that cannot holds its place and nobody overtakes it."""
        head = self.head(lane)
        return head if head != NOTHING and lane.jobs[head].can_start else NOTHING

    def is_claimable(self, lane: Lane) -> bool:
        if lane.has_live_owner and self.guards.claim_needs_a_free_lane:
            return False
        return lane.pending > 0 if lane.is_owned else self.startable_head(lane) != NOTHING

    def tidy(self, lane: Lane) -> Lane:
        """Forget an interrupter whose thread has no live job; put the workers, which are alike, in order."""
        if lane.interrupter and not self.has_live_job(lane, lane.interrupter):
            lane = lane._replace(interrupter="")
        if lane.owed and not self.has_live_job(lane, lane.owed):
            lane = lane._replace(owed="")
        first, second = lane.workers
        return lane if first <= second else lane._replace(workers=(second, first))
