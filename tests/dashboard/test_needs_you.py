"""The start page: what needs somebody, why, what happens otherwise, the buttons for it, and nothing else."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import csrf_in
from webordinary.actions.known import QUEUES
from webordinary.dashboard.looks import Looks
from webordinary.dashboard.needs.gather import gather
from webordinary.dashboard.needs.need import NeedsAsked
from webordinary.dashboard.viewer import Role
from webordinary.engines.kept_findings import keep_findings
from webordinary.findings import fail, ok, warn
from webordinary.jobs.job import Ending, Kind, NewJob, Outcome, Request, State
from webordinary.jobs.journal import Step
from webordinary.jobs.proposals import Proposal
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.reply.bounces import Bounce
from webordinary.routing.lane import Lane
from webordinary.testing.story import SCOTT, Story
from webordinary.worker.change.from_git import FROM_GIT

if TYPE_CHECKING:
    from tests.dashboard.face import Face
    from webordinary.dashboard.needs.need import OpenNeed
    from webordinary.jobs.job import Job

DEAD = Ending(State.DEAD, error="the build broke three times")


def end(face: Face, ending: Ending) -> Job:
    """Let a worker take what waits and end it so."""
    engine, now = face.house.here.engine, face.house.here.clock.now()
    claimed = engine.claims.claim("w1", now)
    assert claimed is not None
    job = claimed.job or engine.claims.start(claimed.claim, now).job
    assert job is not None
    proposal = replace(ending.proposal, id=job.id, thread=job.thread, lane=job.lane) if ending.proposal else None
    engine.attempts.finish(claimed.claim, job, replace(ending, proposal=proposal), now)
    engine.claims.give_back(claimed.claim, now)
    return job


def proposed(face: Face, *, for_agency: bool) -> Ending:
    now = face.house.here.clock.now().wall_at
    lane = face.house.here.engine.overview.lanes(face.house.here.clock.now())[0].lane
    proposal = Proposal(
        "", "", Lane.parse(lane), "abc", "{}", now, now + timedelta(days=3), now + timedelta(days=7),
        for_agency=for_agency, reason="it deletes many lines",
    )  # fmt: skip
    return Ending(State.DONE, Outcome.PROPOSED, proposal=proposal)


def mail(face: Face, decision: Decision, key: str = "k") -> str:
    inbox, now = face.house.here.engine.inbox, face.house.here.clock.now()
    envelope = Envelope(door="smtp", mail_from="scott@example.org", recipients=("a@b.example",), transport_key=key)
    kept = inbox.keep(b"Subject: hello\r\n\r\nhello", envelope, now).mail
    inbox.decide(kept, decision, now)
    return kept


def needs(face: Face, projects: tuple[str, ...] | None = None) -> dict[str, list[OpenNeed]]:
    here = face.house.here
    gathered = gather(NeedsAsked(here, face.house.looks, here.clock.now(), projects))
    return {each.group.name: list(each.page.items) for each in gathered if each.page.items}


def test_when_nothing_needs_anybody_the_page_says_so_and_what_is_fine_is_folded(face: Face) -> None:
    page = face.signed_in().get("/").text
    assert "Nothing needs you" in page
    assert "No project is paused." in page
    assert "What is fine (" in page
    assert 'class="badge"' not in page


def test_a_proposal_waits_for_the_agency_until_it_is_dropped(face: Face, story: Story) -> None:
    story.writes(SCOTT, "Delete half of it", subject="Shorter")
    job = end(face, proposed(face, for_agency=True))
    (need,) = needs(face)["proposals"]
    assert (need.title, need.project, need.link) == ("Shorter", "amelia", f"/jobs/{job.id}")
    assert "it deletes many lines" in need.reason
    assert need.until_at is not None
    assert need.actions == (("approve", job.id), ("withdraw", job.id))
    page = face.signed_in().get("/").text
    assert "Proposals that wait for you" in page
    assert '<span class="badge">1</span>' in page


def test_what_waits_for_an_owner_is_folded_for_the_agency_and_open_for_the_client(face: Face, story: Story) -> None:
    story.writes(SCOTT, "Delete half of it", subject="Shorter")
    end(face, proposed(face, for_agency=False))
    assert list(needs(face)) == ["others"]
    assert list(needs(face, ("amelia",))) == ["proposals"]
    assert needs(face, ("flora",)) == {}
    agency, client = face.signed_in().get("/").text, face.signed_in(Role.CLIENT, "amelia").get("/").text
    assert "Nothing needs you" in agency
    assert "Shorter" in agency
    assert "Approve" in client
    assert "Shorter" not in face.signed_in(Role.CLIENT, "flora").get("/").text


def test_held_and_forged_mails_say_until_when_they_are_kept(face: Face) -> None:
    held = mail(face, Decision(MailOutcome.HELD, "no signature", "scott@example.org", project="amelia"), "1")
    forged = mail(face, Decision(MailOutcome.QUARANTINED, "SPF fails", "scott@example.org", project="amelia"), "2")
    found = needs(face)
    (first,), (second,) = found["held"], found["quarantined"]
    assert first.actions == (("release-mail", held), ("refuse-mail", held))
    assert second.link == f"/mail/{forged}"
    assert first.since_at is not None
    assert first.until_at == first.since_at + timedelta(days=30)


def test_a_dead_letter_is_answered_by_its_button(face: Face, story: Story) -> None:
    story.writes(SCOTT, "We open at nine now")
    job = end(face, DEAD)
    browser = face.signed_in(Role.OPERATOR)
    page = browser.get("/").text
    assert "the build broke three times" in page
    answer = browser.post("/do/redrive", data={"csrf": csrf_in(page), "target": job.id, "next": "/"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "dead" not in needs(face)


def test_a_reader_reads_and_finds_no_button(face: Face, story: Story) -> None:
    story.writes(SCOTT, "We open at nine now")
    end(face, DEAD)
    page = face.signed_in(Role.READER).get("/").text
    assert "the build broke three times" in page
    assert "/do/redrive" not in page


def test_a_question_that_nobody_answered_waits(face: Face, story: Story) -> None:
    story.writes(SCOTT, "Change the price")
    end(face, Ending(State.DONE, Outcome.ASKED, summary="Which price?"))
    (need,) = needs(face)["questions"]
    assert "Which price?" in need.reason
    assert "answers" in need.otherwise


def test_a_paused_project_and_a_rewritten_branch_are_told_apart(face: Face) -> None:
    lanes, now = face.house.here.engine.lanes, face.house.here.clock.now()
    lanes.pause("amelia", "moving house", now)
    (need,) = needs(face)["paused"]
    assert (need.reason, need.actions) == ("moving house", (("resume", "amelia"),))
    assert list(needs(face, ("amelia",))) == ["paused"]
    lanes.resume("amelia", "amy", now)
    lanes.pause("amelia", f"{FROM_GIT}the branch main was rewritten: a does not go on from b.", now)
    found = needs(face)
    assert list(found) == ["rewritten"]
    assert found["rewritten"][0].actions == (("accept-history", "amelia"),)


def test_a_project_that_fails_in_a_row_is_told_before_it_is_paused(face: Face, story: Story) -> None:
    for number in range(2):
        story.writes(SCOTT, f"We open at {number}")
        end(face, Ending(State.FAILED, error="no", blames_project=True))
    (need,) = needs(face)["failing"]
    assert "2 jobs" in need.reason
    assert str(face.house.here.limits.breaker) in need.otherwise


def test_an_address_whose_mails_come_back_is_told_once(face: Face) -> None:
    engine, now = face.house.here.engine, face.house.here.clock.now().wall_at
    for number in range(3):
        engine.bounces.record(Bounce(f"l{number}", SCOTT.address, True, "no such user", now - timedelta(days=number)))  # noqa: FBT003 - the value's own order
    (need,) = needs(face)["bounced"]
    assert "Nobody writes" in need.title
    assert need.actions == (("forgive", SCOTT.address),)


def test_a_broken_configuration_is_told_with_what_to_do(face: Face) -> None:
    path = face.house.here.config.path
    path.write_text("[nonsense", encoding="utf-8")
    (need,) = needs(face)["findings"]
    assert need.title == "Check: configuration"
    assert "the last one that could be read" in need.reason


def test_a_disk_that_is_nearly_full_is_told(face: Face, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=500 * 1024**2))
    (need,) = needs(face)["findings"]
    assert need.title == "Check: data"
    assert "only 500 MB are left" in need.reason


def test_what_doctor_found_when_it_last_looked_is_told_for_a_week(face: Face) -> None:
    here = face.house.here
    checks = (
        ok("git", "2.39"), warn("certificate", "it ends on 2026-12-01: renew it"),
        fail("flora", "its repository cannot be reached"), warn("workers", "none runs"),
        fail("amelia", "main was rewritten and does not go on"),
    )  # fmt: skip
    now = here.clock.now().wall_at
    keep_findings(here.config.data, checks, now - timedelta(days=1))
    found = needs(face)["findings"]
    assert [(need.title, need.tone) for need in found] == [("Doctor: certificate", "asks"), ("Doctor: flora", "sorry")]
    assert "cannot be reached" in found[1].reason
    assert (found[1].since_at, found[1].until_at) == (now - timedelta(days=1), now + timedelta(days=6))
    later = NeedsAsked(here, Looks(here), here.clock.now() + timedelta(days=7))
    assert [each.group.name for each in gather(later) if each.page.items] == []
    (here.config.data / "doctor.json").write_bytes(b"{")
    broken = NeedsAsked(here, Looks(here), here.clock.now())
    assert [each.group.name for each in gather(broken) if each.page.items] == []


def test_without_workers_what_waits_is_told(face: Face, story: Story) -> None:
    story.writes(SCOTT, "We open at nine now")
    assert [need.title for need in needs(face)["findings"]] == ["Nobody works"]


def test_a_lane_whose_owner_was_killed_waits_for_a_worker_too(face: Face, story: Story) -> None:
    story.writes(SCOTT, "We open at nine now")
    here = face.house.here
    claimed = here.engine.claims.claim("w1", here.clock.now())
    assert claimed is not None
    later = NeedsAsked(here, face.house.looks, here.clock.now() + timedelta(hours=1))
    found = {each.group.name: each.page.items for each in gather(later)}
    assert [need.title for need in found["findings"]] == ["Nobody works"]
    assert [need.title for need in found["lanes"]] == ["amelia#scott waits for a worker"]


def queue(face: Face, name: str, age: timedelta = timedelta()) -> None:
    """Queue a request of that age."""
    now = face.house.here.clock.now()
    job = NewJob(name, Lane("amelia", "scott"), name, name, Kind.INSTRUCTION, name, Request("words"), now.wall_at - age)
    face.house.here.engine.lanes.accept(job, now, ready=QUEUES)


def test_what_waits_for_money_is_found_behind_all_else_that_waits(face: Face) -> None:
    engine, now = face.house.here.engine, face.house.here.clock.now()
    queue(face, "job-0")
    claimed = engine.claims.claim("w1", now)
    assert claimed is not None
    job = claimed.job or engine.claims.start(claimed.claim, now).job
    assert job is not None
    engine.attempts.journal(claimed.claim, job, Step.OUT_OF_MONEY.value, {}, now)
    wait = timedelta(days=1)
    engine.attempts.retry(claimed.claim, job, "spent", wait, now, is_counted=False, prolongs=wait)
    for number in range(1, 120):
        queue(face, f"job-{number}")
    assert [need.link for need in needs(face)["money"]] == ["/jobs/job-0"]


def test_a_dead_letter_is_news_from_when_it_died_not_from_when_it_was_asked_for(face: Face) -> None:
    queue(face, "job-0", age=timedelta(days=40))
    end(face, DEAD)
    (need,) = needs(face)["dead"]
    assert need.since_at is not None
    assert need.until_at == need.since_at + timedelta(days=30)


def test_mails_that_come_back_from_one_address_hide_no_other(face: Face) -> None:
    engine, now = face.house.here.engine, face.house.here.clock.now().wall_at
    engine.bounces.record(Bounce("first", SCOTT.address, True, "no such user", now - timedelta(days=1)))  # noqa: FBT003 - the value's own order
    for number in range(120):
        engine.bounces.record(Bounce(f"l{number}", "full@example.org", False, "full", now))  # noqa: FBT003 - as above
    assert [need.actions[0][1] for need in needs(face)["bounced"]] == [SCOTT.address]


def test_ten_thousand_are_not_all_read(face: Face) -> None:
    for number in range(120):
        mail(face, Decision(MailOutcome.HELD, f"reason {number}", "scott@example.org", project="amelia"), str(number))
    browser = face.signed_in()
    page = browser.get("/").text
    assert "more than 100" in page
    assert '<span class="badge">100+</span>' in page
    assert page.count("<article") == 10
    seen: set[str] = set()
    address = "/?show=held"
    while True:
        part = browser.get(address).text
        seen |= set(re.findall(r"reason \d+", part))
        following = re.search(r'rel="next" href="([^"]+)"', part)
        if following is None:
            break
        address = following[1].replace("&amp;", "&")
    assert len(seen) == 120


@pytest.mark.parametrize("show", ["findings", "held", "dead", "bounced"])
def test_a_client_sees_no_kind_that_is_the_agencys(face: Face, show: str) -> None:
    assert face.signed_in(Role.CLIENT, "amelia").get(f"/?show={show}").status_code == 409
    assert face.signed_in().get(f"/?show={show}").status_code == 200
    assert face.signed_in().get("/?show=nonsense").status_code == 409
