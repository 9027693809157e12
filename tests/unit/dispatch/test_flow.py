"""What becomes of a job whose flow gives up: it ends once, never past its commit point, never for another flow."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.model.lane_rules import Rules
from tests.model.lane_state import NO_FAULTS, World
from tests.model.memory_store import NAME, NOW, job_name, new_job
from webordinary.dispatch.effects import WakeReason
from webordinary.dispatch.flow import GivenUp, Waiting, abandon
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, State

if TYPE_CHECKING:
    from tests.model.memory_store import MemoryStore

_JOB = job_name(0)
_TIMED_OUT = Ending(State.FAILED, error="it took too long", template="failed")


def waited_for(*, execution: str = "mine", waits_with: str = "mine") -> MemoryStore:
    """Return a lane in which one job waits, and an execution of the flow for it."""
    store = Rules("A").open(World(NO_FAULTS))
    store.lanes.accept(new_job(0, "A"), NOW, ready=None)
    store.lanes.enqueue(_JOB, InterruptRule("queue"), NOW, waiting=Waiting(waits_with, execution))
    return store


def commit(store: MemoryStore) -> None:
    claimed = store.claims.claim(NAME, NOW)
    assert claimed is not None
    assert claimed.job is not None
    store.attempts.pass_commit_point(claimed.claim, claimed.job, "c0ffee", NOW)


def test_a_job_ends_with_the_flow_that_waited_for_it() -> None:
    store = waited_for()
    assert store.lanes.give_up(_JOB, "mine", _TIMED_OUT, NOW) is GivenUp.ENDED
    assert store.job(0).state is State.FAILED
    assert store.lanes.give_up(_JOB, "mine", _TIMED_OUT, NOW) is GivenUp.OVER


def test_a_flow_that_was_replaced_ends_nothing() -> None:
    store = waited_for(execution="newer")
    assert store.lanes.give_up(_JOB, "mine", _TIMED_OUT, NOW) is GivenUp.REPLACED
    assert store.job(0).state is State.QUEUED


def test_past_the_commit_point_a_flow_comes_again() -> None:
    store = waited_for()
    commit(store)
    assert store.lanes.give_up(_JOB, "mine", _TIMED_OUT, NOW) is GivenUp.AGAIN
    assert store.job(0).state is State.COMMITTING


def test_a_job_that_may_not_start_yet_is_waited_for() -> None:
    store = waited_for()
    claimed = store.claims.claim(NAME, NOW)
    assert claimed is not None
    assert claimed.job is not None
    store.attempts.retry(claimed.claim, claimed.job, "no money", timedelta(minutes=1), NOW)
    assert store.lanes.give_up(_JOB, "mine", _TIMED_OUT, NOW) is GivenUp.AGAIN
    assert store.job(0).state is State.QUEUED


def test_a_paused_project_is_waited_for_and_a_running_job_of_it_is_not() -> None:
    store = waited_for()
    row = store.row()
    assert row is not None
    row.paused = "not now"
    assert store.lanes.give_up(_JOB, "mine", _TIMED_OUT, NOW) is GivenUp.AGAIN
    row.paused = None
    store.claims.claim(NAME, NOW)
    row = store.row()
    assert row is not None
    row.paused = "not now"
    assert store.lanes.give_up(_JOB, "mine", _TIMED_OUT, NOW) is GivenUp.ENDED


def test_a_flow_that_heard_nothing_ends_nothing() -> None:
    store = waited_for()
    assert store.lanes.give_up(_JOB, "mine", None, NOW) is GivenUp.AGAIN
    assert store.job(0).state is State.QUEUED


def test_a_function_that_broke_ends_nothing_that_was_handed_over() -> None:
    store = waited_for()
    assert store.lanes.give_up(_JOB, "mine", _TIMED_OUT, NOW, has_waited=False) is GivenUp.AGAIN
    store.claims.claim(NAME, NOW)
    assert store.lanes.give_up(_JOB, "mine", _TIMED_OUT, NOW, has_waited=False) is GivenUp.AGAIN
    assert store.job(0).state is State.RUNNING
    unprepared = Rules("A").open(World(NO_FAULTS))
    unprepared.lanes.accept(new_job(0, "A"), NOW, ready=None)
    assert unprepared.lanes.give_up(_JOB, "mine", _TIMED_OUT, NOW, has_waited=False) is GivenUp.ENDED


def test_a_job_is_abandoned_only_by_the_token_that_waits_for_it() -> None:
    store = waited_for(waits_with="newer")
    assert not store.change(lambda write: abandon(write, _JOB, "older"), NOW)
    assert store.job(0).state is State.QUEUED
    assert store.change(lambda write: abandon(write, _JOB, "newer"), NOW)
    assert store.job(0).state is State.FAILED
    assert store.change(lambda write: abandon(write, _JOB, "newer"), NOW)


def test_past_the_commit_point_no_job_is_abandoned() -> None:
    store = waited_for()
    commit(store)
    assert not store.change(lambda write: abandon(write, _JOB, "mine"), NOW)
    assert store.job(0).state is State.COMMITTING


def test_a_job_for_which_a_flow_waits_already_is_not_announced_as_one_without() -> None:
    store = waited_for()
    assert store.alone == []
    store = Rules("A").open(World(NO_FAULTS))
    store.lanes.accept(new_job(0, "A"), NOW, ready=InterruptRule("queue"))
    assert store.alone == [_JOB]


def test_the_owner_of_a_job_that_was_ended_is_woken_where_one_with_a_job_listens() -> None:
    store = waited_for()
    store.claims.claim(NAME, NOW)
    store.lanes.give_up(_JOB, "mine", _TIMED_OUT, NOW)
    assert store.wakeups[-1].reason is WakeReason.INTERRUPT
