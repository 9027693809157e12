"""A test mail on AWS, and its way to the answer as the trail tells it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import make_msgid
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.cli.follow import entries_as_they_come, say_entry
from webordinary.cli.story import tell
from webordinary.mail.outcomes import ENTRY_OF
from webordinary.routing.project import Editor, Project
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from webordinary.audit.entry import Entry
    from webordinary.engines.aws.account.account import Account

ANSWERED = 0
HARMLESS = "This is a test of our website's mail address. Please change nothing."
# Each look is a request that costs something.
_LOOK_EVERY_SECONDS = 1.0
_UNANSWERED = set(ENTRY_OF.values())


@dataclass(frozen=True, slots=True)
class Waited:
    """How far a mail came: its job, whether an answer was sent, and the last that is known of it."""

    job: str | None
    answered: bool
    outcome: str


def send_test_mail(account: Account, domain: str, project: Project, editor: Editor, text: str | None) -> str:
    """Write a mail in the name of an editor and let it in; return its id."""
    message_id = make_msgid(domain=editor.address.rpartition("@")[2])
    to = f"{project.id}@{domain}"
    raw = write_mail(
        sender=editor.address,
        to=to,
        text=text or HARMLESS,
        subject="A test",
        message_id=message_id,
        written_at=datetime.now(UTC),
    )
    return account.send_mail(message_id.strip("<>"), raw, sender=editor.address, recipient=to)


def wait_for_answer(account: Account, mail: str, after: int, timeout: timedelta, *, aloud: bool) -> Waited:
    """Follow the trail of one mail and its job until it is answered, or will not be."""
    ends_at = time.monotonic() + timeout.total_seconds()
    pause = threading.Event()

    def is_over() -> bool:
        pause.wait(_LOOK_EVERY_SECONDS)
        return time.monotonic() >= ends_at

    job: str | None = None
    last: Entry | None = None
    for entry in entries_as_they_come(account.opened.engine.trail, after=after, is_over=is_over):
        if entry.mail == mail and entry.job:
            job = entry.job
        if entry.mail != mail and (job is None or entry.job != job):
            continue
        last = entry
        if aloud:
            say_entry(entry)
        if entry.what is EventType.ANSWERED or entry.what in _UNANSWERED:
            break
    answered = last is not None and last.what is EventType.ANSWERED
    return Waited(job, answered, tell(last) if last else "nothing was heard of the mail")
