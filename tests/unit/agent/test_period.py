"""What an agent says about when a change holds, and what it is told about it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from webordinary.agent.agent import Period, Task
from webordinary.agent.prompt import write_prompt
from webordinary.agent.said import read_period, without_question
from webordinary.agent.scripted_agent import _message
from webordinary.mail.when import Misread, Span, Trouble
from webordinary.worker.change.timed import read_period_of

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 15, 15, 0, tzinfo=UTC)
CHRISTMAS = datetime(2026, 12, 23, 23, tzinfo=UTC)
SAID = 'The notice is ready.\n<schedule>{"from": "2026-12-24", "until": "2027-01-02"}</schedule>'


def test_an_agent_may_say_from_when_until_when() -> None:
    assert read_period(SAID) == Period("2026-12-24", "2027-01-02")
    assert without_question(SAID) == "The notice is ready."
    assert read_period("The notice is ready.") is None


@pytest.mark.parametrize("said", ["<schedule>soon</schedule>", "<schedule></schedule>", "<schedule>[1]</schedule>"])
def test_what_cannot_be_read_is_asked_about_and_not_lost(said: str) -> None:
    period = read_period(said)
    assert period is not None
    found = read_period_of(period, NOW, BERLIN)
    assert isinstance(found, Misread)
    assert found.trouble == Trouble.IMPOSSIBLE


@pytest.mark.parametrize(
    ("period", "starts_at", "ends_at"),
    [
        (
            Period("2026-12-24", "2027-01-02"),
            datetime(2026, 12, 23, 23, tzinfo=UTC),
            datetime(2027, 1, 2, 23, tzinfo=UTC),
        ),
        (Period("", "2026-12-24T18:00"), None, datetime(2026, 12, 24, 17, tzinfo=UTC)),
        (Period("2027-03-29T06:00", ""), datetime(2027, 3, 29, 4, tzinfo=UTC), None),
        (Period("2026-12-24T06:00+00:00", ""), datetime(2026, 12, 24, 6, tzinfo=UTC), None),
        (Period("2026-11-15", "2026-11-20"), None, datetime(2026, 11, 20, 23, tzinfo=UTC)),
    ],
)
def test_its_days_are_those_of_the_owner(period: Period, starts_at: datetime | None, ends_at: datetime | None) -> None:
    found = read_period_of(period, NOW, BERLIN)
    assert isinstance(found, Span)
    assert (found.starts_at, found.ends_at) == (starts_at, ends_at)


@pytest.mark.parametrize(
    ("period", "trouble"),
    [
        (Period("2026-02-30", ""), Trouble.IMPOSSIBLE),
        (Period("9999-12-31", "9999-12-31"), Trouble.IMPOSSIBLE),
        (Period("2026-12-24", "2026-12-20"), Trouble.BACKWARDS),
        (Period("2025-12-24", "2025-12-26"), Trouble.PAST),
    ],
)
def test_its_days_are_judged_like_those_of_people(period: Period, trouble: Trouble) -> None:
    found = read_period_of(period, NOW, BERLIN)
    assert isinstance(found, Misread)
    assert found.trouble == trouble


def test_an_agent_is_told_what_is_known_and_the_built_in_one_needs_no_dates() -> None:
    task = Task(
        Path("/checkout"),
        Path("/home"),
        "From 24 Dec to 2 Jan we open at ten.",
        today="The owner wrote on Sunday.",
        holds="This is known.",
        said_when="From 24 Dec to 2 Jan",
    )
    assert "# When\n\nThe owner wrote on Sunday.\nThis is known." in write_prompt(task)
    assert _message(task)["request"].strip() == "we open at ten."
