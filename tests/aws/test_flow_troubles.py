"""Steps that break, mails that come twice, and jobs that no mail began: every one ends with an answer or is shown."""

from __future__ import annotations

import json

import pytest

from tests.aws.flows import SCOTT, Flows, open_flows
from webordinary.audit.entry import EventType
from webordinary.clock import SystemClock
from webordinary.errors import TryAgain
from webordinary.intake import ask_for
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, Kind, State
from webordinary.routing.lane import Lane
from webordinary.testing.mail import write_mail
from webordinary_local_aws.flow import s3_event


@pytest.fixture
def flows() -> Flows:
    return open_flows()


def breaks(_event: object) -> None:
    raise RuntimeError("a bug")


@pytest.mark.thorough
def test_a_step_that_passes_later_is_repeated(flows: Flows) -> None:
    busy = iter([True])
    real = flows.local.real("rate-limited-claim")

    def sometimes(event: dict[str, str]) -> object:
        if next(busy, False):
            raise TryAgain("AWS is too busy")
        return real(event)

    flows.local.replace("rate-limited-claim", sometimes)
    flows.write()
    flows.work()

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert len(flows.engine.overview.jobs()) == 1


@pytest.mark.thorough
def test_a_step_that_was_done_although_its_answer_got_lost_does_nothing_twice(flows: Flows) -> None:
    lost = iter([True])
    real = flows.local.real("rate-limited-claim")

    def forgetful(event: dict[str, str]) -> object:
        told = real(event)
        if next(lost, False):
            raise TryAgain("the connection broke")
        return told

    flows.local.replace("rate-limited-claim", forgetful)
    flows.write()
    flows.work()

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert len(flows.engine.overview.jobs()) == 1
    assert len(flows.letters()) == 1


def test_a_hand_over_that_breaks_is_answered_as_our_fault(flows: Flows) -> None:
    flows.local.replace("send-to-container", breaks)
    flows.write()

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.states()[-3:] == ["HandleTimeout", "CheckIfSettled", "SendReply"]
    assert flows.job().state == State.FAILED
    assert "RuntimeError" in (flows.job().error or "")
    assert len(flows.letters()) == 1
    assert len(flows.dead_letters(Lane("amelia", "scott"))) == 1


def test_a_file_that_cannot_be_kept_is_answered_as_our_fault(flows: Flows) -> None:
    flows.local.replace("process-attachment", breaks)
    flows.write(files=[("a.txt", "text/plain", b"first")])

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.job().state == State.FAILED
    assert len(flows.letters()) == 1


def test_a_mail_that_no_step_can_read_is_shown_and_decided_by_the_sweep() -> None:
    flows = open_flows(gives_up_after=1)
    flows.local.replace("parse-email", breaks)
    mail = flows.write()

    end = flows.outcome()
    assert (end["status"], end["error"]) == ("FAILED", "GaveUp")
    assert [json.loads(letter)["messageId"] for letter in flows.dead_letters()] == [mail]
    undecided = flows.engine.overview.mail(mail)
    assert undecided is not None
    assert undecided.state == "received"
    flows.local.here.mails.here.intake.decide(mail)
    assert flows.job().mail == mail


def test_an_answer_that_cannot_be_sent_now_is_sent_by_the_sweep(flows: Flows) -> None:
    real = flows.local.real("send-reply")
    flows.local.replace("send-reply", breaks)
    flows.write()
    flows.work()

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.states()[-1] == "RepliedLater"
    assert flows.letters() == []
    flows.local.replace("send-reply", real)
    with flows.sweeping():
        flows.wait(lambda: flows.letters() or None)


def test_an_event_that_comes_twice_is_one_execution(flows: Flows) -> None:
    first, second = (
        flows.write(key="one"),
        flows.local.deliver("one", b"", sender=SCOTT, recipients=[f"amelia@{flows.local.config.domain}"]),
    )

    assert first == second
    assert len(flows.local.executions()) == 1


def test_the_same_mail_under_two_keys_is_one_job(flows: Flows) -> None:
    written_at = flows.now.wall_at
    flows.write(message_id="<one@phone.example.org>", written_at=written_at)
    flows.waits_for_queued()
    flows.write(message_id="<one@phone.example.org>", written_at=written_at)

    assert flows.outcome(1)["status"] == "SUCCEEDED"
    assert flows.states(1)[-1] == "Repeated"
    assert len(flows.engine.overview.jobs()) == 1
    assert [entry.what for entry in flows.engine.trail.read() if entry.what == EventType.MAIL_REPEATED]


def test_a_mail_that_the_sweep_has_decided_first_goes_on_in_its_flow(flows: Flows) -> None:
    real = flows.local.real("parse-email")

    def slow(event: dict[str, str]) -> object:
        flows.local.here.mails.here.intake.decide(event["mail"])
        return real(event)

    flows.local.replace("parse-email", slow)
    flows.write()
    flows.wait(lambda: len(flows.local.executions()) > 1 or None)
    flows.work()

    assert flows.wait(lambda: flows.letters() or None)
    assert len(flows.engine.overview.jobs()) == 1


def test_a_job_that_somebody_asks_for_has_an_execution_of_its_own(flows: Flows) -> None:
    project = flows.engine.projects.find("amelia")
    assert project is not None
    job = ask_for(project, project.editors[0], "We open at nine now", SystemClock())
    flows.engine.lanes.accept(job, flows.now, ready=InterruptRule())
    flows.wait(lambda: flows.local.executions() or None)
    flows.waits_in("SendToContainer")
    done = flows.work()

    assert done.kind == Kind.ASKED
    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.states()[:3] == ["ChooseStart", "LookUpJob", "ClaimJob"]
    assert "ParseEmail" not in flows.states()


@pytest.mark.parametrize("by_mail", [True, False])
def test_a_job_that_is_driven_again_is_waited_for_too(flows: Flows, by_mail: bool) -> None:  # noqa: FBT001 - a parameter
    flows.write()
    failed = flows.work(Ending(State.FAILED, error="no", template="failed"))
    flows.outcome()
    if by_mail:
        flows.write("again", in_reply_to=f"<{failed.request.message_id}>")
    else:
        flows.engine.lanes.redrive(failed.id, "an operator", flows.now)
    flows.wait(lambda: len(flows.local.executions()) > 1 or None)
    again = flows.work()
    flows.wait(lambda: len(flows.letters()) > 1 or None)

    assert again.repeats == failed.id
    assert "SUCCEEDED" in {flows.outcome(number)["status"] for number in range(1, len(flows.local.executions()))}


def test_a_bare_event_of_s3_is_judged_by_the_mail_alone(flows: Flows) -> None:
    raw = write_mail(sender=SCOTT, to=f"amelia@{flows.local.config.domain}", text="We open at nine now")
    flows.local.put("replay/my mail+1 ü.eml", raw)
    (mail,) = flows.local.invoke("intake", s3_event(flows.local.bucket, "replay/my mail+1 ü.eml"))["mails"]

    assert flows.outcome()["status"] == "SUCCEEDED"
    known = flows.engine.overview.mail(mail)
    assert known is not None
    assert (known.door, known.outcome) == ("s3", "held")
