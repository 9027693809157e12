"""Where the time of a job went."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from webordinary.audit.entry import Entry, EventType
from webordinary.cli.took import say_taken, seconds_taken

BEGAN = datetime(2026, 11, 16, 8, tzinfo=UTC)


def entry(what: EventType, seconds: float, text: str = "") -> Entry:
    return Entry(what, BEGAN + timedelta(seconds=seconds), text=text)


TRAIL = [
    entry(EventType.JOB_ACCEPTED, 0),
    entry(EventType.JOB_QUEUED, 0.5),
    entry(EventType.JOB_STARTED, 2),
    entry(EventType.STEP, 2.25, "checked out"),
    entry(EventType.AGENT_SAID, 9, "I begin"),
    entry(EventType.STEP, 12.25, "edited"),
    entry(EventType.JOB_RETRIED, 13, "a busy remote"),
    entry(EventType.JOB_RESUMED, 23),
    entry(EventType.STEP, 23.5, "checked out"),
    entry(EventType.STEP, 30, "built"),
    entry(EventType.JOB_DONE, 31),
]


def test_each_step_has_the_time_since_the_last_one_and_a_repeated_step_has_all_of_its_times() -> None:
    assert seconds_taken(TRAIL) == {"waited": 12.25, "checked out": 0.75, "edited": 10.0, "built": 6.5, "ended": 1.0}


def test_a_person_reads_it_in_one_line() -> None:
    assert say_taken(TRAIL[:4]) == "waited 1.5 s, checked out 0.25 s"
    assert say_taken([]) == ""
