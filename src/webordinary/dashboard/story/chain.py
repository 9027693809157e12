"""The chain of a job: what was asked for in its thread before and after it, and how that belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.jobs.about import Errand, read_about

if TYPE_CHECKING:
    from webordinary.jobs.job import Job
    from webordinary.overview import Overview

# So many of a lane are looked through; a thread is rarely longer than a handful.
_LOOKED_THROUGH = 200
TAKES_BACK = "takes this one back"
_DOES = {Errand.APPROVE: "approves this one", Errand.REVERT: TAKES_BACK}
_WAS_DONE = {Errand.APPROVE: "approved by this one", Errand.REVERT: "taken back by this one"}


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A job of the same conversation, and what it has to do with the one that is shown."""

    job: Job
    relation: str
    is_this: bool = False


def chain_of(overview: Overview, job: Job) -> list[ChainLink]:
    """Return the jobs of the thread, the oldest first, and those that are related by what they are about."""
    near = overview.jobs(lane=job.lane.key, limit=_LOOKED_THROUGH)
    known = {each.id: each for each in near if each.thread == job.thread or _is_related(each, job)}
    known[job.id] = job
    for name in (job.repeats, _named(job)):
        if name and name not in known and (found := overview.job(name)) is not None:
            known[found.id] = found
    links = [ChainLink(each, _relation(each, job), each.id == job.id) for each in known.values()]
    return sorted(links, key=lambda link: (link.job.received_at, link.job.sequence))


def _is_related(other: Job, job: Job) -> bool:
    return other.repeats == job.id or _is_about(other, job)


def _is_about(other: Job, job: Job) -> bool:
    about = read_about(other.about)
    return about is not None and about.name in {job.id, job.commit}


def _named(job: Job) -> str | None:
    about = read_about(job.about)
    return about.name if about is not None and about.errand is Errand.APPROVE else None


def _relation(other: Job, job: Job) -> str:
    if other.id == job.id:
        return "this one"
    if other.repeats == job.id:
        return "does this one again"
    if job.repeats == other.id:
        return "is done again by this one"
    for one, two, words in ((other, job, _DOES), (job, other, _WAS_DONE)):
        about = read_about(one.about)
        if about is not None and _is_about(one, two) and about.errand in words:
            return words[about.errand]
    return "before it" if other.received_at < job.received_at else "after it"
