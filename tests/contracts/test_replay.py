"""What every engine promises about a mail that is decided again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.audit.entry import EventType
from webordinary.errors import Refused
from webordinary.intake import Intake
from webordinary.intake.replay import look_again, replay
from webordinary.mail.inbox import Envelope
from webordinary.mail.sender import OPERATOR, Vouch
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

pytestmark = pytest.mark.above_the_store

TO = ("amelia@edit.example.com",)


def intake_of(ports: Ports) -> Intake:
    return Intake(ports.engine, "edit.example.com", ports.clock, ports.limits)


def take_in(intake: Intake, sender: str, vouch: Vouch | None) -> str:
    raw = write_mail(sender=sender, to=TO[0], text="We open at nine.", message_id="<1@phone.example.org>")
    mail = intake.receive(raw, Envelope("smtp", TO, sender, "192.0.2.1", vouch)).mail
    intake.decide(mail)
    return mail


def test_looking_again_says_what_would_happen_and_changes_nothing(ports: Ports) -> None:
    intake = intake_of(ports)
    mail = take_in(intake, "eve@example.net", Vouch("eve@example.net", OPERATOR))
    before = (ports.engine.overview.mails(), ports.engine.trail.read(), ports.engine.overview.jobs())
    explained = look_again(intake, mail)
    assert explained.decision.outcome == "stranger"
    assert explained.steps
    assert (ports.engine.overview.mails(), ports.engine.trail.read(), ports.engine.overview.jobs()) == before


def test_a_mail_that_would_be_taken_today_is_taken_once(ports: Ports) -> None:
    elsewhere = replace(intake_of(ports), domain="other.example.com")
    mail = take_in(elsewhere, "scott@example.org", Vouch("scott@example.org", OPERATOR))
    assert ports.engine.overview.jobs() == []
    intake = intake_of(ports)
    assert look_again(intake, mail).decision.outcome == "queued"
    again, decision = replay(intake, mail, "agency")
    assert decision is not None
    assert (decision.outcome, again != mail) == ("queued", True)
    for same in (mail, again):
        twice, told = replay(intake, same, "agency")
        assert told is not None
        assert (twice, told.outcome, told.job) == (again, "repeated", decision.job)
    assert [job.id for job in ports.engine.overview.jobs()] == [decision.job]
    replayed = [entry for entry in ports.engine.trail.read() if entry.what is EventType.MAIL_REPLAYED]
    assert [(entry.mail, entry.facts["of"], entry.facts["by"]) for entry in replayed] == [(again, mail, "agency")]


def test_a_mail_that_has_become_a_job_becomes_no_second_one(ports: Ports) -> None:
    intake = intake_of(ports)
    mail = take_in(intake, "scott@example.org", Vouch("scott@example.org", OPERATOR))
    (job,) = ports.engine.overview.jobs()
    assert look_again(intake, mail).decision.outcome == "repeated"
    _, decision = replay(intake, mail, "agency")
    assert decision is not None
    assert (decision.outcome, decision.job) == ("repeated", job.id)
    assert len(ports.engine.overview.jobs()) == 1


def test_a_replayed_mail_came_when_it_came_and_how_it_came(ports: Ports) -> None:
    intake = intake_of(ports)
    mail = take_in(intake, "eve@example.net", None)
    ports.clock.advance(timedelta(days=3))
    again, _ = replay(intake, mail, "agency")
    first, second = ports.engine.inbox.find(mail), ports.engine.inbox.find(again)
    assert first is not None
    assert second is not None
    assert second.received_at == first.received_at
    assert replace(second.envelope, transport_key=None) == replace(first.envelope, transport_key=None)
    assert ports.engine.inbox.read(again) == ports.engine.inbox.read(mail)


def test_a_mail_that_is_not_there_is_a_sentence(ports: Ports) -> None:
    for look in (lambda: look_again(intake_of(ports), "mail-0"), lambda: replay(intake_of(ports), "mail-0", "agency")):
        with pytest.raises(Refused, match="There is no mail mail-0"):
            look()
