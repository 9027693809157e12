"""Lambda `process-attachment`: one file that came with a mail is kept by its content's hash."""

from __future__ import annotations

from webordinary.engines.aws.flow.handlers import Event, Here, step


@step
def handler(here: Here, event: Event) -> object:
    return {"index": here.mails.prepare(event["mail"], int(event["index"]))}
