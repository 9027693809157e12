"""Lambda `check-active-job`: whether somebody owns the lane, and whether another thread's job runs in it."""

from __future__ import annotations

from webordinary.engines.aws.flow.handlers import Event, Here, step
from webordinary.routing.lane import Lane


@step
def handler(here: Here, event: Event) -> object:
    return here.jobs.check_active_job(Lane(event["project"], event["user"]), event["thread"])
