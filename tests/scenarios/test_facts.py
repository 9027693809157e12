"""What a change says must be what was asked for, by whoever may ask; and no page makes the checks fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.scenarios.test_approval import change_by_hand
from webordinary.jobs.job import Outcome, State
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

MAPS = "https://maps.example/place/Bath:Spa/@51.38,-2.36,17z"
COLONS = f"<p>https://host.example:8443/ and {MAPS} and https://wiki.example/Talk:Bath and www.x.example:no</p>"


def test_links_with_colons_on_a_page_stop_nobody(story: Story) -> None:
    story.begin()
    change_by_hand(story, "contact.html", "<p>On public", f"{COLONS}<p>On public")
    job = story.waits_for_job(story.writes(SCOTT, f"We open at nine now, see {MAPS}"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")
