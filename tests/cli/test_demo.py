from __future__ import annotations

import mailbox
import signal
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import Program
from tests.pictures import photo
from webordinary.audit.entry import Entry, EventType
from webordinary.cli.demo.proof import ReceivedAnswer, changed_lines, prove
from webordinary.cli.demo.run import MailProgress
from webordinary.errors import JobFailed

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ANSWER = ReceivedAnswer("amelia@edit.localhost", "Re: Hours", "<one@example.org>", "Done.")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A process of its own: what it starts, and what it leaves behind, is looked at."""
    return Program(tmp_path)


@pytest.mark.thorough
def test_the_demo_proves_itself_once_and_again(program: Program) -> None:
    first = program.run("demo", "--once")
    second = program.run("demo", "--once")

    for said in (first, second):
        assert "-Open Monday to Friday 8:00" in said
        assert "+Open Monday to Friday 9:00" in said
        assert "Done, your change is live." in said
        assert said.endswith("It works.\n")
    assert program.processes() == []
    assert len(mailbox.Maildir(program.folder / "demo" / "mailbox", create=False)) == 1


@pytest.mark.thorough
def test_the_demo_tells_the_whole_way_of_the_mail(program: Program) -> None:
    said = program.run("demo", "--once", "--folder", "elsewhere")

    way = ["arrived", "lane amelia#scott", "claimed", "agent begins", "committed", "built", "pushed", "live", "answer"]
    places = [said.index(words) for words in way]
    assert places == sorted(places)


@pytest.mark.thorough
def test_the_demo_goes_on_and_takes_more_mails(program: Program) -> None:
    with program.start("demo") as demo:
        demo.line_with("Send another mail")

        sent = program.run("demo", "send", "Replace “Fresh bread” with “Warm bread”.")
        assert "was taken as mail-" in sent
        demo.line_with("The owner gets this answer")
        (program.folder / "oven.heic").write_bytes(photo("HEIF"))
        program.run("demo", "send", "Put this photo on the about page.", "--attach", "oven.heic")
        demo.line_with("oven.heic: used")
        stranger = program.run("demo", "send", "Hello.", "--from", "eve@elsewhere.example")
        demo.line_with("was refused")
        second = program.run("demo", code=2)

        assert demo.end(signal.SIGINT) == 0
    assert "was taken as mail-" in stranger
    assert "A demo already runs in demo" in second
    assert program.processes() == []
    assert "Traceback" not in demo.said


@pytest.mark.thorough
def test_a_demo_that_was_used_before_goes_on_where_it_was(program: Program) -> None:
    program.run("demo", "--once")
    with program.start("demo") as demo:
        demo.line_with("eight again")
        demo.line_with("+Open Monday to Friday 8:00")

        assert demo.end(signal.SIGTERM) == 0


@pytest.mark.thorough
def test_a_demo_that_does_not_run_takes_no_mail(program: Program) -> None:
    program.run("demo", "--once")

    assert "`webordinary demo` starts it" in program.run("demo", "send", "Hello.", code=1)
    assert "is not the folder of a demo" in program.run("demo", "send", "Hello.", "--folder", "nowhere", code=2)


@pytest.mark.parametrize("option", ["--once", "--fresh"])
def test_a_folder_that_is_no_demo_is_never_removed(program: Program, option: str) -> None:
    (program.folder / "demo").mkdir()
    (program.folder / "demo" / "thesis.txt").write_text("years of work")

    assert "is not the folder of a demo" in program.run("demo", option, code=2)
    assert (program.folder / "demo" / "thesis.txt").read_text() == "years of work"


def test_an_installation_is_never_taken_for_a_demo(bakery: Program) -> None:
    assert "is not the folder of a demo" in bakery.run("demo", "--once", "--folder", ".", code=2)


def test_a_mail_that_gets_stuck_is_told_with_the_missing_step() -> None:
    way = MailProgress("mail-1")

    assert way.problem == "The mail has not arrived."
    way.note(Entry(EventType.MAIL_RECEIVED, NOW, mail="mail-1", facts={"door": "smtp", "bytes": "9"}))
    way.note(Entry(EventType.JOB_ACCEPTED, NOW, mail="mail-1", job="job-1", lane="amelia#scott"))
    way.note(Entry(EventType.JOB_STARTED, NOW, job="another"))
    assert way.problem == "The mail has not been claimed by a worker; last: it asks for job-1 in the lane amelia#scott."


def test_a_job_that_failed_is_told_with_its_reason() -> None:
    way = MailProgress("mail-1")
    for what in (EventType.MAIL_RECEIVED, EventType.JOB_ACCEPTED, EventType.JOB_STARTED):
        assert not way.note(Entry(what, NOW, mail="mail-1", job="job-1"))
    way.note(Entry(EventType.JOB_FAILED, NOW, job="job-1", text="not understood"))

    assert way.note(Entry(EventType.ANSWERED, NOW, job="job-1", text="not_understood"))
    assert way.problem == "The mail has not been given to the agent; last: job-1 failed: not understood."


def test_a_mail_that_is_refused_ends_the_waiting() -> None:
    way = MailProgress("mail-1")

    assert way.note(Entry(EventType.MAIL_REFUSED, NOW, mail="mail-1", text="the sender edits no project here"))
    assert "refused: the sender edits no project here" in (way.problem or "")


def test_the_difference_of_two_pages_is_what_a_visitor_reads() -> None:
    before = "<p class='a'>Open at <b>8:00</b></p>\n<p>Bread &amp; cake</p>"
    after = "<p class='b'>Open at <b>9:00</b></p>\n<p>Bread &amp; cake</p>"

    assert changed_lines(before, after) == ["-Open at 8:00", "+Open at 9:00"]


@pytest.mark.parametrize(
    ("before", "after", "answers", "reason"),
    [
        ("9:00", "9:00", [ANSWER], "proves nothing"),
        ("8:00", "8:00", [ANSWER], "does not say 9:00"),
        ("8:00", "9:00", [], "0 answers"),
        ("8:00", "9:00", [ANSWER, ANSWER], "2 answers"),
    ],
)
def test_a_demo_without_proof_fails(before: str, after: str, answers: list[ReceivedAnswer], reason: str) -> None:
    with pytest.raises(JobFailed, match=reason):
        prove(before, after, answers)
