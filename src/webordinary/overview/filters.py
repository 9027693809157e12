"""What somebody asks of the long lists: which jobs, which mails; each question reads a bounded part and says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from webordinary.jobs.job import Job, Outcome, State
    from webordinary.mail.outcomes import MailOutcome
    from webordinary.overview import MailView

Item = TypeVar("Item")
# So many are looked at for one page, whatever the filter finds among them: a page must not take longer.
LOOKED_AT = 5000
# A count goes no further; a page says "more than 100".
COUNTED = 100


@dataclass(frozen=True, slots=True)
class FoundPage(Generic[Item]):
    """A page of a list; `after` is where the next page begins, and None at the end of the list.

    A page may be empty and have a next one: nothing was found in the part that was looked at.
    """

    items: Sequence[Item]
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """How many there are; `is_more` says that nobody counted further."""

    number: int
    is_more: bool = False

    def __str__(self) -> str:
        return f"more than {self.number}" if self.is_more else str(self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsAsked:
    """Which jobs; what is None leaves all of them. A sender is a part of an address."""

    projects: tuple[str, ...] | None = None
    lane: str | None = None
    state: State | None = None
    outcome: Outcome | None = None
    sender: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def matches(self, job: Job) -> bool:
        return (
            (self.projects is None or job.lane.project in self.projects)
            and (self.lane is None or job.lane.key == self.lane)
            and (self.state is None or job.state is self.state)
            and (self.outcome is None or job.outcome is self.outcome)
            and _is_part(self.sender, job.request.reply_to or job.request.by)
            and _is_within(job.received_at, self.since, self.until)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MailsAsked:
    """Which mails; what is None leaves all of them. A sender is a part of an address."""

    projects: tuple[str, ...] | None = None
    outcomes: tuple[MailOutcome, ...] | None = None
    sender: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def matches(self, mail: MailView) -> bool:
        return (
            (self.projects is None or mail.project in self.projects)
            and (self.outcomes is None or mail.outcome in self.outcomes)
            and _is_part(self.sender, mail.sender or "")
            and _is_within(mail.received_at, self.since, self.until)
        )


@dataclass(frozen=True, slots=True)
class LeftAsked:
    """Which of the jobs that wait for somebody since they ended; what is None leaves all of them."""

    projects: tuple[str, ...] | None = None
    since: datetime | None = None

    def matches(self, job: Job) -> bool:
        return (self.projects is None or job.lane.project in self.projects) and (
            self.since is None or (job.finished_at or job.received_at) >= self.since
        )


@dataclass(frozen=True, slots=True)
class Counts:
    """How many jobs there are in each state; where the store does not keep them, as far as it was looked."""

    jobs: Mapping[State, Count]

    def of(self, *states: State) -> Count:
        found = [self.jobs.get(state, Count(0)) for state in states]
        return Count(sum(each.number for each in found), any(each.is_more for each in found))


def _is_part(wanted: str | None, address: str) -> bool:
    return wanted is None or wanted.lower() in address.lower()


def _is_within(at: datetime, since: datetime | None, until: datetime | None) -> bool:
    return (since is None or at >= since) and (until is None or at < until)
