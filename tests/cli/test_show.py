from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.cli.program import Program

SCOTT = "scott@example.org"


def deliver(program: Program, text: str = "We open at nine now.", subject: str = "Hours") -> str:
    raw = write_mail(sender=SCOTT, to="amelia@edit.localhost", text=text, subject=subject)
    (program.folder / "mail.eml").write_bytes(raw)
    return str(program.read("deliver", "mail.eml", "--as", SCOTT)["mail"])


def test_jobs_have_the_promised_keys(bakery: Program) -> None:
    deliver(bakery)

    (job,) = bakery.read("show", "jobs")

    promised = {"id", "project", "user", "thread", "state", "subject", "received_at", "finished_at", "error"}
    assert promised <= job.keys()
    assert (job["project"], job["user"], job["subject"]) == ("amelia", "scott", "Hours")
    assert datetime.fromisoformat(job["received_at"]).tzinfo is not None
    assert (job["finished_at"], job["error"]) == (None, None)


def test_lanes_have_the_promised_keys(bakery: Program) -> None:
    deliver(bakery)

    (lane,) = bakery.read("show", "lanes")

    assert {"lane", "owner", "fence", "pending", "running", "lease_until"} <= lane.keys()
    assert (lane["lane"], lane["owner"], lane["pending"], lane["running"]) == ("amelia#scott", None, 1, None)


def test_an_installation_where_nothing_happened_shows_empty_lists(bakery: Program) -> None:
    for what in ("lanes", "jobs", "mail", "dead"):
        assert bakery.read("show", what) == []
    assert "no lane yet" in bakery.run("show", "lanes")


def test_the_newest_job_comes_first_and_the_limit_holds(bakery: Program) -> None:
    for subject in ("first", "second", "third"):
        deliver(bakery, subject=subject)

    assert [job["subject"] for job in bakery.read("show", "jobs", "--limit", "2")] == ["third", "second"]
    assert [mail["subject"] for mail in bakery.read("show", "mail", "--limit", "1")] == ["third"]


def test_jobs_can_be_chosen_by_state_and_lane(bakery: Program) -> None:
    deliver(bakery)

    assert bakery.read("show", "jobs", "--state", "done") == []
    assert len(bakery.read("show", "jobs", "--state", "queued", "--lane", "amelia#scott")) == 1
    assert "'late' is not one of" in bakery.run("show", "jobs", "--state", "late", code=2)


def test_each_job_is_one_line_without_a_terminal(bakery: Program) -> None:
    subject = "A very long subject " * 10
    deliver(bakery, subject=subject)

    header, row = bakery.run("show", "jobs").splitlines()

    assert header.split()[:3] == ["job", "lane", "state"]
    assert subject.strip() in row


def test_one_job_is_shown_with_its_trail(bakery: Program) -> None:
    deliver(bakery)
    (job,) = bakery.read("show", "jobs")

    found = bakery.read("show", "job", job["id"])

    assert found["request"] == "We open at nine now."
    assert [entry["what"] for entry in found["trail"]] == ["job accepted", "job queued"]
    assert "waits for its turn in amelia#scott" in bakery.run("show", "job", job["id"])


def test_one_mail_is_shown_also_as_it_came(bakery: Program) -> None:
    mail = deliver(bakery)

    assert bakery.read("show", "mail", mail)["outcome"] == "queued"
    assert SCOTT in bakery.run("show", "mail", mail)
    assert bakery.run("show", "mail", mail, "--raw") == (bakery.folder / "mail.eml").read_text()


def test_the_end_of_the_trail_is_shown(bakery: Program) -> None:
    deliver(bakery)

    whole = bakery.read("show", "trail")
    end = bakery.read("show", "trail", "--limit", "2")

    assert [entry["number"] for entry in whole] == sorted(entry["number"] for entry in whole)
    assert end == whole[-2:]
    assert [entry["what"] for entry in bakery.read("show", "trail", "--lane", "amelia#scott", "--limit", "1")] == [
        "job queued"
    ]


def test_what_is_not_there_is_said(bakery: Program) -> None:
    assert "There is no job job-none" in bakery.run("show", "job", "job-none", code=1)
    assert "There is no mail mail-none" in bakery.run("show", "mail", "mail-none", code=1)


def test_a_subject_cannot_paint_the_terminal(bakery: Program) -> None:
    deliver(bakery, subject="[red]free[/red] cake")

    assert "[red]free[/red] cake" in bakery.run("show", "jobs")
