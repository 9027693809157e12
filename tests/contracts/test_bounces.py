"""What every engine promises about mails that come back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.unit.mail.test_bounce import report
from webordinary.audit.entry import EventType
from webordinary.intake import Intake
from webordinary.intake.steps import note_bounces
from webordinary.mail.inbox import Envelope
from webordinary.reply.bounces import COUNTED_FOR, TOO_MANY, Bounce, find_dead_end
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

SCOTT = "scott@example.org"
OURS = "webordinary.job-1a2b.answer@edit.example.com"


def bounce(ports: Ports, letter: str, address: str = SCOTT, *, for_good: bool = True) -> Bounce:
    return Bounce(letter, address, for_good, "no such user", ports.now.wall_at)


def send(ports: Ports, key: str, to: str, message_id: str) -> None:
    ports.engine.outbox.add(Letter(key, "answer", to, "published"), ports.now)
    (letter,) = ports.engine.outbox.take_due("one", ports.now)
    ports.engine.outbox.seal(letter, b"bytes", message_id, ports.now)
    ports.engine.outbox.mark_sent(letter, ports.now)


def test_a_letter_counts_once_for_its_address_however_it_is_written(ports: Ports) -> None:
    bounces = ports.engine.bounces
    assert bounces.record(bounce(ports, "job-1.answer"))
    assert not bounces.record(bounce(ports, "job-1.answer", "Scott@EXAMPLE.org"))
    assert [each.letter for each in bounces.of("SCOTT@example.org")] == ["job-1.answer"]
    assert bounces.of("tom@example.net") == []
    (entry,) = [entry for entry in ports.engine.trail.read() if entry.what == EventType.MAIL_BOUNCED]
    assert entry.facts["address"] == SCOTT


def test_an_address_leads_nowhere_after_three_letters_that_came_back_for_good(ports: Ports) -> None:
    bounces = ports.engine.bounces
    for number in range(TOO_MANY):
        bounces.record(bounce(ports, f"soft-{number}.answer", for_good=False))
        assert find_dead_end(bounces, SCOTT, ports.now.wall_at) is None
        bounces.record(bounce(ports, f"hard-{number}.answer"))
        ports.clock.advance(timedelta(hours=12))
    first = find_dead_end(bounces, SCOTT, ports.now.wall_at)
    assert first is not None
    assert first.letter == "hard-0.answer"
    ports.clock.advance(COUNTED_FOR)
    assert find_dead_end(bounces, SCOTT, ports.now.wall_at) is None


def test_one_bad_day_makes_nobodys_address_lead_nowhere(ports: Ports) -> None:
    bounces = ports.engine.bounces
    for number in range(10):
        bounces.record(bounce(ports, f"job-{number}.answer"))
        ports.clock.advance(timedelta(hours=1))
    assert find_dead_end(bounces, SCOTT, ports.now.wall_at) is None


def test_a_forgiven_address_is_written_to_again(ports: Ports) -> None:
    bounces = ports.engine.bounces
    for number in range(TOO_MANY):
        bounces.record(bounce(ports, f"job-{number}.answer"))
    bounces.record(bounce(ports, "job-9.answer", "tom@example.net"))
    assert bounces.clear("Scott@example.org", "operator", ports.now) == TOO_MANY
    assert bounces.clear(SCOTT, "operator", ports.now) == 0
    assert find_dead_end(bounces, SCOTT, ports.now.wall_at) is None
    assert [each.address for each in bounces.all()] == ["tom@example.net"]
    cleared = [entry.facts for entry in ports.engine.trail.read() if entry.what == EventType.BOUNCES_CLEARED]
    assert cleared == [{"address": SCOTT, "by": "operator"}]


def test_the_newest_are_shown_first(ports: Ports) -> None:
    for number in range(5):
        ports.engine.bounces.record(bounce(ports, f"job-{number}.answer", f"{number}@example.org"))
        ports.clock.advance(timedelta(minutes=1))
    assert [each.letter for each in ports.engine.bounces.all(limit=2)] == ["job-4.answer", "job-3.answer"]


def test_a_letter_is_found_by_the_id_it_left_under(ports: Ports) -> None:
    send(ports, "job-1a2b.answer", SCOTT, OURS)
    found = ports.engine.outbox.find_sent(OURS)
    assert found is not None
    assert (found.key, found.to) == ("job-1a2b.answer", SCOTT)
    assert ports.engine.outbox.find_sent("somebody@else") is None
    assert ports.engine.outbox.find_sent("x" * 3000) is None


def test_a_report_counts_only_about_a_letter_that_we_sent_to_that_address(ports: Ports) -> None:
    assert note_bounces(ports.engine, report(), ports.now) == 0
    send(ports, "job-1a2b.answer", SCOTT, OURS)
    other = "Final-Recipient: rfc822; tom@example.net"
    assert note_bounces(ports.engine, report(recipient=other), ports.now) == 0
    assert note_bounces(ports.engine, report(), ports.now) == 1
    assert note_bounces(ports.engine, report(), ports.now) == 0
    (noted,) = ports.engine.bounces.of(SCOTT)
    assert noted.is_for_good
    assert noted.letter == "job-1a2b.answer"


def test_a_report_that_comes_in_by_mail_is_noted_and_never_answered(ports: Ports) -> None:
    send(ports, "job-1a2b.answer", SCOTT, OURS)
    intake = Intake(ports.engine, "edit.example.com", ports.clock, ports.limits)
    kept = intake.receive(report(), Envelope("smtp", ("re+token@edit.example.com",), mail_from=""))
    decision = intake.decide(kept.mail)
    assert decision is not None
    assert decision.outcome == "automatic"
    assert [each.letter for each in ports.engine.bounces.of(SCOTT)] == ["job-1a2b.answer"]
    assert ports.engine.outbox.take_due("one", ports.now) in ((), [])
