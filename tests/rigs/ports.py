"""The ports of one engine on a clock that the test moves, for contracts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.jobs.limits import Limits
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.testing.clock import ManualClock

AT_ONCE = InterruptRule()
# Idle owners may be silent for longer, so that nobody confuses the two leases.
LIMITS = Limits(idle_lease=timedelta(seconds=50))


@dataclass(slots=True)
class Ports:
    """An engine, its clock and its limits, with short words for what contracts do all the time."""

    engine: Engine
    clock: ManualClock
    limits: Limits
    delivered: list[tuple[str, bytes]]
    refuse_mail: Callable[[str | Exception | None], None]
    # One machine has a boot clock that never jumps and a boot that ends; several share only the wall clock.
    leases_follow: Literal["boot", "wall"] = "boot"
    _count: int = field(default=0)

    @property
    def now(self) -> Moment:
        return self.clock.now()

    def new_job(
        self,
        lane: str = "amelia#scott",
        thread: str = "t1",
        *,
        kind: Kind = Kind.INSTRUCTION,
        dedup_key: str | None = None,
        reply_to: str | None = None,
    ) -> NewJob:
        self._count += 1
        return NewJob(
            id=f"job-{self._count}",
            lane=Lane.parse(lane),
            thread=thread,
            dedup_key=dedup_key or f"key-{self._count}",
            kind=kind,
            subject="Our website",
            request=Request("we open at nine", reply_to=reply_to, message_id=f"m{self._count}@phone"),
            received_at=self.now.wall_at,
        )

    def queue(
        self,
        lane: str = "amelia#scott",
        thread: str = "t1",
        *,
        kind: Kind = Kind.INSTRUCTION,
        rule: InterruptRule = AT_ONCE,
        reply_to: str | None = None,
    ) -> str:
        """Accept and enqueue a job, and return its id."""
        job = self.new_job(lane, thread, kind=kind, reply_to=reply_to)
        self.engine.lanes.accept(job, self.now, ready=rule)
        return job.id

    def job(self, job: str) -> Job:
        found = self.engine.overview.job(job)
        assert found is not None
        return found
