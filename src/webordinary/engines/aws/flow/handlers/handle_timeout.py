"""Lambda `handle-timeout`: the flow has waited in vain, or a step broke; the person hears of it."""

from __future__ import annotations

from webordinary.engines.aws.flow.handlers import Event, Here, step
from webordinary.engines.aws.flow.handover import StepFailure


@step
def handler(here: Here, event: Event) -> object:
    problem = StepFailure(event["error"]["Error"], event["error"].get("Cause") or "")
    if not event.get("job"):
        return here.jobs.give_up_mail(event["mail"], problem)
    return here.jobs.give_up(event["job"], event["execution"], problem)
