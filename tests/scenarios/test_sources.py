"""Words that stand on the site, wherever its generator has them from: changed, or told where they come from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from tests.starters import JEKYLL, STARTER, begin_with
from webordinary.jobs.job import Outcome
from webordinary.testing.story import AGENCY, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

pytestmark = pytest.mark.usefixtures("sandbox")

WITH_AGENCY = f'address = "{AGENCY.address}"\ndigest = false'
IN_SETTINGS = 'Please replace "Open from eight" with "Open from nine".'


@pytest.fixture
def sandbox() -> None:
    need_sandbox()


def test_words_of_the_settings_are_told_to_the_owner_and_to_the_agency(story: Story) -> None:
    begin_with(story, JEKYLL, agency=WITH_AGENCY)
    job = story.waits_for_job(story.writes(SCOTT, IN_SETTINGS))
    assert job.outcome == Outcome.NOTHING_CHANGED, (job.state, job.error)
    told = story.waits_for_answer(SCOTT).text
    assert "“Open from eight”" in told
    assert "_config.yml" in told
    assert "settings" in told
    assert "have been told" in told
    assert "could not find" not in told
    wanted = story.waits_for_answer(AGENCY).text
    assert "_config.yml, line 2" in wanted
    assert "Open from nine" in wanted
    assert SCOTT.address in wanted


@pytest.mark.thorough
def test_without_an_agency_nobody_is_said_to_have_been_told(story: Story) -> None:
    begin_with(story, JEKYLL)
    story.writes(SCOTT, IN_SETTINGS)
    told = story.waits_for_answer(SCOTT).text
    assert "_config.yml" in told
    assert "have been told" not in told


@pytest.mark.thorough
def test_words_of_a_partial_are_told_to_come_from_a_template(story: Story) -> None:
    begin_with(story, JEKYLL, agency=WITH_AGENCY)
    story.writes(SCOTT, 'Please replace "Mill Lane 3" with "Mill Lane 5".')
    told = story.waits_for_answer(SCOTT).text
    assert "_includes/footer.html" in told
    assert "template" in told
    assert "_includes/footer.html, line 1" in story.waits_for_answer(AGENCY).text


@pytest.mark.thorough
def test_words_of_a_partial_are_changed_where_the_project_says_so(story: Story) -> None:
    begin_with(story, JEKYLL, replace(STARTER, rules="templates = true"))
    job = story.waits_for_job(story.writes(SCOTT, 'Please replace "Mill Lane 3" with "Mill Lane 5".'))
    assert job.outcome == Outcome.PUBLISHED, job.error
    assert "Mill Lane 5" in story.rig.page("amelia", "index.html")
    assert "Mill Lane 5" in story.rig.page("amelia", "about.html")


@pytest.mark.thorough
def test_words_of_a_markdown_page_by_its_long_ending_are_changed(story: Story) -> None:
    begin_with(story, JEKYLL)
    job = story.waits_for_job(story.writes(SCOTT, 'Please replace "in 1950" with "in 1948".'))
    assert job.outcome == Outcome.PUBLISHED, job.error
    assert "began in 1948" in story.rig.page("amelia", "about.html")


def test_a_price_in_a_file_of_figures_is_changed(story: Story) -> None:
    begin_with(story, JEKYLL)
    job = story.waits_for_job(story.writes(SCOTT, "The plum cake now costs 5.20."))
    assert job.outcome == Outcome.PUBLISHED, (job.error, story.waits_for_answer(SCOTT).text)
    assert "Plum cake 5.20" in story.rig.page("amelia", "index.html")


def test_words_that_the_build_puts_together_are_told_as_such(story: Story) -> None:
    begin_with(story, JEKYLL, agency=WITH_AGENCY)
    job = story.waits_for_job(story.writes(SCOTT, 'Please replace "Baked with love in Bath" with "Baked in Bath".'))
    assert job.outcome == Outcome.NOTHING_CHANGED
    told = story.waits_for_answer(SCOTT).text
    assert "“Baked with love in Bath” stands on your site (index.html)" in told
    assert "Baked with love in Bath" in story.waits_for_answer(AGENCY).text


@pytest.mark.thorough
def test_what_could_be_done_is_done_and_the_rest_is_told(story: Story) -> None:
    begin_with(story, JEKYLL, agency=WITH_AGENCY)
    job = story.waits_for_job(story.writes(SCOTT, f'{IN_SETTINGS} Please replace "in 1950" with "in 1948".'))
    assert job.outcome == Outcome.PUBLISHED
    told = story.waits_for_answer(SCOTT).text
    assert "1948" in told
    assert "_config.yml" in told
    assert "_config.yml, line 2" in story.waits_for_answer(AGENCY).text


@pytest.mark.thorough
def test_words_that_stand_nowhere_are_still_asked_for(story: Story) -> None:
    begin_with(story, JEKYLL, agency=WITH_AGENCY)
    job = story.waits_for_job(story.writes(SCOTT, 'Please replace "Fresh fish" with "Fresh bread".'))
    assert job.outcome == Outcome.ASKED
    assert "I could not find “Fresh fish”" in story.waits_for_answer(SCOTT).text
    assert story.rig.mailbox(AGENCY.address) == []


@pytest.mark.thorough
def test_a_german_owner_reads_it_in_german(story: Story) -> None:
    begin_with(story, JEKYLL, agency=WITH_AGENCY)
    text = "Guten Tag! Bitte ersetzen Sie auf unserer Seite „Open from eight“ durch „Open from nine“. Vielen Dank"
    story.writes(SCOTT, text, subject="Unsere neuen Öffnungszeiten")
    told = story.waits_for_answer(SCOTT).text
    assert "Einstellungen" in told
    assert "_config.yml" in told
