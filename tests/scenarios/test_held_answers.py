"""Answers that wait for the agency's eye: nobody but the agency sees a difference until they go out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.actions import answers
from webordinary.audit.entry import EventType
from webordinary.errors import Refused
from webordinary.jobs.job import Outcome
from webordinary.testing.mail import write_mail
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, MARIA, SCOTT

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.jobs.job import Job
    from webordinary.testing.story import Story

HELD = SiteSetup(BAKERY.id, BAKERY.editors, rules='answers = "hold"')
WITH_AGENCY = {"agency": f'address = "{AGENCY.address}"\ndigest = false'}
NINE = "9:00 – 18:00"
NIGHT = 'add a paragraph "We bake all night." to the about page'


def here_of(story: Story) -> Installation:
    return story.rig.here  # type: ignore[attr-defined, no-any-return]  # both engines' rigs have one


def asks(story: Story, text: str = "We open at nine now", *, count: int = 1) -> Job:
    """Let Scott ask for a change, whose answer then waits."""
    job = story.waits_for_job(story.writes(SCOTT, text, subject="New hours"))
    story.waits_for(EventType.ANSWER_HELD, count=count)
    return job


def test_an_answer_waits_until_somebody_releases_it(story: Story) -> None:
    story.begin(HELD, settings=WITH_AGENCY)
    job = asks(story)
    assert NINE in story.rig.page("amelia", "contact.html")
    assert story.rig.mailbox(SCOTT.address) == []
    done = answers.let_go(here_of(story), job.id, "amy")
    assert done.sentence == f"The answer of {job.id} goes out to {SCOTT.address}."
    assert NINE in story.waits_for_answer(SCOTT).text
    with pytest.raises(Refused, match="No answer of"):
        answers.let_go(here_of(story), job.id, "ben")


def test_words_of_the_agency_stand_instead_of_those_of_the_agent_and_the_receipt_stays(story: Story) -> None:
    story.begin(HELD, settings=WITH_AGENCY)
    job = asks(story)
    held = answers.held_answer(here_of(story), job.id)
    before = answers.as_it_would_go_out(here_of(story), held).text
    answers.edit(here_of(story), job.id, "amy", "Dear Scott,\n\nnine it is. <b>Amy</b>")
    with pytest.raises(Refused, match="Somebody has edited"):
        answers.let_go(here_of(story), job.id, "ben", seen=held.mark)
    answers.let_go(here_of(story), job.id, "amy")
    got = story.waits_for_answer(SCOTT)
    assert "Dear Scott,\r\n\r\nnine it is. <b>Amy</b>" in got.text
    assert "in its own words" not in got.text
    receipt = [line for line in before.splitlines() if line.startswith("- ")]
    assert receipt
    assert all(line in got.text for line in receipt)
    assert "&lt;b&gt;Amy" in got.html


@pytest.mark.both_engines
def test_a_change_that_is_taken_back_is_never_told(story: Story) -> None:
    story.begin(HELD, settings=WITH_AGENCY)
    job = asks(story)
    done = answers.take_back(here_of(story), job.id, "amy")
    story.waits_for(EventType.JOB_DONE, matching=lambda entry: entry.job == done.job)
    assert NINE not in story.rig.page("amelia", "contact.html")
    assert here_of(story).engine.held_answers.all() == []
    # The next one is told as usual, and nothing of the first came before it.
    story.writes(SCOTT, "help", in_reply_to=None)
    assert "New hours" not in story.waits_for_answer(SCOTT).subject


def test_the_owner_hears_of_the_undo_if_the_agency_says_so(story: Story) -> None:
    story.begin(HELD, settings=WITH_AGENCY)
    job = asks(story)
    answers.take_back(here_of(story), job.id, "amy", tells=True)
    told = story.waits_for_answer(SCOTT)
    assert "New hours" in told.subject
    assert NINE in told.text
    assert len(story.rig.mailbox(SCOTT.address)) == 1


def test_answers_of_one_conversation_go_out_in_their_order(story: Story) -> None:
    story.begin(HELD, settings=WITH_AGENCY)
    first = asks(story)
    to = f"amelia@{story.rig.domain}"
    raw = write_mail(
        sender=SCOTT.address,
        to=to,
        text="We open at ten now",
        subject="Re: New hours",
        in_reply_to=first.request.message_id,
    )
    second = story.waits_for_job(story.rig.deliver(raw, as_address=SCOTT.address, to=to))
    story.waits_for(EventType.ANSWER_HELD, count=2)
    assert second.thread == first.thread
    with pytest.raises(Refused, match="waits longer in the same conversation"):
        answers.let_go(here_of(story), second.id, "amy")
    answers.let_go(here_of(story), first.id, "amy")
    answers.let_go(here_of(story), second.id, "amy")
    story.waits_for_answer(SCOTT, count=2)
    got = story.rig.mailbox(SCOTT.address)
    assert ["9:00" in got[0].text, "10:00" in got[1].text] == [True, True]


def test_what_is_no_answer_about_a_change_does_not_wait(story: Story) -> None:
    story.begin(
        SiteSetup(BAKERY.id, BAKERY.editors, rules='answers = "hold"\npublish = "approve"'), settings=WITH_AGENCY
    )
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="New hours"))
    assert job.outcome == Outcome.PROPOSED
    proposal = story.waits_for_answer(SCOTT)
    story.writes(SCOTT, "status", in_reply_to=proposal)
    story.waits_for_answer(SCOTT, count=2)
    story.writes(SCOTT, "ok", in_reply_to=proposal)
    story.waits_for(EventType.ANSWER_HELD)
    assert NINE in story.rig.page("amelia", "contact.html")
    assert len(story.rig.mailbox(SCOTT.address)) == 2


def test_what_somebody_else_said_ok_to_is_told_to_its_owner_only_when_it_is_released(story: Story) -> None:
    rules = 'answers = "hold"\npublish = "approve"\napprovers = ["maria"]'
    story.begin(SiteSetup(BAKERY.id, BAKERY.editors, rules=rules), settings=WITH_AGENCY)
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="New hours"))
    wanted = story.waits_for_answer(MARIA)
    story.writes(MARIA, "ok", in_reply_to=wanted)
    # Maria's own answer, and what Scott is told.
    story.waits_for(EventType.ANSWER_HELD, count=2)
    here = here_of(story)
    assert NINE in story.rig.page("amelia", "contact.html")
    waiting = {held.letter.to: held.job for held in here.engine.held_answers.all()}
    assert waiting[SCOTT.address] == job.id
    # Both tell of one change, which is taken back once.
    undone = {answers.take_back(here, each, "amy").job for each in waiting.values()}
    assert len(undone) == 1
    story.waits_for(EventType.JOB_DONE, matching=lambda entry: entry.job in undone)
    assert NINE not in story.rig.page("amelia", "contact.html")
    assert (len(story.rig.mailbox(SCOTT.address)), len(story.rig.mailbox(MARIA.address))) == (1, 1)
