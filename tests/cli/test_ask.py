from __future__ import annotations

import signal
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.cli.ask import STILL_RUNS, explain_waiting
from webordinary.cli.options import open_installation, read_duration

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Program


def page_of(program: Program) -> str:
    return (program.folder / "data" / "sites" / "amelia" / "live" / "index.html").read_text()


def test_asking_and_waiting_ends_when_the_site_is_changed(bakery: Program) -> None:
    with bakery.start("work", "--count", "1") as workers:
        workers.line_with("is ready")

        said = bakery.run("ask", "amelia", "scott", "We open at nine now.", "--wait")

        assert workers.end(signal.SIGTERM) == 0
    assert "published, the site is live" in said
    assert "Monday to Friday 9:00" in page_of(bakery)
    (job,) = bakery.read("show", "jobs")
    assert (job["state"], job["outcome"], job["error"]) == ("done", "published", None)


def test_what_was_asked_and_failed_ends_with_one(bakery: Program) -> None:
    with bakery.start("work", "--count", "1") as workers:
        workers.line_with("is ready")

        said = bakery.run("ask", "amelia", "scott", "Please make it pop.", "--wait", code=1)

        workers.end(signal.SIGTERM)
    assert "failed" in said


def test_without_a_worker_the_time_out_says_how_to_start_one(bakery: Program) -> None:
    said = bakery.run("ask", "amelia", "scott", "We open at nine now.", "--wait", "--timeout", "0.2s", code=3)

    assert "no worker" in said
    assert "webordinary serve" in said
    (job,) = bakery.read("show", "jobs")
    assert job["state"] == "queued"


def test_in_a_paused_project_the_time_out_says_so(bakery: Program) -> None:
    bakery.run("pause", "amelia", "--reason", "holidays")

    said = bakery.run("ask", "amelia", "scott", "We open at nine now.", "--wait", "--timeout", "0.2s", code=3)

    assert "paused (holidays" in said
    assert "webordinary resume amelia" in said


@pytest.mark.thorough
def test_a_job_that_still_runs_at_the_time_out_goes_on(
    bakery: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gates = tmp_path / "gates"
    gates.mkdir()
    monkeypatch.setenv("WEBORDINARY_SCRIPTED_GATES", str(gates))
    with bakery.start("work", "--count", "1") as workers:
        workers.line_with("is ready")
        first = bakery.read("ask", "amelia", "scott", "wait for the file door\nWe open at nine now.")["id"]
        workers.line_with("waiting for door")

        here = open_installation(bakery.folder / "webordinary.toml")
        running = here.engine.overview.job(first)
        assert running is not None
        assert explain_waiting(here, running, timedelta(seconds=1)) == STILL_RUNS

        said = bakery.run("ask", "amelia", "scott", "We open at ten.", "--wait", "--timeout", "0.2s", code=4)
        assert f"still waits for {first}, which runs before it" in said

        (gates / "door").write_text("open")
        workers.line_with(f"{first} is done (published)")
        workers.end(signal.SIGTERM)


def test_without_waiting_the_job_is_named(bakery: Program) -> None:
    job = bakery.read("ask", "amelia", "scott", "We open at nine now.")

    assert job["state"] == "queued"
    assert job["id"] in bakery.run("show", "job", job["id"])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("flora", "scott", "Hello."), "There is no project flora; known: amelia."),
        (("amelia", "eve", "Hello."), "eve is no editor of amelia; known: scott."),
        (("amelia", "scott", "  "), "The request is empty"),
    ],
)
def test_what_cannot_be_asked_is_said(bakery: Program, words: tuple[str, ...], expected: str) -> None:
    assert expected in bakery.run("ask", *words, code=1)
    assert bakery.read("show", "jobs") == []


def test_a_time_out_must_be_a_duration(bakery: Program) -> None:
    assert "write a duration" in bakery.run("ask", "amelia", "scott", "Hello.", "--timeout", "soon", code=2)


@pytest.mark.parametrize(("text", "seconds"), [("15m", 900), ("90s", 90), ("2h", 7200), ("15 min", 900), ("7", 7)])
def test_durations_are_read_as_people_write_them(text: str, seconds: int) -> None:
    assert read_duration(text).total_seconds() == seconds
