"""Going back to a release, and what an undo says afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs.dying_worker import COMMIT_POINT
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import EventType
from webordinary.jobs.about import Errand
from webordinary.jobs.job import Outcome
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.jobs.job import Job

STEPS = ("restored", COMMIT_POINT, "pushed", "published")
HOURS, NIGHT = "9:00 – 18:00", "We bake all night."


def ended(story: Story, job: str) -> Job:
    story.waits_for(EventType.JOB_DONE, matching=lambda entry: entry.job == job)
    return next(each for each in story.rig.jobs() if each.id == job)


@pytest.mark.thorough
def test_a_rollback_is_a_new_change_and_an_undo_of_what_it_took_away_or_brought_back_is_answered_right(
    story: Story,
) -> None:
    story.begin()
    first = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="New hours"))
    about_hours = story.waits_for_answer(SCOTT)
    second = story.waits_for_job(story.writes(SCOTT, f'add a paragraph "{NIGHT}" to the about page'))
    about_night = story.waits_for_answer(SCOTT, count=2)
    assert first.commit is not None
    assert second.commit is not None

    back = ended(story, story.rig.roll_back("amelia", first.commit))
    assert back.outcome == Outcome.UNDONE
    assert HOURS in story.rig.page("amelia", "contact.html")
    assert NIGHT not in story.rig.page("amelia", "about.html")
    assert story.rig.live_log("amelia")[0] == f"Roll back to {first.commit[:12]}, asked for by amy"
    assert len(story.rig.mailbox(SCOTT.address)) == 2

    taken_away = story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=about_night))
    assert taken_away.outcome == Outcome.NOTHING_CHANGED
    assert "nothing to take back" in story.waits_for_answer(SCOTT, count=3).text

    forth = ended(story, story.rig.roll_back("amelia", second.commit))
    assert forth.outcome == Outcome.UNDONE
    assert NIGHT in story.rig.page("amelia", "about.html")

    brought_back = story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=about_night))
    assert brought_back.outcome == Outcome.UNDONE
    assert NIGHT not in story.rig.page("amelia", "about.html")
    assert HOURS in story.rig.page("amelia", "contact.html")
    kept = ended(story, story.rig.roll_back("amelia", back.commit or ""))
    assert kept.outcome == Outcome.NOTHING_CHANGED
    undone = story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=about_hours))
    assert undone.outcome == Outcome.UNDONE


@pytest.mark.thorough
def test_a_rollback_whose_workers_are_killed_is_completed_once(tmp_path: Path) -> None:
    rig = EmbeddedRig(tmp_path)
    story = Story(rig)
    try:
        story.begin(workers=0)
        rig.start_dying_workers(Errand.ROLLBACK, STEPS)
        first = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="hours"))
        second = story.waits_for_job(story.writes(SCOTT, f'add a paragraph "{NIGHT}" to the about page'))
        wanted = [first, second] * 2
        for job in wanted:
            assert ended(story, rig.roll_back("amelia", job.commit or "")).outcome == Outcome.UNDONE
            assert (NIGHT in rig.page("amelia", "about.html")) == (job is second)
        assert len(rig.live_log("amelia")) == 3 + len(wanted)
        assert rig.deaths() == list(STEPS)
    finally:
        rig.close()
