"""What somebody of the agency does at a terminal with answers that wait for their eye."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from webordinary.testing.mail import write_mail
from webordinary.testing.story import wait_for

if TYPE_CHECKING:
    from tests.cli.program import Program

MAIL = write_mail(sender="scott@example.org", to="amelia@edit.localhost", text="We open at nine now.", subject="Hours")


def test_a_job_without_a_held_answer_is_refused_in_words(bakery: Program) -> None:
    assert bakery.read("show", "held-answers") == []
    assert "No answer waits" in bakery.run("show", "held-answers")
    for command in (("release",), ("show",), ("take-back",)):
        assert "There is no job job-0" in bakery.run("answer", *command, "job-0", code=1)
    assert "There is no job job-0" in bakery.run("answer", "edit", "job-0", "words", code=1)


@pytest.mark.thorough
def test_an_answer_is_seen_edited_and_released_at_a_terminal(bakery: Program) -> None:
    path = bakery.folder / "webordinary.toml"
    path.write_text(path.read_text().replace('\nid = "amelia"', '\nid = "amelia"\nanswers = "hold"', 1))
    with bakery.start("work", "--count", "1") as workers:
        workers.line_with("is ready")
        bakery.run("deliver", "-", "--as", "scott@example.org", stdin=MAIL)
        (held,) = wait_for(
            lambda: bakery.read("show", "held-answers") or None, "a held answer", lambda: bakery.run("show", "trail")
        )
        job = held["job"]
        assert (held["to"], held["answer"], held["lane"]) == ("scott@example.org", "published", "amelia#scott")
        shown = bakery.run("answer", "show", job)
        assert "Done, your change is live." in shown
        assert bakery.read("answer", "edit", job, "Nine it is.")["job"] == job
        assert "Nine it is." in bakery.read("answer", "show", job)["text"]
        assert "goes out to scott@example.org" in bakery.run("answer", "release", job)
        assert "No answer of" in bakery.run("answer", "take-back", job, code=1)
        assert workers.end(signal.SIGTERM) == 0
    assert "let the answer for" in bakery.run("show", "trail")
