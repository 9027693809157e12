"""Lambda `rate-limited-claim`: the job gets its place in its lane, and no lane calls for a worker too often."""

from __future__ import annotations

from webordinary.engines.aws.flow.handlers import Event, Here, step


@step
def handler(here: Here, event: Event) -> object:
    return here.mails.look_up(event["job"]) if event.get("job") else here.mails.register(event["mail"])
