"""One mail through the flow: from the bucket to the answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.aws.flows import Flows, open_flows
from tests.pictures import TRACES, opened, photo
from webordinary.audit.entry import EventType
from webordinary.engines.aws.dynamodb.items import plain_of
from webordinary.engines.aws.dynamodb.records import KEPT_FOR
from webordinary.jobs.job import Ending, FileKind, FileProblem, State
from webordinary.ownership.claim import Claimed


@pytest.fixture
def flows() -> Flows:
    return open_flows()


def test_a_mail_passes_the_states_of_the_design_and_is_answered(flows: Flows) -> None:
    flows.write("We open at nine now")
    flows.work()

    assert flows.outcome()["status"] == "SUCCEEDED"
    before = ["ChooseStart", "ParseEmail", "ChooseLane", "ClaimJob", "CheckIfNew", "CheckActiveJob", "HandOver"]
    assert flows.states()[:7] == before
    assert set(flows.states()[7:-1]) == {"SendToContainer", "CheckIfClaimed", "SendToUnclaimedQueue"}
    assert flows.states()[-1] == "SendReply"
    (answer,) = flows.letters()
    assert "The hours were changed." in answer


def test_the_files_of_a_mail_are_kept_before_anybody_may_start(flows: Flows) -> None:
    flows.write("Two photos", files=[("a.txt", "text/plain", b"first"), ("b.txt", "text/plain", b"second")])
    job = flows.work()

    assert [flows.engine.inbox.read_file(each.digest) for each in job.request.attachments] == [b"first", b"second"]
    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.states().count("ProcessAttachment") == 2


def test_a_photo_in_the_flow_becomes_what_it_becomes_on_one_machine(flows: Flows) -> None:
    files = [
        ("Our oven.heic", "image/heic", photo("HEIF")),
        ("menu.pdf", "application/pdf", b"%PDF-1.4\n"),
        ("counter.jpg", "image/jpeg", photo("JPEG")[:300]),
    ]
    flows.write("Put the photo on the about page", files=files)
    oven, menu, counter = flows.work().request.attachments

    kept = [flows.engine.inbox.read_file(each.digest) for each in oven.versions]
    assert [opened(content).format for content in kept] == ["AVIF", "JPEG"]
    assert [trace for trace in TRACES for content in kept if trace in content] == []
    assert (oven.fate, oven.about, menu.fate) == (FileKind.PHOTO, "Our oven", FileKind.DOCUMENT)
    assert (counter.fate, counter.problem) == (FileKind.REFUSED, FileProblem.UNREADABLE)


def test_a_mail_that_nobody_verified_is_held_and_the_flow_ends_there(flows: Flows) -> None:
    flows.write(verified=False)

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.states() == ["ChooseStart", "ParseEmail", "ChooseLane", "Held"]
    assert flows.engine.overview.jobs() == []


def test_a_mail_that_is_answered_without_a_job_is_answered_at_once(flows: Flows) -> None:
    flows.write("\n")

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.states()[-1] == "Refused"
    assert len(flows.letters()) == 1


def test_a_job_that_failed_is_answered_honestly(flows: Flows) -> None:
    flows.write()
    flows.work(Ending(State.FAILED, error="no build", template="build_failed"))

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.states()[-1] == "SendReply"
    assert len(flows.letters()) == 1


def test_a_warm_lane_is_not_announced_as_unclaimed(flows: Flows) -> None:
    flows.write("We open at nine now")
    claimed = flows.claim()
    flows.finish(claimed)
    flows.write("We close at five now", subject="Closing")
    started = flows.wait(lambda: flows.engine.claims.start(claimed.claim, flows.now).job)
    flows.finish(Claimed(claimed.claim, started))

    assert flows.outcome(1)["status"] == "SUCCEEDED"
    assert "SendToUnclaimedQueue" in flows.states(0)
    assert "SendToUnclaimedQueue" not in flows.states(1)


def test_the_token_is_on_the_row_before_the_job_can_start(flows: Flows) -> None:
    flows.write()
    claimed = flows.claim()

    assert claimed.job is not None
    row = flows.local.here.mails.aws.store.find(claimed.job.id)
    assert row is not None
    assert row.flow_token
    assert row.execution == flows.local.executions()[0].rpartition(":")[2]
    assert [entry.what for entry in flows.engine.trail.read() if entry.job == claimed.job.id][:3] == [
        EventType.JOB_ACCEPTED,
        EventType.JOB_QUEUED,
        EventType.JOB_STARTED,
    ]


def test_a_lane_is_claimed_for_the_flow_only_while_its_lease_lasts(flows: Flows) -> None:
    flows.write()
    flows.waits_for_queued()
    job = flows.job()
    lane = {"project": job.lane.project, "user": job.lane.user}

    def active(thread: str) -> tuple[bool, bool]:
        told = flows.local.invoke("check-active-job", {**lane, "thread": thread})
        return told["claimed"], told["interrupts"]

    assert active("another") == (False, False)
    flows.claim()
    assert (active(job.thread), active("another")) == ((True, False), (True, True))
    flows.engine.claims.lapse("hand", flows.now)
    # It is left running, and nobody is there who could hear an interrupt.
    assert active("another") == (False, False)
    flows.finish(flows.claim("another"))


def test_a_job_that_is_over_is_forgotten_after_a_while_and_a_lane_never(flows: Flows) -> None:
    flows.write()
    flows.waits_for_queued()
    names, tables = flows.local.names, flows.local.clients.dynamodb

    def ends(table: str) -> list[datetime]:
        rows = [plain_of(item) for item in tables.scan(TableName=table)["Items"]]
        # The key under which a request exists only once is there from the start, and goes by itself.
        return [datetime.fromtimestamp(row["ttl"], UTC) for row in rows if "ttl" in row and "state" in row]

    assert ends(names.jobs) == []
    began_at = flows.now.wall_at
    flows.work()
    (forgotten_at,) = ends(names.jobs)
    second = timedelta(seconds=1)
    assert began_at + KEPT_FOR - second <= forgotten_at <= flows.now.wall_at + KEPT_FOR
    assert ends(names.ownership) == []
