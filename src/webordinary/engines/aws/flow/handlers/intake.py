"""Lambda `intake`: a mail lies in the bucket, so an execution of the flow begins."""

from __future__ import annotations

from webordinary.engines.aws.flow.handlers import Event, Here, step


@step
def handler(here: Here, event: Event) -> object:
    return {"mails": here.mails.receive(event)}
