"""A site that is built: Flora's, with Astro, whose packages come from the lock of what is live."""

from __future__ import annotations

from dataclasses import replace
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

PLAIN = SiteSetup(FLOWERS.id, FLOWERS.editors, build=("npm", "run", "build"), output="dist", sample="sample_astro")
# As `project add` writes it for a site whose pages are templates.
SHOP = replace(PLAIN, rules="templates = true")
GARLANDS = {
    "agent": 'kind = "command"\ncommand = ["sed", "-i", "s/Bouquets/Garlands/", "src/pages/index.astro"]',
}


@pytest.fixture
def node(story: Story, monkeypatch: pytest.MonkeyPatch) -> Story:
    """A machine with Node; what was installed in an earlier run is used again."""
    need_sandbox()
    monkeypatch.setenv("PATH", node_path())
    assert isinstance(story.rig, EmbeddedRig)
    kept = ROOT / "build" / "dependencies"
    kept.mkdir(parents=True, exist_ok=True)
    (story.rig.folder / "data").mkdir()
    (story.rig.folder / "data" / "dependencies").symlink_to(kept)
    return story


@pytest.mark.thorough
def test_a_built_site_is_changed_by_mail_and_published(node: Story) -> None:
    node.begin(SHOP)
    job = node.waits_for_job(node.writes(TOM, 'replace "9:00 to 18:00" with "8:00 to 18:00"', site="flora"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    assert "We open from 8:00 to 18:00" in node.rig.page("flora", "contact.html")
    assert "Bouquets" in node.rig.page("flora", "")
    assert "8:00 to 18:00" in node.waits_for_answer(TOM).text


@pytest.mark.thorough
def test_a_page_that_is_a_template_is_changed_where_the_project_says_so(node: Story) -> None:
    node.begin(SHOP, settings=GARLANDS)
    job = node.waits_for_job(node.writes(TOM, "We bind garlands now", site="flora"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    assert "Garlands" in node.rig.page("flora", "")


def test_a_page_that_is_a_template_is_not_for_mails_elsewhere(story: Story) -> None:
    need_sandbox()
    story.begin(PLAIN, settings=GARLANDS)
    job = story.waits_for_job(story.writes(TOM, "We bind garlands now", site="flora"))
    assert job.state == State.FAILED
    assert "src/pages/index.astro, which is a template" in (job.error or "")
    assert "src/pages/index.astro, a template from which pages are made" in story.waits_for_answer(TOM).text
