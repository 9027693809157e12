"""What a worker and the functions of the flow log: lines of JSON, figures among them, and nobody's words."""

from __future__ import annotations

import io
import json
import logging
import signal
from typing import TYPE_CHECKING, Any

import pytest

from tests.aws.flows import open_flows
from tests.aws.test_work import container, rig  # noqa: F401 - a fixture
from webordinary.audit.entry import Entry, EventType
from webordinary.audit.log import JsonLines, about, describe
from webordinary.errors import TryAgain
from webordinary.jobs.figures import measure
from webordinary.metrics.emf import NAMESPACE, EmfMeter
from webordinary.metrics.meter import Metric
from webordinary.testing.clock import ManualClock
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT, Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.rigs.aws import AwsRig

SECRET = "Erdbeerkuchen"


@pytest.mark.thorough
def test_every_line_of_a_worker_is_json_and_says_what_it_is_about(rig: AwsRig) -> None:  # noqa: F811 - the fixture
    story = Story(rig)
    story.begin(SiteSetup("amelia", BAKERY.editors, rules='idle_release = "1 s"'), workers=0)
    here = container(rig, "one")
    with here.start("work") as worker:
        mail = story.writes(SCOTT, f'add a paragraph "We have {SECRET}." to the about page', subject=f"Our {SECRET}")
        story.waits_for_answer(SCOTT)
        story.waits_for(EventType.LANE_RELEASED)
        worker.end(signal.SIGTERM)
    lines = [json.loads(line) for line in worker.lines]
    job = story.job_of(mail)

    started = event(lines, "job started")
    assert (started["job"], started["lane"], started["message"]) == (job.id, "amelia#scott", mail)
    assert started["fence"] == job.fence
    assert started["execution"] in rig.flow.executions()[0]
    assert event(lines, "job done")["outcome"] == "published"
    assert [line["step"] for line in lines if line.get("event") == "step"][:2] == ["checked out", "agent started"]
    figures = {name: value for line in lines if "_aws" in line for name, value in figures_of(line).items()}
    assert figures.keys() >= {
        "claim_attempts",
        "time_to_claim",
        "waiting_time",
        "processing_time",
        "jobs",
        "idle_before_release",
    }
    assert figures["idle_before_release"] >= 1
    assert {line["result"] for line in lines if "claim_attempts" in line} >= {"won", "nothing waited"}
    for word in (SECRET, SCOTT.address, "amelia.git"):
        assert word not in worker.said


