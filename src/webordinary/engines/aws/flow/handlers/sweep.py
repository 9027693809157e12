"""Lambda `sweep`: every minute, whatever was forgotten, is overdue or waits to be rung."""

from __future__ import annotations

from webordinary.engines.aws.flow.handlers import Event, Here, step


@step
def handler(here: Here, _event: Event) -> object:
    here.jobs.sweep()
    return {}
