"""A developer pushes to the live branch beside the mails: what goes on from it, and what replaces it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs.developer import Developer
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome, State
from webordinary.testing.story import AGENCY, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

TOLD = {"agency": f'address = "{AGENCY.address}"'}
HOURS, OLD_HOURS = "9:00 – 18:00", "8:00 – 18:00"


def folder_of(story: Story) -> Developer:
    assert isinstance(story.rig, EmbeddedRig)
    return Developer(story.rig.folder)


def hours_are_live(story: Story) -> str:
    """Let Scott make a first change, and return the commit that visitors see."""
    done = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="New hours"))
    assert done.outcome == Outcome.PUBLISHED
    return done.commit or ""


@pytest.mark.both_engines
def test_after_a_force_push_the_mail_waits_and_the_agency_is_told_at_once(story: Story) -> None:
    story.begin(settings=TOLD)
    was = hours_are_live(story)
    developer = folder_of(story)
    developer.sees()
    developer.goes_back()
    is_now = developer.commits("about.html", "<p>By hand.</p>\n")
    developer.pushes(force=True)

    mail = story.writes(SCOTT, 'add a paragraph "We bake all night." to the contact page')
    story.waits_for(EventType.PROJECT_PAUSED)
    told = story.waits_for_answer(AGENCY).text
    assert was[:12] in told
    assert is_now[:12] in told
    assert "webordinary project accept-history amelia" in told
    assert "is safe" in story.waits_for_answer(SCOTT, count=2).text
    assert story.job_of(mail).state is State.QUEUED
    assert not [entry for entry in story.told(EventType.COMMIT_POINT) if entry.job == story.job_of(mail).id]
    assert HOURS in story.rig.page("amelia", "contact.html")
