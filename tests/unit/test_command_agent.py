"""Any program as an agent, in the real sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.agent.agent import Event, EventKind, Task
from webordinary.agent.command import CommandAgent
from webordinary.errors import AgentFailed
from webordinary.workspace.sandbox import choose_sandbox

if TYPE_CHECKING:
    from pathlib import Path


def test_what_a_failing_program_complains_about_can_be_read_by_the_agency(tmp_path: Path) -> None:
    checkout, home = tmp_path / "site", tmp_path / "home"
    checkout.mkdir()
    home.mkdir()
    told: list[Event] = []
    agent = CommandAgent(("sh", "-c", "echo no such model >&2; exit 2"), lambda: choose_sandbox("auto", tmp_path))

    with pytest.raises(AgentFailed, match="ended with code 2"):
        agent.run(Task(checkout, home, "We open at nine now"), lambda _: None, told.append)

    assert (EventKind.SAID, "no such model") in [(event.kind, event.text.splitlines()[-1]) for event in told]
