"""An agent edits a checkout as a request says; which files changed is read from git, never from what it says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta
    from pathlib import Path

    from webordinary.child import Child


class WhyStopped(StrEnum):
    """Why an agent ended by itself."""

    DONE = "done"
    NOT_UNDERSTOOD = "not_understood"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Provided:
    """An attachment that lies ready for the agent."""

    name: str
    content_type: str
    path: Path


@dataclass(frozen=True, slots=True)
class Task:
    """What the agent gets; everything but the request is data, not orders."""

    checkout: Path
    home: Path
    request: str
    deadline: timedelta
    attachments: tuple[Provided, ...] = ()
    notes: str = ""
    session: str | None = None
    thread_so_far: tuple[str, ...] = ()
    # Held open by the agent's own process: nobody else enters the checkout while it lives.
    lock: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What the agent says about its work."""

    stopped: WhyStopped
    summary: str
    session: str | None = None
    question: str | None = None


class Agent(Protocol):
    """Runs one task to its end; `watch` gets the child process, so that it can be stopped from outside."""

    def run(self, task: Task, watch: Callable[[Child], None], said: Callable[[str], None]) -> Report: ...
