from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from webordinary.config import load_config
from webordinary.engines.installation import Installation
from webordinary.jobs.schedules import Phase, Schedule
from webordinary.routing.lane import Lane
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.cli.program import Program

pytestmark = pytest.mark.one_engine
SCOTT = "scott@example.org"


def deliver(program: Program, text: str = "We open at nine now.", subject: str = "Hours") -> str:
    raw = write_mail(sender=SCOTT, to="amelia@edit.localhost", text=text, subject=subject)
    (program.folder / "mail.eml").write_bytes(raw)
    return str(program.read("deliver", "mail.eml", "--as", SCOTT)["mail"])


def test_jobs_have_the_promised_keys(any_bakery: Program) -> None:
    deliver(any_bakery)

    (job,) = any_bakery.read("show", "jobs")

    promised = {"id", "project", "user", "thread", "state", "subject", "received_at", "finished_at", "error"}
    assert promised <= job.keys()
    assert (job["project"], job["user"], job["subject"]) == ("amelia", "scott", "Hours")
    assert datetime.fromisoformat(job["received_at"]).tzinfo is not None
    assert (job["finished_at"], job["error"]) == (None, None)


def test_lanes_have_the_promised_keys(any_bakery: Program) -> None:
    deliver(any_bakery)

    (lane,) = any_bakery.read("show", "lanes")

    assert {"lane", "owner", "fence", "pending", "running", "lease_until"} <= lane.keys()
    assert (lane["lane"], lane["owner"], lane["pending"], lane["running"]) == ("amelia#scott", None, 1, None)


def test_an_installation_where_nothing_happened_shows_empty_lists(any_bakery: Program) -> None:
    for what in ("lanes", "jobs", "mail", "dead", "schedules"):
        assert any_bakery.read("show", what) == []
    assert "no lane yet" in any_bakery.run("show", "lanes")


def test_the_newest_job_comes_first_and_the_limit_holds(any_bakery: Program) -> None:
    for subject in ("first", "second", "third"):
        deliver(any_bakery, subject=subject)

    assert [job["subject"] for job in any_bakery.read("show", "jobs", "--limit", "2")] == ["third", "second"]
    assert [mail["subject"] for mail in any_bakery.read("show", "mail", "--limit", "1")] == ["third"]


def test_jobs_can_be_chosen_by_state_and_lane(any_bakery: Program) -> None:
    deliver(any_bakery)

    assert any_bakery.read("show", "jobs", "--state", "done") == []
    assert len(any_bakery.read("show", "jobs", "--state", "queued", "--lane", "amelia#scott")) == 1
    assert "'late' is not one of" in any_bakery.run("show", "jobs", "--state", "late", code=2)


def test_each_job_is_one_line_without_a_terminal(bakery: Program) -> None:
    subject = "A very long subject " * 10
    deliver(bakery, subject=subject)

    header, row = bakery.run("show", "jobs").splitlines()

    assert header.split()[:3] == ["job", "lane", "state"]
    assert subject.strip() in row


def test_one_job_is_shown_with_its_trail(any_bakery: Program) -> None:
    deliver(any_bakery)
    (job,) = any_bakery.read("show", "jobs")

    found = any_bakery.read("show", "job", job["id"])

    assert found["request"] == "We open at nine now."
    assert [entry["what"] for entry in found["trail"]] == ["job accepted", "job queued"]
    assert "waits for its turn in amelia#scott" in any_bakery.run("show", "job", job["id"])


def test_one_mail_is_shown_also_as_it_came(any_bakery: Program) -> None:
    mail = deliver(any_bakery)

    assert any_bakery.read("show", "mail", mail)["outcome"] == "queued"
    assert SCOTT in any_bakery.run("show", "mail", mail)
    assert any_bakery.run("show", "mail", mail, "--raw") == (any_bakery.folder / "mail.eml").read_text()


def test_the_end_of_the_trail_is_shown(any_bakery: Program) -> None:
    deliver(any_bakery)

    whole = any_bakery.read("show", "trail")
    end = any_bakery.read("show", "trail", "--limit", "2")

    assert [entry["number"] for entry in whole] == sorted(entry["number"] for entry in whole)
    assert end == whole[-2:]
    assert [entry["what"] for entry in any_bakery.read("show", "trail", "--lane", "amelia#scott", "--limit", "1")] == [
        "job queued"
    ]


def test_what_is_not_there_is_said(any_bakery: Program) -> None:
    assert "There is no job job-none" in any_bakery.run("show", "job", "job-none", code=1)
    assert "There is no mail mail-none" in any_bakery.run("show", "mail", "mail-none", code=1)


def test_a_subject_cannot_paint_the_terminal(bakery: Program) -> None:
    deliver(bakery, subject="[red]free[/red] cake")

    assert "[red]free[/red] cake" in bakery.run("show", "jobs")


def test_a_mail_shows_what_became_of_its_job(any_bakery: Program) -> None:
    mail = deliver(any_bakery)
    (shown,) = any_bakery.read("show", "mail")
    assert (shown["outcome"], shown["decided"]) == ("queued", "queued")

    any_bakery.run("stop", shown["job"])

    assert any_bakery.read("show", "mail", mail)["outcome"] == "stopped"
    (shown,) = any_bakery.read("show", "mail")
    assert (shown["outcome"], shown["decided"]) == ("stopped", "queued")
    assert "stopped" in any_bakery.run("show", "mail")


def test_what_is_planned_is_shown_the_earliest_first(bakery: Program) -> None:
    deliver(bakery)
    (job,) = bakery.read("show", "jobs")
    here = Installation.open(load_config(bakery.folder / "webordinary.toml", {}))
    lane, at = Lane("amelia", "scott"), datetime(2026, 12, 24, 0, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    planned = Schedule(f"{job['id']}.publish", job["thread"], lane, Phase.PUBLISH, at, "c0ffee", job["id"], until=at)
    here.engine.schedules.add(planned, here.clock.now())
    (shown,) = bakery.read("show", "schedules")
    assert (shown["what"], shown["lane"], shown["job"]) == ("publish", "amelia#scott", job["id"])
    assert datetime.fromisoformat(shown["at"]) == datetime.fromisoformat(shown["until"]) == at
    assert "Hours" in bakery.run("show", "schedules")
