"""Who wrote and which conversation it belongs to, as people live through it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome
from webordinary.testing.story import BAKERY, EVE, FLOWERS, MARIA, SCOTT, TOM

if TYPE_CHECKING:
    from webordinary.testing.story import Story

BAKES = 'add a paragraph "We bake all night." to the about page'
CLOSED = 'add a paragraph "We are closed today." to the about page'


def test_a_mail_that_nobody_vouches_for_is_done_after_its_owner_said_yes(story: Story) -> None:
    story.begin()
    mail = story.writes(SCOTT, "We open at nine now", verified=False)
    question = story.waits_for_answer(SCOTT)
    assert "YES" in question.text
    assert "We open at nine now" in question.text
    assert story.rig.jobs() == []

    story.replies(SCOTT, question, "Yes", verified=False)
    job = story.waits_for_job(mail)
    assert job.outcome == Outcome.PUBLISHED
    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")
    done = story.waits_for_answer(SCOTT, count=2)
    story.replies(SCOTT, question, "Yes!", verified=False)
    assert "no longer valid" in story.waits_for_answer(SCOTT, count=3).text
    assert "no longer valid" not in done.text
    assert len(story.rig.jobs()) == 1


@pytest.mark.thorough
def test_a_reply_to_an_old_answer_goes_on_with_its_thread_on_what_is_live_now(story: Story) -> None:
    story.begin()
    first = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="hours"))
    answer = story.waits_for_answer(SCOTT)
    story.waits_for_job(story.writes(MARIA, BAKES, subject="night"))
    # By our address alone: the id of the mail that is answered has got lost on the way.
    lost = replace(answer, message_id="<lost@phone.example>")
    second = story.waits_for_job(story.replies(SCOTT, lost, CLOSED))

    assert (second.thread, second.outcome) == (first.thread, Outcome.PUBLISHED)
    about = story.rig.page("amelia", "about.html")
    assert about.count("We bake all night.") == about.count("We are closed today.") == 1
    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")
    assert len(story.rig.live_log("amelia")) == 4


@pytest.mark.thorough
def test_somebody_elses_reply_address_opens_no_door(story: Story) -> None:
    story.begin(BAKERY, FLOWERS)
    first = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    answer = replace(story.waits_for_answer(SCOTT), message_id="<lost@phone.example>")
    story.replies(EVE, answer, CLOSED)
    assert "not on the list" in story.waits_for_answer(EVE).text
    others = story.waits_for_job(story.replies(MARIA, answer, BAKES))
    florist = story.waits_for_job(story.replies(TOM, answer, BAKES))

    assert first.thread not in {others.thread, florist.thread}
    assert (others.lane.key, florist.lane.key) == ("amelia#maria", "flora#tom")
    assert "closed today" not in story.rig.page("amelia", "about.html")


@pytest.mark.thorough
def test_an_answer_to_another_projects_thread_is_a_stranger_there(story: Story) -> None:
    story.begin(BAKERY, FLOWERS)
    story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    answer = story.waits_for_answer(SCOTT)
    story.replies(TOM, answer, CLOSED)

    assert "not an editor of amelia" in story.waits_for(EventType.MAIL_FROM_STRANGER).text
    assert len(story.rig.jobs()) == 1


@pytest.mark.thorough
def test_two_machines_that_answer_each_other_fall_silent(story: Story) -> None:
    story.begin()
    story.writes(SCOTT, "We open at nine now")
    most = 20
    for number in range(1, most):
        answer = story.waits_for_answer(SCOTT, count=number)
        story.replies(SCOTT, answer, "Thank you for your message. We will come back to you soon.")
        if len(story.told(EventType.MAIL_LIMITED)) > 1:
            break
    else:
        raise AssertionError("they go on for ever")

    mails = story.rig.mailbox(SCOTT.address)
    assert len(mails) == number
    assert "short break" in mails[-1].text
    assert not any("short break" in mail.text for mail in mails[:-1])
