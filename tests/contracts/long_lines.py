"""What is done to a lane in which many jobs wait: every operation of dispatch, each counted by itself."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contracts.test_lanes import DONE, take
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.rigs.ports import Ports

QUEUE = InterruptRule("queue")
AT_ONCE = InterruptRule(first_after=timedelta(0))


def costs_of_all(ports: Ports, cost: Callable[[Callable[[], object]], int]) -> dict[str, int]:
    """Return what each operation costs in the lane amelia#scott, in which jobs of thread `t1` wait."""
    lanes, claims, attempts = ports.engine.lanes, ports.engine.claims, ports.engine.attempts
    costs = {"accept": cost(lambda: ports.queue(thread="t1", rule=QUEUE))}
    costs["accept in a new thread"] = cost(lambda: ports.queue(thread="new", rule=QUEUE))
    costs["sweep"] = cost(lambda: lanes.sweep(ports.now))
    costs["claim"] = cost(lambda: claims.claim("w1", ports.now))
    claims.lapse("w1", ports.now)
    claim, job = take(ports)
    costs["beat"] = cost(lambda: claims.beat(claim, job.id, ports.now))
    costs["journal"] = cost(lambda: attempts.journal(claim, job, "edited", {}, ports.now))
    newer = ports.new_job(thread="newer")
    costs["interrupt"] = cost(lambda: lanes.accept(newer, ports.now, ready=AT_ONCE))
    costs["park"] = cost(lambda: attempts.park(claim, job, ports.now))
    running = ports.job(newer.id)
    costs["retry"] = cost(lambda: attempts.retry(claim, running, "away", timedelta(0), ports.now))
    costs["start"] = cost(lambda: claims.start(claim, ports.now))
    running = ports.job(newer.id)
    costs["commit point"] = cost(lambda: attempts.pass_commit_point(claim, running, "c0ffee", ports.now))
    costs["finish"] = cost(lambda: attempts.finish(claim, running, DONE, ports.now))
    waiting = ports.queue(thread="t1", rule=QUEUE)
    costs["stop"] = cost(lambda: lanes.stop(waiting, "scott", ports.now))
    costs["a verb"] = cost(lambda: ports.queue(thread="t9", kind=Kind.VERB))
    costs["give back"] = cost(lambda: claims.give_back(claim, ports.now))
    costs["claim for a verb"] = cost(lambda: claims.claim("w1", ports.now))
    return costs
