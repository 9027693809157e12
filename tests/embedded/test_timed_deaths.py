"""Workers that die at a timed change; the steps are the same on every engine, and so is what is written at each."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.rigs.dying_worker import COMMIT_POINT, MOMENT_CLOSED
from tests.scenarios.test_timed import (
    AFTER,
    BEFORE,
    CLOSE,
    FIRST,
    LAST,
    SOON,
    begin,
    morning,
    named,
    page,
    skip_to,
    waits_for_moment,
)
from tests.scenarios.test_timed_again import LATER, LONGER, is_over, until
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from tests.rigs.embedded import EmbeddedRig


# Of jobs that plan; and of the two that publish and the two that take back.
DEATHS = (("edit", ("timed", "kept")), ("schedule", ("timed", COMMIT_POINT, "reverted", "published")))


@pytest.mark.thorough
@pytest.mark.parametrize(("errand", "steps"), DEATHS)
def test_workers_killed_at_a_timed_change_are_followed_by_others_that_go_on(
    rig: EmbeddedRig, errand: str, steps: tuple[str, ...]
) -> None:
    story = Story(rig)
    clock = begin(story, workers=0)
    rig.start_dying_workers(errand, steps)
    for text in (CLOSE, SOON):
        assert story.waits_for_job(story.writes(SCOTT, text, subject="Plan")).outcome == Outcome.SCHEDULED
    skip_to(story, clock, morning(FIRST))
    assert waits_for_moment(story, 2).outcome == Outcome.PUBLISHED
    skip_to(story, clock, morning(LAST) + timedelta(days=1))
    assert waits_for_moment(story, 4).outcome == Outcome.UNDONE
    story.waits_for_answer(SCOTT, count=6)
    assert rig.deaths() == list(steps)
    assert BEFORE in page(story)
    assert rig.live_log("amelia") == [*["Plan"] * 4, "The site as it was"]
    assert len(rig.mailbox(SCOTT.address)) == 6
    assert [entry.facts["by"] for entry in story.told(EventType.SCHEDULE_CLOSED)] == ["time"] * 4


@pytest.mark.thorough
def test_workers_killed_while_one_plan_takes_the_place_of_another_leave_exactly_the_last_one(rig: EmbeddedRig) -> None:
    story = Story(rig)
    clock = begin(story, workers=0)
    rig.start_dying_workers("edit", ("replaced", MOMENT_CLOSED, "moved"))
    longer = f'From {named(FIRST)} to {named(LAST)}, replace "{BEFORE}" with "{LONGER}".'
    others = [f"From {named(FIRST)} to {named(day)}, please." for day in (LATER, LAST)]
    answer = None
    for count, text in enumerate((CLOSE, longer, *others), start=1):
        job = story.waits_for_job(story.writes(SCOTT, text, subject="Plan", in_reply_to=answer))
        assert job.outcome == Outcome.SCHEDULED, job
        answer = story.waits_for_answer(SCOTT, count=count)
        assert ("takes the place of" in answer.text) == (count > 1)
    assert rig.deaths() == ["replaced", MOMENT_CLOSED, "moved"]
    skip_to(story, clock, morning(FIRST))
    assert waits_for_moment(story, 1).outcome == Outcome.PUBLISHED
    assert LONGER in page(story)
    is_over(story, clock, LAST)
    assert waits_for_moment(story, 2).outcome == Outcome.UNDONE
    assert BEFORE in page(story)
    story.waits_for_answer(SCOTT, count=6)
    assert rig.live_log("amelia") == ["Plan", "Plan", "The site as it was"]


@pytest.mark.thorough
def test_workers_killed_at_ends_that_lie_on_each_other_leave_the_site_as_it_was_before_the_first(
    rig: EmbeddedRig,
) -> None:
    story = Story(rig)
    clock = begin(story, workers=0)
    rig.start_dying_workers("schedule", ("covered", MOMENT_CLOSED, "reverted"))
    days, words = (FIRST, LAST, LATER), (BEFORE, AFTER, LONGER, "closed for long")
    for day, old, new in zip(days, words, words[1:], strict=False):
        assert story.waits_for_job(story.writes(SCOTT, until(day, old, new))).outcome == Outcome.PUBLISHED
    for count, day in enumerate(days, start=1):
        is_over(story, clock, day)
        waits_for_moment(story, count)
        story.waits_for_answer(SCOTT, count=len(days) + count)
        assert (BEFORE in page(story)) == (day == LATER)
    assert rig.deaths() == ["covered", MOMENT_CLOSED, "reverted"]
    assert len(rig.live_log("amelia")) == len(words) + 1
    assert len(rig.mailbox(SCOTT.address)) == 2 * len(days)


@pytest.mark.thorough
def test_a_worker_killed_at_the_undo_of_an_undo_does_not_lose_the_end(rig: EmbeddedRig) -> None:
    story = Story(rig)
    clock = begin(story, workers=0)
    rig.start_dying_workers("revert", ("end remembered", "timed"))
    story.writes(SCOTT, until(LAST, BEFORE, AFTER))
    for count in (1, 2):
        story.writes(SCOTT, "undo", in_reply_to=story.waits_for_answer(SCOTT, count=count))
    story.waits_for_answer(SCOTT, count=3)
    assert rig.deaths() == ["end remembered", "timed"]
    assert AFTER in page(story)
    is_over(story, clock, LAST)
    assert waits_for_moment(story, 1).outcome == Outcome.UNDONE
    assert BEFORE in page(story)
