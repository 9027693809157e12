"""An ok without an account: what the link in the mail does, and what it never does."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.rigs.embedded import EmbeddedRig
from webordinary.actions.decide import drop
from webordinary.jobs.about import approval_of
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.proposals import Proposal, Standing
from webordinary.reply.ok_links import OK_UNTIL
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, MARIA, SCOTT, Story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

    from webordinary.engines.installation import Installation
    from webordinary.jobs.job import Job
    from webordinary.testing.rig import Received
    from webordinary.testing.story import Person

SETTINGS = {
    "agency": f'address = "{AGENCY.address}"\ndigest = false',
    "dashboard": 'url = "http://127.0.0.1:8090"',
}
LINK = re.compile(r"http://127\.0\.0\.1:8090(/ok/[a-z2-7]+)")
HOURS = "words\tContact\tOpen 8:00 – 18:00\tOpen 9:00 – 18:00 <script>alert(1)</script>"


class Asked:
    """An installation in which changes are proposed, without the time that it takes to make them."""

    def __init__(self, folder: Path, rules: str = 'publish = "approve"') -> None:
        self.rig = EmbeddedRig(folder)
        self.story = Story(self.rig)
        self.story.begin(SiteSetup(BAKERY.id, BAKERY.editors, rules=rules), settings=SETTINGS, workers=0)
        self.face = Face(self.rig.here)

    @property
    def here(self) -> Installation:
        return self.rig.here

    def propose(
        self, subject: str = "New hours", *, for_agency: bool = False, instead_of: Received | None = None
    ) -> Job:
        """Let Scott's request, or his reply to a mail, end with a proposal, and the mails about it go out."""
        engine, now = self.here.engine, self.here.clock.now()
        words = f"We open at nine now, says {subject}"
        if instead_of is None:
            self.story.writes(SCOTT, words, subject=subject)
        else:
            self.story.replies(SCOTT, instead_of, words)
        claimed = engine.claims.claim("w1", now)
        assert claimed is not None
        assert claimed.job is not None
        job, ends = claimed.job, now.wall_at + timedelta(days=14)
        proposal = Proposal(
            job.id, job.thread, job.lane, "c0ffee", "", now.wall_at, ends, ends, for_agency=for_agency, reason="unasked"
        )
        facts = {"changes": HOURS, "summary": "Hours", OK_UNTIL: ends.isoformat()}
        words = "proposed_to_agency" if for_agency else "proposed"
        ending = Ending(State.DONE, Outcome.PROPOSED, template=words, facts=facts, proposal=proposal)
        engine.attempts.finish(claimed.claim, job, ending, now)
        engine.claims.release(claimed.claim, now)
        for _ in range(2):
            self.here.chores("w1").tidy_up()
        return job

    def link(self, person: Person, number: int = -1) -> str:
        found = LINK.search(self.rig.mailbox(person.address)[number].text)
        assert found is not None
        return found[1]

    def oks(self, job: Job) -> list[Job]:
        return [each for each in self.rig.jobs() if each.about == approval_of(job.id)]


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    made = Asked(tmp_path)
    yield made
    made.rig.close()


def test_the_link_shows_what_is_proposed_and_its_button_says_ok(asked: Asked) -> None:
    job = asked.propose()
    browser, link = asked.face.visitor(), asked.link(SCOTT)
    page = browser.get(link)
    assert page.status_code == 200
    assert "Open 9:00 – 18:00" in page.text
    assert "&lt;script&gt;alert(1)" in page.text
    assert "<script>alert" not in page.text
    # A program that follows links, however often and in whatever way, has decided nothing.
    for _ in range(3):
        browser.get(link)
        browser.head(link)
        browser.options(link)
    assert asked.oks(job) == []
    assert "it goes live" in browser.post(link).text.lower()
    (said,) = asked.oks(job)
    assert (said.request.reply_to, said.thread) == (SCOTT.address, job.thread)
    assert "already" in browser.get(link).text
    assert "already" in browser.post(link).text
    assert len(asked.oks(job)) == 1


def test_of_two_at_once_one_wins(asked: Asked) -> None:
    job = asked.propose()
    link = asked.link(SCOTT)
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: asked.face.visitor().post(link).text, range(6)))
    assert len(asked.oks(job)) == 1
    assert sum("you get a mail" in each for each in answers) == 1


def test_a_forged_link_opens_nothing(asked: Asked) -> None:
    job = asked.propose()
    link, browser = asked.link(SCOTT), asked.face.visitor()
    last = "a" if link[-8] != "a" else "b"
    forged = [f"{link[:-8]}{last}{link[-7:]}", f"{link}a", link[:-2], "/ok/" + "a" * 50, "/ok/x", "/ok/%00"]
    # A reply address of the same mail is sealed by the same key, but for something else.
    address = asked.rig.mailbox(SCOTT.address)[-1].reply_to
    forged.append("/ok/" + address.partition("+")[2].partition("@")[0])
    for each in forged:
        for answer in (browser.get(each), browser.post(each), browser.get(f"{each}/pictures/1")):
            assert answer.status_code == 404
            assert "Open 9:00" not in answer.text
    assert asked.oks(job) == []


