"""Any program as an agent, in the real sandbox."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.agent.agent import Allowance, Event, EventKind, OverBudget, Question, Task, WhyStopped
from webordinary.agent.command import CommandAgent
from webordinary.agent.prompt import SYSTEM
from webordinary.errors import AgentFailed
from webordinary.workspace.sandbox import choose_sandbox

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.agent.agent import Report


class Desk:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checkout, self.home = folder / "site", folder / "home"
        self.checkout.mkdir()
        self.home.mkdir()

    def run(self, script: str, **given: object) -> Report:
        agent = CommandAgent(("sh", "-c", script), lambda: choose_sandbox("auto", self.folder))
        task = replace(Task(self.checkout, self.home, "We open at nine now"), **given)  # type: ignore[arg-type]  # any field
        return agent.run(task, lambda _: None, lambda _: None)


def test_a_question_of_any_program_is_a_result(tmp_path: Path) -> None:
    asked = "Hm.\\n<question>\\nWhich one?\\n1. The old one\\n2. The new one\\n</question>\\n"
    report = Desk(tmp_path).run(f"printf '{asked}'")
    assert (report.stopped, report.question) == (
        WhyStopped.QUESTION,
        Question("Which one?", ("The old one", "The new one")),
    )
    assert report.summary == "Hm."


def test_any_program_is_told_what_is_an_order_and_how_to_ask(tmp_path: Path) -> None:
    said = Desk(tmp_path).run("cat > prompt; wc -c < prompt", cut="forwarded").summary
    prompt = (tmp_path / "site" / "prompt").read_text()
    assert int(said) == len(prompt.encode())
    assert prompt.startswith(SYSTEM)
    assert "# Request of the site's owner\n\nWe open at nine now" in prompt


@pytest.mark.thorough
def test_a_program_that_takes_too_long_has_used_up_its_time(tmp_path: Path) -> None:
    with pytest.raises(OverBudget) as over:
        Desk(tmp_path).run("echo half > half.html; sleep 1000", allowance=Allowance(time=timedelta(seconds=3)))
    assert over.value.limit == "3 s"
    assert (tmp_path / "site" / "half.html").exists()


def test_what_a_failing_program_complains_about_can_be_read_by_the_agency(tmp_path: Path) -> None:
    checkout, home = tmp_path / "site", tmp_path / "home"
    checkout.mkdir()
    home.mkdir()
    told: list[Event] = []
    agent = CommandAgent(("sh", "-c", "echo no such model >&2; exit 2"), lambda: choose_sandbox("auto", tmp_path))

    with pytest.raises(AgentFailed, match=r"ended with code 2; .*error output: no such model$"):
        agent.run(Task(checkout, home, "We open at nine now"), lambda _: None, told.append)

    assert (EventKind.SAID, "no such model") in [(event.kind, event.text.splitlines()[-1]) for event in told]
