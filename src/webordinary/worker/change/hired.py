"""The agent that works for a project: whose sessions it can go on with, and what it is told about the site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.agent.agent import Agent


@dataclass(frozen=True, slots=True)
class Hired:
    """One project's agent, for one run."""

    agent: Agent
    # Only an agent of the same name understands what a session left behind.
    name: str = ""
    notes: str = ""
