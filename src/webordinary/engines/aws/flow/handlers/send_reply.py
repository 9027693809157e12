"""Lambda `send-reply`: the answer goes out by SES."""

from __future__ import annotations

from webordinary.engines.aws.flow.handlers import Event, Here, step


@step
def handler(here: Here, event: Event) -> object:
    here.jobs.send_reply(event["job"], event.get("project", ""))
    return {}
