"""What the trail says in numbers: each entry about a job is counted where it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.jobs.journal import Journal
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.audit.entry import Entry
    from webordinary.clock import Moment
    from webordinary.jobs.job import Ending
    from webordinary.metrics.meter import Meter

ENDS = {EventType.JOB_DONE, EventType.JOB_FAILED, EventType.JOB_STOPPED, EventType.JOB_DEAD}
WAITED = "waited_s"
TOOK = "took_s"
VERDICT = "verdict"
SPENT = Journal.usd.name


def start_facts(attempt: int, received_at: float | None, now: Moment) -> dict[str, str]:
    """Return what the entry about a start says; how long a job has waited is told of its first one."""
    facts = {"attempt": str(attempt)}
    return facts if received_at is None else {**facts, WAITED: _seconds_since(received_at, now)}


def end_facts(journal: Mapping[str, str], started_at: float | None, ending: Ending, now: Moment) -> dict[str, str]:
    """Return what the entry about an end says: its outcome, how long the job took, and what it has cost."""
    facts = {"outcome": ending.outcome.value if ending.outcome else ending.state.value}
    if started_at is not None:
        facts[TOOK] = _seconds_since(started_at, now)
    # Of all its runs together; where nobody has summed them up, of the last one.
    spent = journal.get(Journal.spent.name) or journal.get(SPENT)
    return {**facts, SPENT: spent} if spent else facts


def _seconds_since(at: float, now: Moment) -> str:
    # A clock that was set back must not make a time negative.
    return f"{max(0.0, now.seconds - at):.3f}"


def measure(entry: Entry, meter: Meter) -> None:
    """Record the figures that an entry carries."""
    if entry.what == EventType.JOB_STARTED:
        _record(entry, WAITED, Metric.WAITING_TIME, meter)
    elif entry.what in ENDS:
        meter.record(Metric.JOBS, outcome=entry.facts.get("outcome", entry.what.value))
        _record(entry, TOOK, Metric.PROCESSING_TIME, meter)
        _record(entry, SPENT, Metric.COST, meter)
        if entry.what == EventType.JOB_DEAD:
            meter.record(Metric.DEAD_LETTERS)
    elif entry.what == EventType.JOB_PARKED:
        meter.record(Metric.INTERRUPTIONS)


def _record(entry: Entry, fact: str, metric: Metric, meter: Meter) -> None:
    if fact in entry.facts:
        meter.record(metric, float(entry.facts[fact]))
