"""Decides a kept mail again from its raw bytes: only to see what would happen now, or really, once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.errors import Refused
from webordinary.intake.explain import Explanation

if TYPE_CHECKING:
    from webordinary.intake.explain import Explained
    from webordinary.intake.steps import Intake
    from webordinary.mail.inbox import Decision, KeptMail

_KEY = "replay:"


def look_again(intake: Intake, mail: str) -> Explained:
    """Say what would become of the mail today, as if it had come the same way at the same time; nothing changes."""
    kept = _find(intake, mail)
    return Explanation(intake).explain(intake.engine.inbox.read(mail), kept.envelope, kept.received_at)


def replay(intake: Intake, mail: str, by: str) -> tuple[str, Decision | None]:
    """Take the mail in once more under a name of its own, and decide it; a second time changes nothing.

    It keeps the time at which it came: a signature counts by how old a mail was then. A mail that has become a job
    is known by its request and becomes no second one.
    """
    kept = _find(intake, mail)
    now = intake.clock.now()
    key = kept.envelope.transport_key or ""
    # The replay of a replay is the replay of the mail.
    envelope = replace(kept.envelope, transport_key=key if key.startswith(_KEY) else f"{_KEY}{mail}")
    again = intake.engine.inbox.keep(intake.engine.inbox.read(mail), envelope, replace(now, wall_at=kept.received_at))
    if again.fresh:
        entry = Entry(EventType.MAIL_REPLAYED, now.wall_at, mail=again.mail, facts={"of": mail, "by": by})
        intake.engine.trail.record(entry)
    return again.mail, intake.decide(again.mail)


def _find(intake: Intake, mail: str) -> KeptMail:
    kept = intake.engine.inbox.find(mail)
    if kept is None:
        raise Refused(f"There is no mail {mail}; `webordinary show mail` lists them.")
    return kept
