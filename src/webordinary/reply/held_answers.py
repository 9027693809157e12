"""Answers that wait for the agency's eye: which letters they are, what may be edited, and the port that keeps them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from webordinary.audit.entry import Entry
from webordinary.reply.outbox import ANSWER, APPROVED, CONFLICT
from webordinary.routing.project import AnswerRule, fold_address

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from webordinary.audit.entry import EventType
    from webordinary.clock import Moment
    from webordinary.jobs.job import Job
    from webordinary.reply.outbox import Letter
    from webordinary.routing.project import Project

# The words of the agency, which stand below the title instead of those of the agent.
NOTE = "note"
# What the agent has said, in the letters that tell it.
_SUMMARY, _QUESTION = "summary", "question"
# After this the agency is reminded of what waits.
LONG = timedelta(days=2)
# Nobody looks at more of them at once.
MOST_HELD = 1_000
# The letters that tell an owner what became of a request.
ANSWERS = frozenset({ANSWER, APPROVED, CONFLICT})
# They begin an approval, in which a person looks at the change anyway.
ASKS_FOR_OK = frozenset({"proposed", "proposed_to_agency", "proposed_to_others"})


@dataclass(frozen=True, slots=True)
class HeldAnswer:
    """A letter that nobody has sent, and the conversation that it belongs to."""

    letter: Letter
    held_at: datetime
    lane: str
    thread: str

    @property
    def job(self) -> str:
        return self.letter.job or ""

    @property
    def project(self) -> str:
        return self.lane.partition("#")[0]

    @property
    def mark(self) -> str:
        """Name exactly this text: who releases it has seen it so."""
        return hashlib.sha256(json.dumps(dict(self.letter.facts), sort_keys=True).encode()).hexdigest()[:16]


class HeldAnswers(Protocol):
    """A held answer is let go or taken back exactly once, as it was seen; until then nobody sends it."""

    def hold(self, letter: Letter, now: Moment) -> bool:
        """Let a letter wait that is reserved for us; False when another sender has it by now."""

    def all(self, *, limit: int = 100) -> Sequence[HeldAnswer]:
        """Return what waits, the oldest first."""

    def find(self, job: str) -> HeldAnswer | None:
        """Return the answer of this job that waits, the oldest if there are several."""

    def edit(self, held: HeldAnswer, facts: Mapping[str, str], by: str, now: Moment) -> bool:
        """Give it other facts; False when it is no longer held, or is no longer as it was seen."""

    def let_go(self, held: HeldAnswer, by: str, now: Moment) -> bool:
        """Let it be sent like any other letter; False as above."""

    def take_back(self, held: HeldAnswer, by: str, why: str, now: Moment) -> bool:
        """Never send it; False as above."""


def is_answer(letter: Letter, agency: str | None) -> bool:
    """Say whether a letter is one of those that can wait: an answer to an owner about a change.

    That is every letter that tells what became of a request. It is not: what asks for an ok or says that one is no
    longer needed, what answers a mail that became no job, what says that a request waits its turn, and what the
    agency itself is told.
    """
    if letter.kind not in ANSWERS or letter.words in ASKS_FOR_OK:
        return False
    # Once it was written, a server may have taken it.
    is_on_its_way = letter.is_let_go or letter.sealed is not None
    return not is_on_its_way and (agency is None or fold_address(agency) != fold_address(letter.to))


def must_wait(job: Job, project: Project | None) -> bool:
    """Say whether the answer of a job waits; what the agency itself has asked for does not."""
    return project is not None and project.rules.answers is AnswerRule.HOLD and not job.request.by


def free_words(letter: Letter) -> str:
    """Return what may be edited of an answer: the words that nobody has checked."""
    facts = letter.facts
    return facts[NOTE] if NOTE in facts else facts.get(_QUESTION if letter.words == _QUESTION else _SUMMARY, "")


def with_words(letter: Letter, words: str) -> dict[str, str]:
    """Return the facts of an answer with other free words; what our checks state stays as it is."""
    facts = dict(letter.facts)
    if letter.words == _QUESTION:
        return facts | {_QUESTION: words}
    # The template says that the agent wrote its summary, which would no longer be true.
    facts.pop(_SUMMARY, None)
    return facts | {NOTE: words}


def about_held(what: EventType, held: HeldAnswer, now: Moment, text: str = "", by: str = "") -> Entry:
    """Return what the trail says about a held answer."""
    letter = held.letter
    facts = {"kind": letter.kind, "by": by}
    where = held.lane or None, held.thread or None
    return Entry(what, now.wall_at, *where, letter.job, letter.mail, text=text, facts=facts)
