"""What an agency does at its terminal with what waits for an ok, or for an answer."""

from __future__ import annotations

import signal
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.actions.decide import ok_said
from webordinary.cli.options import open_installation, operator
from webordinary.cli.pending import pending_answers
from webordinary.clock import SystemClock
from webordinary.jobs.job import Job, Kind, Outcome, Request, State
from webordinary.jobs.journal import Journal
from webordinary.jobs.proposals import Proposal
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from tests.cli.program import Program

SCOTT = Lane("amelia", "scott")
AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ASKED = Job("job-1", SCOTT, "t1", 1, Kind.ASKED, State.DONE, "Hours", Request("We open at nine."), AT)
PROPOSAL = Proposal("job-1", "t1", SCOTT, "c0ffee", "r", AT, AT, AT + timedelta(days=14), reason="moved")


def careful(program: Program) -> None:
    path = program.folder / "webordinary.toml"
    path.write_text(path.read_text().replace('\nid = "amelia"', '\nid = "amelia"\npublish = "approve"', 1))


def page_of(program: Program) -> str:
    return (program.folder / "data" / "sites" / "amelia" / "live" / "index.html").read_text()


@pytest.mark.thorough
def test_what_was_asked_at_a_terminal_is_approved_or_withdrawn_there(bakery: Program) -> None:
    careful(bakery)
    with bakery.start("work", "--count", "1") as workers:
        workers.line_with("is ready")
        said = bakery.run("ask", "amelia", "scott", "We open at nine now.", "--wait")
        (first,) = bakery.read("show", "jobs")
        assert "waits for an ok" in said
        assert "changes to this site are published after an ok" in said
        assert f"webordinary approve {first['id']}" in said
        assert "http://" in said.split("waits for an ok")[-1]
        told = bakery.read("show", "job", first["id"])
        assert told["waits_for"] == "ok"
        assert told["reasons"] == ["changes to this site are published after an ok"]
        assert told["preview"].startswith("http://")
        assert "changes to this site are published after an ok" in bakery.run("show", "job", first["id"])
        assert "Monday to Friday 8:00" in page_of(bakery)

        bakery.run("approve", first["id"])
        assert "Monday to Friday 9:00" in page_of(bakery)
        assert f"closed by {operator()} (approved)" in bakery.run("show", "trail")
        assert "is live already" in bakery.run("approve", first["id"], code=1)
        assert "waits_for" not in bakery.read("show", "job", first["id"])

        second = bakery.read("ask", "amelia", "scott", "We open at ten now.", "--wait")
        assert second["waits_for"] == "ok"
        bakery.run("withdraw", second["id"])
        assert workers.end(signal.SIGTERM) == 0
    assert "Monday to Friday 9:00" in page_of(bakery)
    assert f"closed by {operator()} (withdrawn)" in bakery.run("show", "trail")
    assert "was withdrawn" in bakery.run("approve", second["id"], code=1)
    assert "There is no job job-0" in bakery.run("withdraw", "job-0", code=1)


@pytest.mark.thorough
def test_an_ok_that_waits_for_a_worker_is_overtaken_by_a_withdrawal(bakery: Program) -> None:
    careful(bakery)
    with bakery.start("work", "--count", "1") as workers:
        workers.line_with("is ready")
        job = bakery.read("ask", "amelia", "scott", "We open at nine now.", "--wait")["id"]
        workers.end(signal.SIGTERM)
    said = bakery.run("approve", job, "--timeout", "0.1s", code=3)
    assert "no worker had come" in said
    bakery.run("withdraw", job)
    with bakery.start("work", "--count", "1") as workers:
        workers.line_with("is done (answered)")
        workers.end(signal.SIGTERM)
    assert "Monday to Friday 8:00" in page_of(bakery)


def test_a_job_that_proposed_nothing_cannot_be_approved(bakery: Program) -> None:
    job = bakery.read("ask", "amelia", "scott", "We open at nine now.")["id"]

    assert "waits for no ok" in bakery.run("approve", job, code=1)
    assert len(bakery.read("show", "jobs")) == 1


def test_a_question_is_shown_with_its_choices_and_the_way_to_answer(bakery: Program) -> None:
    here = open_installation(bakery.folder / "webordinary.toml")
    journal = {"question": '{"text": "Which price?", "choices": ["Cake", "Bread"]}'}
    asked = replace(ASKED, outcome=Outcome.ASKED, journal=Journal(journal))

    found = pending_answers(here.engine, asked)

    assert (found["waits_for"], found["question"], found["choices"]) == ("answer", "Which price?", ["Cake", "Bread"])


def test_an_ok_at_a_terminal_waits_in_the_lane_of_its_thread_and_names_who_said_it() -> None:
    job = ok_said(PROPOSAL, "anna", SystemClock())

    assert (job.lane, job.thread, job.about) == (SCOTT, "t1", "approve:job-1")
    assert job.request == Request("", by="anna")
    assert "anna" in job.subject
