"""A newer mail of another thread in the flow: who made room for whom is written down, and nothing is lost."""

from __future__ import annotations

import pytest

from tests.aws.flows import Flows, open_flows
from webordinary.errors import TryAgain
from webordinary.jobs.job import Ending, State
from webordinary.ownership.claim import Claimed

AT_ONCE = 'sweep = "2 s"\nfirst_interrupt_after = "0 s"'


@pytest.fixture
def flows() -> Flows:
    return open_flows(workers=AT_ONCE)


def subjects(flows: Flows) -> dict[str, str]:
    return {job.subject: job.id for job in flows.engine.overview.jobs()}


def test_who_made_room_for_whom_is_written_down(flows: Flows) -> None:
    flows.write(subject="slow")
    slow = flows.claim("container-1")
    assert slow.job is not None
    flows.write(subject="quick")
    flows.waits_in("RecordInterruption", 1)
    flows.wait(lambda: flows.interruptions() or None)

    (record,) = flows.interruptions()
    quick = flows.engine.overview.job(subjects(flows)["quick"])
    assert quick is not None
    assert (record["jobId"], record["by"]) == (slow.job.id, quick.id)
    assert (record["interruptedContainer"], record["newThreadId"]) == ("container-1", quick.thread)
    assert record["ttl"] == pytest.approx(record["timestamp"] + 30 * 24 * 3600, abs=1)
    interrupt = flows.engine.claims.beat(slow.claim, slow.job.id, flows.now).interrupt
    assert interrupt is not None
    assert interrupt.by == quick.id


def test_an_owner_that_makes_room_before_anybody_could_look_is_written_down_too(flows: Flows) -> None:
    flows.write(subject="slow")
    slow = flows.claim("container-1")
    assert slow.job is not None
    real = flows.local.real("send-interrupt")

    def after_the_owner(event: dict[str, str]) -> object:
        assert slow.job is not None
        flows.wait(lambda: flows.engine.claims.beat(slow.claim, slow.job.id, flows.now).interrupt)  # type: ignore[union-attr]  # asserted above
        flows.engine.attempts.park(slow.claim, slow.job, flows.now)
        return real(event)

    flows.local.replace("send-interrupt", after_the_owner)
    flows.write(subject="quick")
    (record,) = flows.wait(lambda: flows.interruptions() or None)

    assert (record["jobId"], record["interruptedContainer"]) == (slow.job.id, "container-1")


@pytest.mark.thorough
def test_an_interrupted_job_keeps_its_execution_waiting_and_answers_the_same_token(flows: Flows) -> None:
    flows.write(subject="slow")
    slow = flows.claim()
    assert slow.job is not None
    flows.write(subject="quick")
    flows.wait(lambda: flows.engine.claims.beat(slow.claim, slow.job.id, flows.now).interrupt)  # type: ignore[union-attr]  # asserted above
    quick = flows.engine.attempts.park(slow.claim, slow.job, flows.now).job
    assert quick is not None
    resumed = flows.finish(Claimed(slow.claim, quick))
    assert resumed is not None
    assert (resumed.id, resumed.token) == (slow.job.id, slow.job.token)
    flows.finish(Claimed(slow.claim, resumed))

    assert [flows.outcome(number)["status"] for number in (0, 1)] == ["SUCCEEDED", "SUCCEEDED"]
    assert flows.states(0).count("SendToContainer") == 1
    assert len(flows.letters()) == 2


@pytest.mark.thorough
def test_a_job_that_is_dropped_is_recorded_and_answered() -> None:
    flows = open_flows(workers=AT_ONCE, rules='on_new_thread = "drop"')
    flows.write(subject="slow")
    slow = flows.claim()
    assert slow.job is not None
    flows.write(subject="quick")
    asked = flows.wait(lambda: flows.engine.claims.beat(slow.claim, slow.job.id, flows.now).interrupt)  # type: ignore[union-attr]  # asserted above
    dropped = Ending(State.STOPPED, error=f"dropped for the newer {asked.by}", template="dropped")
    flows.engine.attempts.finish(slow.claim, slow.job, dropped, flows.now)

    assert flows.outcome(0)["status"] == "SUCCEEDED"
    assert flows.states(0)[-2:] == ["RecordDrop", "SendReply"]
    assert "dropped for a newer mail" in {record["reason"] for record in flows.interruptions()}
    assert len(flows.letters()) == 1


def test_an_instruction_of_the_same_thread_interrupts_nobody(flows: Flows) -> None:
    flows.write(subject="first")
    flows.work()
    flows.outcome()
    reply = flows.engine.overview.jobs()[0].request.message_id
    flows.write(subject="Re: first", in_reply_to=f"<{reply}>")
    flows.claim()
    flows.write(subject="Re: first", text="And we close at five", in_reply_to=f"<{reply}>")
    flows.waits_in("SendToContainer", 2)
    flows.waits_in("Told", 2)

    assert flows.interruptions() == []


def test_telling_that_breaks_never_ends_the_wait_for_the_job(flows: Flows) -> None:
    def breaks(_event: object) -> None:
        raise RuntimeError("a bug")

    flows.local.replace("send-interrupt", breaks)
    flows.write(subject="slow")
    slow = flows.claim()
    flows.write(subject="quick")
    flows.waits_in("Told", 1)
    quick = flows.finish(slow)
    flows.finish(Claimed(slow.claim, quick))

    assert [flows.outcome(number)["status"] for number in (0, 1)] == ["SUCCEEDED", "SUCCEEDED"]
    assert len(flows.letters()) == 2


@pytest.mark.thorough
def test_a_record_that_cannot_be_written_never_ends_it_either(flows: Flows) -> None:
    def busy(_event: object) -> None:
        raise TryAgain("AWS is too busy")

    flows.local.replace("record-interruption", busy)
    flows.write(subject="slow")
    slow = flows.claim()
    flows.write(subject="quick")
    flows.waits_in("Told", 1)
    flows.finish(slow)

    assert flows.outcome(0)["status"] == "SUCCEEDED"
