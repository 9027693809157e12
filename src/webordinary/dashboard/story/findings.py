"""What the checks found in a change, what was left out of it, and what its rounds of repair came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome
from webordinary.jobs.journal import Step
from webordinary.reply.tell import tell_facts
from webordinary.reply.words import phrases

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.audit.entry import Entry
    from webordinary.jobs.job import Job

_HEADINGS = {
    "reasons": "Why somebody is asked first",
    "missing": "Asked for, and not found on the site",
    "parts": "Parts of the request",
    "copies": "What still stands elsewhere",
    "elsewhere": "What stands where a mail may not change it",
    "undescribed": "Pictures without a description",
}
_ROUNDS = frozenset({Step.REPAIR_STARTED.value, Step.REPAIR_ENDED.value})


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Some findings under one heading."""

    heading: str
    lines: tuple[str, ...]


def receipt_of(job: Job) -> list[str]:
    """Return what changed for visitors, in the words that the owner was told, in English."""
    changes = job.journal.changes
    is_done = job.outcome in {Outcome.PUBLISHED, Outcome.UNDONE}
    told = tell_facts({"changes": changes}, phrases("en"), is_done=is_done)["changes"] if changes else ""
    return [line for line in told.splitlines() if line.strip()]


def findings_of(job: Job, entries: Sequence[Entry]) -> list[FindingGroup]:
    """Return everything that was found, group by group."""
    return [*_checked(job), *_left_out(job), *_repairs(entries)]


def _checked(job: Job) -> Iterator[FindingGroup]:
    facts = {name: text for name in _HEADINGS if (text := job.journal.stored.get(name))}
    told = tell_facts(facts, phrases("en"), is_done=False)
    for name, heading in _HEADINGS.items():
        lines = tuple(line for line in told.get(name, "").splitlines() if line.strip())
        if lines:
            yield FindingGroup(heading, lines)


def _left_out(job: Job) -> Iterator[FindingGroup]:
    if job.journal.left_out:
        yield FindingGroup("Left out, because the request does not need it", tuple(job.journal.left_out.splitlines()))


def _repairs(entries: Sequence[Entry]) -> Iterator[FindingGroup]:
    rounds = [entry for entry in entries if entry.what is EventType.STEP and entry.text in _ROUNDS]
    for entry in sorted(rounds, key=lambda each: each.number):
        facts = entry.facts
        if entry.text == Step.REPAIR_STARTED.value:
            lines = tuple(facts.get("found", "").splitlines())
            yield FindingGroup(f"Round {facts.get('repairs', '')} of repair: the agent was told", lines)
        else:
            said = facts.get("summary", "")
            end = f"Round {facts.get('repaired', '')} of repair ended: {facts.get('repair_end', '')}"
            yield FindingGroup(end, (said,) if said else ())
