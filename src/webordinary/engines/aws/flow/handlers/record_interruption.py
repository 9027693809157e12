"""Lambda `record-interruption`: who made room for whom, for a month."""

from __future__ import annotations

from webordinary.engines.aws.flow.handlers import Event, Here, step


@step
def handler(here: Here, event: Event) -> object:
    record = here.jobs.record_interruption(event["job"], event["by"], event["container"], event["why"])
    return {"record": record}
