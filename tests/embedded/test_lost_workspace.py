"""What is left when the folders that can be made anew are gone, as after a restore on another machine."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT, Story

if TYPE_CHECKING:
    from tests.rigs.embedded import EmbeddedRig


@pytest.mark.thorough
def test_a_proposal_can_be_approved_after_the_workspace_was_lost(rig: EmbeddedRig) -> None:
    story = Story(rig)
    (worker,) = story.begin(SiteSetup(BAKERY.id, BAKERY.editors, rules='publish = "approve"'))
    assert story.waits_for_job(story.writes(SCOTT, "We open at nine now")).outcome == Outcome.PROPOSED
    shown = story.waits_for_answer(SCOTT)
    rig.drain_worker(worker)
    shutil.rmtree(rig.folder / "data" / "workspace")
    rig.start_worker()

    job = story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=shown))

    assert job.outcome == Outcome.PUBLISHED
    assert "9:00 – 18:00" in rig.page("amelia", "contact.html")


@pytest.mark.thorough
@pytest.mark.parametrize("folder", ["scratch", "workspace"])
def test_a_folder_that_somebody_deletes_under_an_agent_that_works_costs_only_a_try(
    rig: EmbeddedRig, folder: str
) -> None:
    story = Story(rig)
    story.begin(settings={"workers": 'backoff = ["50 ms", "50 ms"]'})
    mail = story.writes(SCOTT, "wait for the file oven\nWe open at nine now")
    story.waits_for(EventType.AGENT_SAID)
    shutil.rmtree(rig.folder / "data" / folder)
    story.opens_gate("oven")

    job = story.waits_for_job(mail)

    assert job.outcome == Outcome.PUBLISHED, job.error
    assert "9:00 – 18:00" in rig.page("amelia", "contact.html")