def event(lines: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(line for line in lines if line.get("event") == name)


def figures_of(line: dict[str, Any]) -> dict[str, float]:
    (told,) = line["_aws"]["CloudWatchMetrics"]
    assert told["Namespace"] == NAMESPACE
    assert all(name in line for names in told["Dimensions"] for name in names)
    return {metric["Name"]: line[metric["Name"]] for metric in told["Metrics"]}


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Let everything of ours that is logged go to a string."""
    stream = io.StringIO()
    writer = logging.StreamHandler(stream)
    writer.setFormatter(JsonLines())
    ours = logging.getLogger("webordinary")
    before = ours.level
    ours.addHandler(writer)
    ours.setLevel(logging.INFO)
    yield stream
    ours.removeHandler(writer)
    ours.setLevel(before)


def lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_the_functions_of_the_flow_log_what_they_are_about(written: io.StringIO) -> None:
    flows = open_flows()
    mail = flows.write(f"We open at nine now, {SECRET}")
    job = flows.work()
    flows.outcome()

    # Functions of another test's mail may still be at work in this process.
    lines = [line for line in lines_of(written) if line.get("mail", mail) == mail]
    done = {line["function"]: line for line in lines if line["event"] == "a step was done"}
    assert done.keys() >= {"intake", "parse-email", "rate-limited-claim", "send-to-container", "send-reply"}
    assert done["parse-email"]["mail"] == mail
    assert done["send-reply"]["job"] == job.id
    queued = event(lines, "job queued")
    assert (queued["job"], queued["function"]) == (job.id, "send-to-container")
    assert queued["execution"] == done["send-to-container"]["execution"]
    assert SECRET not in written.getvalue()


def test_the_sweep_measures_how_many_lanes_are_owned_and_wait() -> None:
    flows = open_flows()
    stream = io.StringIO()
    flows.local.here.mails.aws.store.meter = EmfMeter(stream, ManualClock(), "here")
    flows.write()
    flows.waits_for_queued()
    flows.local.invoke("sweep", {})
    waiting = {name: value for line in lines_of(stream) for name, value in figures_of(line).items()}
    job = flows.claim().job
    assert job is not None
    flows.local.invoke("sweep", {})
    owned = {name: value for line in lines_of(stream) for name, value in figures_of(line).items()}

    assert (waiting["lanes_waiting"], waiting["active_claims"]) == (1, 0)
    assert (owned["lanes_waiting"], owned["active_claims"]) == (0, 1)
    assert waiting["unclaimed_depth"] >= 1
    assert waiting["oldest_unanswered"] > 0
    assert (waiting["oldest_waiting"] > 0, owned["oldest_waiting"]) == (True, 0)

    row = flows.local.here.mails.aws.store.find(job.id)
    assert row is not None
    broken = {"job": job.id, "execution": row.execution, "error": {"Error": "States.Timeout"}}
    flows.local.invoke("handle-timeout", broken)
    ended = {name: value for line in lines_of(stream) for name, value in figures_of(line).items()}
    assert (ended["timeouts"], ended["dead_letters"]) == (1, 1)


def test_an_error_is_logged_by_its_kind_and_place_and_without_its_words(written: io.StringIO) -> None:
    log = logging.getLogger("webordinary.anything")
    with about(job="job-1"):
        for error in (ValueError(SECRET), TryAgain(SECRET)):
            try:
                raise error
            except type(error):
                log.exception("it broke")
    foreign, ours = lines_of(written)
    assert (foreign["error"]["type"], foreign["job"]) == ("ValueError", "job-1")
    assert (ours["error"]["type"], ours["error"]["family"]) == ("TryAgain", "TryAgain")
    assert SECRET not in written.getvalue()


# What we say ourselves, and what the agency's own file is told about.
OWN_WORDS = {
    EventType.STEP: "built",
    EventType.WORKER_GONE: "drained",
    EventType.CONFIGURATION_READ: "amelia is new",
    EventType.CONFIGURATION_BROKEN: "line 3 is no TOML",
}


def test_what_somebody_wrote_never_reaches_the_log() -> None:
    facts = {"by": SCOTT.address, "reason": SECRET, "outcome": "failed", "address": "https://x"}
    for what in EventType:
        text = OWN_WORDS.get(what, SECRET)
        entry = Entry(what, ManualClock().now().wall_at, job="job-1", text=text, facts=facts)
        told = json.dumps(describe(entry))
        assert SECRET not in told
        assert SCOTT.address not in told


def test_the_trail_in_numbers() -> None:
    stream = io.StringIO()
    meter = EmfMeter(stream, ManualClock(), "here")
    now = ManualClock().now().wall_at
    for what, facts in (
        (EventType.JOB_STARTED, {"waited_s": "1.5"}),
        (EventType.JOB_PARKED, {}),
        (EventType.JOB_DONE, {"outcome": "published", "took_s": "60", "usd": "0.0310"}),
        (EventType.JOB_ACCEPTED, {}),
        (EventType.JOB_DEAD, {}),
    ):
        measure(Entry(what, now, facts=facts), meter)
    figures = [figures_of(line) for line in lines_of(stream)]
    assert figures == [
        {"waiting_time": 1.5},
        {"interruptions": 1},
        {"jobs": 1},
        {"processing_time": 60},
        {"cost": 0.031},
        {"jobs": 1},
        {"dead_letters": 1},
    ]


def test_every_figure_has_a_unit_that_cloudwatch_knows() -> None:
    assert {metric.unit.value for metric in Metric} == {"Bytes", "Count", "Seconds", "None"}
    assert Metric.COST.unit.value == "None"


def test_a_stream_that_is_closed_stops_nobody() -> None:
    stream = io.StringIO()
    meter = EmfMeter(stream, ManualClock(), "here")
    stream.close()
    meter.record(Metric.JOBS, outcome="published")
    assert stream.closed
