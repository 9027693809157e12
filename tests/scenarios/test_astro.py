"""A site that is built: Flora's, with Astro, whose packages come from the lock of what is live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.node import ROOT, node_path
from tests.programs import need_sandbox
from tests.rigs.embedded import EmbeddedRig
from webordinary.jobs.job import Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import FLOWERS, TOM

if TYPE_CHECKING:
    from webordinary.testing.story import Story

SHOP = SiteSetup(FLOWERS.id, FLOWERS.editors, build=("npm", "run", "build"), output="dist", sample="sample_astro")


@pytest.fixture
def shop(story: Story, monkeypatch: pytest.MonkeyPatch) -> Story:
    """Flora's shop; what was installed for it in an earlier run is used again."""
    need_sandbox()
    monkeypatch.setenv("PATH", node_path())
    assert isinstance(story.rig, EmbeddedRig)
    kept = ROOT / "build" / "dependencies"
    kept.mkdir(parents=True, exist_ok=True)
    (story.rig.folder / "data").mkdir()
    (story.rig.folder / "data" / "dependencies").symlink_to(kept)
    story.begin(SHOP)
    return story


def test_a_built_site_is_changed_by_mail_and_published(shop: Story) -> None:
    job = shop.waits_for_job(shop.writes(TOM, 'replace "9:00 to 18:00" with "8:00 to 18:00"', site="flora"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    assert "We open from 8:00 to 18:00" in shop.rig.page("flora", "contact.html")
    assert "Bouquets" in shop.rig.page("flora", "")
    assert "8:00 to 18:00" in shop.waits_for_answer(TOM).text