def test_a_link_is_for_one_proposal_and_one_person(asked: Asked) -> None:
    first = asked.propose("One")
    second = asked.propose("Two")
    links = [asked.link(SCOTT, -2), asked.link(SCOTT, -1)]
    key = asked.here.engine.reply_keys.current()
    ends = asked.here.clock.now().wall_at + timedelta(days=14)
    stranger = key.approval_token(project="amelia", proposal=second.id, to="eve@elsewhere.example", expires_at=ends)
    elsewhere = key.approval_token(project="flora", proposal=second.id, to=SCOTT.address, expires_at=ends)
    for each in (stranger, elsewhere):
        assert asked.face.visitor().post(f"/ok/{each}").status_code == 404
    assert asked.face.visitor().post(links[0]).status_code == 200
    assert (len(asked.oks(first)), len(asked.oks(second))) == (1, 0)


def test_a_link_expires_with_its_proposal(asked: Asked) -> None:
    job = asked.propose()
    key, past = asked.here.engine.reply_keys.current(), asked.here.clock.now().wall_at - timedelta(seconds=1)
    old = key.approval_token(project="amelia", proposal=job.id, to=SCOTT.address, expires_at=past)
    answer = asked.face.visitor().post(f"/ok/{old}")
    assert (answer.status_code, asked.oks(job)) == (410, [])
    proposal = asked.here.engine.proposals.find(job.thread)
    assert proposal is not None
    asked.here.engine.proposals.close(proposal, Standing.EXPIRED, "time", asked.here.clock.now())
    answer = asked.face.visitor().post(asked.link(SCOTT))
    assert (answer.status_code, asked.oks(job)) == (410, [])


def test_after_a_withdrawal_the_page_says_what_became_of_it(asked: Asked) -> None:
    job = asked.propose()
    proposal = asked.here.engine.proposals.find(job.thread)
    assert proposal is not None
    assert drop(asked.here.engine, proposal, "amy", asked.here.clock.now())
    for answer in (asked.face.visitor().get(asked.link(SCOTT)), asked.face.visitor().post(asked.link(SCOTT))):
        assert answer.status_code == 410
        assert "<button" not in answer.text
    assert asked.oks(job) == []


def test_a_link_to_what_a_newer_proposal_has_replaced_decides_nothing(asked: Asked) -> None:
    first = asked.propose()
    old = asked.link(SCOTT)
    second = asked.propose("Half past", instead_of=asked.rig.mailbox(SCOTT.address)[-1])
    assert second.thread == first.thread
    new = asked.link(SCOTT)
    assert new != old
    for answer in (asked.face.visitor().get(old), asked.face.visitor().post(old)):
        assert answer.status_code == 410
        assert "<button" not in answer.text
        assert "newer" in answer.text
    assert asked.face.visitor().post(old, data={"words": "Not like this"}).status_code == 410
    assert (asked.oks(first), asked.oks(second)) == ([], [])
    assert asked.face.visitor().post(new).status_code == 200
    assert (len(asked.oks(first)), len(asked.oks(second))) == (0, 1)


def test_another_page_cannot_send_the_form(asked: Asked) -> None:
    job = asked.propose()
    browser: TestClient = asked.face.visitor()
    browser.headers["sec-fetch-site"] = "cross-site"
    assert browser.post(asked.link(SCOTT)).status_code == 403
    assert browser.post("/ok/", data={"proposal": job.id}).status_code in {404, 405}
    assert asked.oks(job) == []


def test_who_may_decide_gets_a_link_and_who_may_not_gets_none(tmp_path: Path) -> None:
    asked = Asked(tmp_path, 'publish = "approve"\napprovers = ["maria"]')
    job = asked.propose(for_agency=True)
    assert LINK.search(asked.rig.mailbox(SCOTT.address)[-1].text) is None
    link = asked.link(AGENCY)
    assert "it goes live" in asked.face.visitor().post(link).text.lower()
    assert asked.oks(job)[0].request.reply_to == AGENCY.address
    assert asked.rig.mailbox(MARIA.address) == []
    asked.rig.close()


def test_nobody_else_finds_the_link_in_the_dashboard(asked: Asked) -> None:
    job = asked.propose()
    token = asked.link(SCOTT).removeprefix("/ok/")
    browser = asked.face.signed_in()
    for path in (f"/jobs/{job.id}", f"/jobs/{job.id}/letters/answer"):
        page = browser.get(path)
        assert page.status_code == 200
        assert token not in page.text


def test_words_instead_of_an_ok_come_in_as_a_reply_to_the_mail_and_once(asked: Asked) -> None:
    job = asked.propose()
    browser, link = asked.face.visitor(), asked.link(SCOTT)
    for _ in range(2):
        assert "as if you had replied" in browser.post(link, data={"words": "We open at ten instead"}).text
    assert asked.oks(job) == []
    newest, *others = asked.rig.jobs()
    assert (newest.request.text, newest.thread, newest.request.reply_to) == (
        "We open at ten instead", job.thread, SCOTT.address,
    )  # fmt: skip
    assert [each.id for each in others] == [job.id]
    assert browser.post(link, data={"words": " "}).status_code == 409
    assert browser.post(link, data={"words": "x" * 6_000}).status_code == 409
    forged = browser.post("/ok/" + "a" * 50, data={"words": "Sell the shop"})
    assert (forged.status_code, len(asked.rig.jobs())) == (404, 2)
