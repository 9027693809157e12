"""Taking a change back, by replying to the mail that reported it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded import EmbeddedRig, git
from webordinary.jobs.job import Outcome, State
from webordinary.testing.story import MARIA, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.rig import Received
    from webordinary.testing.story import Story

BEFORE, AFTER = "8:00 – 18:00", "9:00 – 18:00"


def change_hours(story: Story) -> Received:
    story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="New hours"))
    return story.waits_for_answer(SCOTT)


def revert_by_hand(story: Story) -> None:
    """Take the last change back as the agency does, with git."""
    assert isinstance(story.rig, EmbeddedRig)
    work = story.rig.folder / "amelia-work"
    git(work, "pull", "--quiet", str(story.rig.folder / "amelia.git"), "main")
    git(work, "revert", "--no-edit", "HEAD")
    git(work, "push", "--quiet", str(story.rig.folder / "amelia.git"), "HEAD:main")


def test_an_undo_takes_exactly_that_change_back(story: Story) -> None:
    story.begin()
    report = change_hours(story)
    story.waits_for_job(story.writes(MARIA, 'add a paragraph "We bake all night." to the about page'))
    job = story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=report))
    assert (job.state, job.outcome) == (State.DONE, Outcome.UNDONE)
    assert BEFORE in story.rig.page("amelia", "contact.html")
    assert "We bake all night." in story.rig.page("amelia", "about.html")
    assert BEFORE in story.waits_for_answer(SCOTT, count=2).text


@pytest.mark.thorough
def test_an_undo_can_be_undone_until_somebody_has_done_so_by_hand(story: Story) -> None:
    story.begin()
    report = change_hours(story)
    story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=report))
    undone = story.waits_for_answer(SCOTT, count=2)
    assert "your change is off your site again" in undone.text
    again = story.waits_for_job(story.writes(SCOTT, "Undo!", in_reply_to=undone))
    assert again.outcome == Outcome.UNDONE
    assert AFTER in story.rig.page("amelia", "contact.html")
    back = story.waits_for_answer(SCOTT, count=3)
    assert "your change is on your site again" in back.text
    revert_by_hand(story)
    job = story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=back))
    assert job.outcome == Outcome.NOTHING_CHANGED
    assert "nothing to take back" in story.waits_for_answer(SCOTT, count=4).text


@pytest.mark.thorough
def test_an_undo_as_people_write_it_says_each_time_what_it_did(story: Story) -> None:
    story.begin()
    told = change_hours(story)
    said = ("Please put the old text back", "No, as it was before.", "Bitte wieder wie vorher")
    for count, words in enumerate(said, start=2):
        assert story.waits_for_job(story.writes(SCOTT, words, in_reply_to=told)).outcome == Outcome.UNDONE
        told = story.waits_for_answer(SCOTT, count=count)
        is_off = bool(count % 2 == 0)
        assert (BEFORE if is_off else AFTER) in story.rig.page("amelia", "contact.html")
        expected = {2: "is off your site again", 3: "is on your site again", 4: "ist nicht mehr auf Ihrer Website"}
        assert expected[count] in told.text


@pytest.mark.thorough
def test_a_second_undo_of_the_same_change_says_that_it_is_done(story: Story) -> None:
    story.begin()
    report = change_hours(story)
    story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=report))
    story.waits_for_answer(SCOTT, count=2)
    job = story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=report))
    assert job.outcome == Outcome.NOTHING_CHANGED
    assert "nothing to take back" in story.waits_for_answer(SCOTT, count=3).text


@pytest.mark.thorough
def test_an_undo_that_something_newer_stands_in_the_way_of_is_a_plain_answer(story: Story) -> None:
    story.begin()
    report = change_hours(story)
    story.waits_for_job(story.writes(MARIA, "We open at ten now"))
    job = story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=report))
    assert job.state == State.FAILED
    assert "something newer" in story.waits_for_answer(SCOTT, count=2).text
    assert "10:00 – 18:00" in story.rig.page("amelia", "contact.html")


def test_nothing_to_undo_is_said_without_a_job(story: Story) -> None:
    story.begin()
    story.waits_for_job(story.writes(SCOTT, "please make me happy"))
    story.writes(SCOTT, "undo", in_reply_to=story.waits_for_answer(SCOTT))
    assert "nothing to take back" in story.waits_for_answer(SCOTT, count=2).text
    assert len(story.rig.jobs()) == 1
