"""Changes that hold for a while: they go live and end by themselves, and never in silence when they cannot."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, cast
from zoneinfo import ZoneInfo

import pytest

from webordinary.jobs.job import Kind, Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, MARIA, SCOTT

if TYPE_CHECKING:
    from datetime import date

    from tests.rigs.ahead import Ahead
    from tests.rigs.embedded import EmbeddedRig
    from webordinary.jobs.job import Job
    from webordinary.testing.rig import Received
    from webordinary.testing.story import Story

ZONE = ZoneInfo("Europe/Berlin")
RULES = 'timezone = "Europe/Berlin"'
BERLIN = SiteSetup(BAKERY.id, BAKERY.editors, rules=RULES)
CAREFUL = SiteSetup(BAKERY.id, BAKERY.editors, rules=f'{RULES}\npublish = "approve"')
BEFORE, AFTER = "8:00 – 18:00", "closed for once"
TODAY = datetime.now(ZONE).date()
FIRST, LAST = TODAY + timedelta(days=10), TODAY + timedelta(days=12)


def named(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def morning(day: date) -> datetime:
    return datetime.combine(day, time(0), ZONE)


CLOSE = f'From {named(FIRST)} to {named(LAST)}, replace "{BEFORE}" with "{AFTER}".'
SOON = f'From {named(FIRST)} to {named(LAST)}, add a paragraph "Come soon." to the about page.'


def begin(story: Story, site: SiteSetup = BERLIN, *, workers: int = 1) -> Ahead:
    clock = cast("EmbeddedRig", story.rig).may_move_ahead()
    story.begin(site, workers=workers)
    return clock


def skip_to(story: Story, clock: Ahead, until: datetime) -> None:
    clock.move_to(until)
    story.goes_on_at(until)


def planned(story: Story) -> Received:
    job = story.waits_for_job(story.writes(SCOTT, CLOSE, subject="Closed"))
    assert job.outcome == Outcome.SCHEDULED, job
    return story.waits_for_answer(SCOTT)


def waits_for_moment(story: Story, count: int) -> Job:
    """Wait until that many jobs have come of moments, and are over."""

    def find() -> Job | None:
        jobs = [job for job in story.rig.jobs() if job.kind == Kind.SCHEDULED]
        over = sorted((job for job in jobs if not job.state.is_live), key=lambda job: job.received_at)
        return over[count - 1] if len(over) >= count else None

    return story._wait(find, f"moment {count}")  # noqa: SLF001 - a story's own patience


def page(story: Story) -> str:
    return story.rig.page("amelia", "contact.html")


def test_a_change_goes_live_and_ends_by_itself(story: Story) -> None:
    clock = begin(story)
    answer = planned(story)
    assert f"{FIRST:%A}, {named(FIRST)}, 00:00" in answer.text
    assert f"at the end of {LAST:%A}, {named(LAST)}" in answer.text
    assert "did not understand" not in answer.text
    assert AFTER not in page(story)
    # The thread goes on without what waits.
    other = story.writes(SCOTT, 'add a paragraph "We bake all night." to the about page', in_reply_to=answer)
    assert story.waits_for_job(other).outcome == Outcome.PUBLISHED
    assert "We bake all night." in story.rig.page("amelia", "about.html")
    assert AFTER not in page(story)
    story.writes(SCOTT, "status", in_reply_to=answer)
    assert f"“Closed” goes live: {FIRST:%A}, {named(FIRST)}, 00:00" in story.waits_for_answer(SCOTT, count=3).text

    skip_to(story, clock, morning(FIRST))
    assert waits_for_moment(story, 1).outcome == Outcome.PUBLISHED
    assert AFTER in page(story)
    assert "We bake all night." in story.rig.page("amelia", "about.html")
    live = story.waits_for_answer(SCOTT, count=4)
    assert "your change is live" in live.text
    assert f"at the end of {LAST:%A}" in live.text

    skip_to(story, clock, morning(LAST) + timedelta(days=1))
    assert waits_for_moment(story, 2).outcome == Outcome.UNDONE
    assert BEFORE in page(story)
    assert "We bake all night." in story.rig.page("amelia", "about.html")
    assert "time of your change is over" in story.waits_for_answer(SCOTT, count=5).text
    assert len(story.rig.live_log("amelia")) == 4


@pytest.mark.thorough
def test_what_is_planned_can_be_cancelled_and_a_date_that_cannot_be_kept_is_asked_about(story: Story) -> None:
    clock = begin(story)
    answer = planned(story)
    story.writes(SCOTT, "undo", in_reply_to=answer)
    assert "planned change was cancelled" in story.waits_for_answer(SCOTT, count=2).text
    # Until a day: live at once, and taken back by a person before its end.
    mail = story.writes(SCOTT, f'Until {named(LAST)}, replace "{BEFORE}" with "{AFTER}".')
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert AFTER in page(story)
    live = story.waits_for_answer(SCOTT, count=3)
    assert f"at the end of {LAST:%A}" in live.text
    assert story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=live)).outcome == Outcome.UNDONE
    assert BEFORE in page(story)
    story.waits_for_answer(SCOTT, count=4)

    for count, (dates, words) in enumerate(
        (
            ("From 30 February to 3 March", "no day of the calendar"),
            ("Until 2 January 2020", "is in the past"),
            (f"From {named(LAST)} to {named(FIRST)}", "the end comes before the beginning"),
        ),
        start=5,
    ):
        job = story.waits_for_job(story.writes(SCOTT, f'{dates}, replace "{BEFORE}" with "{AFTER}".'))
        assert job.outcome == Outcome.ASKED
        assert words in story.waits_for_answer(SCOTT, count=count).text
    # Live since its moment: an undo of the mail that told of the plan takes it back, and there is no end left to come.
    assert story.waits_for_job(story.writes(SCOTT, CLOSE, subject="Closed")).outcome == Outcome.SCHEDULED
    told = story.waits_for_answer(SCOTT, count=8)
    skip_to(story, clock, morning(FIRST))
    assert waits_for_moment(story, 1).outcome == Outcome.PUBLISHED
    assert AFTER in page(story)
    assert story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=told)).outcome == Outcome.UNDONE
    assert BEFORE in page(story)
    skip_to(story, clock, morning(LAST) + timedelta(days=9))
    story.waits_for_job(story.writes(MARIA, "We open at ten now"))
    assert len([job for job in story.rig.jobs() if job.kind == Kind.SCHEDULED]) == 1


@pytest.mark.thorough
def test_a_stop_calls_off_what_is_planned_and_the_answer_says_which(story: Story) -> None:
    clock = begin(story)
    answer = planned(story)
    story.writes(SCOTT, "Stop, please cancel it.", in_reply_to=answer)
    told = story.waits_for_answer(SCOTT, count=2).text
    assert f"“Closed”, which was planned for {FIRST:%A}, {named(FIRST)}, 00:00" in told
    skip_to(story, clock, morning(FIRST))
    assert story.waits_for_job(story.writes(SCOTT, SOON)).outcome is not None
    assert AFTER not in page(story)
    assert [job.kind for job in story.rig.jobs() if job.kind == Kind.SCHEDULED] == []


@pytest.mark.thorough
def test_a_moment_that_cannot_be_kept_is_a_plain_answer(story: Story) -> None:
    clock = begin(story)
    planned(story)
    story.waits_for_job(story.writes(MARIA, f'replace "{BEFORE}" with "10:00 – 16:00"'))
    skip_to(story, clock, morning(FIRST))
    job = waits_for_moment(story, 1)
    assert (job.state, job.outcome) == (State.FAILED, None)
    assert "did not go live" in story.waits_for_answer(SCOTT, count=2).text
    assert "10:00 – 16:00" in page(story)

    # The same at the end; and one whose whole time went by unseen.
    day = FIRST + timedelta(days=20)
    mail = story.writes(SCOTT, f'Until {named(day)}, replace "10:00 – 16:00" with "{AFTER}".')
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    story.waits_for_job(story.writes(MARIA, f'replace "{AFTER}" with "11:00 – 16:00"'))
    begins, ends = named(day - timedelta(days=3)), named(day - timedelta(days=2))
    short = f'From {begins} to {ends}, add a paragraph "Soon over." to the about page.'
    assert story.waits_for_job(story.writes(SCOTT, short)).outcome == Outcome.SCHEDULED
    story.waits_for_answer(SCOTT, count=4)
    skip_to(story, clock, morning(day) + timedelta(days=1))
    waits_for_moment(story, 3)
    story.waits_for_answer(SCOTT, count=6)
    told = [received.text for received in story.rig.mailbox(SCOTT.address)[4:]]
    assert sum("stands there now" in text for text in told) == 1
    assert sum("its time is over" in text for text in told) == 1
    assert "11:00 – 16:00" in page(story)
    assert "Soon over." not in story.rig.page("amelia", "about.html")


@pytest.mark.thorough
def test_a_careful_project_says_ok_first(story: Story) -> None:
    clock = begin(story, CAREFUL)
    assert story.waits_for_job(story.writes(SCOTT, CLOSE, subject="Closed")).outcome == Outcome.PROPOSED
    asked = story.waits_for_answer(SCOTT)
    assert f"{FIRST:%A}, {named(FIRST)}, 00:00" in asked.text
    agreed = story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=asked))
    assert agreed.outcome == Outcome.SCHEDULED
    assert story.waits_for_job(story.writes(SCOTT, SOON)).outcome == Outcome.PROPOSED
    late = story.waits_for_answer(SCOTT, count=3)
    skip_to(story, clock, morning(FIRST))
    assert waits_for_moment(story, 1).outcome == Outcome.PUBLISHED
    assert AFTER in page(story)
    assert "Come soon." not in story.rig.page("amelia", "about.html")
    # An ok after the start: at once, and until the same end.
    assert story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=late)).outcome == Outcome.PUBLISHED
    assert "Come soon." in story.rig.page("amelia", "about.html")
    skip_to(story, clock, morning(LAST) + timedelta(days=1))
    assert [waits_for_moment(story, count).outcome for count in (2, 3)] == [Outcome.UNDONE] * 2
    assert BEFORE in page(story)
    assert "Come soon." not in story.rig.page("amelia", "about.html")
