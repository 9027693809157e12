"""What the trail says in numbers: each entry about a job is counted where it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.audit.entry import What
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.audit.entry import Entry
    from webordinary.clock import Moment
    from webordinary.jobs.job import Ending, Job
    from webordinary.metrics.meter import Meter

_ENDS = {What.JOB_DONE, What.JOB_FAILED, What.JOB_STOPPED, What.JOB_DEAD}
WAITED = "waited_s"
TOOK = "took_s"
SPENT = "usd"


def start_facts(job: Job, now: Moment) -> dict[str, str]:
    """Return what the entry about a start says; how long a job has waited counts once."""
    facts = {"attempt": str(job.attempt)}
    is_first = job.attempt <= 1 and not job.interruptions
    return {**facts, WAITED: _seconds_since(job.received_at, now)} if is_first else facts


def end_facts(job: Job, ending: Ending, now: Moment) -> dict[str, str]:
    """Return what the entry about an end says: its outcome, how long the job took, and what it has cost."""
    facts = {"outcome": ending.outcome.value if ending.outcome else ending.state.value}
    if job.started_at is not None:
        facts[TOOK] = _seconds_since(job.started_at, now)
    return {**facts, SPENT: job.journal[SPENT]} if SPENT in job.journal else facts


def _seconds_since(at: datetime, now: Moment) -> str:
    # A clock that was set back must not make a time negative.
    return f"{max(0.0, (now.wall_at - at).total_seconds()):.3f}"


def measure(entry: Entry, meter: Meter) -> None:
    """Record the figures that an entry carries."""
    if entry.what == What.JOB_STARTED:
        _record(entry, WAITED, Metric.WAITING_TIME, meter)
    elif entry.what in _ENDS:
        meter.record(Metric.JOBS, outcome=entry.facts.get("outcome", entry.what.value))
        _record(entry, TOOK, Metric.PROCESSING_TIME, meter)
        _record(entry, SPENT, Metric.COST, meter)
        if entry.what == What.JOB_DEAD:
            meter.record(Metric.DEAD_LETTERS)
    elif entry.what == What.JOB_PARKED:
        meter.record(Metric.INTERRUPTIONS)


def _record(entry: Entry, fact: str, metric: Metric, meter: Meter) -> None:
    if fact in entry.facts:
        meter.record(metric, float(entry.facts[fact]))
