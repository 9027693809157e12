"""An agent edits a checkout as a request says; which files changed is read from git, never from what it says."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from webordinary.clock import say_duration
from webordinary.errors import AgentFailed
from webordinary.jobs.reported import Period, ProtectedPlace, Question, TokenCount, Unfound, WhyStopped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from webordinary.agent.window import Eyes
    from webordinary.child import Child
    from webordinary.jobs.repairs import Findings

__all__ = [
    "Agent",
    "Allowance",
    "Event",
    "EventKind",
    "Mender",
    "MoneySpent",
    "OverBudget",
    "Period",
    "ProtectedPlace",
    "Provided",
    "Question",
    "Report",
    "Task",
    "Till",
    "TokenCount",
    "Unfound",
    "WhyStopped",
]


class OverBudget(AgentFailed):
    """The agent used up what it may; `limit` says how much that is, for the answer."""

    def __init__(self, message: str, limit: str = "") -> None:
        super().__init__(message)
        self.limit = limit

    @classmethod
    def of_time(cls, allowance: Allowance) -> OverBudget:
        return cls("the request took longer than one job may take", limit=say_duration(allowance.time))

    @classmethod
    def of_turns(cls, allowance: Allowance) -> OverBudget:
        return cls("the request took more steps than one job may take", limit=f"{allowance.turns} steps")


class MoneySpent(OverBudget):
    """What the project may spend in a day or in a month is spent; there is some again on the day `until`.

    `allowed` is what somebody had allowed on top by then.
    """

    def __init__(self, message: str, limit: str, until: date, allowed: float = 0.0) -> None:
        super().__init__(message, limit)
        self.until = until
        self.allowed = allowed


@dataclass(frozen=True, slots=True)
class Provided:
    """A file that lies ready for the agent; a photo lies there in several versions under one name, the plain one last.

    `name` is what the owner calls it, and `about` what that says about the picture.
    """

    name: str
    content_type: str
    path: Path
    about: str = ""
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one run may cost; `till` is where its money is set aside and paid, if somebody keeps count of it."""

    usd: float = 2.0
    turns: int = 40
    time: timedelta = timedelta(minutes=15)
    till: Till | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What the agent gets; everything but the request is data, not orders."""

    checkout: Path
    home: Path
    request: str
    allowance: Allowance = field(default_factory=Allowance)
    attachments: tuple[Provided, ...] = ()
    # Files that came along and could not be used.
    refused: tuple[str, ...] = ()
    notes: str = ""
    # What stood below the request in the mail: earlier mails, a forwarded one, a signature.
    cut: str = ""
    # What was said before; an agent that resumes its session is told only of what it was not there for.
    thread_so_far: tuple[str, ...] = ()
    thread_since: tuple[str, ...] = ()
    question: Question | None = None
    # The day and the time where the owner lives, and what is known about when the change holds.
    today: str = ""
    holds: str = ""
    # The words of the request that say so: an agent that does only what is written need not understand them.
    said_when: str = ""
    session: str | None = None
    # What the session's last run has left behind; without it there is nothing to resume.
    transcript: bytes | None = None
    # Whether that session knows the notes as they are now.
    knows_notes: bool = False
    # What a mail alone may change of the site's texts, and what it may not and why; None when nobody has looked.
    texts: tuple[str, ...] | None = None
    closed: Mapping[str, str] = field(default_factory=dict)
    # What was found wrong with what the agent did in its last run; None in the first.
    findings: Findings | None = None
    # Who looks at the built site for the agent while it works; without any it works as if it were blind.
    eyes: Eyes | None = None
    # Held open by the agent's own process: nobody else enters the checkout while it lives.
    lock: int | None = None


class EventKind(StrEnum):
    """What an agent lets us see while it works."""

    SAID = "said"
    USED = "used"
    SPENT = "spent"


@dataclass(frozen=True, slots=True)
class Event:
    """A moment of a run: words, a tool used on a file, or the money spent so far."""

    kind: EventKind
    text: str
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What the agent says about its work, and what that has cost."""

    stopped: WhyStopped
    summary: str
    session: str | None = None
    question: Question | None = None
    usd: float | None = None
    turns: int | None = None
    # What the agent wanted to do and was not allowed to.
    denied: tuple[str, ...] = ()
    period: Period | None = None
    unfound: tuple[Unfound, ...] = ()
    # Pictures that are on the site now without a word about what they show, and what should have come along.
    undescribed: tuple[str, ...] = ()
    wants: str = ""


class Till(Protocol):
    """Where money is set aside and paid; whatever it says has been written down."""

    def reserve(self, most: float, least: float) -> float:
        """Set aside `most`, or at least `least`, and return how much; OverBudget when there is not so much."""

    def charge(self, reserved: float, spent: float, tokens: TokenCount) -> None:
        """Replace what was set aside by what was spent, and count what was read and written for it."""


class Agent(Protocol):
    """Runs one task to its end; `watch` gets the child process, so that it can be stopped from outside.

    Stopped from outside it raises Interrupted, past its allowance OverBudget; the files stay as they are then.
    """

    def run(self, task: Task, watch: Callable[[Child], None], tell: Callable[[Event], None]) -> Report: ...

    def transcript(self, task: Task) -> bytes | None:
        """Return what the session has left in its home, whatever way its run ended; None when there is nothing."""


@runtime_checkable
class Mender(Protocol):
    """An agent that can be run once more, with what was found wrong in its `Task.findings`, to put that right.

    One that has no such method is never asked to: it would do what it did once more, on top of what it did.
    """

    def mends(self, findings: Findings) -> bool:
        """Tell whether it is of any use to ask for this."""
