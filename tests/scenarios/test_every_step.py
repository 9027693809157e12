"""A worker is killed behind every step of an edit: the next one goes on behind that step, and nothing happens twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs.dying_worker import COMMIT_POINT, FINISHED
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import What
from webordinary.jobs.job import Outcome
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

STEPS = ("checked out", "agent started", "edited", "built", "previewed", COMMIT_POINT, "pushed", "published", FINISHED)
# Behind these the agent has done its work, and nobody pays for it again.
AGENT_IS_DONE = STEPS[STEPS.index("edited") :]
# Behind these the change is at the remote, and nobody builds it again.
IS_PUSHED = STEPS[STEPS.index("pushed") :]


@pytest.mark.parametrize("step", STEPS)
def test_a_worker_killed_behind_a_step_is_followed_by_one_that_goes_on_there(story: Story, step: str) -> None:
    assert isinstance(story.rig, EmbeddedRig)
    story.begin(workers=0)
    doomed = story.rig.start_worker(dies_after=step)
    mail = story.writes(SCOTT, "We open at nine now", subject="hours")
    story.rig.see_worker_die(doomed)
    before = [entry.text for entry in story.told(What.STEP)]
    story.rig.start_worker()
    job = story.waits_for_job(mail)
    story.waits_for_answer(SCOTT)

    assert job.outcome == Outcome.PUBLISHED
    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")
    assert story.rig.live_log("amelia") == ["hours", "The site as it was"]
    assert len(story.rig.mailbox(SCOTT.address)) == 1
    after = [entry.text for entry in story.told(What.STEP)][len(before) :]
    assert ("agent started" in after) == (step not in AGENT_IS_DONE)
    assert ("built" in after) == (step not in IS_PUSHED)
    assert (before + after).count("published") <= 2
