"""What every engine promises about mails that wait: put off, held, released, turned away, and known requests."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import Sender, Verdict, Vouch

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

RAW = b"From: scott@example.org\r\nSubject: hours\r\n\r\nwe open at nine\r\n"
ENVELOPE = Envelope("smtp", ("amelia@edit.example.com",), "scott@example.org", "192.0.2.1")
JUDGED = Sender("scott@example.org", Verdict.UNVERIFIED, "none", "Nothing proves it.", ("DKIM: none.", "SPF: fail."))
HELD = Decision(
    MailOutcome.HELD,
    "Nothing proves it.",
    "scott@example.org",
    "hours",
    "amelia",
    answer="confirm",
    facts={"about": "hours"},
    judged=JUDGED,
    answer_kind="confirm",
)
CONFIRMED = Vouch("scott@example.org", "confirmed")


def hold(ports: Ports, raw: bytes = RAW) -> str:
    mail = ports.engine.inbox.keep(raw, ENVELOPE, ports.now).mail
    assert ports.engine.inbox.decide(mail, HELD, ports.now)
    return mail


def said(ports: Ports, what: EventType) -> list[str | None]:
    return [entry.mail for entry in ports.engine.trail.read() if entry.what == what]


def test_what_was_found_out_about_the_sender_is_kept_with_the_mail(ports: Ports) -> None:
    view = ports.engine.overview.mail(hold(ports))

    assert view is not None
    assert (view.verdict, view.method, view.project) == ("unverified", "none", "amelia")
    assert view.reasons == ("DKIM: none.", "SPF: fail.")


def test_mails_can_be_listed_by_what_became_of_them(ports: Ports) -> None:
    held = hold(ports)
    other = ports.engine.inbox.keep(b"other", ENVELOPE, ports.now).mail
    ports.engine.inbox.decide(other, Decision(MailOutcome.QUARANTINED, "forged"), ports.now)

    assert [view.id for view in ports.engine.overview.mails(outcome=MailOutcome.HELD)] == [held]
    assert [view.id for view in ports.engine.overview.mails(outcome=MailOutcome.QUARANTINED)] == [other]
    assert {view.id for view in ports.engine.overview.mails()} == {held, other}
    assert said(ports, EventType.MAIL_QUARANTINED) == [other]


def test_who_is_asked_to_confirm_gets_one_letter_of_its_own_kind(ports: Ports) -> None:
    mail = hold(ports)
    (letter,) = ports.engine.outbox.take_due("w1", ports.now)

    assert (letter.kind, letter.words, letter.mail, letter.to) == ("confirm", "confirm", mail, "scott@example.org")
    assert letter.facts["about"] == "hours"


def test_a_held_mail_is_released_exactly_once(ports: Ports) -> None:
    mail = hold(ports)
    inbox = ports.engine.inbox

    assert inbox.undecided(ports.now.wall_at) == []
    assert inbox.vouch_for(mail, CONFIRMED, ports.now)
    assert not inbox.vouch_for(mail, CONFIRMED, ports.now)
    assert said(ports, EventType.MAIL_RELEASED) == [mail]
    (kept,) = inbox.undecided(ports.now.wall_at)
    assert (kept.id, kept.envelope.vouch) == (mail, CONFIRMED)
    assert inbox.decide(mail, replace(HELD, outcome=MailOutcome.QUEUED, answer=None), ports.now)
    assert not inbox.vouch_for(mail, CONFIRMED, ports.now)


def test_a_held_mail_that_was_turned_away_cannot_be_released(ports: Ports) -> None:
    mail = hold(ports)

    assert ports.engine.inbox.turn_away(mail, "the operator refused it", ports.now)
    assert not ports.engine.inbox.turn_away(mail, "again", ports.now)
    assert not ports.engine.inbox.vouch_for(mail, CONFIRMED, ports.now)
    view = ports.engine.overview.mail(mail)
    assert view is not None
    assert (view.outcome, view.reason) == ("refused", "the operator refused it")
    assert said(ports, EventType.MAIL_TURNED_AWAY) == [mail]


def test_only_a_held_mail_can_be_released_or_turned_away(ports: Ports) -> None:
    fresh = ports.engine.inbox.keep(RAW, ENVELOPE, ports.now).mail

    for mail in (fresh, "mail-nobody"):
        assert not ports.engine.inbox.vouch_for(mail, CONFIRMED, ports.now)
        assert not ports.engine.inbox.turn_away(mail, "no", ports.now)


def test_a_mail_that_was_put_off_is_looked_at_later_and_counts_its_tries(ports: Ports) -> None:
    inbox = ports.engine.inbox
    mail = inbox.keep(RAW, ENVELOPE, ports.now).mail
    later = ports.now.wall_at + timedelta(minutes=5)
    inbox.put_off(mail, later)
    inbox.put_off(mail, later)

    assert inbox.undecided(ports.now.wall_at) == []
    (kept,) = inbox.undecided(later)
    assert kept.tries == 2
    found = inbox.find(mail)
    assert found is not None
    assert found.tries == 2


def test_a_mail_that_was_decided_is_not_put_off(ports: Ports) -> None:
    mail = hold(ports)
    ports.engine.inbox.put_off(mail, ports.now.wall_at)

    assert ports.engine.inbox.undecided(ports.now.wall_at) == []


def test_a_request_belongs_to_the_mail_that_claimed_it_first(ports: Ports) -> None:
    inbox = ports.engine.inbox

    assert inbox.key_holder("amelia:scott:1@phone") is None
    assert inbox.take_key("amelia:scott:1@phone", "mail-1", ports.now) == "mail-1"
    assert inbox.take_key("amelia:scott:1@phone", "mail-2", ports.now) == "mail-1"
    assert inbox.take_key("amelia:scott:1@phone", "mail-1", ports.now) == "mail-1"
    assert inbox.take_key("flora:scott:1@phone", "mail-2", ports.now) == "mail-2"
    assert inbox.key_holder("amelia:scott:1@phone") == "mail-1"
    assert inbox.take_key("x" * 3000 + "\ud800\x00", "mail-3", ports.now) == "mail-3"


def test_an_answer_with_a_key_of_its_own_is_said_once(ports: Ports) -> None:
    stranger = replace(
        HELD, outcome=MailOutcome.STRANGER, answer="not_an_editor", answer_kind="answer", answer_key="stranger.1"
    )
    for raw in (b"one", b"two"):
        mail = ports.engine.inbox.keep(raw, ENVELOPE, ports.now).mail
        assert ports.engine.inbox.decide(mail, stranger, ports.now)

    assert [letter.key for letter in ports.engine.outbox.take_due("w1", ports.now)] == ["stranger.1"]


def test_bytes_that_somebody_else_handed_in_first_are_another_delivery(ports: Ports) -> None:
    first = ports.engine.inbox.keep(RAW, replace(ENVELOPE, peer="198.51.100.66"), ports.now)
    genuine = ports.engine.inbox.keep(RAW, ENVELOPE, ports.now)

    assert genuine.fresh
    assert genuine.mail != first.mail
