"""Lambda `send-to-container`: the job waits for its turn, and the execution that called waits for the job."""

from __future__ import annotations

from webordinary.dispatch.flow import Waiting
from webordinary.engines.aws.flow.handlers import Event, Here, step
from webordinary.engines.aws.flow.handover import KnownPlace
from webordinary.routing.lane import Lane


@step
def handler(here: Here, event: Event) -> object:
    files, lane = here.jobs.files_of(event["mail"], event["files"]), Lane(event["project"], event["user"])
    known = KnownPlace(event.get("rule", ""), event.get("sequence", 0))
    here.jobs.send_to_container(event["job"], lane, files, Waiting(event["token"], event["execution"]), known)
    return {}
