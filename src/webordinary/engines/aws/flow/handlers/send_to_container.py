"""Lambda `send-to-container`: the job waits for its turn, and the execution that called waits for the job."""

from __future__ import annotations

from webordinary.dispatch.flow import Waiting
from webordinary.engines.aws.flow.handlers import Event, Here, step
from webordinary.routing.lane import Lane


@step
def handler(here: Here, event: Event) -> object:
    files = here.jobs.files_of(event["mail"], event["files"])
    waiting = Waiting(event["token"], event["execution"])
    here.jobs.send_to_container(event["job"], Lane(event["project"], event["user"]), files, waiting)
    return {}
