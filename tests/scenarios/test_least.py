"""An agent that does more than it was asked to: it is told first, and what it leaves in is taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from tests.scenarios.test_approval import CAREFUL
from tests.scenarios.test_repairs import STRICT, TOLD, rounds, runs
from webordinary.audit.entry import EventType
from webordinary.audit.story import tell
from webordinary.jobs.job import Outcome, State
from webordinary.testing.samples import copy_sample_site
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.testing.story import Story

pytestmark = pytest.mark.thorough
ASKED = "sed -i 's/€3.60/€3.80/' menu.html"
BESIDE = (
    "sed -i 's/Carrot cake/Carotte cake/; s/^  */\\t/' menu.html; sed -i 's/Follow the smell/Follow us/' contact.html"
)
WANTS = "The plum cake costs €3.80 now."


def lines(page: str) -> list[str]:
    return page.splitlines()


def test_what_an_agent_insists_on_is_taken_out_and_the_asked_part_is_live(story: Story, tmp_path: Path) -> None:
    need_sandbox()
    copy_sample_site(tmp_path / "sample")
    menu, contact = ((tmp_path / "sample" / name).read_text("utf-8") for name in ("menu.html", "contact.html"))
    story.begin(STRICT, settings=runs(f"{TOLD}; {ASKED}; {BESIDE}; echo I polished the whole menu."))
    job = story.waits_for_job(story.writes(SCOTT, WANTS))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    # It was told once, left everything as it was, and is not asked again.
    assert [end for _, end in rounds(story)] == ["unchanged"]
    assert lines(story.rig.page("amelia", "menu.html")) == lines(menu.replace("€3.60", "€3.80"))
    assert lines(story.rig.page("amelia", "contact.html")) == lines(contact)
    assert "Carrot cake → Carotte cake" in job.journal.left_out
    (reduced,) = [entry for entry in story.told(EventType.STEP) if entry.text == "reduced"]
    assert tell(reduced).startswith("what the request does not need is left out: contact.html: ")
    answer = story.waits_for_answer(SCOTT)
    assert "€3.80" in answer.text
    assert "Carotte" not in answer.text
    # What it says of its work is not true of what is live.
    assert "polished" not in answer.text
    undone = story.waits_for_job(story.replies(SCOTT, answer, "undo"))
    assert undone.outcome == Outcome.UNDONE, undone.error
    assert story.rig.page("amelia", "menu.html") == menu
    assert story.rig.page("amelia", "contact.html") == contact


def test_what_an_agent_takes_back_itself_is_not_taken_out_by_anybody(story: Story) -> None:
    need_sandbox()
    beside = (
        "if is_told 'You also changed'; then sed -i 's/Carotte/Carrot/' menu.html;"
        " else sed -i 's/Carrot cake/Carotte cake/' menu.html; fi"
    )
    script = f"{TOLD}; {ASKED}; {beside}; echo Done."
    story.begin(STRICT, settings=runs(script))
    job = story.waits_for_job(story.writes(SCOTT, WANTS))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    ((found, end),) = rounds(story)
    assert "Carrot cake → Carotte cake" in found
    assert end == "changed"
    assert job.journal.left_out == ""
    assert "Carrot cake" in story.rig.page("amelia", "menu.html")


def test_a_second_mail_does_not_take_out_what_the_first_one_asked_for(story: Story) -> None:
    """The first change waits for an ok; nothing of it looks like a part of the second request."""
    need_sandbox()
    script = (
        f"{TOLD}; if is_told 'plum cake'; then {ASKED}; else sed -i 's/Follow the smell/Follow us/' contact.html; fi"
    )
    story.begin(CAREFUL, settings=runs(script, "repairs = false"))
    first = story.waits_for_job(story.writes(SCOTT, "Something warmer at the way to the shop, please."))
    answer = story.waits_for_answer(SCOTT)
    second = story.waits_for_job(story.writes(SCOTT, WANTS, in_reply_to=answer))
    assert (first.outcome, second.outcome) == (Outcome.PROPOSED, Outcome.PROPOSED)
    assert second.journal.left_out == ""


def test_an_answer_to_a_question_does_not_take_out_what_was_asked_for_before_it(story: Story) -> None:
    need_sandbox()
    asks = "printf '<question>What does the plum cake cost?</question>'"
    script = (
        f"{TOLD}; if is_told 'costs .3.80'; then {ASKED}; sed -i 's/Follow the smell/Follow us/' contact.html;"
        f" else {asks}; fi"
    )
    story.begin(settings=runs(script, "repairs = false"))
    first = story.waits_for_job(story.writes(SCOTT, "Another price for the plum cake. And warmer words for the way."))
    assert first.outcome == Outcome.ASKED
    second = story.waits_for_job(story.replies(SCOTT, story.waits_for_answer(SCOTT), "It costs €3.80."))
    assert second.outcome in {Outcome.PUBLISHED, Outcome.PROPOSED}, second.error
    assert second.journal.left_out == ""
