"""The pages of answers that wait for the agency's eye."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face, csrf_in
from tests.rigs.embedded import EmbeddedRig
from webordinary.client import ApiClient, ApiRefused
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role
from webordinary.jobs.about import Errand, read_about
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, SCOTT, Story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

    from webordinary.engines.installation import Installation

SETTINGS = {"agency": f'address = "{AGENCY.address}"\ndigest = false'}
FACTS = {
    "address": "https://amelia.example/",
    "changes": "words\tContact\tOpen 8:00\tOpen 9:00 <script>alert(1)</script>",
    "summary": "New hours on one page.",
}


class HeldHouse:
    """An installation in which one answer waits."""

    def __init__(self, folder: Path) -> None:
        self.rig = EmbeddedRig(folder)
        self.story = Story(self.rig)
        self.story.begin(SiteSetup(BAKERY.id, BAKERY.editors, rules='answers = "hold"'), settings=SETTINGS, workers=0)
        self.face = Face(self.rig.here)

    @property
    def here(self) -> Installation:
        return self.rig.here

    def hold(self) -> str:
        """Let a request of Scott end, and its answer wait; return the job."""
        engine, now = self.here.engine, self.here.clock.now()
        self.story.writes(SCOTT, "We open at nine now", subject="New <b>hours</b>")
        claimed = engine.claims.claim("w1", now)
        assert claimed is not None
        assert claimed.job is not None
        engine.attempts.pass_commit_point(claimed.claim, claimed.job, "c0ffee", now)
        ending = Ending(State.DONE, Outcome.PUBLISHED, template="published", facts=FACTS)
        engine.attempts.finish(claimed.claim, claimed.job, ending, now)
        engine.claims.release(claimed.claim, now)
        self.sends()
        return claimed.job.id

    def sends(self) -> None:
        self.here.chores("w1").tidy_up()

    def fields(self, browser: TestClient, job: str) -> dict[str, str]:
        page = browser.get(f"/answers/{job}").text
        seen = re.search(r'name="seen" value="([0-9a-f]+)"', page)
        assert seen is not None
        return {"csrf": csrf_in(page), "seen": seen[1]}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[HeldHouse]:
    made = HeldHouse(tmp_path)
    yield made
    made.rig.close()


def test_the_list_says_what_to_do_when_nothing_waits(house: HeldHouse) -> None:
    assert "Those of amelia come here" in house.face.signed_in(Role.OPERATOR).get("/answers").text


def test_an_answer_is_seen_as_it_would_go_out_and_released(house: HeldHouse) -> None:
    job = house.hold()
    browser = house.face.signed_in(Role.OPERATOR)
    assert f'href="/answers/{job}"' in browser.get("/answers").text
    assert f'href="/answers/{job}"' in browser.get("/").text
    page = browser.get(f"/answers/{job}").text
    assert "Done, your change is live." in page
    assert "New hours on one page." in page
    assert "<script>alert" not in page
    assert "<script>alert" not in browser.get(f"/answers/{job}/page").text
    assert f"/answers/{job}" in browser.get(f"/jobs/{job}").text
    assert house.rig.mailbox(SCOTT.address) == []
    fields = house.fields(browser, job)
    assert browser.post(f"/answers/{job}/release", data=fields).headers["location"] == "/answers"
    house.sends()
    assert "New hours on one page." in house.rig.mailbox(SCOTT.address)[0].text
    assert browser.post(f"/answers/{job}/release", data=fields).status_code == 409


def test_words_are_tried_and_then_kept(house: HeldHouse) -> None:
    job = house.hold()
    browser = house.face.signed_in(Role.OPERATOR)
    fields = house.fields(browser, job)
    tried = browser.post(f"/answers/{job}/edit", data={**fields, "words": "Nine it is </textarea>", "do": "try"})
    assert "As it would go out with your words" in tried.text
    assert "Nine it is &lt;/textarea&gt;" in tried.text
    assert "New hours on one page." in browser.get(f"/answers/{job}").text
    kept = browser.post(f"/answers/{job}/edit", data={**fields, "words": "Nine it is.", "do": "keep"})
    assert kept.headers["location"] == f"/answers/{job}"
    page = browser.get(f"/answers/{job}").text
    assert "Nine it is." in page
    assert "New hours on one page." not in page
    assert "Open 9:00" in page
    # A colleague who still sees the old words does not release the new ones.
    assert browser.post(f"/answers/{job}/release", data=fields).status_code == 409
    assert browser.post(f"/answers/{job}/edit", data={**fields, "words": "x" * 6000, "do": "try"}).status_code == 409


def test_a_change_is_taken_back_and_its_answer_never_sent(house: HeldHouse) -> None:
    job = house.hold()
    browser = house.face.signed_in(Role.OPERATOR)
    assert browser.post(f"/answers/{job}/take-back", data=house.fields(browser, job)).status_code == 303
    house.sends()
    assert house.rig.mailbox(SCOTT.address) == []
    undo = house.rig.jobs()[0]
    about = read_about(undo.about)
    assert about is not None
    assert (about.errand, undo.request.reply_to, undo.request.by) == (Errand.REVERT, None, "amy")


def test_a_program_reads_edits_and_releases_an_answer_that_waits(house: HeldHouse) -> None:
    job = house.hold()
    secret = ApiTokens(house.face.house.sessions.folder, house.here.clock).add("desk", Role.OPERATOR, (), "amy")
    with house.face.served() as address:
        program = ApiClient(address, secret)
        (held,) = program.held_answers()
        assert (held.job, held.project, held.to, held.tells) == (job, BAKERY.id, SCOTT.address, "published")
        before = program.held_answer(job)
        assert before.words == "New hours on one page."
        program.act("jobs", job, "edit-answer", words="Nine it is.")
        after = program.held_answer(job)
        assert (after.words, after.held) == ("Nine it is.", held)
        # What changed is told as before, whatever somebody writes.
        receipt = [line for line in before.text.splitlines() if "Open 9:00" in line]
        assert receipt
        assert [line for line in after.text.splitlines() if "Open 9:00" in line] == receipt
        program.act("jobs", job, "release-answer")
        assert program.held_answers() == []
        with pytest.raises(ApiRefused, match="No answer of"):
            program.act("jobs", job, "release-answer")
    house.sends()
    assert "Nine it is." in house.rig.mailbox(SCOTT.address)[0].text


def test_only_operators_see_held_answers(house: HeldHouse) -> None:
    job = house.hold()
    for role in (Role.CLIENT, Role.READER):
        browser = house.face.signed_in(role, "amelia")
        for path in ("/answers", f"/answers/{job}", f"/answers/{job}/page"):
            assert browser.get(path).status_code == 403
        assert f"/answers/{job}" not in browser.get(f"/jobs/{job}").text
