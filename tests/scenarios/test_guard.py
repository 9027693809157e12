"""What a mail alone may never publish: an owner's ok is not enough for it, the agency's is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from tests.scenarios.test_approval import change_by_hand
from webordinary.jobs.job import Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, SCOTT

if TYPE_CHECKING:
    from webordinary.jobs.job import Job
    from webordinary.testing.rig import Received
    from webordinary.testing.story import Story

pytestmark = pytest.mark.usefixtures("sandbox")

WITH_AGENCY = {"agency": f'address = "{AGENCY.address}"\ndigest = false'}
# The first time it changes a page and nothing else.
AGENT = (
    "if grep -q Bakers index.html; then sed -i s/Bakers/Butchers/ index.html; {}; "
    "else sed -i s/Bakery/Bakers/ index.html; fi"
)
BUILT = (
    "mkdir dist && cp *.html dist && echo User-agent: > dist/robots.txt"
    " && echo '<?php' > dist/mail.php && if grep -q Butchers index.html; then {}; fi"
)


@pytest.fixture
def sandbox() -> None:
    need_sandbox()


def command(script: str) -> dict[str, str]:
    quoted = script.replace("\\", "\\\\").replace('"', '\\"')
    return {"agent": f'kind = "command"\nrepairs = false\ncommand = ["sh", "-c", "{quoted}"]'}


def asks(story: Story, text: str = "Please say what we are") -> Job:
    return story.waits_for_job(story.writes(SCOTT, text))


def is_for_the_agency(story: Story, path: str, why: str) -> Received:
    """See that Scott's ok does not publish what waits, and return what the agency was asked."""
    told = story.waits_for_answer(SCOTT, count=2)
    assert "waits for approval" in told.text
    assert path in told.text
    assert why in told.text
    wanted = story.waits_for_answer(AGENCY)
    assert f"{path}, which {why}" in wanted.text or f"{path} {why}" in wanted.text
    story.writes(SCOTT, "ok", in_reply_to=told)
    assert "Somebody else has to approve" in story.waits_for_answer(SCOTT, count=3).text
    assert "Butchers" not in story.rig.page("amelia", "index.html")
    assert len(story.rig.live_log("amelia")) == 2
    return wanted


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("script", "path", "why"),
    [
        ("echo Disallow: / > robots.txt", "robots.txt", "tells the computer that shows your site"),
        ("cp index.html pictures/photo.jpg", "pictures/photo.jpg", "is not what its name says"),
    ],
)
def test_a_change_of_what_is_no_content_waits_for_the_agency(story: Story, script: str, path: str, why: str) -> None:
    story.begin(settings={**WITH_AGENCY, **command(AGENT.format(script))})
    assert asks(story).outcome == Outcome.PUBLISHED
    assert asks(story).outcome == Outcome.PROPOSED
    wanted = is_for_the_agency(story, path, why)
    assert not story.rig.fetch("amelia", path)
    approved = story.waits_for_job(story.writes(AGENCY, "ok", in_reply_to=wanted))
    assert approved.outcome == Outcome.PUBLISHED
    assert story.rig.fetch("amelia", path)
    assert "Butchers" in story.rig.page("amelia", "index.html")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("script", "path", "why"),
    [
        ("echo Disallow: / >> dist/robots.txt", "robots.txt", "tells the computer that shows your site"),
        ("echo '<?php' > dist/shell.php", "shell.php", "is a program"),
    ],
)
def test_a_build_that_makes_more_than_content_waits_for_the_agency(
    story: Story, script: str, path: str, why: str
) -> None:
    site = SiteSetup("amelia", BAKERY.editors, build=("sh", "-c", BUILT.format(script)), output="dist")
    story.begin(site, settings={**WITH_AGENCY, **command(AGENT.format(":"))})
    # What was there before and is as it was asks nobody anything.
    assert asks(story).outcome == Outcome.PUBLISHED
    assert story.rig.fetch("amelia", "mail.php")
    asked = asks(story)
    assert asked.outcome == Outcome.PROPOSED, asked.error
    wanted = is_for_the_agency(story, path, why)
    before = story.rig.fetch("amelia", path)
    approved = story.waits_for_job(story.writes(AGENCY, "ok", in_reply_to=wanted))
    assert approved.outcome == Outcome.PUBLISHED
    assert story.rig.fetch("amelia", path) != before


def test_a_build_that_makes_more_than_content_fails_where_there_is_no_agency(story: Story) -> None:
    build = BUILT.format("ln -s about.html dist/shell.php")
    site = SiteSetup("amelia", BAKERY.editors, build=("sh", "-c", build), output="dist")
    story.begin(site, settings=command(AGENT.format(":")))
    assert asks(story).outcome == Outcome.PUBLISHED
    job = asks(story)
    assert job.state == State.FAILED
    assert "shell.php" in (job.error or "")
    told = story.waits_for_answer(SCOTT, count=2).text
    assert "it goes further than I may go alone" in told
    assert "shell.php" in told
    assert "Butchers" not in story.rig.page("amelia", "index.html")


@pytest.mark.thorough
def test_an_ok_is_not_enough_for_what_only_the_next_build_makes(story: Story) -> None:
    build = "mkdir dist && cp *.html dist && if grep -q Bakers index.html && grep -q Hello about.html; then {}; fi"
    site = SiteSetup(
        "amelia",
        BAKERY.editors,
        build=("sh", "-c", build.format("echo '<?php' > dist/shell.php")),
        output="dist",
        rules='publish = "approve"',
    )
    story.begin(site, settings={**WITH_AGENCY, **command("sed -i s/Bakery/Bakers/ index.html")})
    assert asks(story).outcome == Outcome.PROPOSED
    told = story.waits_for_answer(SCOTT)
    assert "shell.php" not in told.text
    change_by_hand(story, "about.html", "<h1>", "<h1>Hello, ")
    job = story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=told))
    assert job.outcome == Outcome.PROPOSED
    again = story.waits_for_answer(SCOTT, count=2)
    assert "shell.php, which is a program" in again.text
    story.writes(SCOTT, "ok", in_reply_to=again)
    assert "Somebody else has to approve" in story.waits_for_answer(SCOTT, count=3).text
    assert not story.rig.fetch("amelia", "shell.php")
