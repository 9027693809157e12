"""Timed changes that meet each other or are thought better of: none of them holds too early, too long or for ever."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from tests.scenarios.test_timed import (
    AFTER,
    BEFORE,
    BERLIN,
    CAREFUL,
    CLOSE,
    FIRST,
    LAST,
    TODAY,
    begin,
    morning,
    named,
    page,
    planned,
    skip_to,
    waits_for_moment,
)
from webordinary.jobs.job import Kind, Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import MARIA, SCOTT

if TYPE_CHECKING:
    from datetime import date

    from tests.rigs.ahead import Ahead
    from webordinary.testing.rig import Received
    from webordinary.testing.story import Story

LONGER = "closed a little longer"
LATER = LAST + timedelta(days=5)
NEXT_DAY = timedelta(days=1)


def until(day: date, old: str, new: str) -> str:
    return f'Until {named(day)}, replace "{old}" with "{new}".'


def is_over(story: Story, clock: Ahead, day: date) -> None:
    """Let the whole of a day go by."""
    skip_to(story, clock, morning(day) + NEXT_DAY)


def goes_live(story: Story, text: str, count: int = 1) -> Received:
    job = story.waits_for_job(story.writes(SCOTT, text, subject="Closed"))
    assert job.outcome == Outcome.PUBLISHED, job
    return story.waits_for_answer(SCOTT, count=count)


@pytest.mark.thorough
def test_on_a_day_and_down_on_another_is_both(story: Story) -> None:
    clock = begin(story)
    wish = f'Replace "{BEFORE}" with "{AFTER}" on {named(FIRST)} and take it down on {named(LAST)}.'
    assert story.waits_for_job(story.writes(SCOTT, wish)).outcome == Outcome.SCHEDULED
    assert AFTER not in page(story)
    skip_to(story, clock, morning(FIRST))
    assert waits_for_moment(story, 1).outcome == Outcome.PUBLISHED
    assert AFTER in page(story)
    skip_to(story, clock, morning(LAST))
    assert waits_for_moment(story, 2).outcome == Outcome.UNDONE
    assert BEFORE in page(story)


@pytest.mark.thorough
@pytest.mark.both_engines
def test_of_several_ends_the_last_brings_back_what_was_there_before_the_first(story: Story) -> None:
    clock = begin(story)
    goes_live(story, until(LAST, BEFORE, AFTER))
    assert story.waits_for_job(story.writes(MARIA, until(LATER, AFTER, LONGER))).outcome == Outcome.PUBLISHED
    is_over(story, clock, LAST)
    assert waits_for_moment(story, 1).outcome == Outcome.NOTHING_CHANGED
    assert LONGER in page(story)
    told = story.waits_for_answer(SCOTT, count=2).text
    assert "still on your site" not in told
    assert f"at the end of {LATER:%A}" in told
    is_over(story, clock, LATER)
    assert waits_for_moment(story, 2).outcome == Outcome.UNDONE
    assert BEFORE in page(story)
    assert "your site is as before" in story.waits_for_answer(MARIA, count=2).text
    assert len(story.rig.live_log("amelia")) == 4


@pytest.mark.thorough
def test_ends_that_were_missed_together_bring_back_what_was_there_before_the_first(story: Story) -> None:
    clock = begin(story)
    goes_live(story, until(LAST, BEFORE, AFTER))
    goes_live(story, until(LATER, AFTER, LONGER), 2)
    is_over(story, clock, LATER)
    waits_for_moment(story, 2)
    assert BEFORE in page(story)


@pytest.mark.thorough
def test_an_undo_of_the_upper_one_does_not_bring_back_what_is_over(story: Story) -> None:
    clock = begin(story)
    goes_live(story, until(LAST, BEFORE, AFTER))
    upper = goes_live(story, until(LATER, AFTER, LONGER), 2)
    is_over(story, clock, LAST)
    waits_for_moment(story, 1)
    story.waits_for_answer(SCOTT, count=3)
    assert story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=upper)).outcome == Outcome.UNDONE
    assert BEFORE in page(story)
    # What was taken back by hand has no end left to come.
    is_over(story, clock, LATER)
    story.waits_for_job(story.writes(MARIA, "We open at ten now"))
    assert len([job for job in story.rig.jobs() if job.kind == Kind.SCHEDULED]) == 1


@pytest.mark.thorough
def test_an_undo_of_an_undo_brings_the_end_back(story: Story) -> None:
    clock = begin(story)
    live = goes_live(story, until(LAST, BEFORE, AFTER))
    story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=live))
    undone = story.waits_for_answer(SCOTT, count=2)
    assert BEFORE in page(story)
    story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=undone))
    assert AFTER in page(story)
    assert f"It ends by itself at the end of {LAST:%A}" in story.waits_for_answer(SCOTT, count=3).text
    is_over(story, clock, LAST)
    assert waits_for_moment(story, 1).outcome == Outcome.UNDONE
    assert BEFORE in page(story)


@pytest.mark.thorough
def test_a_newer_plan_of_a_conversation_replaces_the_older_and_says_so(story: Story) -> None:
    clock = begin(story)
    answer = planned(story)
    wish = f'From {named(FIRST)} to {named(LATER)}, replace "{BEFORE}" with "{LONGER}".'
    assert story.waits_for_job(story.writes(SCOTT, wish, in_reply_to=answer)).outcome == Outcome.SCHEDULED
    told = story.waits_for_answer(SCOTT, count=2).text
    assert "takes the place of" in told
    assert f"“Closed”, which was planned for {FIRST:%A}, {named(FIRST)}, 00:00" in told
    skip_to(story, clock, morning(FIRST))
    assert waits_for_moment(story, 1).outcome == Outcome.PUBLISHED
    assert LONGER in page(story)
    is_over(story, clock, LATER)
    assert waits_for_moment(story, 2).outcome == Outcome.UNDONE
    assert BEFORE in page(story)
    assert len([job for job in story.rig.jobs() if job.kind == Kind.SCHEDULED]) == 2


@pytest.mark.thorough
@pytest.mark.both_engines
def test_another_end_in_a_conversation_moves_the_end_of_what_is_live(story: Story) -> None:
    clock = begin(story)
    live = goes_live(story, until(LAST, BEFORE, AFTER))
    moved = story.waits_for_job(story.writes(SCOTT, f"Until {named(LATER)} instead, please.", in_reply_to=live))
    assert moved.outcome == Outcome.SCHEDULED
    answer = story.waits_for_answer(SCOTT, count=2)
    assert f"It ends by itself at the end of {LATER:%A}" in answer.text
    is_over(story, clock, LAST)
    story.waits_for_job(story.writes(MARIA, 'add a paragraph "We bake all night." to the about page'))
    assert AFTER in page(story)
    is_over(story, clock, LATER)
    assert waits_for_moment(story, 1).outcome == Outcome.UNDONE
    assert BEFORE in page(story)


@pytest.mark.thorough
def test_an_undo_of_the_mail_about_a_moved_end_takes_the_change_back(story: Story) -> None:
    begin(story)
    live = goes_live(story, until(LAST, BEFORE, AFTER))
    story.waits_for_job(story.writes(SCOTT, f"Please keep it until {named(LATER)}.", in_reply_to=live))
    answer = story.waits_for_answer(SCOTT, count=2)
    assert story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=answer)).outcome == Outcome.UNDONE
    assert BEFORE in page(story)


@pytest.mark.thorough
def test_other_days_for_what_waits_are_a_plan_of_the_same_change(story: Story) -> None:
    clock = begin(story)
    answer = planned(story)
    mail = story.writes(SCOTT, f"Sorry, from {named(LAST)} to {named(LATER)}, please.", in_reply_to=answer)
    assert story.waits_for_job(mail).outcome == Outcome.SCHEDULED
    told = story.waits_for_answer(SCOTT, count=2).text
    assert f"{LAST:%A}, {named(LAST)}, 00:00" in told
    assert f"It ends by itself at the end of {LATER:%A}" in told
    skip_to(story, clock, morning(LAST))
    assert waits_for_moment(story, 1).outcome == Outcome.PUBLISHED
    assert AFTER in page(story)
    is_over(story, clock, LATER)
    assert waits_for_moment(story, 2).outcome == Outcome.UNDONE
    assert BEFORE in page(story)


@pytest.mark.thorough
def test_an_end_alone_does_not_bring_live_at_once_what_waits(story: Story) -> None:
    clock = begin(story)
    answer = planned(story)
    mail = story.writes(SCOTT, until(LATER, BEFORE, LONGER), in_reply_to=answer)
    assert story.waits_for_job(mail).outcome == Outcome.SCHEDULED
    assert "takes the place of" in story.waits_for_answer(SCOTT, count=2).text
    skip_to(story, clock, morning(FIRST))
    assert waits_for_moment(story, 1).outcome == Outcome.PUBLISHED
    assert LONGER in page(story)


@pytest.mark.thorough
def test_who_may_not_say_ok_may_not_move_what_others_have_agreed_to(story: Story) -> None:
    rules = f'{CAREFUL.rules}\napprovers = ["{SCOTT.user}"]'
    clock = begin(story, SiteSetup(CAREFUL.id, CAREFUL.editors, rules=rules))
    story.writes(MARIA, until(LAST, BEFORE, AFTER))
    story.writes(SCOTT, "ok", in_reply_to=story.waits_for_answer(SCOTT))
    live = story.waits_for_answer(MARIA, count=2)
    job = story.waits_for_job(story.writes(MARIA, f"Until {named(LATER)} instead, please.", in_reply_to=live))
    assert job.outcome == Outcome.ANSWERED
    assert "Only somebody who may say ok" in story.waits_for_answer(MARIA, count=3).text
    is_over(story, clock, LAST)
    assert waits_for_moment(story, 1).outcome == Outcome.UNDONE


@pytest.mark.thorough
def test_an_end_that_something_newer_stands_in_the_way_of_tells_what_is_really_there(story: Story) -> None:
    clock = begin(story)
    goes_live(story, until(LAST, BEFORE, AFTER))
    story.waits_for_job(story.writes(MARIA, f'replace "{AFTER}" with "11:00 – 16:00"'))
    is_over(story, clock, LAST)
    job = waits_for_moment(story, 1)
    assert (job.state, job.outcome) == (State.FAILED, None)
    told = story.waits_for_answer(SCOTT, count=2).text
    assert "still on your site" not in told
    assert "11:00 – 16:00" in told
    assert BEFORE in told


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'Every Monday, replace "{BEFORE}" with "{AFTER}".', "again and again"),
        pytest.param("We are closed over Christmas.", "which days", marks=pytest.mark.thorough),
        (f"We are closed until {named(LAST)}. Please change the phone number to 030 999888.", "the rest of your mail"),
    ],
)
def test_what_cannot_be_planned_is_asked_and_never_done_for_good(story: Story, text: str, words: str) -> None:
    begin(story)
    job = story.waits_for_job(story.writes(SCOTT, text))
    assert job.outcome == Outcome.ASKED, job
    assert words in story.waits_for_answer(SCOTT).text
    assert len(story.rig.live_log("amelia")) == 1


@pytest.mark.thorough
def test_closed_tomorrow_is_closed_for_that_day(story: Story) -> None:
    clock = begin(story)
    assert story.waits_for_job(story.writes(SCOTT, "We are closed tomorrow.")).outcome == Outcome.SCHEDULED
    skip_to(story, clock, morning(TODAY) + NEXT_DAY)
    assert waits_for_moment(story, 1).outcome == Outcome.PUBLISHED
    assert "We are closed tomorrow." not in story.rig.page("amelia", "index.html"), "that would be wrong by then"
    is_over(story, clock, TODAY + NEXT_DAY)
    assert waits_for_moment(story, 2).outcome == Outcome.UNDONE
    assert "We are closed" not in story.rig.page("amelia", "index.html")


def agent_that_says(starts: date | None, ends: date | None) -> dict[str, str]:
    days = {"from": starts.isoformat() if starts else "", "until": ends.isoformat() if ends else ""}
    schedule = f"<schedule>{json.dumps(days)}</schedule>"
    counts = 'cat > "$TMPDIR/told"; grep -c "waits for its time" "$TMPDIR/told"'
    script = f"{counts}; sed -i 's/8:00 – 18:00/{AFTER}/' contact.html; echo '{schedule}'"
    return {"agent": f'kind = "command"\nrepairs = false\ncommand = ["sh", "-c", {json.dumps(script)}]'}


def begin_with(story: Story, starts: date | None, ends: date | None) -> None:
    story.rig.may_move_ahead()  # type: ignore[attr-defined]  # both rigs have it
    story.begin(BERLIN, settings=agent_that_says(starts, ends))


@pytest.mark.parametrize(
    ("text", "starts", "ends"),
    [
        pytest.param(CLOSE, FIRST, LATER, marks=pytest.mark.thorough),
        pytest.param(CLOSE, None, None, marks=pytest.mark.thorough),
        (until(FIRST, BEFORE, AFTER), FIRST, LAST),
    ],
)
def test_an_agent_that_understood_other_days_is_not_overruled(
    story: Story, text: str, starts: date | None, ends: date | None
) -> None:
    need_sandbox()
    begin_with(story, starts, ends)
    job = story.waits_for_job(story.writes(SCOTT, text))
    assert job.outcome == Outcome.ASKED, job
    assert "in two ways" in story.waits_for_answer(SCOTT).text
    assert AFTER not in page(story)


def test_an_agent_may_add_what_we_have_not_read(story: Story) -> None:
    need_sandbox()
    begin_with(story, FIRST, LAST)
    job = story.waits_for_job(story.writes(SCOTT, f'From {named(FIRST)}, replace "{BEFORE}" with "{AFTER}".'))
    assert job.outcome == Outcome.SCHEDULED, job
    assert f"It ends by itself at the end of {LAST:%A}" in story.waits_for_answer(SCOTT).text


@pytest.mark.thorough
def test_an_agent_is_told_what_waits_and_a_plan_that_it_makes_anew_takes_its_place(story: Story) -> None:
    need_sandbox()
    begin_with(story, FIRST, LAST)
    wish = f'Let it say "{AFTER}" instead of "{BEFORE}" when the fair is here'
    first = story.waits_for_job(story.writes(SCOTT, f"{wish}."))
    assert (first.outcome, first.journal.summary) == (Outcome.SCHEDULED, "0")
    answer = story.waits_for_answer(SCOTT)
    second = story.waits_for_job(story.writes(SCOTT, f"{wish}, in our own words.", in_reply_to=answer))
    assert (second.outcome, second.journal.summary) == (Outcome.SCHEDULED, "1")
    assert "takes the place of" in story.waits_for_answer(SCOTT, count=2).text
