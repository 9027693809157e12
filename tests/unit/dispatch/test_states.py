"""Every way in and out of a state: what becomes of the job and its lane, what the trail says and who is written to."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.unit.dispatch.lines import ASKED, CLAIM, LANE, LIMITS, NOW, WORKER, Write, after, job, running, told
from webordinary.audit.entry import Entry, EventType
from webordinary.dispatch.job_row import JobRow, fresh_row
from webordinary.dispatch.states import (
    accept,
    end,
    enqueue,
    obey_cancel,
    park,
    put_back,
    set_cancel,
    start,
    start_head,
    try_again_later,
)
from webordinary.interrupts.decide import InterruptRule
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import Ending, Kind, NewJob, Outcome, State
from webordinary.reply.outbox import Letter

_INTERRUPT = InterruptRule("interrupt")
_DAY = 86_400.0


def fresh(number: int, thread: str = "a", kind: Kind = Kind.INSTRUCTION) -> JobRow:
    row = job(number, thread, kind, State.PREPARING)
    row.start_by = 0
    return row


def test_a_fresh_job_has_what_was_asked_and_its_two_limits() -> None:
    asked = NewJob("j", LANE, "t", "key", Kind.ASKED, "Hi", ASKED, NOW.wall_at, "m", "older", "about")
    row = fresh_row(asked, 4, "token", LIMITS, NOW)
    assert row == JobRow(
        id="j",
        lane="amelia#scott",
        thread="t",
        sequence=4,
        kind=Kind.ASKED,
        state=State.PREPARING,
        subject="Hi",
        kept_request=ASKED,
        received_at=NOW.seconds,
        dedup_key="key",
        prepare_by=NOW.seconds + 300,
        start_by=NOW.seconds + _DAY,
        mail="m",
        repeats="older",
        about="about",
        token="token",
    )


def test_a_row_reads_its_texts_once_and_shows_the_job_that_others_know() -> None:
    row = running(3, state=State.COMMITTING)
    row.kept_request, row.kept_journal = '{"text":"Hello"}', '{"built":"x"}'
    row.outcome, row.summary, row.error, row.commit = Outcome.PUBLISHED, "sum", "err", "c0ffee"
    row.repeats, row.about, row.token, row.interruptions = "r", "b", "t", 2
    row.finished_at = NOW.seconds + 1
    shown = row.job
    assert (shown.id, shown.lane, shown.thread, shown.sequence) == ("job-3", LANE, "a", 3)
    assert (shown.kind, shown.state, shown.subject) == (Kind.INSTRUCTION, State.COMMITTING, "Subject 3")
    assert (shown.request.text, shown.journal.stored) == ("Hello", {"built": "x"})
    assert (shown.fence, shown.attempt, shown.interruptions) == (7, 1, 2)
    assert (shown.outcome, shown.summary, shown.error, shown.commit) == (Outcome.PUBLISHED, "sum", "err", "c0ffee")
    assert (shown.mail, shown.repeats, shown.about, shown.token) == ("mail-3", "r", "b", "t")
    assert shown.received_at == after(-5).wall_at
    assert (shown.started_at, shown.finished_at) == (after(-4).wall_at, after(1).wall_at)
    assert shown.deadline_at == after(1_196).wall_at


def test_an_accepted_job_is_the_last_of_its_lane() -> None:
    write = Write(job(1))
    accept(write.one, fresh(2, kind=Kind.VERB))
    row = write.one.row
    assert (row.pending, row.verbs, row.next_sequence) == (2, 1, 3)
    assert told(write.effects) == [(EventType.JOB_ACCEPTED, None, "Subject 2", {"sequence": "2", "kind": "verb"})]


def test_a_queued_job_waits_for_a_day_and_for_as_long_as_its_project_was_paused() -> None:
    write, row = Write(), fresh(1)
    write.lane_row.patience_shift = 40
    accept(write.one, row)
    enqueue(write.one, row, _INTERRUPT)
    assert (row.state, row.start_by, row.patience_shift) == (State.QUEUED, NOW.seconds + _DAY, 40)
    assert write.effects.alone == ["job-1"]
    assert told(write.effects)[1:] == [(EventType.JOB_QUEUED, None, "", {})]


def test_a_job_for_which_a_flow_waits_is_not_alone() -> None:
    write, row = Write(), fresh(1)
    row.flow_token = True
    accept(write.one, row)
    enqueue(write.one, row, _INTERRUPT)
    assert write.effects.alone == []


def test_a_start_is_an_attempt_with_a_deadline_and_a_sign_of_life() -> None:
    row = job(1)
    row.not_before = NOW.seconds - 1
    write = Write(row).owned(until=2)
    start(write.one, CLAIM, row)
    assert (row.state, row.fence, row.attempt, row.not_before) == (State.RUNNING, 7, 1, 0)
    assert (row.attempt_at, row.started_at, row.deadline_at) == (NOW.seconds, NOW.seconds, NOW.seconds + 1_200)
    assert (write.one.row.running, write.one.row.lease_until) == ("job-1", NOW.seconds + 30)
    facts = {"attempt": "1", "waited_s": "5.000"}
    expected = Entry(EventType.JOB_STARTED, NOW.wall_at, LANE.key, "a", "job-1", "mail-1", WORKER, 7, "", facts)
    assert write.effects.entries == [expected]


def test_a_second_start_is_a_resumption_that_began_with_the_first() -> None:
    for attempt, interruptions in ((1, 0), (0, 1)):
        row = job(1)
        row.attempt, row.interruptions, row.started_at = attempt, interruptions, NOW.seconds - 90
        write = Write(row)
        start(write.one, CLAIM, row)
        assert row.started_at == NOW.seconds - 90
        assert told(write.effects) == [(EventType.JOB_RESUMED, WORKER, "", {"attempt": str(attempt + 1)})]
        # Nobody owns the lane, so nobody's lease grows.
        assert write.one.row.lease_until == 0


def test_the_head_starts_when_it_may_and_nothing_runs_and_nobody_has_paused_it() -> None:
    assert start_head(Write().one, CLAIM) is None
    busy = Write(running(1), job(2))
    assert start_head(busy.one, CLAIM) is None
    paused = Write(job(1))
    paused.lane_row.paused = "not now"
    assert start_head(paused.one, CLAIM) is None
    early, due = job(1), job(1)
    early.not_before, due.not_before = NOW.seconds + 1, NOW.seconds
    assert start_head(Write(early).one, CLAIM) is None
    started = start_head(Write(due).one, CLAIM)
    assert started is not None
    assert started.state is State.RUNNING


@pytest.mark.parametrize(
    ("state", "what"),
    [
        (State.DONE, EventType.JOB_DONE),
        (State.FAILED, EventType.JOB_FAILED),
        (State.STOPPED, EventType.JOB_STOPPED),
        (State.DEAD, EventType.JOB_DEAD),
        (State.REFUSED, EventType.JOB_FAILED),
    ],
)
def test_an_end_is_told_with_its_outcome_and_how_long_it_took(state: State, what: EventType) -> None:
    row = running(1)
    write = Write(row).owned()
    set_cancel(write.one, row, Why.INTERRUPT, "job-2", 0, thread="b")
    end(write.one, row, Ending(state, summary="done so", error="because"), worker=WORKER)
    assert told(write.effects) == [(what, WORKER, "because", {"outcome": state.value, "took_s": "4.000"})]
    assert (row.state, row.summary, row.error, row.finished_at) == (state, "done so", "because", NOW.seconds)
    assert (row.cancel, row.cancel_by, row.cancel_thread) == (None, None, None)
    assert (row.cancel_fence, row.cancel_not_before) == (None, None)
    lane = write.one.row
    assert (lane.running, lane.pending, write.one.is_cut_short) == (None, 0, False)


def test_the_end_of_a_job_is_one_letter_to_who_asked() -> None:
    ending = Ending(State.DONE, Outcome.PUBLISHED, summary="It is live", template="published", facts={"url": "x"})
    row = running(1)
    write = Write(row)
    end(write.one, row, ending)
    letter = Letter("job-1.answer", "answer", "scott@example.org", "published", {"url": "x"}, "job-1", "mail-1")
    assert write.effects.letters == [letter]
    assert (row.outcome, row.words) == (Outcome.PUBLISHED, "published")
    assert told(write.effects)[0][2:] == ("It is live", {"outcome": "published", "took_s": "4.000"})


def test_nobody_is_written_to_without_words_or_an_address() -> None:
    silent = running(1)
    write = Write(silent)
    end(write.one, silent, Ending(State.DONE))
    nobody = running(2)
    nobody.kept_request = replace(ASKED, reply_to=None)
    other = Write(nobody)
    end(other.one, nobody, Ending(State.DONE, template="published"))
    assert write.effects.letters == other.effects.letters == []


def test_what_an_owner_is_busy_with_is_cut_short_when_somebody_else_ends_it() -> None:
    for ended, is_cut in (("job-1", True), ("job-2", False)):
        write = Write(running(1), job(2)).owned()
        row = write.one.find(ended)
        assert row is not None
        end(write.one, row, Ending(State.STOPPED))
        assert write.one.is_cut_short is is_cut
        assert write.one.row.running == (None if is_cut else "job-1")


def test_a_parked_job_waits_anew_behind_the_thread_that_interrupted_it() -> None:
    row = running(1)
    row.attempt, row.interruptions = 2, 1
    write = Write(row, job(2, "b"))
    set_cancel(write.one, row, Why.INTERRUPT, "job-2", 0, thread="b")
    park(write.one, row, worker=WORKER)
    assert (row.state, row.attempt, row.interruptions, row.deadline_at) == (State.PARKED, 1, 2, None)
    assert (row.start_by, row.cancel) == (NOW.seconds + _DAY, None)
    lane = write.one.row
    assert (lane.running, lane.first_thread, write.one.changed) == (None, "b", {"job-1": row})
    facts = {"by": "job-2", "interruption": "2"}
    assert told(write.effects) == [(EventType.JOB_PARKED, WORKER, "set aside for a newer mail", facts)]


def test_a_job_that_nobody_interrupted_for_a_thread_leaves_the_first_thread_as_it_is() -> None:
    row = running(1)
    write = Write(row, job(2, "b"))
    write.lane_row.first_thread = "b"
    park(write.one, row, worker=None)
    assert write.one.row.first_thread == "b"
    assert told(write.effects)[0][3] == {"by": "", "interruption": "1"}


def test_a_job_that_is_given_back_has_lost_nothing() -> None:
    row = running(1)
    write = Write(row)
    put_back(write.one, row, WORKER)
    assert (row.state, row.attempt, row.deadline_at) == (State.QUEUED, 0, None)
    assert write.one.changed == {"job-1": row}
    assert told(write.effects) == [(EventType.JOB_GIVEN_BACK, WORKER, "", {})]


@pytest.mark.parametrize("is_counted", [True, False])
def test_a_retried_job_waits_for_its_backoff(*, is_counted: bool) -> None:
    row = running(1)
    write, patience = Write(row), row.start_by
    wait, prolongs = timedelta(seconds=2.5), timedelta(0 if is_counted else 60)
    try_again_later(write.one, row, WORKER, "it is away", wait, is_counted=is_counted, prolongs=prolongs)
    assert row.start_by == patience + prolongs.total_seconds()
    assert (row.state, row.error, row.deadline_at) == (State.QUEUED, "it is away", None)
    assert (row.attempt, row.not_before, write.one.row.running) == (int(is_counted), NOW.seconds + 2.5, None)
    facts = {"attempt": "1", "wait_s": "2.5"}
    assert told(write.effects) == [(EventType.JOB_RETRIED, WORKER, "it is away", facts)]
    assert write.one.changed == {"job-1": row}


def test_a_cancel_is_for_one_attempt_and_says_who_asked() -> None:
    row = running(1)
    write = Write(row)
    set_cancel(write.one, row, Why.DROP, "job-2", 12.0, thread="b")
    assert (row.cancel, row.cancel_by, row.cancel_thread) == ("drop", "job-2", "b")
    assert (row.cancel_fence, row.cancel_not_before) == (7, 12.0)
    assert write.one.changed == {"job-1": row}


@pytest.mark.parametrize(
    ("why", "state", "error", "template", "facts"),
    [
        (Why.INTERRUPT, State.PARKED, None, None, {}),
        (Why.STOP, State.STOPPED, "stopped by job-2", "stopped", {}),
        (Why.DROP, State.STOPPED, "dropped for the newer job-2", "dropped", {"newer_job": "job-2"}),
    ],
)
def test_a_cancel_is_obeyed_as_it_was_meant(
    why: Why, state: State, error: str | None, template: str | None, facts: dict[str, str]
) -> None:
    row = running(1)
    write = Write(row)
    set_cancel(write.one, row, why, "job-2", 0)
    assert obey_cancel(write.one, row, WORKER)
    assert (row.state, row.error) == (state, error)
    assert [(each.words, each.facts) for each in write.effects.letters] == ([(template, facts)] if template else [])
    assert told(write.effects)[0][1] == WORKER


def test_without_a_cancel_there_is_nothing_to_obey() -> None:
    row = running(1)
    write = Write(row)
    assert not obey_cancel(write.one, row, WORKER)
    assert row.state is State.RUNNING


def interrupted(row: JobRow, newcomer: JobRow, rule: InterruptRule = _INTERRUPT, paused: str | None = None) -> Write:
    write = Write(row).owned()
    write.lane_row.paused = paused
    accept(write.one, newcomer)
    write.effects.entries.clear()
    enqueue(write.one, newcomer, rule)
    return write


def test_a_newer_mail_in_another_thread_asks_what_runs_to_stop_after_its_first_seconds() -> None:
    row, newcomer = running(1), fresh(2, "b")
    write = interrupted(row, newcomer)
    assert (row.cancel, row.cancel_by, row.cancel_thread) == ("interrupt", "job-2", "b")
    # It has run for four of its first twenty seconds.
    assert row.cancel_not_before == NOW.seconds + 16
    assert (newcomer.interrupted, newcomer.interrupted_owner) == ("job-1", WORKER)
    facts = {"by": "job-2", "thread": "b", "why": "a newer mail in another thread (interrupt)"}
    assert told(write.effects) == [
        (EventType.INTERRUPT_ASKED, None, "", facts),
        (EventType.JOB_QUEUED, None, "", {}),
    ]


def test_what_has_run_for_long_is_asked_to_stop_at_once() -> None:
    row = running(1)
    row.attempt_at = NOW.seconds - 60
    interrupted(row, fresh(2, "b"))
    assert row.cancel_not_before == NOW.seconds


def test_what_began_at_an_unknown_moment_is_asked_to_stop_at_once() -> None:
    row = running(1)
    row.attempt_at = None
    interrupted(row, fresh(2, "b"))
    assert row.cancel_not_before == NOW.seconds


@pytest.mark.parametrize("kind", [Kind.INSTRUCTION, Kind.ASKED])
def test_what_a_person_asks_for_may_interrupt(kind: Kind) -> None:
    row = running(1)
    interrupted(row, fresh(2, "b", kind))
    assert row.cancel == "interrupt"


@pytest.mark.parametrize(
    ("first", "newcomer", "paused"),
    [
        (running(1), fresh(2, "b", Kind.VERB), None),
        (running(1), fresh(2), None),
        (running(1), fresh(2, "b"), "not now"),
        (running(1, state=State.COMMITTING), fresh(2, "b"), None),
        (replace(running(1), kind=Kind.VERB), fresh(2, "b"), None),
        (replace(running(1), kind=Kind.REVERT), fresh(2, "b"), None),
        (replace(running(1), interruptions=2), fresh(2, "b"), None),
    ],
    ids=["a verb", "the same thread", "a pause", "a commit", "a running verb", "a running revert", "too often"],
)
def test_what_runs_is_left_alone_by(first: JobRow, newcomer: JobRow, paused: str | None) -> None:
    row, other = replace(first), replace(newcomer)
    interrupted(row, other, paused=paused)
    assert (row.cancel, other.interrupted) == (None, None)


def test_who_could_not_start_at_once_interrupts_nobody() -> None:
    row, earlier, newcomer = running(1), job(2, "b"), fresh(3, "b")
    earlier.not_before = NOW.seconds + 60
    write = Write(row, earlier)
    accept(write.one, newcomer)
    enqueue(write.one, newcomer, _INTERRUPT)
    assert row.cancel is None
