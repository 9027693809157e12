"""The way of a mail as spans: what took how long within what, made of the trail when all of it is over.

Spans carry names and numbers of ours, never anybody's words or addresses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.jobs.figures import ENDS, SPENT
from webordinary.jobs.job import State
from webordinary.jobs.journal import Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from webordinary.audit.entry import Entry
    from webordinary.jobs.job import Job

ROOT = "mail"
_STARTS = {EventType.JOB_STARTED, EventType.JOB_RESUMED}
_LEAVES = ENDS | {EventType.JOB_PARKED, EventType.JOB_RETRIED, EventType.JOB_GIVEN_BACK}
_LETTERS = {EventType.ANSWERED, EventType.ANSWER_GIVEN_UP}
_NAMES = {
    Step.AGENT_ENDED: "agent",
    Step.EDITED: "agent",
    Step.BUILT: "build",
    Step.BUILD_BROKE: "build",
    Step.REPAIR_ENDED: "repair",
    Step.PUSHED: "push",
    Step.PUBLISHED: "publish",
}
# One of another version is a step without a name: it may hold anything.
_STEPS = frozenset(Step)
_BROKEN = {State.FAILED, State.DEAD}


@dataclass(slots=True)
class WaySpan:
    """One piece of the way; `within` is the place of the piece around it, None for the whole."""

    name: str
    begins_at: datetime
    ends_at: datetime
    within: int | None = 0
    facts: dict[str, str] = field(default_factory=dict)
    is_broken: bool = False


def is_told(entries: Iterable[Entry]) -> bool:
    """Tell whether the answer of a job that is over went out, or never will."""
    return any(entry.what in _LETTERS and entry.facts.get("kind") == "answer" for entry in entries)


def spans_of(job: Job, entries: Sequence[Entry]) -> list[WaySpan]:
    """Return the whole way and its pieces, in the order in which they began."""
    way = _Way(job, entries)
    for entry in entries:
        way.go_on(entry)
    return way.spans


class _Way:
    """Walks along the trail of a job; a moment belongs to one piece of it."""

    def __init__(self, job: Job, entries: Sequence[Entry]) -> None:
        last = max([job.received_at, *(entry.at for entry in entries)])
        facts = {"project": job.lane.project, "job": job.id, "kind": job.kind.value, "attempts": str(job.attempt)}
        facts |= {"mail": job.mail} if job.mail else {}
        facts["outcome"] = (job.outcome or job.state).value
        self.spans = [WaySpan(ROOT, job.received_at, last, None, facts, job.state in _BROKEN)]
        self._mark = job.received_at
        self._attempt: int | None = None

    def go_on(self, entry: Entry) -> None:
        what = entry.what
        if what is EventType.JOB_ACCEPTED:
            self._piece("decide", entry)
        elif what is EventType.JOB_QUEUED:
            self._piece("prepare", entry)
        elif what in _STARTS:
            self._piece("wait", entry)
            self._begin(entry)
        elif what in _LEAVES:
            self._leave(entry)
        elif what in _LETTERS and entry.facts.get("kind") == "answer":
            self._piece("answer", entry, is_broken=what is EventType.ANSWER_GIVEN_UP)
        elif self._attempt is not None:
            self._step(entry)

    def _piece(self, name: str, entry: Entry, *, is_broken: bool = False) -> None:
        # Entries stand nearly in the order of their times: no piece may end before it begins.
        ends_at = max(self._mark, entry.at)
        within = self._attempt if self._attempt is not None else 0
        self.spans.append(WaySpan(name, self._mark, ends_at, within, is_broken=is_broken))
        self._mark = ends_at

    def _begin(self, entry: Entry) -> None:
        facts = {"worker": entry.worker or "", "attempt": entry.facts.get("attempt", "")}
        self.spans.append(WaySpan("attempt", self._mark, self._mark, 0, facts))
        self._attempt = len(self.spans) - 1

    def _step(self, entry: Entry) -> None:
        match entry.what:
            case EventType.STEP:
                step = Step(entry.text) if entry.text in _STEPS else None
                name = _NAMES.get(step, step.value) if step else "step"
                self._piece(name, entry, is_broken=step is Step.BUILD_BROKE)
            case EventType.COMMIT_POINT:
                self._piece("lay release", entry)
            case _:
                pass

    def _leave(self, entry: Entry) -> None:
        if self._attempt is None:
            self._mark = max(self._mark, entry.at)
            return
        self._piece("end", entry)
        attempt = self.spans[self._attempt]
        attempt.ends_at = self._mark
        attempt.facts["left"] = entry.what.value
        if SPENT in entry.facts:
            self.spans[0].facts[SPENT] = entry.facts[SPENT]
        attempt.is_broken = entry.what in {EventType.JOB_FAILED, EventType.JOB_DEAD, EventType.JOB_RETRIED}
        self._attempt = None
