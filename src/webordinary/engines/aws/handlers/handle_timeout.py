"""Lambda `handle-timeout`: the flow has waited in vain, or a step broke; the person hears of it."""

from __future__ import annotations

from webordinary.engines.aws.handlers import Event, Here, step


@step
def handler(here: Here, event: Event) -> object:
    if not event.get("job"):
        return here.jobs.give_up_mail(event["mail"], event["error"])
    return here.jobs.give_up(event["job"], event["execution"], event["error"], event["cause"])
