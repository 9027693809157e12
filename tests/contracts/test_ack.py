"""Who hears that a request takes its time, on every engine: at most once, and only while it does."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contracts.test_lanes import take
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.journal import Step
from webordinary.reply.outbox import WAITS_FOR_MONEY
from webordinary.worker.chores.ack import Ack

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.reply.outbox import Letter

SCOTT = "scott@example.org"


def letters(ports: Ports) -> list[Letter]:
    return [letter for letter in ports.engine.outbox.take_due("one", ports.now) if letter.kind == "ack"]


def test_a_slow_request_is_acknowledged_once(ports: Ports) -> None:
    job = ports.queue(reply_to=SCOTT)
    ports.queue(thread="t2")
    ack = Ack(ports.engine, ports.clock)
    ack.look()
    ports.clock.advance(timedelta(minutes=4))
    ack.look()
    assert letters(ports) == []
    ports.clock.advance(timedelta(minutes=1))
    for each in (ack, Ack(ports.engine, ports.clock)):
        each.look()
    assert [(letter.job, letter.words, letter.to) for letter in letters(ports)] == [(job, "ack", SCOTT)]


def test_a_request_that_was_set_aside_names_the_newer_one(ports: Ports) -> None:
    older = ports.queue(reply_to=SCOTT)
    claim, running = take(ports)
    newer = ports.queue(thread="t2", reply_to=SCOTT)
    following = ports.engine.attempts.park(claim, running, ports.now)
    assert following.job is not None
    assert following.job.id == newer
    ports.clock.advance(timedelta(minutes=1))
    Ack(ports.engine, ports.clock).look()
    assert [(letter.job, letter.words, letter.facts) for letter in letters(ports)] == [
        (older, "set_aside", {"newer_job": newer})
    ]
    ports.clock.advance(timedelta(minutes=10))
    Ack(ports.engine, ports.clock).look()
    assert [letter.job for letter in letters(ports) if letter.tries == 1] == [newer]


def test_who_waits_behind_a_request_without_money_hears_that_and_who_knows_it_hears_nothing(ports: Ports) -> None:
    ports.queue(reply_to=SCOTT)
    claim, job = take(ports)
    ports.engine.attempts.journal(claim, job, Step.OUT_OF_MONEY.value, {}, ports.now)
    ports.engine.attempts.retry(claim, job, "spent", timedelta(days=1), ports.now, is_counted=False)
    behind = ports.queue(thread="t2", reply_to=SCOTT)
    ports.clock.advance(timedelta(minutes=5))
    Ack(ports.engine, ports.clock).look()
    (told,) = letters(ports)
    assert (told.job, told.words) == (behind, WAITS_FOR_MONEY)
    # Nor is that said again when there is money, and it still takes its time.
    ports.engine.outbox.seal(told, b"written", "<told@example.org>", ports.now)
    ports.engine.lanes.stop(job.id, "agency", ports.now)
    Ack(ports.engine, ports.clock).look()
    assert [letter.words for letter in letters(ports)] == []


def test_what_is_over_or_nobody_waits_for_is_not_acknowledged(ports: Ports) -> None:
    ports.queue(reply_to=SCOTT)
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, Ending(State.DONE, Outcome.PUBLISHED), ports.now)
    ports.queue()
    ports.clock.advance(timedelta(hours=1))
    Ack(ports.engine, ports.clock).look()
    assert letters(ports) == []


def test_the_live_jobs_of_a_lane_are_shown_in_their_order(ports: Ports) -> None:
    first, second = ports.queue(), ports.queue(thread="t2")
    assert [job.id for job in ports.engine.overview.live("amelia#scott")] == [first, second]
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, Ending(State.DONE, Outcome.PUBLISHED), ports.now)
    assert [job.id for job in ports.engine.overview.live("amelia#scott")] == [second]
    assert ports.engine.overview.live("flora#tom") == []
