"""What waits for an ok: who may say it, what it binds to, and what becomes of it without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded import EmbeddedRig, git
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, MARIA, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.rig import Received
    from webordinary.testing.story import Story

CAREFUL = SiteSetup(BAKERY.id, BAKERY.editors, rules='publish = "approve"')
SCOTTS_OK = SiteSetup(BAKERY.id, BAKERY.editors, rules='publish = "approve"\napprovers = ["scott"]')
WITH_AGENCY = {"agency": f'address = "{AGENCY.address}"\ndigest = false'}
HOURS, TEN = "9:00 – 18:00", "10:00 – 18:00"
NIGHT = 'add a paragraph "We bake all night." to the about page'


def propose(story: Story, text: str = "We open at nine now") -> Received:
    job = story.waits_for_job(story.writes(SCOTT, text, subject="New hours"))
    assert job.outcome == Outcome.PROPOSED
    return story.waits_for_answer(SCOTT)


def change_by_hand(story: Story, page: str, old: str, new: str) -> None:
    """Change what is live as the agency does, with git."""
    assert isinstance(story.rig, EmbeddedRig)
    work, bare = story.rig.folder / "amelia-work", str(story.rig.folder / "amelia.git")
    git(work, "pull", "--quiet", bare, "main")
    text = (work / page).read_text(encoding="utf-8")
    assert old in text
    (work / page).write_text(text.replace(old, new, 1), encoding="utf-8")
    git(work, "commit", "--quiet", "--all", "--message=By hand")
    git(work, "push", "--quiet", bare, "HEAD:main")


def test_a_careful_project_publishes_the_last_proposal_after_an_ok(story: Story) -> None:
    story.begin(CAREFUL)
    first = propose(story)
    assert "Reply with" in first.text
    assert HOURS in first.text
    job = story.waits_for_job(story.writes(SCOTT, "ok but we open at ten", in_reply_to=first))
    assert job.outcome == Outcome.PROPOSED
    newer = story.waits_for_answer(SCOTT, count=2)
    assert TEN in newer.text
    story.writes(SCOTT, "ok", in_reply_to=first)
    assert "newer proposal" in story.waits_for_answer(SCOTT, count=3).text
    # What waits stands in nobody's way.
    assert story.waits_for_job(story.writes(SCOTT, NIGHT)).outcome == Outcome.PROPOSED
    assert story.rig.live_log("amelia") == ["The site as it was"]
    job = story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=newer))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED)
    assert TEN in story.rig.page("amelia", "contact.html")
    assert TEN in story.waits_for_answer(SCOTT, count=5).text
    assert "We bake all night." not in story.rig.page("amelia", "about.html")


@pytest.mark.thorough
def test_an_ok_binds_to_what_was_shown_also_when_live_has_moved(story: Story) -> None:
    story.begin(CAREFUL)
    first = propose(story)
    change_by_hand(story, "contact.html", "<title>", "<title>New: ")
    job = story.waits_for_job(story.writes(MARIA, "ok", in_reply_to=first))
    assert job.outcome == Outcome.PROPOSED
    second = story.waits_for_answer(MARIA)
    assert "the site has changed since" in second.text
    assert HOURS not in story.rig.page("amelia", "contact.html")
    change_by_hand(story, "about.html", "<h1>", "<h1>Hello, ")
    job = story.waits_for_job(story.writes(MARIA, "ok", in_reply_to=second))
    assert job.outcome == Outcome.PUBLISHED
    assert HOURS in story.rig.page("amelia", "contact.html")
    assert "<title>New: " in story.rig.page("amelia", "contact.html")
    assert "<h1>Hello, " in story.rig.page("amelia", "about.html")
    assert "your change is live" in story.waits_for_answer(SCOTT, count=2).text
    assert story.rig.live_log("amelia")[0] == "New hours"
    job = story.waits_for_job(story.writes(SCOTT, NIGHT, in_reply_to=first))
    third = story.waits_for_answer(SCOTT, count=3)
    assert isinstance(story.rig, EmbeddedRig)
    shown = story.rig.page("amelia", "about.html", thread=job.thread)
    change_by_hand(story, "about.html", story.rig.page("amelia", "about.html"), shown)
    # Somebody else did the same meanwhile: there is nothing left to publish, and nobody is reminded of it.
    job = story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=third))
    assert job.outcome == Outcome.NOTHING_CHANGED
    assert story.rig.here.engine.proposals.all_open() == []


@pytest.mark.thorough
def test_two_who_say_ok_at_once_publish_once_and_both_are_answered(story: Story) -> None:
    (first,) = story.begin(CAREFUL)
    asked = propose(story)
    story.rig.kill_worker(first)
    mails = [story.writes(who, "ok", in_reply_to=asked) for who in (MARIA, SCOTT)]
    for _ in range(2):
        story.rig.start_worker()
    jobs = [story.waits_for_job(mail) for mail in mails]
    assert [job.outcome for job in jobs] == [Outcome.PUBLISHED, Outcome.ANSWERED]
    assert story.rig.live_log("amelia") == ["New hours", "The site as it was"]
    assert HOURS in story.waits_for_answer(MARIA).text
    told = [story.waits_for_answer(SCOTT, count=count).text for count in (2, 3)]
    assert any("already approved" in text for text in told)
    assert any("your change is live" in text for text in told)
    story.writes(SCOTT, "ok", in_reply_to=asked)
    assert "already approved" in story.waits_for_answer(SCOTT, count=4).text


@pytest.mark.thorough
def test_who_may_approve_is_asked_and_who_may_not_is_told_so(story: Story) -> None:
    story.begin(SCOTTS_OK)
    story.waits_for_job(story.writes(MARIA, "We open at nine now", subject="New hours"))
    waits = story.waits_for_answer(MARIA)
    assert "waits for approval" in waits.text
    assert SCOTT.address in waits.text
    wanted = story.waits_for_answer(SCOTT)
    assert f"{MARIA.address} asked for it" in wanted.text
    assert HOURS in wanted.text
    story.writes(MARIA, "ok", in_reply_to=waits)
    refused = story.waits_for_answer(MARIA, count=2).text
    assert "Somebody else has to approve" in refused
    assert SCOTT.address in refused
    assert HOURS not in story.rig.page("amelia", "contact.html")
    story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=wanted))
    assert HOURS in story.rig.page("amelia", "contact.html")
    told = story.waits_for_answer(MARIA, count=3)
    assert "your change is live" in told.text
    undone = story.waits_for_job(story.writes(MARIA, "undo", in_reply_to=told))
    assert undone.outcome == Outcome.UNDONE
    # Who waits for somebody else's ok hears of it when that person asks for something else instead.
    story.waits_for_job(story.writes(MARIA, "We open at nine now", subject="Once more"))
    wanted = story.waits_for_answer(SCOTT, count=3)
    story.waits_for_job(story.writes(SCOTT, "We open at ten now", in_reply_to=wanted))
    replaced = story.waits_for_answer(MARIA, count=6).text
    assert "A newer version" in replaced
    assert SCOTT.address in replaced


@pytest.mark.thorough
def test_a_change_beyond_the_limits_waits_for_the_agency_alone(story: Story) -> None:
    tight = SiteSetup(BAKERY.id, BAKERY.editors, rules='allowed_paths = ["about.html"]')
    story.begin(tight, settings=WITH_AGENCY)
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="New hours"))
    assert job.outcome == Outcome.PROPOSED
    asked = story.waits_for_answer(SCOTT)
    assert "waits for approval" in asked.text
    wanted = story.waits_for_answer(AGENCY)
    assert "contact.html" in wanted.text or "index.html" in wanted.text
    story.writes(SCOTT, "ok", in_reply_to=asked)
    assert "Somebody else has to approve" in story.waits_for_answer(SCOTT, count=2).text
    assert HOURS not in story.rig.page("amelia", "contact.html")
    approved = story.waits_for_job(story.writes(AGENCY, "ok", in_reply_to=wanted))
    assert approved.outcome == Outcome.PUBLISHED
    assert HOURS in story.rig.page("amelia", "contact.html")
    assert HOURS in story.waits_for_answer(SCOTT, count=3).text


@pytest.mark.thorough
def test_what_undo_has_withdrawn_does_not_come_back_with_the_next_change(story: Story) -> None:
    story.begin(CAREFUL)
    asked = propose(story)
    story.writes(SCOTT, "undo", in_reply_to=asked)
    assert "was dropped" in story.waits_for_answer(SCOTT, count=2).text
    story.writes(SCOTT, "ok", in_reply_to=asked)
    assert "nothing here that waits" in story.waits_for_answer(SCOTT, count=3).text
    assert [entry.facts["standing"] for entry in story.told(EventType.PROPOSAL_CLOSED)] == ["withdrawn"]
    story.waits_for_job(story.writes(SCOTT, NIGHT, in_reply_to=asked))
    next_ = story.waits_for_answer(SCOTT, count=4)
    assert "We bake all night." in next_.text
    assert HOURS not in next_.text
    story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=next_))
    assert "We bake all night." in story.rig.page("amelia", "about.html")
    assert HOURS not in story.rig.page("amelia", "contact.html")


@pytest.mark.thorough
def test_an_undo_publishes_nothing_that_waits_for_an_ok_and_the_ok_still_counts(story: Story) -> None:
    story.begin(CAREFUL)
    story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=propose(story)))
    done = story.waits_for_answer(SCOTT, count=2)
    story.waits_for_job(story.writes(SCOTT, NIGHT, in_reply_to=done))
    waits = story.waits_for_answer(SCOTT, count=3)
    undone = story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=done))
    assert undone.outcome == Outcome.UNDONE
    assert isinstance(story.rig, EmbeddedRig)
    assert "We bake all night." in story.rig.page("amelia", "about.html", thread=undone.thread)
    assert HOURS not in story.rig.page("amelia", "contact.html")
    assert "We bake all night." not in story.rig.page("amelia", "about.html")
    assert story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=waits)).outcome == Outcome.PUBLISHED
    assert "We bake all night." in story.rig.page("amelia", "about.html")
    assert HOURS not in story.rig.page("amelia", "contact.html")


@pytest.mark.thorough
def test_a_conflict_is_asked_about_once_and_the_answer_is_done_on_todays_site(story: Story) -> None:
    story.begin(SCOTTS_OK)
    asked = story.waits_for_job(story.writes(MARIA, "We open at nine now", subject="Hours"))
    assert asked.outcome == Outcome.PROPOSED
    wanted = story.waits_for_answer(SCOTT)
    change_by_hand(story, "contact.html", "8:00 – 18:00", "7:00 – 18:00")
    job = story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=wanted))
    assert job.state == State.FAILED
    assert "could not publish" in story.waits_for_answer(SCOTT, count=2).text
    told = story.waits_for_answer(MARIA, count=2)
    assert "could not publish" in told.text
    assert "contact.html" not in told.text
    assert told.text.index("7:00 – 18:00") < told.text.index("9:00 – 18:00")
    # Whoever wanted it says how it should read; nobody has to begin a new conversation.
    job = story.waits_for_job(story.writes(MARIA, "We open at ten now", in_reply_to=told))
    assert job.outcome == Outcome.PROPOSED, job
    again = story.waits_for_answer(SCOTT, count=3)
    assert TEN in again.text
    assert "7:00 – 18:00" in again.text
    assert story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=again)).outcome == Outcome.PUBLISHED
    assert TEN in story.rig.page("amelia", "contact.html")
