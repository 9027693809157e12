"""Lambda `parse-email`: who wrote, for which lane, and what they want."""

from __future__ import annotations

from webordinary.engines.aws.flow.handlers import Event, Here, step


@step
def handler(here: Here, event: Event) -> object:
    return here.mails.parse_email(event["mail"])
