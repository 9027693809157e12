"""A refusal is said once a day: its key is the same for the same person, reason and day."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from webordinary.intake.admit import once_a_day
from webordinary.mail.inbox import Decision, Envelope, KeptMail
from webordinary.mail.outcomes import MailOutcome

KEPT = KeptMail("m1", Envelope("deliver", ()), datetime(2026, 5, 4, 9, 0, tzinfo=UTC))
REFUSED = Decision(MailOutcome.REFUSED, "the mail has no text", "scott@example.org", answer="refused_empty")


def test_the_key_is_the_same_on_the_same_day_and_another_on_the_next() -> None:
    key = once_a_day(REFUSED, KEPT).answer_key
    later = replace(KEPT, id="m2", received_at=KEPT.received_at + timedelta(hours=9))
    tomorrow = replace(KEPT, received_at=KEPT.received_at + timedelta(days=1))

    assert key is not None
    assert once_a_day(REFUSED, later).answer_key == key
    assert once_a_day(REFUSED, tomorrow).answer_key != key
    assert once_a_day(replace(REFUSED, sender="tom@example.org"), KEPT).answer_key != key
    assert once_a_day(replace(REFUSED, answer="unreadable"), KEPT).answer_key != key


def test_what_is_not_answered_or_has_its_key_stays_as_it_is() -> None:
    silent, keyed = replace(REFUSED, answer=None), replace(REFUSED, answer_key="given")

    assert once_a_day(silent, KEPT) == silent
    assert once_a_day(keyed, KEPT) == keyed
