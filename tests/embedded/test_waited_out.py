"""A job for which something is away or used up waits without losing a try, and the agency hears of it when it lasts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import apsw
import pytest

from tests.contracts.test_lanes import DONE
from tests.rigs.embedded_ports import open_embedded_ports
from tests.rigs.ports import LIMITS
from webordinary.engines.embedded.faults import translated
from webordinary.errors import Outage, TryAgain
from webordinary.worker.attempt import Attempt
from webordinary.worker.loop import Worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Ending, Job
    from webordinary.ownership.claim import Claim
    from webordinary.worker.heartbeat import AttemptControl

AGENCY = "agency@example.com"
TOO_MUCH = 2**60
_TELLING = 5


@dataclass(slots=True)
class Keeping:
    """An edit that keeps a file, on a disk that has room for it from a certain try on."""

    tight: Ports
    roomy: Ports
    room_at: int
    told: Callable[[], list[str]]
    seen: list[tuple[int, list[str]]] = field(default_factory=list)

    def run(self, _claim: Claim, job: Job, _pulse: AttemptControl) -> Ending:
        self.seen.append((job.attempt, self.told()))
        ports = self.roomy if len(self.seen) == self.room_at else self.tight
        ports.engine.inbox.keep_file(b"what the build said")
        return DONE


def test_a_job_that_finds_the_disk_nearly_full_waits_for_room_and_the_agency_is_told_when_it_lasts(
    tmp_path: Path,
) -> None:
    # Without any wait, so that neither way of going on needs a clock.
    limits = replace(LIMITS, outage=(timedelta(0),), backoff=())
    ports = open_embedded_ports(tmp_path, limits)
    job = ports.queue()

    def told() -> list[str]:
        return [letter.words for letter in ports.engine.outbox.take_due("postman", ports.now, limit=10)]

    keeping = Keeping(open_embedded_ports(tmp_path, reserve=TOO_MUCH), ports, _TELLING + 2, told)

    def go() -> None:
        # Whatever end the job has come to.
        worker.drain()

    attempt = Attempt(ports.engine, keeping, ports.clock, limits, go, AGENCY)
    worker = Worker("w1", ports.engine, attempt, ports.clock, limits)
    worker.run()
    assert ports.job(job).state == DONE.state
    assert {tried for tried, _ in keeping.seen} == {1}
    assert [heard for _, heard in keeping.seen] == [[]] * _TELLING + [["outage"], []]


def test_new_work_is_put_off_for_as_long_as_the_disk_is_nearly_full(tmp_path: Path) -> None:
    tight = open_embedded_ports(tmp_path, reserve=TOO_MUCH)
    with pytest.raises(Outage, match="nearly full"):
        tight.engine.lanes.accept(tight.new_job(), tight.now)


def test_a_disk_that_fails_is_waited_for_and_a_busy_database_is_only_asked_again(tmp_path: Path) -> None:
    with pytest.raises(Outage, match="right now"), translated(tmp_path / "w.db"):
        raise apsw.IOError("disk I/O error")
    with pytest.raises(TryAgain) as busy, translated(tmp_path / "w.db"):
        raise apsw.BusyError("database is locked")
    assert not isinstance(busy.value, Outage)
