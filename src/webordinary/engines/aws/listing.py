"""Pages of the long lists in DynamoDB: the newest are read one after the other, each once and not too many."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from webordinary.jobs.job import State
from webordinary.jobs.questions import open_question
from webordinary.overview.filters import Count, Counts, FoundPage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from webordinary.jobs.job import Job
    from webordinary.overview import MailView

# Each is paid for.
LOOKED_AT = 1000
Item = TypeVar("Item", "Job", "MailView")


@dataclass(frozen=True, slots=True)
class Walk(Generic[Item]):
    """A walk from the newest to older ones; behind `LOOKED_AT` it says where it stopped."""

    items: Iterator[Item]
    since: datetime | None = None

    def found(self, is_wanted: Callable[[Item], bool], limit: int) -> FoundPage[Item]:
        found: list[Item] = []
        for number, item in enumerate(self.items, start=1):
            if self.since is not None and item.received_at < self.since:
                break
            if is_wanted(item):
                found.append(item)
            if len(found) == limit or number == LOOKED_AT:
                return FoundPage(found, item.id)
        return FoundPage(found)


def unanswered(newest: Sequence[Job]) -> list[Job]:
    """Return the questions that nobody has answered since, the newest first."""
    threads: dict[tuple[str, str], list[Job]] = {}
    for job in newest:
        threads.setdefault((job.lane.key, job.thread), []).append(job)
    waiting = (open_question(jobs, thread) for (_, thread), jobs in threads.items())
    return sorted((job for job in waiting if job is not None), key=lambda job: job.received_at, reverse=True)


def buried(newest: Sequence[Job]) -> list[Job]:
    """Return the dead jobs that nobody has tried again, the newest first."""
    tried = {job.repeats for job in newest}
    return [job for job in newest if job.state is State.DEAD and job.id not in tried]


def count(jobs: Sequence[Job], *, is_more: bool) -> Counts:
    """Count the states of the newest jobs; behind them nobody has looked."""
    found = Counter(job.state for job in jobs)
    return Counts({state: Count(found[state], is_more) for state in State})
