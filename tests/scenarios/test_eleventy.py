"""A site that Eleventy builds: its pages, its figures, its templates and its settings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.node import ROOT, node_path
from tests.pictures import corners, saved
from tests.programs import need_sandbox
from tests.rigs.embedded import EmbeddedRig
from tests.starters import STARTER, begin_with, eleventy
from webordinary.jobs.job import Outcome
from webordinary.testing.story import AGENCY, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

pytestmark = pytest.mark.thorough

SITE = replace(STARTER, build=("npm", "run", "build"))
WITH_AGENCY = f'address = "{AGENCY.address}"\ndigest = false'


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


def test_pages_and_figures_are_changed_by_mail(node: Story) -> None:
    begin_with(node, eleventy(), SITE)
    wishes = 'Please replace "in 1950" with "in 1948". Plum cake now costs 5.20. We open at nine now.'
    job = node.waits_for_job(node.writes(SCOTT, wishes))
    assert job.outcome == Outcome.PUBLISHED, (job.error, node.waits_for_answer(SCOTT).text)
    home = node.rig.page("amelia", "index.html")
    assert "Plum cake 5.20" in home
    assert "Rye loaf 4.80" in home
    assert "9:00 – 18:00" in home
    assert "8:00 – 14:00" in home
    assert "began in 1948" in node.rig.page("amelia", "about/index.html")


def test_what_a_template_and_the_settings_say_is_told_with_its_line(node: Story) -> None:
    begin_with(node, eleventy(), SITE, agency=WITH_AGENCY)
    wishes = (
        'Please replace "Mill Lane 3" with "Mill Lane 5". Please replace "Bread since 1950" with "Bread since 1948".'
    )
    job = node.waits_for_job(node.writes(SCOTT, wishes))
    assert job.outcome == Outcome.NOTHING_CHANGED, job.error
    told = node.waits_for_answer(SCOTT).text
    assert "template (src/_includes/page.njk)" in told
    assert "(eleventy.config.js)" in told
    wanted = node.waits_for_answer(AGENCY).text
    assert "src/_includes/page.njk, line 6: “Mill Lane 3” would become “Mill Lane 5”" in wanted
    assert "eleventy.config.js, line 3" in wanted


def test_templates_are_changed_where_the_project_says_so(node: Story) -> None:
    begin_with(node, eleventy(), replace(SITE, rules="templates = true"))
    wishes = (
        'Please replace "Mill Lane 3" with "Mill {{ lane }} 5". Change the title of the home page to "Good morning".'
    )
    job = node.waits_for_job(node.writes(SCOTT, wishes))
    assert job.outcome == Outcome.PUBLISHED, job.error
    home = node.rig.page("amelia", "index.html")
    assert "<title>Good morning – Amelia</title>" in home
    assert "Mill &#123;{ lane }} 5" in home


def test_a_photo_lands_where_the_site_keeps_its_pictures(node: Story) -> None:
    files = {**eleventy(), "src/public/pictures/shop.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"}
    files["src/about.md"] += "\n![The shop](/pictures/shop.svg)\n"
    begin_with(node, files, SITE)
    photo = ("IMG_1.jpg", "image/jpeg", saved(corners(60, 40), "JPEG"))
    job = node.waits_for_job(node.writes(SCOTT, "Please put this photo of the oven on the about page.", files=(photo,)))
    assert job.outcome == Outcome.PUBLISHED, job.error
    assert '<img src="/pictures/oven.jpg" alt="oven"' in node.rig.page("amelia", "about/index.html")
    assert node.rig.fetch("amelia", "pictures/oven.jpg").startswith(b"\xff\xd8\xff")
