"""A function that fails or times out once is called again, and a job that waits for its turn never pays for it."""

from __future__ import annotations

import pytest

from tests.aws.flows import Flows, open_flows
from tests.aws.test_flow_definition import TASKS, called
from webordinary.audit.entry import EventType
from webordinary.engines.aws.flow.functions import FUNCTIONS
from webordinary.jobs.job import Outcome, State
from webordinary.ownership.claim import Claimed

AT_ONCE = 'sweep = "2 s"\nfirst_interrupt_after = "0 s"'
# What Amazon says of a function that was not done in time, of one that could not be called, and of one too many calls.
REPEATED = {
    "States.TaskFailed",
    "States.Timeout",
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.TooManyRequestsException",
    "Lambda.Unknown",
}


class TimedoutError(Exception):
    """As Lambda names it when a function takes longer than it may."""


def break_once(flows: Flows, name: str, *, after: bool) -> None:
    """Let a function fail at its first call for each event, before or after it has done its work."""
    real, broken = flows.local.real(name), set[str]()

    def function(event: dict[str, object]) -> object:
        mark = str({key: value for key, value in event.items() if key != "token"})
        if mark in broken:
            return real(event)
        broken.add(mark)
        if after:
            real(event)
        raise TimedoutError("Task timed out after 30.00 seconds")

    flows.local.replace(name, function)


@pytest.mark.parametrize("after", [False, True], ids=["before its work", "after its work"])
def test_every_function_may_fail_once(after: bool) -> None:  # noqa: FBT001 - a parameter
    flows = open_flows(workers=AT_ONCE)
    steps = {name for state in TASKS.values() if (name := called(state))} - {"handle-timeout"}
    for name in steps:
        break_once(flows, name, after=after)
    flows.write(subject="slow", files=[("a.txt", "text/plain", b"first")])
    slow = flows.claim()
    flows.write(subject="quick")
    flows.wait(lambda: flows.interruptions() or None)
    quick = flows.finish(slow)
    flows.finish(Claimed(slow.claim, quick))

    assert [flows.outcome(number)["status"] for number in (0, 1)] == ["SUCCEEDED", "SUCCEEDED"]
    assert {job.outcome for job in flows.engine.overview.jobs()} == {Outcome.PUBLISHED}
    assert len(flows.letters()) == 2
    assert {failure.partition(":")[0] for failure in flows.local.failures} >= steps


def test_a_job_that_was_handed_over_is_not_ended_by_a_function_that_never_answers() -> None:
    flows = open_flows()
    real = flows.local.real("send-to-container")

    def too_slow(event: dict[str, object]) -> object:
        real(event)
        raise TimedoutError("Task timed out after 30.00 seconds")

    flows.local.replace("send-to-container", too_slow)
    flows.write()
    flows.waits_in("WaitForSettling")
    assert flows.job().state == State.QUEUED
    flows.local.replace("send-to-container", real)
    flows.work()

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert len(flows.letters()) == 1
    told = [entry.what for entry in flows.engine.trail.read() if entry.what == EventType.JOB_FAILED]
    assert told == []


def test_every_step_repeats_what_may_be_repeated_and_has_the_memory_to_do_it() -> None:
    for name, state in TASKS.items():
        repeated = {
            error for retrier in state["Retry"] if retrier.get("MaxAttempts") for error in retrier["ErrorEquals"]
        }
        if repeated == {"States.ALL"}:
            continue
        # For the answer of a job the flow waits as long as it may; who waited in vain asks what became of it.
        wanted = REPEATED - ({"States.Timeout"} if name == "SendToContainer" else set())
        is_function = called(state) not in {None, "record-interruption"}
        assert repeated == wanted if is_function else repeated <= REPEATED, name
    assert min(function.memory for function in FUNCTIONS) >= 512


def test_the_end_of_a_job_is_never_repeated() -> None:
    never, *_ = TASKS["SendToContainer"]["Retry"]
    assert never["MaxAttempts"] == 0
    assert {"FAILED", "STOPPED", "REFUSED", "DEAD", "INTERRUPTED"} <= set(never["ErrorEquals"])
