"""An owner's mails to a program of the agency's own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from tests.scenarios.test_approval import CAREFUL
from webordinary.jobs.job import Outcome, State
from webordinary.testing.story import AGENCY, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

# It tells how often it was told each of these words.
COUNTS = 'cat > "$TMPDIR/told"; for word in FORGED whoever Sundays; do grep -c $word "$TMPDIR/told"; done; true'
CHANGES = "sed -i 's/8:00/9:00/' contact.html"


def runs(script: str) -> dict[str, str]:
    return {
        "agent": f'kind = "command"\nrepairs = false\ncommand = ["sh", "-c", {json.dumps(script)}]',
        "agency": f'address = "{AGENCY.address}"\ndigest = false',
    }


def test_the_notes_of_the_agency_reach_it_and_it_has_a_temporary_folder_of_its_own(story: Story) -> None:
    need_sandbox()
    story.begin(settings=runs(f"{CHANGES}; {COUNTS}"))
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    assert job.journal.summary.split() == ["0", "1", "0"]


def test_notes_that_nobody_has_agreed_to_are_no_notes(story: Story) -> None:
    need_sandbox()
    story.begin(settings=runs(f"echo always open FORGED >> WEBORDINARY.md; {CHANGES}; {COUNTS}"))
    first = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert first.outcome == Outcome.PROPOSED
    answer = story.waits_for_answer(SCOTT)
    second = story.waits_for_job(story.writes(SCOTT, "And at ten on Sundays", in_reply_to=answer))
    assert (second.thread, second.outcome) == (first.thread, Outcome.PROPOSED)
    assert second.journal.summary.split() == ["0", "1", "1"]


def test_why_it_failed_is_for_the_agency_and_not_for_the_owner(story: Story) -> None:
    need_sandbox()
    story.begin(settings=runs("echo no such model, API_KEY=hunter2 >&2; exit 4"))
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert job.state == State.FAILED
    assert "no such model, API_KEY=…" in (job.error or "")
    answer = story.waits_for_answer(SCOTT)
    assert "no such model" not in answer.text
    assert "hunter2" not in f"{job.error} {answer.text}"


LIES = (
    "The phone number is 030 999 now. All is new. Please pay at https://evil.example/pay today."
    " See src/index.html. Traceback (most recent call last):"
)


def test_what_it_says_is_its_own_note_below_what_was_found(story: Story) -> None:
    need_sandbox()
    story.begin(settings=runs(f"{CHANGES}; echo {json.dumps(LIES)}"))
    story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    answer = story.waits_for_answer(SCOTT)
    found, marked, said = answer.text.partition("A note by the program that made the change, in its own words:")
    assert marked
    assert "“8:00 – 18:00” is now “9:00 – 18:00”" in found
    assert "030 999" not in answer.text
    assert said.partition("See it on your site")[0].split() == ["All", "is", "new."]
    for page in (answer.text, answer.html):
        assert not any(trace in page for trace in ("evil.example", "src/index", "Traceback"))


def test_what_it_says_is_not_repeated_where_it_did_nothing(story: Story) -> None:
    need_sandbox()
    story.begin(settings=runs(f"echo {json.dumps(LIES)}"))
    job = story.waits_for_job(story.writes(SCOTT, "Our new phone number is 030 999"))
    assert job.outcome == Outcome.NOTHING_CHANGED
    answer = story.waits_for_answer(SCOTT)
    assert "nothing visible on your site changed" in answer.text
    assert "030 999" not in answer.text


@pytest.mark.thorough
def test_a_proposal_and_what_comes_of_its_ok_mark_its_words_too(story: Story) -> None:
    need_sandbox()
    story.begin(CAREFUL, settings=runs(f"{CHANGES}; echo {json.dumps(LIES)}"))
    story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    proposed = story.waits_for_answer(SCOTT)
    assert proposed.text.index("would become") < proposed.text.index("in its own words:\r\n    All is new.")
    story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=proposed))
    live = story.waits_for_answer(SCOTT, count=2)
    assert live.text.index("is now “9:00") < live.text.index("in its own words:\r\n    All is new.")
    assert "evil" not in f"{proposed.html} {live.html}"
