"""The journal of a job: which steps are finished, and what each left for the next attempt and for the answer.

This is the one place that knows how a fact is stored. Stored are texts under names, so that a journal of another
version can be read: what this one does not know stays in it untouched.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar, overload

import msgspec

from webordinary.jobs.repairs import BeforeRepair, RepairEnd
from webordinary.jobs.reported import Period, Question, TokenCount, Unfound, WhyStopped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webordinary.jobs.job import Outcome

T = TypeVar("T")


class Step(StrEnum):
    """A step of an attempt that is not repeated, or that a later attempt asks about."""

    CHECKED_OUT = "checked out"
    CAME_FROM_GIT = "came from git"
    RELEASED_FROM_GIT = "released from git"
    TIMED = "timed"
    MOVED = "moved"
    AGENT_STARTED = "agent started"
    AGENT_ENDED = "agent ended"
    EDITED = "edited"
    LOOKED_FOR = "looked for"
    REPAIR_STARTED = "repair started"
    REPAIR_ENDED = "repair ended"
    BUILT = "built"
    BUILD_BROKE = "build broke"
    REDUCED = "reduced"
    PREVIEWED = "previewed"
    PICTURED = "pictured"
    KEPT = "kept"
    REPLACED = "replaced"
    REVERTED = "reverted"
    RESTORED = "restored"
    END_REMEMBERED = "end remembered"
    COVERED = "covered"
    PUSHED = "pushed"
    PUBLISHED = "published"
    CONFLICTED = "conflicted"
    OVERLOADED = "overloaded"
    OUT_OF_MONEY = "out of money"


class Noted(NamedTuple):
    """One fact as it is stored."""

    name: str
    text: str


class RunOfAgent(NamedTuple):
    """The run of an agent that the spending is asked about until its end is known."""

    day: date
    run: str


class JournalFact(Generic[T]):
    """A fact of a journal: read as an attribute of it, and noted by calling it with a value."""

    def __init__(self, name: str, read: Callable[[str], T], write: Callable[[T], str]) -> None:
        self.name = name
        self._read = read
        self._write = write

    @overload
    def __get__(self, journal: None, owner: type) -> Self: ...

    @overload
    def __get__(self, journal: Journal, owner: type) -> T | None: ...

    def __get__(self, journal: Journal | None, owner: type) -> Self | T | None:
        if journal is None:
            return self
        text = journal.stored.get(self.name)
        return self._read(text) if text else None

    def __call__(self, value: T | None) -> Noted:
        """Return what is stored of a value; None takes an earlier one back."""
        return Noted(self.name, "" if value is None else self._write(value))


class Text(JournalFact[str]):
    """A fact that is a text; one that was never noted is empty."""

    def __init__(self, name: str) -> None:
        super().__init__(name, str, str)

    @overload
    def __get__(self, journal: None, owner: type) -> Self: ...

    @overload
    def __get__(self, journal: Journal, owner: type) -> str: ...

    def __get__(self, journal: Journal | None, owner: type) -> Self | str:
        return self if journal is None else journal.stored.get(self.name, "")


def _moment(name: str) -> JournalFact[datetime]:
    return JournalFact(name, datetime.fromisoformat, datetime.isoformat)


def _duration(name: str) -> JournalFact[timedelta]:
    return JournalFact(name, lambda text: timedelta(seconds=float(text)), lambda time: f"{time.total_seconds():.3f}")


def _words(name: str, between: str) -> JournalFact[tuple[str, ...]]:
    return JournalFact(name, lambda text: tuple(text.split(between)), between.join)


def _money(name: str) -> JournalFact[float]:
    return JournalFact(name, float, "{:.4f}".format)


def _json(name: str, kind: type[T]) -> JournalFact[T]:
    return JournalFact(
        name, lambda text: msgspec.json.decode(text, type=kind), lambda value: msgspec.json.encode(value).decode()
    )


def _outcome(text: str) -> Outcome:
    from webordinary.jobs.job import Outcome  # noqa: PLC0415 - a job has a journal

    return Outcome(text)


def _run_of_agent(text: str) -> RunOfAgent:
    day, _, run = text.partition(" ")
    return RunOfAgent(date.fromisoformat(day), run)


@dataclass(frozen=True, slots=True)
class Journal:
    """What is known of a job's steps; an unknown name of another version is kept and never read."""

    stored: Mapping[str, str] = field(default_factory=dict)

    # Where the attempt works: the thread's branch, and the commit at which the job began there.
    branch = Text("branch")
    began = Text("began")
    # What somebody pushed and goes live before the job's own change: the commit, what visitors saw before it, its
    # receipt and its commits; and which of them went live and was told.
    git_commit = Text("git_commit")
    git_before = Text("git_before")
    git_changes = Text("git_changes")
    git_commits = Text("git_commits")
    git_released = Text("git_released")
    # What the agent did and said; `used` are the files of the request that are on the site now.
    commit = Text("commit")
    summary = Text("summary")
    stopped = JournalFact("stopped", WhyStopped, str)
    question = _json("question", Question)
    period = _json("period", Period)
    unfound = _json("unfound", tuple[Unfound, ...])
    undescribed = Text("undescribed")
    wants = Text("wants")
    denied = Text("denied")
    used = _words("used", "\n")
    transcript = Text("transcript")
    session_of = Text("session_of")
    # What the last run cost by its own account, all ended runs together, and the run that has not ended.
    usd = _money("usd")
    spent = _money("spent")
    open_run = JournalFact("open run", _run_of_agent, lambda run: f"{run.day.isoformat()} {run.run}")
    # What the models of all ended runs have read and written.
    tokens = _json("tokens", TokenCount)
    # The mark of the agency's notes that the session of the transcript has been told.
    notes_told = Text("notes_told")
    # How often all runs together have looked at what came of their work.
    looks = JournalFact("looks", int, str)
    waited_for_others = JournalFact("waited for others", int, str)
    # What the edit and the rounds of repair behind it have used up of the agent's time and steps.
    worked = _duration("worked")
    turns = JournalFact("turns", int, str)
    # The round of repair that was begun last and what was found for it, and the one that ended last and how.
    repairs = JournalFact("repairs", int, str)
    found = Text("found")
    repaired = JournalFact("repaired", int, str)
    repair_end = JournalFact("repair_end", RepairEnd, str)
    before_repair = _json("before_repair", BeforeRepair)
    # What stands on the site where a mail may not change it: for the owner, and with its lines for the agency.
    elsewhere = Text("elsewhere")
    elsewhere_wanted = Text("elsewhere_wanted")
    # From when until when the change holds, in which words that was said, and whose timed change it is.
    starts_at = _moment("publish_at")
    ends_at = _moment("revert_at")
    said_when = Text("said")
    timed_for = Text("timed_for")
    timed_job = Text("timed_job")
    # The change that is kept for its moment, and the mark of what a visitor would notice of it.
    kept_commit = Text("kept_commit")
    mark = Text("mark")
    # Plans of the thread that this one replaces, as they are told, and the one that it moves.
    replaced_plans = _words("replaced_plans", " ")
    replaced_told = Text("replaced_told")
    moves = Text("moves")
    # The end of what was taken back, and the end that covers this one.
    took_end_at = _moment("took_end")
    end_owner = Text("end_owner")
    end_job = Text("end_job")
    covered_by = Text("covered_by")
    revert = Text("revert")
    restored = Text("restored")
    # How long the last build took.
    build_took = _duration("build_s")
    # What was taken out of the change because the request does not need it, line by line.
    left_out = Text("left_out")
    # Files beside the job that are kept for as long as its transcript is: what the last build said (and why it
    # ended, if it broke), and the change of what is live, line by line.
    build_log = Text("build_log")
    broke = Text("broke")
    diff = Text("diff")
    # What would go live, how it is told and what of it; the facts of an answer have the same names.
    index = Text("index")
    commit_live = Text("commit_live")
    tell_as = Text("tell_as")
    outcome = JournalFact("outcome", _outcome, str)
    preview = Text("preview")
    changes = Text("changes")
    reasons = Text("reasons")
    missing = Text("missing")
    parts = Text("parts")
    copies = Text("copies")
    pictures = Text("pictures")
    pictures_of = Text("pictures_of")
    no_pictures = Text("no_pictures")
    # How the site changed for visitors when it was published: at once, or file by file.
    switched = Text("switched")
    conflict = Text("conflict")

    def __contains__(self, noted: Step | JournalFact[Any]) -> bool:
        """Tell whether a step is finished, or a fact was noted, be it an empty one."""
        return (noted.value if isinstance(noted, Step) else noted.name) in self.stored

    def told(self, *facts: Text) -> dict[str, str]:
        """Return those of these facts that say something, by the names that they have in an answer."""
        return {fact.name: self.stored[fact.name] for fact in facts if self.stored.get(fact.name)}
