"""How long the flow waits, without anybody who speaks for a job, and what becomes of both when it gives up."""

from __future__ import annotations

import json

import pytest

from tests.aws.flows import Flows, open_flows
from webordinary.errors import LostOwnership, TryAgain
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.routing.lane import Lane

SCOTTS = Lane("amelia", "scott")


@pytest.fixture
def flows() -> Flows:
    """Give up, but not before the test has done what it does in the meantime."""
    return open_flows(workers='sweep = "1 s"', gives_up_after=5)


@pytest.fixture
def impatient() -> Flows:
    return open_flows(gives_up_after=1)


@pytest.fixture
def steady() -> Flows:
    """Never give up within a test."""
    return open_flows(workers='sweep = "10 s"')


def test_a_flow_whose_time_is_over_ends_the_job_with_an_honest_answer(impatient: Flows) -> None:
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


def test_a_time_out_of_which_nobody_tells_the_cause_is_one_all_the_same(steady: Flows) -> None:
    steady.write()
    steady.waits_for_queued()
    execution = steady.local.executions()[0].rpartition(":")[2]
    told = {"job": steady.job().id, "mail": "", "execution": execution, "error": {"Error": "States.Timeout"}}

    assert steady.local.invoke("handle-timeout", told) == {"next": "ended"}
    assert steady.local.invoke("handle-timeout", told) == {"next": "over"}
    assert steady.job().state == State.FAILED


@pytest.mark.parametrize("is_running", [False, True])
def test_silence_ends_no_job_of_an_execution_that_an_earlier_version_began(steady: Flows, *, is_running: bool) -> None:
    steady.write()
    steady.waits_for_queued()
    if is_running:
        steady.claim()
    execution, job = steady.local.executions()[0].rpartition(":")[2], steady.job()
    silence = {"job": job.id, "mail": "", "execution": execution, "error": {"Error": "States.HeartbeatTimeout"}}

    assert steady.local.invoke("handle-timeout", silence) == {"next": "again"}
    assert steady.job() == job


def test_an_execution_that_an_earlier_version_began_finds_how_long_silence_may_be(steady: Flows) -> None:
    steady.write()
    steady.waits_for_queued()
    told = steady.local.invoke("rate-limited-claim", {"mail": "", "job": steady.job().id})

    assert isinstance(told, dict)
    assert told["heartbeat"] == told["timeout"] > steady.local.config.limits.patience.total_seconds()


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
    flows.engine.lanes.pause("amelia", "the breaker", flows.now)
    flows.write()
    flows.waits_in("WaitForSettling")
    flows.engine.lanes.resume("amelia", "the agency", flows.now)
    flows.wait(lambda: flows.states().count("SendToContainer") > 1 or None)
    flows.work()

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.job().outcome == Outcome.PUBLISHED


@pytest.mark.thorough
def test_a_person_who_ends_the_execution_ends_the_job_as_soon_as_somebody_works_on_it(steady: Flows) -> None:
    steady.write()
    steady.waits_for_queued()
    steady.local.clients.states.stop_execution(executionArn=steady.local.executions()[0])
    claimed = steady.claim()
    assert claimed.job is not None
    assert steady.engine.claims.beat(claimed.claim, claimed.job.id, steady.now).over
    with steady.sweeping():
        steady.wait(lambda: steady.letters() or None)

    assert steady.job().error == "the flow that waited for it has given up"
    assert len(steady.letters()) == 1


@pytest.mark.thorough
def test_a_retried_execution_takes_the_place_of_the_first() -> None:
    flows = open_flows(gives_up_after=10)
    with flows.sweeping():
        mail = flows.write()
        flows.waits_for_queued()
        first = flows.job().token
        # The second one has all the time that it needs.
        flows.local.replace("rate-limited-claim", flows.local.real("rate-limited-claim"))
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
