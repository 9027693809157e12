"""Lambda `check-active-job`: whether a living owner has the lane, and runs another thread's job in it."""

from __future__ import annotations

from webordinary.engines.aws.flow.handlers import Event, Here, step
from webordinary.routing.lane import Lane


@step
def handler(here: Here, event: Event) -> object:
    if event.get("free"):
        # Nobody owned the lane when its job came, a moment ago: nothing in it can be active.
        return {"claimed": False, "interrupts": False}
    return here.jobs.check_active_job(Lane(event["project"], event["user"]), event["thread"])
