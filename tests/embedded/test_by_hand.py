"""A developer changes the repository by hand while mails are being worked on: nobody else answers for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.embedded.test_takeover import arm
from tests.rigs.embedded import git
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome
from webordinary.testing.story import MARIA, SCOTT, Story

if TYPE_CHECKING:
    from tests.rigs.embedded import EmbeddedRig

BAKES = 'add a paragraph "We bake all night." to the about page'


def push_by_hand(rig: EmbeddedRig, name: str) -> None:
    """Let a developer add a file that no mail may touch."""
    clone = rig.folder / "developer"
    git(rig.folder, "clone", "--quiet", str(rig.folder / "amelia.git"), str(clone))
    (clone / name).write_text("{}\n", encoding="utf-8")
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "-m", "By hand")
    git(clone, "push", "--quiet", "origin", "HEAD:main")


@pytest.mark.thorough
def test_what_came_by_hand_while_an_agent_edits_is_not_held_against_its_owner(rig: EmbeddedRig) -> None:
    story = Story(rig)
    story.begin(workers=2)
    slow = story.writes(SCOTT, "wait for the file oven\nWe open at nine now", subject="hours")
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    push_by_hand(rig, "package.json")
    assert story.waits_for_job(story.writes(MARIA, BAKES, subject="night")).outcome == Outcome.PUBLISHED
    story.opens_gate("oven")
    job = story.waits_for_job(slow)
    assert (job.outcome, job.error) == (Outcome.PUBLISHED, None)
    assert not story.told(EventType.JOB_RETRIED)
    assert rig.live_log("amelia") == ["hours", "night", "By hand", "The site as it was"]


@pytest.mark.thorough
def test_what_came_by_hand_before_a_job_was_settled_is_not_held_against_its_owner(rig: EmbeddedRig) -> None:
    story = Story(rig)
    (first,) = story.begin()
    arm(rig, "pre-receive")
    mail = story.writes(SCOTT, "We open at nine now", subject="hours")
    story.waits_until((rig.folder / "arrived").exists)
    rig.kill_worker(first)
    push_by_hand(rig, "package.json")
    rig.start_worker()
    job = story.waits_for_job(mail)
    assert (job.outcome, job.error) == (Outcome.PUBLISHED, None)
    assert rig.live_log("amelia") == ["hours", "By hand", "The site as it was"]
