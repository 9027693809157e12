"""What a situation of one lane consists of: who mails in which thread, and how wakeups wake."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from .memory_store import MemoryStore, thread_of

if TYPE_CHECKING:
    from .lane_state import World


class Delivery(StrEnum):
    """How a free worker learns that there is work."""

    LOOK = "every free worker looks at the table from time to time"
    QUEUE = "a wakeup waits in a queue, and only the worker who takes it looks"
    DATAGRAM = "a wakeup reaches only a worker that has said it is idle"


@dataclass(frozen=True, slots=True)
class Rules:
    """One letter for each job, in the order of arrival: its thread; a digit is a verb in such a thread."""

    threads: str
    wakeup: Delivery = Delivery.LOOK
    sweeps_ready_lanes: bool = True
    # Else an interrupt is not due before the attempt ends by itself.
    interrupts_at_once: bool = True
    # Mails bring no files: each is enqueued in the transaction that accepts it.
    is_ready_at_once: bool = False
    # Mutations of what is around dispatch, and not a part of it.
    rings_before_the_commit: bool = False
    looks_before_the_idle_flag: bool = False
    push_needs_the_fence: bool = True
    pointer_needs_the_fence: bool = True
    settle_advances_the_fences: bool = True

    def name(self, number: int) -> str:
        return f"m{number}({self.threads[number]})"

    def thread(self, number: int) -> str:
        return thread_of(self.threads[number])

    def is_verb(self, number: int) -> bool:
        return self.threads[number].isdigit()

    @property
    def verbs(self) -> list[int]:
        return [number for number in range(len(self.threads)) if self.is_verb(number)]

    def has_live_job(self, world: World, thread: str) -> bool:
        return any(job.state.is_live and self.thread(number) == thread for number, job in enumerate(world.jobs))

    def open(self, world: World) -> MemoryStore:
        return MemoryStore(world, self.threads)

    def tidy(self, world: World) -> World:
        """Forget a debt to a thread without live jobs; put the workers, which are alike, in order."""
        if world.owed and not self.has_live_job(world, world.owed):
            world = world._replace(owed="")
        first, second = world.workers
        return world if first <= second else world._replace(workers=(second, first))
