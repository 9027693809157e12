"""What engines promise about versions that work beside each other: the newest is known, and the older gives way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import DONE
from webordinary.audit.entry import EventType
from webordinary.ownership.versions import is_outdated, rank, this_version
from webordinary.worker.loop import Worker

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim, Next
    from webordinary.worker.heartbeat import AttemptControl


def test_versions_are_ordered_by_their_numbers() -> None:
    ordered = ["", "0.1", "0.1.1", "0.2.0rc1", "0.10.0", "1", "1.0.0.1", "12.0"]
    assert sorted(ordered, key=rank) == ordered
    assert rank("1.0") == rank("1.0.0")


def test_the_newest_version_is_kept_and_an_older_one_is_outdated(ports_of_many_machines: Ports) -> None:
    versions = ports_of_many_machines.engine.versions
    assert versions.newest() is None
    assert not is_outdated("0.1.0", versions)
    for each in ("0.9.0", "0.10.0", "0.9.1"):
        versions.record(each)
    assert versions.newest() == "0.10.0"
    assert [is_outdated(each, versions) for each in ("0.9.1", "0.10.0", "0.11.0")] == [True, False, False]


@dataclass(slots=True)
class _Finishes:
    ports: Ports

    def run(self, claim: Claim, job: Job, _pulse: AttemptControl) -> Next:
        return self.ports.engine.attempts.finish(claim, job, DONE, self.ports.now)


@dataclass(slots=True)
class _Recorded:
    """A table in which somebody else has noted a version."""

    version: str

    def record(self, mine: str) -> None: ...

    def newest(self) -> str:
        return self.version


@pytest.mark.one_engine
@pytest.mark.parametrize(("noted", "gives_way"), [("999.0", True), (this_version(), False)])
def test_a_worker_beside_a_newer_version_gives_its_lane_back_when_it_is_idle(
    ports: Ports, noted: str, *, gives_way: bool
) -> None:
    ports.queue()
    engine = replace(ports.engine, versions=_Recorded(noted))
    turns = 0

    def look() -> None:
        nonlocal turns
        turns += 1
        ports.clock.advance(ports.limits.idle_beat)
        released = [each for each in ports.engine.trail.read() if each.what is EventType.LANE_RELEASED]
        # Beside its own version it stays for longer than three beats.
        if released or turns > 4:
            worker.drain()

    worker = Worker("w1", engine, _Finishes(ports), ports.clock, ports.limits, look)
    worker.run()
    told = {each.what for each in ports.engine.trail.read()}
    assert EventType.JOB_DONE in told
    assert (EventType.LANE_RELEASED in told) is gives_way
