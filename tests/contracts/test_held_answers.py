"""What every engine promises about answers that wait for the agency's eye."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contracts.test_lanes import take
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Ending, Outcome, State

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.reply.held_answers import HeldAnswer

TOLD = {"summary": "hours", "changes": "words\tindex.html\t8\t9"}


def held(ports: Ports, thread: str = "t1") -> HeldAnswer:
    """Let a job end, and its answer wait."""
    ports.queue(thread=thread, reply_to="scott@example.org")
    claim, job = take(ports)
    ending = Ending(State.DONE, Outcome.PUBLISHED, template="published", facts=TOLD)
    ports.engine.attempts.finish(claim, job, ending, ports.now)
    ports.engine.claims.release(claim, ports.now)
    letter = ports.engine.outbox.take(f"{job.id}.answer", "sender", ports.now)
    assert letter is not None
    assert ports.engine.held_answers.hold(letter, ports.now)
    found = ports.engine.held_answers.find(job.id)
    assert found is not None
    return found


def test_a_held_answer_is_due_to_nobody(ports: Ports) -> None:
    waiting = held(ports)
    ports.clock.advance(timedelta(days=300))
    assert not ports.engine.outbox.take_due("sender", ports.now)
    assert ports.engine.outbox.take(waiting.letter.key, "sender", ports.now) is None
    assert [each.job for each in ports.engine.held_answers.all()] == [waiting.job]
    assert (waiting.lane, waiting.project, waiting.thread) == ("amelia#scott", "amelia", "t1")
    assert waiting.letter.facts == TOLD


def test_a_released_answer_is_sent_like_any_other(ports: Ports) -> None:
    waiting = held(ports)
    assert ports.engine.held_answers.let_go(waiting, "amy", ports.now)
    assert not ports.engine.held_answers.all()
    (letter,) = ports.engine.outbox.take_due("sender", ports.now)
    assert (letter.key, letter.tries, letter.is_let_go) == (waiting.letter.key, 1, True)
    last = ports.engine.trail.newest(limit=1)[0]
    assert (last.what, last.job, last.facts["by"]) == (EventType.ANSWER_RELEASED, waiting.job, "amy")


def test_an_answer_leaves_once(ports: Ports) -> None:
    waiting = held(ports)
    assert ports.engine.held_answers.let_go(waiting, "amy", ports.now)
    assert not ports.engine.held_answers.let_go(waiting, "ben", ports.now)
    assert not ports.engine.held_answers.take_back(waiting, "ben", "it is wrong", ports.now)
    assert not ports.engine.held_answers.edit(waiting, {}, "ben", ports.now)
    assert ports.engine.held_answers.find(waiting.job) is None


def test_an_answer_that_is_taken_back_is_never_sent(ports: Ports) -> None:
    waiting = held(ports)
    assert ports.engine.held_answers.take_back(waiting, "amy", "it is wrong", ports.now)
    assert not ports.engine.held_answers.let_go(waiting, "ben", ports.now)
    ports.clock.advance(timedelta(days=1))
    assert not ports.engine.outbox.take_due("sender", ports.now)
    assert not ports.engine.held_answers.all()


def test_who_releases_an_answer_has_seen_its_words(ports: Ports) -> None:
    seen = held(ports)
    assert ports.engine.held_answers.edit(seen, {**TOLD, "note": "At nine, as you wished."}, "ben", ports.now)
    assert not ports.engine.held_answers.let_go(seen, "amy", ports.now)
    now = ports.engine.held_answers.find(seen.job)
    assert now is not None
    assert now.mark != seen.mark
    assert ports.engine.held_answers.let_go(now, "amy", ports.now)
    (letter,) = ports.engine.outbox.take_due("sender", ports.now)
    assert letter.facts == {**TOLD, "note": "At nine, as you wished."}


def test_a_sender_whose_reservation_is_over_holds_nothing(ports: Ports) -> None:
    waiting = held(ports)
    assert ports.engine.held_answers.let_go(waiting, "amy", ports.now)
    (slow,) = ports.engine.outbox.take_due("one", ports.now)
    ports.clock.advance(timedelta(minutes=10))
    (quick,) = ports.engine.outbox.take_due("two", ports.now)
    assert not ports.engine.held_answers.hold(slow, ports.now)
    assert ports.engine.held_answers.hold(quick, ports.now)


def test_answers_are_released_in_the_order_in_which_they_waited(ports: Ports) -> None:
    first = held(ports)
    ports.clock.advance(timedelta(minutes=1))
    second = held(ports)
    assert [each.job for each in ports.engine.held_answers.all()] == [first.job, second.job]
    assert [each.job for each in ports.engine.held_answers.all(limit=1)] == [first.job]
    ports.clock.advance(timedelta(minutes=1))
    for each in (second, first):
        assert ports.engine.held_answers.let_go(each, "amy", ports.now)
    assert ports.engine.outbox.take_due("one", ports.now, limit=1)[0].job == first.job


def test_nobody_finds_an_answer_that_does_not_wait(ports: Ports) -> None:
    assert ports.engine.held_answers.find("job-9") is None
    waiting = held(ports)
    stranger = replace(waiting, letter=replace(waiting.letter, key="job-9.answer"))
    assert not ports.engine.held_answers.let_go(stranger, "amy", ports.now)
