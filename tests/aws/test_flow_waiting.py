"""How long the flow waits, who speaks for a job meanwhile, and what becomes of both when nobody does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.aws.flows import IMPATIENT, Flows, open_flows
from webordinary.errors import LostOwnership, TryAgain
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Callable

SCOTTS = Lane("amelia", "scott")
# The flow gives up after ten times as long: enough for a step of the test, or a round of the sweep, on a busy machine.
PATIENT = 'sweep = "0.5 s"'


@pytest.fixture
def flows() -> Flows:
    """Give up when nobody speaks, but not before the test has done what it does in the meantime."""
    return open_flows(workers='sweep = "1 s"')


@pytest.fixture
def impatient() -> Flows:
    return open_flows(workers=IMPATIENT)


@pytest.fixture
def steady() -> Flows:
    """Never give up within a test."""
    return open_flows(workers='sweep = "10 s"')


def leave_alone(flows: Flows) -> None:
    """Nothing more is done than to write."""


def pause(flows: Flows) -> None:
    flows.engine.lanes.pause("amelia", "the breaker", flows.now)


def park(flows: Flows) -> None:
    claimed = flows.claim()
    assert claimed.job is not None
    flows.engine.lanes.interrupt("amelia#scott", "an operator", flows.now)
    flows.engine.attempts.park(claimed.claim, claimed.job, flows.now)
    flows.engine.claims.give_back(claimed.claim, flows.now)


def hold_in_preparation(flows: Flows) -> None:
    """Take the job back to where its files are made ready, as if that took long."""
    store = flows.local.here.mails.aws.store
    job = flows.job()

    def decide(write):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - one of the engine's own decisions
        line, row = write.line_with(job.id)
        row.state = State.PREPARING
        line.change(row)

    store.change(decide, flows.now)


@pytest.mark.thorough
@pytest.mark.parametrize("put", [leave_alone, pause, park, hold_in_preparation])
def test_the_sweep_speaks_for_a_job_that_nobody_works_on(put: Callable[[Flows], None]) -> None:
    # A machine that is too busy for one sweep in all that time is given more of it; without a word no time is enough.
    lived = (swept.job() for sweep in (PATIENT, 'sweep = "2 s"', 'sweep = "5 s"') if (swept := outlived(put, sweep)))
    assert next(lived).state.is_live


def outlived(put: Callable[[Flows], None], workers: str) -> Flows | None:
    """Sweep one of two flows until the other gives up, and return it if it has not."""
    swept, forgotten = open_flows(workers=workers), open_flows(workers=workers)
    with swept.sweeping():
        for flows in (swept, forgotten):
            flows.write()
            flows.waits_for_queued()
            put(flows)
        # As long as it takes until a flow gives up for which nobody speaks.
        forgotten.waits_in("HandleTimeout")
    return None if "HandleTimeout" in swept.states() else swept


def test_a_flow_that_nobody_speaks_for_ends_the_job_with_an_honest_answer(impatient: Flows) -> None:
    mail = impatient.write()

    assert impatient.outcome()["status"] == "SUCCEEDED"
    assert impatient.states()[-3:] == ["HandleTimeout", "CheckIfSettled", "SendReply"]
    assert (impatient.job().state, impatient.job().error) == (
        State.FAILED,
        "no worker came in time, and the flow gave up (States.Timeout)",
    )
    assert len(impatient.letters()) == 1
    (record,) = impatient.interruptions()
    assert record["messageId"].startswith(mail)
    assert (record["jobId"], record["reason"]) == (impatient.job().id, "States.Timeout")
    assert [json.loads(letter)["jobId"] for letter in impatient.dead_letters(SCOTTS)] == [impatient.job().id]


@pytest.mark.thorough
def test_a_wait_ends_also_for_a_job_that_everybody_speaks_for(steady: Flows) -> None:
    real = steady.local.real("rate-limited-claim")
    steady.local.replace("rate-limited-claim", lambda event: {**dict(real(event)), "timeout": 2})  # type: ignore[call-overload]  # it returns a dictionary
    steady.write()
    with steady.sweeping():
        steady.waits_in("HandleTimeout")

    assert steady.outcome()["status"] == "SUCCEEDED"
    assert steady.job().state == State.FAILED


def test_a_time_out_of_which_nobody_tells_the_cause_is_one_all_the_same(steady: Flows) -> None:
    steady.write()
    steady.waits_for_queued()
    execution = steady.local.executions()[0].rpartition(":")[2]
    told = {"job": steady.job().id, "mail": "", "execution": execution, "error": {"Error": "States.HeartbeatTimeout"}}

    assert steady.local.invoke("handle-timeout", told) == {"next": "ended"}
    assert steady.local.invoke("handle-timeout", told) == {"next": "over"}
    assert steady.job().state == State.FAILED


@pytest.mark.thorough
def test_the_owner_of_a_job_that_the_flow_gave_up_hears_that_it_is_over(flows: Flows) -> None:
    flows.write()
    claimed = flows.claim()
    assert claimed.job is not None
    flows.outcome()

    assert flows.engine.claims.beat(claimed.claim, claimed.job.id, flows.now).over
    with pytest.raises(LostOwnership):
        flows.finish(claimed)


@pytest.mark.thorough
def test_past_the_commit_point_the_flow_waits_on_and_hears_the_truth(flows: Flows) -> None:
    flows.write()
    claimed = flows.claim()
    assert claimed.job is not None
    flows.engine.attempts.pass_commit_point(claimed.claim, claimed.job, "c1", flows.now)
    flows.wait(lambda: flows.states().count("SendToContainer") > 1 or None)
    flows.wait(lambda: flows.local.calls[-1][0] == "send-to-container" or None)
    flows.finish(claimed)

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert "WaitForSettling" in flows.states()
    assert flows.job().outcome == Outcome.PUBLISHED
    assert len(flows.letters()) == 1


@pytest.mark.thorough
def test_a_paused_project_is_waited_for_however_long_it_takes(flows: Flows) -> None:
    flows.write()
    flows.waits_in("SendToContainer")
    flows.engine.lanes.pause("amelia", "the breaker", flows.now)
    flows.waits_in("WaitForSettling")
    flows.engine.lanes.resume("amelia", "the agency", flows.now)
    flows.wait(lambda: flows.states().count("SendToContainer") > 1 or None)
    flows.work()

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.job().outcome == Outcome.PUBLISHED


@pytest.mark.thorough
def test_a_person_who_ends_the_execution_ends_the_job_with_it(steady: Flows) -> None:
    steady.write()
    steady.waits_for_queued()
    steady.local.clients.states.stop_execution(executionArn=steady.local.executions()[0])
    with steady.sweeping():
        steady.wait(lambda: steady.letters() or None)

    assert steady.job().error == "the flow that waited for it has given up"
    assert len(steady.letters()) == 1


@pytest.mark.thorough
def test_a_retried_execution_takes_the_place_of_the_first() -> None:
    flows = open_flows(workers='sweep = "1 s"')
    with flows.sweeping():
        mail = flows.write()
        flows.waits_for_queued()
        first = flows.job().token
        flows.begin("again", mail=mail)
        flows.wait(lambda: flows.job().token != first or None)
        flows.waits_in("Replaced")

    # Whoever was replaced gives up in silence, and the job lives on.
    assert flows.outcome(0)["status"] == "SUCCEEDED"
    assert flows.job().state == State.QUEUED
    flows.work()
    assert flows.outcome(1)["status"] == "SUCCEEDED"
    assert flows.states(1)[-1] == "SendReply"
    assert len(flows.letters()) == 1


def test_an_execution_that_comes_after_the_end_is_answered_at_once(steady: Flows) -> None:
    mail = steady.write()
    steady.work()
    steady.outcome()
    steady.begin("too-late", mail=mail)

    assert steady.outcome(1)["status"] == "SUCCEEDED"
    assert steady.states(1)[-1] == "SendReply"
    assert len(steady.letters()) == 1


def test_one_that_comes_after_a_bad_end_is_answered_too(steady: Flows) -> None:
    mail = steady.write()
    steady.work(Ending(State.DEAD, error="lost", template="dead"))
    steady.outcome()
    steady.begin("too-late", mail=mail)

    assert steady.outcome(1)["status"] == "SUCCEEDED"


def test_a_token_has_one_answer(steady: Flows) -> None:
    steady.write()
    job = steady.work()
    assert job.token is not None
    steady.outcome()
    flow = steady.local.here.mails.aws.store.flow

    with pytest.raises(LostOwnership):
        steady.engine.callbacks.fail(job.token, "too late", steady.now)
    with pytest.raises(LostOwnership):
        flow.beat(job.token)
    flow.answer(job.token, "failure", "{}", "FAILED")
    assert steady.job().outcome == Outcome.PUBLISHED


def test_answering_by_token_is_refused_past_the_commit_point(steady: Flows) -> None:
    steady.write()
    claimed = steady.claim()
    assert claimed.job is not None
    steady.engine.attempts.pass_commit_point(claimed.claim, claimed.job, "c1", steady.now)

    with pytest.raises(TryAgain):
        steady.engine.callbacks.fail(claimed.job.token or "", "too slow", steady.now)


@pytest.mark.parametrize("token", ["never-given", "AQ" * 500])
def test_a_token_that_was_never_given_is_as_good_as_one_that_is_over(steady: Flows, token: str) -> None:
    with pytest.raises(LostOwnership):
        steady.local.here.mails.aws.store.flow.beat(token)
