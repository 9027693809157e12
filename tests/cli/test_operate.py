from __future__ import annotations

import getpass
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.program import Program


@pytest.fixture
def bakery(any_bakery: Program) -> Program:
    """Everything here works on both engines."""
    return any_bakery


def ask(program: Program) -> str:
    return str(program.read("ask", "amelia", "scott", "We open at nine now.")["id"])


def test_a_waiting_job_is_stopped_for_good(bakery: Program) -> None:
    job = ask(bakery)

    assert "is stopped" in bakery.run("stop", job)
    assert "over already" in bakery.run("stop", job, code=1)

    (found,) = bakery.read("show", "jobs")
    assert (found["state"], found["error"]) == ("stopped", f"stopped by {getpass.getuser()}")


def test_a_stopped_job_is_driven_again_as_a_new_one(bakery: Program) -> None:
    job = ask(bakery)
    bakery.run("stop", job)

    said = bakery.run("redrive", job)

    again, _ = bakery.read("show", "jobs")
    assert again["id"] in said
    assert (again["repeats"], again["state"]) == (job, "queued")


def test_a_job_that_did_not_end_badly_is_not_driven_again(bakery: Program) -> None:
    assert "did not end badly" in bakery.run("redrive", ask(bakery), code=1)


def test_a_job_that_does_not_exist_cannot_be_stopped_or_repeated(bakery: Program) -> None:
    assert "there is no job" in bakery.run("stop", "job-none", code=1)
    assert "there is no job" in bakery.run("redrive", "job-none", code=1)


def test_a_project_is_paused_once_and_goes_on_once(bakery: Program) -> None:
    assert "is paused" in bakery.run("pause", "amelia", "--reason", "holidays")
    assert "paused already" in bakery.run("pause", "amelia", "--reason", "holidays", code=1)
    ask(bakery)
    (lane,) = bakery.read("show", "lanes")
    assert lane["paused"] == f"holidays ({getpass.getuser()})"

    assert "goes on" in bakery.run("resume", "amelia")
    assert "not paused" in bakery.run("resume", "amelia", code=1)


def test_a_pause_needs_no_reason(bakery: Program) -> None:
    bakery.run("pause", "amelia")
    bakery.read("ask", "amelia", "scott", "We open at nine now.")
    (lane,) = bakery.read("show", "lanes")
    assert lane["paused"] == f"by hand ({getpass.getuser()})"


def test_a_project_that_left_the_configuration_while_jobs_wait_is_paused_and_goes_on(bakery: Program) -> None:
    ask(bakery)
    path = bakery.folder / "webordinary.toml"
    path.write_text(path.read_text().replace('id = "amelia"', 'id = "flora"'))

    assert "is paused" in bakery.run("pause", "amelia", "--reason", "it has left us")
    assert "goes on" in bakery.run("resume", "amelia")


def test_a_project_that_does_not_exist_cannot_be_paused(bakery: Program) -> None:
    assert "There is no project flora" in bakery.run("pause", "flora", "--reason", "holidays", code=1)


def test_a_lane_where_nothing_runs_cannot_be_interrupted(bakery: Program) -> None:
    assert "There is no lane amelia#scott" in bakery.run("interrupt", "amelia#scott", code=1)
    ask(bakery)

    assert "Nothing runs in amelia#scott" in bakery.run("interrupt", "amelia#scott", code=1)
    assert "Nobody owns amelia#scott" in bakery.run("release", "amelia#scott", code=1)


def test_a_lane_is_written_with_its_project_and_its_user(bakery: Program) -> None:
    assert "The user of a lane" in bakery.run("interrupt", "amelia", code=2)


def test_an_address_whose_mails_came_back_is_forgiven_once(bakery: Program) -> None:
    assert bakery.read("show", "bounces") == []
    assert "No mail came back" in bakery.run("forgive", "scott@example.org", code=1)
