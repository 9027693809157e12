"""What the agency is told each day, on every engine."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from tests.contracts.test_held_answers import held
from tests.contracts.test_lanes import take
from tests.contracts.test_what_waits import propose
from tests.rigs.embedded_ports import AMELIA
from tests.rigs.ports import AT_ONCE
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.jobs.about import revert_of
from webordinary.jobs.job import Ending, Kind, Outcome, State
from webordinary.jobs.spending import Concluded, Payer
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.reply.bounces import Bounce
from webordinary.routing.project import PublishRule
from webordinary.testing.story import wait_for
from webordinary.worker.chores.digest import Digest, gather

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.reply.outbox import Letter
    from webordinary.routing.lane import Lane

pytestmark = [pytest.mark.one_engine, pytest.mark.above_the_store]

AGENCY = "agency@example.com"
DAY = timedelta(days=1)


def digest(ports: Ports, hour: int = 8, timezone: str = "Europe/Berlin") -> Digest:
    return Digest(ports.engine, AGENCY, timezone, hour, ports.clock)


def letters(ports: Ports) -> list[Letter]:
    found = ports.engine.outbox.take_due("one", ports.now)
    for letter in found:
        ports.engine.outbox.mark_sent(letter, ports.now)
    return list(found)


def decide(ports: Ports, outcome: MailOutcome, sender: str) -> None:
    raw = f"From: {sender}\r\nSubject: {outcome} mail\r\n\r\nhello".encode()
    kept = ports.engine.inbox.keep(raw, Envelope("smtp", ("amelia@edit.example.com",)), ports.now)
    ports.engine.inbox.decide(kept.mail, Decision(outcome, "", sender, f"{outcome} mail"), ports.now)


def end(ports: Ports, ending: Ending) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, ending, ports.now)
    ports.engine.claims.release(claim, ports.now)


def test_a_day_on_which_nothing_happened_has_no_digest(ports: Ports) -> None:
    end(ports, Ending(State.DONE, Outcome.PUBLISHED))
    decide(ports, MailOutcome.REFUSED, "eve@elsewhere.example")
    ports.clock.advance(DAY)
    digest(ports).look()
    assert letters(ports) == []


def test_an_answer_that_waits_for_days_is_told(ports: Ports) -> None:
    waiting = held(ports)
    now = ports.now.wall_at
    assert "unreleased" not in gather(ports.engine, now, now + DAY)
    assert waiting.job in gather(ports.engine, now + 2 * DAY, now + 3 * DAY)["unreleased"]


def test_the_digest_tells_everything_that_waits(ports: Ports) -> None:
    for outcome in (MailOutcome.HELD, MailOutcome.QUARANTINED, MailOutcome.STRANGER):
        decide(ports, outcome, f"{outcome}@example.org")
    end(ports, Ending(State.FAILED, error="the build ended with an error", blames_project=False))
    waits = propose(ports, thread="t2")
    ports.engine.bounces.record(
        Bounce("x.answer", "tom@example.net", is_for_good=True, reason="gone", bounced_at=ports.now.wall_at)
    )
    payer = Payer(take_lane(ports), ports.now.wall_at.date(), "r1")
    ports.engine.spending.charge(payer, 0, 20.5, ports.now)
    ports.engine.spending.conclude(Concluded("job-0", "amelia", payer.day, "published", 20.0), ports.now)
    ports.engine.lanes.pause("amelia", "three in a row", ports.now)
    ports.clock.advance(timedelta(hours=1))
    facts = gather(ports.engine, ports.now.wall_at - DAY, ports.now.wall_at)
    assert set(facts) == {
        "held", "quarantined", "strangers", "failed", "waiting", "over_budget", "paused", "unanswered",
        "spent",
    }  # fmt: skip
    assert "held@example.org: “held mail”" in facts["held"]
    assert "“Our website” (the build ended with an error)" in facts["failed"]
    assert facts["over_budget"] == "amelia: 20.50 of 20 USD on 2026-03-02"
    assert facts["spent"] == "amelia: 20.50 USD (published 20.00, open 0.50)"
    assert facts["waiting"] == f"{waits.id}, amelia#scott: “Our website” (2026-03-02)"
    assert facts["paused"] == "amelia: three in a row"
    assert facts["unanswered"] == "tom@example.net: gone"


def test_what_an_editor_takes_back_where_changes_need_an_ok_is_told(ports: Ports) -> None:
    careful = replace(AMELIA, rules=replace(AMELIA.rules, publish=PublishRule.APPROVE))
    undo = replace(ports.new_job(kind=Kind.VERB), about=revert_of("c0ffee"))
    ports.engine.lanes.accept(undo, ports.now, ready=AT_ONCE)
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, Ending(State.DONE, Outcome.UNDONE), ports.now)
    ports.clock.advance(timedelta(hours=1))
    span = ports.now.wall_at - DAY, ports.now.wall_at
    assert gather(ports.engine, *span) == {}
    engine = replace(ports.engine, projects=ConfiguredProjects((careful,)))
    # Lists are read from an index, which may lag behind where stores are many machines.
    told = wait_for(lambda: gather(engine, *span) or None, "an index", str)
    assert told == {"taken_back": f"{undo.id}, amelia#scott: “Our website”"}


def test_what_comes_for_the_postmaster_is_told_whatever_became_of_it(ports: Ports) -> None:
    raw = b"From: eve@elsewhere.example\r\nSubject: Spam from you\r\n\r\nStop it."
    kept = ports.engine.inbox.keep(raw, Envelope("smtp", ("Abuse@edit.example.com",)), ports.now)
    sender = "eve@elsewhere.example"
    ports.engine.inbox.decide(
        kept.mail, Decision(MailOutcome.IGNORED, "no project", sender, "Spam from you"), ports.now
    )
    ports.clock.advance(timedelta(hours=1))
    told = gather(ports.engine, ports.now.wall_at - DAY, ports.now.wall_at)
    assert told == {"postmaster": f"{kept.mail}, {sender}: “Spam from you”"}


def take_lane(ports: Ports) -> Lane:
    return ports.job("job-1").lane


def test_the_digest_is_recorded_once_a_day_in_the_agencys_time_zone(ports: Ports) -> None:
    here = ports.now.wall_at.astimezone(ZoneInfo("Europe/Berlin"))
    assert here.hour == 10
    decide(ports, MailOutcome.HELD, "scott@example.org")
    two = digest(ports), digest(ports)
    for each in two:
        each.look()
    # It came after the hour of today, so it belongs to tomorrow.
    assert letters(ports) == []
    ports.clock.advance(timedelta(hours=21))
    for each in two:
        each.look()
    assert letters(ports) == []
    ports.clock.advance(timedelta(hours=1))
    for each in (*two, digest(ports)):
        each.look()
    (letter,) = letters(ports)
    assert (letter.to, letter.words, letter.facts["day"]) == (AGENCY, "digest", "2026-03-03")
    ports.clock.advance(timedelta(hours=20))
    digest(ports).look()
    assert letters(ports) == []
    ports.clock.advance(DAY)
    digest(ports).look()
    assert letters(ports) == []


def test_what_waits_since_the_hour_of_today_is_told_tomorrow_whoever_looks(ports: Ports) -> None:
    propose(ports, thread="t2")
    ports.engine.lanes.pause("amelia", "three in a row", ports.now)
    ports.clock.advance(timedelta(minutes=1))
    letters(ports)
    digest(ports).look()
    assert letters(ports) == []
    ports.clock.advance(DAY)
    digest(ports).look()
    (letter,) = letters(ports)
    assert {"waiting", "paused"} < set(letter.facts)


@pytest.mark.thorough
def test_a_long_list_says_how_much_more_there_is(ports: Ports) -> None:
    for number in range(33):
        decide(ports, MailOutcome.HELD, f"{number}@example.org")
    ports.clock.advance(timedelta(minutes=1))
    lines = gather(ports.engine, ports.now.wall_at - DAY, ports.now.wall_at)["held"].split("\n")
    assert (len(lines), lines[-1]) == (31, "+ 3")


@pytest.mark.parametrize("hour", [0, 23])
def test_every_hour_of_the_day_can_be_the_one(ports: Ports, hour: int) -> None:
    decide(ports, MailOutcome.HELD, "scott@example.org")
    chores = digest(ports, hour, "UTC")
    for _ in range(48):
        chores.look()
        ports.clock.advance(timedelta(hours=1))
    assert len(letters(ports)) == 1
