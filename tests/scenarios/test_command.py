"""An owner's mails to a program of the agency's own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.programs import need_sandbox
from webordinary.jobs.job import Outcome, State
from webordinary.testing.story import AGENCY, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

# It tells how often it was told each of these words.
COUNTS = 'cat > "$TMPDIR/told"; for word in FORGED whoever Sundays; do grep -c $word "$TMPDIR/told"; done; true'
CHANGES = "sed -i 's/8:00/9:00/' contact.html"


def runs(script: str) -> dict[str, str]:
    return {
        "agent": f'kind = "command"\ncommand = ["sh", "-c", {json.dumps(script)}]',
        "agency": f'address = "{AGENCY.address}"\ndigest = false',
    }


def test_the_notes_of_the_agency_reach_it_and_it_has_a_temporary_folder_of_its_own(story: Story) -> None:
    need_sandbox()
    story.begin(settings=runs(f"{CHANGES}; {COUNTS}"))
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    assert job.journal["summary"].split() == ["0", "1", "0"]


def test_notes_that_nobody_has_agreed_to_are_no_notes(story: Story) -> None:
    need_sandbox()
    story.begin(settings=runs(f"echo FORGED >> WEBORDINARY.md; {CHANGES}; {COUNTS}"))
    first = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert first.outcome == Outcome.PROPOSED
    answer = story.waits_for_answer(SCOTT)
    second = story.waits_for_job(story.writes(SCOTT, "And at ten on Sundays", in_reply_to=answer))
    assert (second.thread, second.outcome) == (first.thread, Outcome.PROPOSED)
    assert second.journal["summary"].split() == ["0", "1", "1"]


def test_why_it_failed_is_for_the_agency_and_not_for_the_owner(story: Story) -> None:
    need_sandbox()
    story.begin(settings=runs("echo no such model, API_KEY=hunter2 >&2; exit 4"))
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert job.state == State.FAILED
    assert "no such model, API_KEY=…" in (job.error or "")
    answer = story.waits_for_answer(SCOTT)
    assert "no such model" not in answer.text
    assert "hunter2" not in f"{job.error} {answer.text}"
