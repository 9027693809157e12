"""Workers that die at a timed change; the steps are the same on every engine, and so is what is written at each."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.rigs.dying_worker import COMMIT_POINT
from tests.scenarios.test_timed import BEFORE, CLOSE, FIRST, LAST, SOON, begin, morning, page, skip_to, waits_for_moment
from webordinary.audit.entry import What
from webordinary.jobs.job import Outcome
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from tests.rigs.embedded import EmbeddedRig


# Of jobs that plan; and of the two that publish and the two that take back.
DEATHS = (("edit", ("timed", "kept")), ("schedule", ("timed", COMMIT_POINT, "reverted", "published")))


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
    assert [entry.facts["by"] for entry in story.told(What.SCHEDULE_CLOSED)] == ["time"] * 4
