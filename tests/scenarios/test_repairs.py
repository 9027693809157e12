"""What a build and its checks find goes back to the agent that made the edit, before anybody is asked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import Program
from tests.programs import need_sandbox
from tests.rigs.embedded import EmbeddedRig
from tests.scenarios.test_approval import change_by_hand
from tests.scenarios.test_interrupts import AT_ONCE
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome, State
from webordinary.jobs.repairs import RepairEnd
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

# What the agent of a story leaves in a page that it has not finished.
STRICT_BUILD = "rm -rf out && mkdir out && cp -r *.html *.css pictures out && ! grep -nE 'BROKEN|HALF' out/*.html"
STRICT = SiteSetup(BAKERY.id, BAKERY.editors, build=("sh", "-c", STRICT_BUILD), output="out")
TOLD = 'cat > "$TMPDIR/told"; is_told() { grep -q -- "$1" "$TMPDIR/told"; }'
FOUND = "What was found"


def runs(script: str, more: str = "") -> dict[str, str]:
    return {"agent": f'kind = "command"\ncommand = ["sh", "-c", {json.dumps(script)}]\n{more}'}


def rounds(story: Story) -> list[tuple[str, str]]:
    """Return what was found for each round, and how it ended."""
    entries = story.told(EventType.STEP)
    found = [entry.facts["found"] for entry in entries if entry.text == "repair started"]
    ended = [entry.facts["repair_end"] for entry in entries if entry.text == "repair ended"]
    return list(zip(found, ended, strict=True))


def test_a_broken_build_and_an_old_copy_are_mended_by_the_agent_and_nobody_is_asked(story: Story) -> None:
    need_sandbox()
    script = (
        f"{TOLD}; if is_told 'contact.html:.*BROKEN'; then sed -i 's/BROKEN/9:00/' contact.html;"
        " elif is_told 'still stands elsewhere'; then sed -i 's/8:00 – 18/9:00 – 18/' index.html;"
        " else sed -i 's/8:00 – 18/BROKEN – 18/' contact.html; fi; echo You open at nine."
    )
    story.begin(STRICT, settings=runs(script))
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    (broken, first), (copy, second) = rounds(story)
    assert "BROKEN – 18:00" in broken
    assert "8:00 → 9:00" in copy
    assert (first, second) == ("changed", "changed")
    assert "9:00 – 18" in story.rig.page("amelia", "contact.html")
    assert "9:00 – 18" in story.rig.page("amelia", "index.html")
    answer = story.waits_for_answer(SCOTT)
    # What was mended is told to nobody: what is different now is.
    assert "still" not in answer.text
    assert answer.text.count("“9:00 – 18:00”") == 1
    # The rig of AWS is one of these too, and the program has no way to its local server.
    if type(story.rig) is EmbeddedRig:
        shown = Program(story.rig.folder).run("show", "job", job.id)
        begun = "round {} of repair begins, the agent is told what was found: {}: "
        assert all(words in shown for words in (begun.format(1, "build"), begun.format(2, "copy")))
        assert "round 2 of repair has ended (changed)" in shown


def test_a_conflict_is_first_the_agents_who_makes_the_change_on_what_is_live_now(story: Story) -> None:
    story.begin()
    mail = story.writes(SCOTT, "We open at nine now\nwait for the file oven")
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: entry.text == "waiting for oven")
    change_by_hand(story, "contact.html", "8:00 – 18:00", "7:00 – 17:00")
    story.opens_gate("oven")
    job = story.waits_for_job(mail)
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    ((found, ended),) = rounds(story)
    assert ended == "changed"
    assert "contact.html" in found
    assert "7:00 – 17:00" in found
    # What somebody else did stays, but for what was asked.
    assert "9:00 – 17:00" in story.rig.page("amelia", "contact.html")


@pytest.mark.thorough
def test_a_conflict_that_the_agent_leaves_is_asked_about_in_words_and_not_in_file_names(story: Story) -> None:
    story.begin()
    mail = story.writes(SCOTT, "Replace “8:00 – 18:00” with “8:30 – 18:30”\nwait for the file oven")
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: entry.text == "waiting for oven")
    change_by_hand(story, "contact.html", "8:00 – 18:00", "7:00 – 17:00")
    story.opens_gate("oven")
    job = story.waits_for_job(mail)
    assert job.state == State.FAILED
    assert [ended for _, ended in rounds(story)] == ["gave up"]
    asked = story.waits_for_answer(SCOTT).text
    assert "7:00 – 17:00" in asked
    assert "8:30 – 18:30" in asked
    assert "contact.html" not in asked
    assert story.rig.live_log("amelia")[0] == "By hand"


@pytest.mark.thorough
def test_a_round_that_is_interrupted_is_repeated_with_its_number_and_what_was_begun(story: Story) -> None:
    need_sandbox()
    # The first time it does half of it and never comes to an end; whoever resumes it finds that half.
    begins = "sed -i 's/BROKEN/HALF/' contact.html; echo mending; exec sleep 1000"
    script = (
        f"{TOLD}; if is_told 'closed today'; then sed -i 's/Come by/We are closed today. Come by/' contact.html;"
        " elif grep -q HALF contact.html; then sed -i 's/HALF/9:00/; s/BROKEN/9:00/' contact.html index.html;"
        f" elif is_told BROKEN; then {begins};"
        " else sed -i 's/8:00 – 18/BROKEN – 18/' contact.html index.html; fi"
    )
    story.begin(STRICT, settings=runs(script) | AT_ONCE)
    slow = story.writes(SCOTT, "We open at nine now", subject="slow")
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: entry.text == "mending")
    quick = story.waits_for_job(story.writes(SCOTT, "Say on the contact page: We are closed today.", subject="quick"))
    assert quick.outcome == Outcome.PUBLISHED
    job = story.waits_for_job(slow)
    assert (job.outcome, job.interruptions) == (Outcome.PUBLISHED, 1), job.error
    numbers = [entry.facts["repairs"] for entry in story.told(EventType.STEP) if entry.text == "repair started"]
    assert numbers == ["1", "1"]
    assert job.journal.repaired == 1
    contact = story.rig.page("amelia", "contact.html")
    assert "9:00 – 18" in contact
    assert "We are closed today." in contact


@pytest.mark.thorough
@pytest.mark.parametrize(
    "worse",
    ["s/8:00 – 14/BROKEN – 14/", "s/Come by/Pay at 030 999/", "s/9:00 – 18/8:00 – 18/"],
    ids=["a broken build", "something unasked", "nothing left of the edit"],
)
def test_rounds_that_leave_it_worse_than_the_edit_was_are_taken_back(story: Story, worse: str) -> None:
    need_sandbox()
    script = (
        f"{TOLD}; if is_told 'after your edit'; then sed -i '{worse}' contact.html; echo I mended the hours.;"
        " else sed -i 's/8:00 – 18/9:00 – 18/' contact.html; echo You open at nine.; fi"
    )
    story.begin(STRICT, settings=runs(script))
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    # As it would have been without them: published, and the old copy told.
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    assert job.journal.repair_end == RepairEnd.TAKEN_BACK
    contact = story.rig.page("amelia", "contact.html")
    assert "9:00 – 18" in contact
    assert "8:00 – 14" in contact
    assert "030 999" not in contact
    answer = story.waits_for_answer(SCOTT).text
    assert "The old value still stands here" in answer
    # What it said of the rounds is not true of what is live.
    assert "You open at nine." in answer
    assert "mended" not in answer


@pytest.mark.thorough
def test_what_failed_in_spite_of_its_rounds_is_not_in_the_next_mail_of_the_conversation(story: Story) -> None:
    need_sandbox()
    script = (
        f"{TOLD}; if is_told 'closed today'; then sed -i 's/Come by/We are closed today. Come by/' contact.html;"
        " else sed -i 's/8:00 – 18/BROKEN – 18/' contact.html index.html; fi"
    )
    story.begin(STRICT, settings=runs(script))
    failed = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert (failed.state, failed.journal.repair_end) == (State.FAILED, RepairEnd.UNCHANGED)
    answer = story.waits_for_answer(SCOTT)
    again = "Say on the contact page: We are closed today."
    job = story.waits_for_job(story.writes(SCOTT, again, in_reply_to=answer))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    assert "8:00 – 18" in story.rig.page("amelia", "contact.html")
