"""What buttons bring about on a live site, with a real worker behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.rigs.embedded import EmbeddedRig
from webordinary.actions.carry_out import carry_out
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.errors import NoSuchThing, Refused
from webordinary.jobs.job import Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT

if TYPE_CHECKING:
    from webordinary.jobs.job import Job
    from webordinary.testing.story import Story

AMY = Viewer("amy", Role.AGENCY)
OWNER = Viewer("scott", Role.CLIENT, ("amelia",))
CAREFUL = SiteSetup(BAKERY.id, BAKERY.editors, rules='publish = "approve"')
HOURS = "We open at nine now"


def press(story: Story, action: str, target: str, who: Viewer = AMY, **said: str) -> Job:
    """Press a button, and wait for the end of what came of it."""
    assert isinstance(story.rig, EmbeddedRig)
    job = carry_out(story.rig.here, action, target, who, said).job or ""

    find = story.rig.here.engine.overview.job

    def is_over() -> bool:
        found = find(job)
        return found is not None and not found.state.is_live

    story.waits_until(is_over)
    found = find(job)
    assert found is not None
    return found


@pytest.mark.thorough
def test_a_published_change_is_undone_redone_and_rolled_back_by_buttons(story: Story) -> None:
    story.begin()
    assert story.waits_for_job(story.writes(SCOTT, "We open at ten now")).outcome == Outcome.PUBLISHED
    before = story.rig.page("amelia", "contact.html")
    published = story.waits_for_job(story.writes(SCOTT, HOURS))
    assert published.outcome == Outcome.PUBLISHED
    after = story.rig.page("amelia", "contact.html")
    assert after != before
    undone = press(story, "undo", published.id)
    assert (undone.outcome, undone.request.by) == (Outcome.UNDONE, "amy")
    assert story.rig.page("amelia", "contact.html") == before
    back = press(story, "rollback", "amelia", release=published.commit or "")
    assert back.state is State.DONE
    assert story.rig.page("amelia", "contact.html") == after
    again = press(story, "again", published.id)
    assert (again.repeats, again.request.text) == (published.id, published.request.text)
    with pytest.raises(Refused, match="nothing live"):
        press(story, "undo", again.id)
    with pytest.raises(Refused, match="no release"):
        press(story, "rollback", "amelia", release="0123456789")


@pytest.mark.thorough
def test_an_owner_approves_what_is_theirs_by_a_button_once(story: Story) -> None:
    story.begin(CAREFUL)
    proposed = story.waits_for_job(story.writes(SCOTT, HOURS))
    assert proposed.outcome == Outcome.PROPOSED
    with pytest.raises(NoSuchThing):
        press(story, "approve", proposed.id, Viewer("carla", Role.CLIENT, ("flora",)))
    with pytest.raises(Refused, match="has to be"):
        press(story, "approve", proposed.id, Viewer("rita", Role.READER))
    live = press(story, "approve", proposed.id, OWNER)
    assert (live.outcome, live.request.by) == (Outcome.PUBLISHED, "scott")
    with pytest.raises(Refused, match="scott said ok"):
        press(story, "withdraw", proposed.id, OWNER)


@pytest.mark.thorough
def test_a_proposal_is_withdrawn_by_a_button_and_its_page_shows_it(story: Story) -> None:
    story.begin(CAREFUL)
    proposed = story.waits_for_job(story.writes(SCOTT, HOURS))
    assert isinstance(story.rig, EmbeddedRig)
    browser = Face(story.rig.here).signed_in()
    assert "/do/approve" in browser.get(f"/jobs/{proposed.id}").text
    carry_out(story.rig.here, "withdraw", proposed.id, AMY, {})
    assert "/do/approve" not in browser.get(f"/jobs/{proposed.id}").text
