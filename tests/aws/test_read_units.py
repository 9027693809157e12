"""A mail and a sweep read as much among many projects as among few: nobody reads what is not theirs."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from bench.aws_counting import read_units
from tests.aws.flows import Flows, open_flows
from tests.rigs.embedded_ports import AMELIA
from webordinary.engines.aws import projects
from webordinary.engines.aws.dynamodb.items import item_of
from webordinary.engines.aws.dynamodb.lane_row import VersionedLane, lane_item
from webordinary.engines.aws.flow.functions import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_READS = ("GetItem", "BatchGetItem", "Query", "Scan")
_AT_ONCE = 25


class Readings:
    """What the functions and the worker of a flow read, in units; what the test itself asks is not counted."""

    def __init__(self, flows: Flows) -> None:
        self.units: dict[str, float] = {}
        self.scans: list[str] = []
        self._asks = threading.local()
        events = flows.local.clients.dynamodb.meta.events
        events.register("before-parameter-build.dynamodb", self._asked)
        for operation in _READS:
            events.register(f"after-call.dynamodb.{operation}", self._answered)
        for function in FUNCTIONS:
            flows.local.replace(function.name, self._counted(function.name, flows.local.real(function.name)))

    def begin(self) -> None:
        self.units, self.scans = {}, []

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        self._asks.name = name
        try:
            yield
        finally:
            self._asks.name = None

    def _counted(self, name: str, real: Callable[[Any], object]) -> Callable[[Any], object]:
        def call(event: Any) -> object:  # noqa: ANN401 - whatever the flow sends
            with self.of(name):
                return real(event)

        return call

    def _asked(self, params: dict[str, Any], **_: object) -> None:
        self._asks.is_consistent = bool(params.get("ConsistentRead"))

    def _answered(self, parsed: dict[str, Any], model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's own
        name = getattr(self._asks, "name", None)
        if name is not None:
            units = read_units(model.name, parsed, is_consistent=self._asks.is_consistent)
            self.units[name] = self.units.get(name, 0) + units
            self.scans += [name] if model.name == "Scan" else []


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing that was read a moment ago save a reading: how long a moment is depends on the machine."""
    monkeypatch.setattr(projects, "_REMEMBERED_SECONDS", 0.0)


@pytest.mark.parametrize("to", ["amelia", "edit"])
def test_a_mail_and_a_sweep_read_as_much_among_many_projects_as_among_few(to: str) -> None:
    flows = open_flows()
    flows.local.here.mails.aws.store.names.shards.look_up = None
    readings = Readings(flows)
    one_mail(flows, readings, to, "We open at seven now")
    # The first sweep notes what an earlier version did not.
    one_round(flows, readings)
    readings.begin()
    one_mail(flows, readings, to, "We open at eight now")
    one_round(flows, readings)
    few = readings.units

    add_projects(flows, 60)
    readings.begin()
    one_mail(flows, readings, to, "We open at three now")
    one_round(flows, readings)

    assert readings.scans == []
    assert readings.units == few
    assert {"parse-email", "rate-limited-claim", "worker", "send-reply", "sweep"} <= few.keys()


def one_round(flows: Flows, readings: Readings) -> None:
    """Look at what a sweep looks at in each of its rounds, whatever the time is."""
    engine, now = flows.engine, flows.now
    with readings.of("sweep"):
        engine.lanes.sweep(now)
        engine.overview.late(now.wall_at, now)
        engine.overview.paused()
        engine.overview.dead_without_alarm()
        engine.proposals.all_open()
        engine.schedules.due(now)
        engine.projects.unwelcomed()
        engine.outbox.take_due("flow", now)


def one_mail(flows: Flows, readings: Readings, to: str, text: str) -> None:
    """Let a mail be answered; the same text within one second would be the same mail, which nobody vouches for."""
    before = len(flows.local.executions())
    flows.write(text, to=f"{to}@{flows.local.config.domain}")
    flows.wait(lambda: flows.engine.overview.jobs(state="queued") or None)
    with readings.of("worker"):
        claimed = flows.engine.claims.claim("hand", flows.now)
        assert claimed is not None
        flows.finish(claimed)
        flows.engine.claims.release(claimed.claim, flows.now)
    assert flows.outcome(before)["status"] == "SUCCEEDED"


def add_projects(flows: Flows, count: int) -> None:
    """Onboard others, each with a lane that has rested for long."""
    names, client = flows.local.names, flows.local.clients.dynamodb
    puts: list[tuple[str, Any]] = []
    for number in range(count):
        puts.append((names.projects, item_of({"id": f"other{number}", "project": _named(f"other{number}")})))
        row = VersionedLane(f"other{number}#scott", 1, version=1)
        puts.append((names.ownership, lane_item(row, names.shards)))
    for at in range(0, len(puts), _AT_ONCE):
        asked: dict[str, Any] = {}
        for table, item in puts[at : at + _AT_ONCE]:
            asked.setdefault(table, []).append({"PutRequest": {"Item": item}})
        client.batch_write_item(RequestItems=asked)


def _named(name: str) -> str:
    return msgspec.json.encode({**msgspec.to_builtins(AMELIA), "id": name}).decode()
