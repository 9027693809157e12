"""A trial of an agent: started once as it would be for a job, behind the same walls, without asking a model."""

from __future__ import annotations

import json
import threading
import uuid
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.agent.acp import AcpAgent
from webordinary.agent.agent import Allowance, OverBudget, Task
from webordinary.agent.claude_code import ClaudeCode
from webordinary.agent.command import CommandAgent
from webordinary.agent.upstream import ModelAnswer
from webordinary.errors import AgentFailed, WebOrdinaryError
from webordinary.workspace.leaving import fresh_folder

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping
    from pathlib import Path

    from webordinary.agent.agent import Agent
    from webordinary.agent.errand import ModelRequest
    from webordinary.child import Child

_REQUEST = "This is only a trial of the machine: change nothing, and answer with one word."
_TO_ASK = timedelta(minutes=2)
_TO_END = timedelta(seconds=20)
_NO = {"type": "error", "error": {"type": "invalid_request_error", "message": "this is only a trial"}}


def try_agent(agent: Agent, within: Path) -> str:
    """Start it once on a page of its own, in a new folder within another; return what was seen.

    Raises what a job would meet.
    """
    with fresh_folder(within, "trial-") as folder:
        checkout, home = folder / "site", folder / "home"
        checkout.mkdir()
        home.mkdir()
        (checkout / "index.html").write_text("<p>A page for a trial.</p>\n", encoding="utf-8")
        task = Task(checkout, home, _REQUEST, Allowance(time=_TO_ASK), session=str(uuid.uuid4()))
        match agent:
            case ClaudeCode() | AcpAgent():
                return _try_with_model(agent, task)
            case CommandAgent():
                return _try_program(agent, replace(task, allowance=Allowance(time=_TO_END)))
            case _:
                return "it is our own and needs no trial"


def _try_with_model(agent: ClaudeCode | AcpAgent, task: Task) -> str:
    nobody = _Nobody()
    trial = replace(agent, upstream=lambda: nobody)
    try:
        trial.run(task, nobody.watch, lambda _: None)
    except OverBudget as late:
        if not nobody.was_asked.is_set():
            raise AgentFailed(f"it did not ask for its model within {_TO_ASK.seconds} seconds") from late
    except WebOrdinaryError:
        if not nobody.was_asked.is_set():
            raise
    if not nobody.was_asked.is_set():
        raise AgentFailed("it ended without asking for its model")
    return "it started and asked for its model"


def _try_program(agent: CommandAgent, task: Task) -> str:
    try:
        agent.run(task, lambda _: None, lambda _: None)
    except OverBudget:
        return f"it started and was at work for {_TO_END.seconds} seconds"
    return "it started and came to its end"


class _Nobody:
    """In place of a model: ends the trial as soon as it is asked, for the agent has shown all that it can by then."""

    def __init__(self) -> None:
        self.was_asked = threading.Event()
        self._child: Child | None = None

    def watch(self, child: Child) -> None:
        self._child = child

    @contextmanager
    def ask(self, errand: ModelRequest, headers: Mapping[str, str]) -> Iterator[ModelAnswer]:
        del errand, headers
        self.was_asked.set()
        if self._child is not None:
            self._child.stop(timedelta(0))

        def pieces() -> Generator[bytes]:
            yield json.dumps(_NO).encode()

        yield ModelAnswer(400, {"content-type": "application/json"}, pieces)
