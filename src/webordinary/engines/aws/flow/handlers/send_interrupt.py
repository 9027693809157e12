"""Lambda `send-interrupt`: the owner hears what the newcomer interrupts, and the flow hears whom."""

from __future__ import annotations

from webordinary.engines.aws.flow.handlers import Event, Here, step


@step
def handler(here: Here, event: Event) -> object:
    return here.jobs.send_interrupt(event["job"])
