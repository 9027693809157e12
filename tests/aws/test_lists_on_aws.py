"""The lists, an action on many and the forms over the AWS engine: the same pages, and what differs is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face, csrf_in
from tests.rigs.aws import AwsRig
from webordinary.jobs.job import State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, FLOWERS, SCOTT, TOM, Story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.thorough
PATHS = ("/mail", "/jobs?project=flora", "/people", "/projects", "/projects/flora", "/trail?job=x", "/calendar")
SHEETS = ("/mail.csv", "/jobs.csv?state=queued", "/people.csv", "/projects.csv?group=Shops", "/trail.csv")


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    rig = AwsRig(tmp_path)
    yield Story(rig)
    rig.close()


def test_what_an_agency_sees_and_does_on_one_machine_it_does_on_aws(story: Story) -> None:
    story.begin(BAKERY, SiteSetup("flora", FLOWERS.editors, rules='group = "Shops"'), workers=0)
    assert isinstance(story.rig, AwsRig)
    story.writes(SCOTT, "We open at nine", subject="Hours")
    story.writes(TOM, "Tulips", site="flora", subject="Tulips are here")
    story.waits_until(lambda: len(story.rig.jobs()) == 2)
    browser = Face(story.rig.here).signed_in()

    assert {path: browser.get(path).status_code for path in PATHS} == dict.fromkeys(PATHS, 200)
    assert {path: browser.get(path).status_code for path in SHEETS} == dict.fromkeys(SHEETS, 200)
    assert "Hours" not in browser.get("/jobs.csv?project=flora").text
    assert "flora" in browser.get("/projects.csv?group=Shops").text

    token = csrf_in(browser.get("/jobs").text)
    page = browser.post("/bulk", data={"csrf": token, "action": "stop", "project": "flora"}).headers["location"]
    assert "Stop: 1 thing" in browser.get(page).text
    browser.post(page, data={"csrf": token})
    story.waits_until(lambda: "It is over" in browser.get(page).text)
    assert {job.lane.project: job.state for job in story.rig.jobs()}["flora"] is State.STOPPED

    assert "webordinary aws onboard" in browser.get("/add-project").text
