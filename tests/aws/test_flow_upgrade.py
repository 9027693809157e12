"""Executions that an earlier version began, with the functions of this one: each ends with its answer.

An execution keeps its definition for its whole life, up to days; the functions it calls are replaced under it. For each
shape of what states hand on, `earlier` keeps the definition (`flow-N.asl.json`) and, where that has changed, what its
steps left in the bucket (`left-N.json`), as that version wrote them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.aws.flows import PUBLISHED, Flows, open_flows
from tests.aws.test_flow_definition import called, states
from webordinary.engines.aws.flow.functions import SHAPE, definition
from webordinary.jobs.job import State
from webordinary.ownership.claim import Claimed

EARLIER = Path(__file__).parent / "earlier"


def numbers(of: str) -> list[int]:
    return sorted(int(file.name.removeprefix(of).partition(".")[0]) for file in EARLIER.glob(f"{of}*"))


SHAPES = numbers("flow-")


def text_of(shape: int) -> str:
    return (EARLIER / f"flow-{shape}.asl.json").read_text(encoding="utf-8")


def begun_by(shape: int) -> Flows:
    return open_flows(workers='sweep = "2 s"\nfirst_interrupt_after = "0 s"', flow=text_of(shape))


def functions_of(flow: dict[str, Any]) -> dict[str, list[str]]:
    """Return what each function is told."""
    tasks = [(called(state), state) for _, state in states(flow) if state["Type"] == "Task"]
    told = [(name, sorted(state["Parameters"]["Payload"])) for name, state in tasks if name]
    return {name: sorted({key for other, keys in told if other == name for key in keys}) for name, _ in told}


def contract(text: str) -> tuple[dict[str, list[str]], set[str]]:
    """Return what functions are told, and which of their answers are read."""
    flow = json.loads(text.replace("${prefix}", "webordinary"))
    return functions_of(flow), set(re.findall(r"\$\.[A-Za-z_.]+", text))


def test_a_change_of_what_states_hand_on_is_a_shape_of_its_own() -> None:
    advice = "if the last shape was released, raise SHAPE in functions.py; keep this definition in tests/aws/earlier"
    assert SHAPES[-1] == SHAPE, advice
    assert contract(definition("${prefix}")) == contract(text_of(SHAPE)), advice


@pytest.mark.parametrize("shape", SHAPES)
def test_what_an_earlier_version_began_ends_with_its_answer(shape: int) -> None:
    flows = begun_by(shape)
    flows.write(subject="slow", files=[("a.txt", "text/plain", b"first")])
    slow = flows.claim("container-1")
    assert slow.job is not None
    flows.write(subject="quick")
    flows.wait(lambda: flows.interruptions() or None)
    quick = flows.engine.attempts.park(slow.claim, slow.job, flows.now).job
    resumed = flows.finish(Claimed(slow.claim, quick))
    flows.finish(Claimed(slow.claim, resumed))
    flows.local.replace("send-to-container", breaks)
    flows.write(subject="broken")

    assert [flows.outcome(number)["status"] for number in range(3)] == ["SUCCEEDED"] * 3
    assert {job.subject: job.state for job in flows.engine.overview.jobs()} == {
        "slow": State.DONE,
        "quick": State.DONE,
        "broken": State.FAILED,
    }
    assert len(flows.letters()) == 3
    flow = json.loads(text_of(shape).replace("${prefix}", "webordinary"))
    assert {name for name, _ in flows.local.calls} >= functions_of(flow).keys()


@pytest.mark.parametrize("shape", numbers("left-"))
def test_what_a_step_of_an_earlier_version_left_is_understood_by_the_next(shape: int) -> None:
    left = (EARLIER / f"left-{shape}.json").read_text(encoding="utf-8")
    flows = begun_by(shape)

    def leave(mail: str, name: str) -> None:
        told = json.dumps(json.loads(left.replace("MAIL", mail))[name]).encode()
        flows.local.put(f"kept/steps/{mail}/{name}.json", told)

    def parse_email(event: dict[str, str]) -> object:
        leave(event["mail"], "wanted")
        return {"outcome": "wanted", "job": ""}

    def process_attachment(event: dict[str, Any]) -> object:
        leave(event["mail"], f"file-{event['index']}")
        return event["index"]

    flows.local.replace("parse-email", parse_email)
    flows.local.replace("process-attachment", process_attachment)
    flows.write(files=[("a.txt", "text/plain", b"first")])
    job = flows.work(PUBLISHED)

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert (job.subject, [each.name for each in job.request.attachments]) == ("Hours", ["a.txt"])
    assert len(flows.letters()) == 1


def breaks(_event: object) -> None:
    raise RuntimeError("a bug")
