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
from webordinary.testing.story import Story
from webordinary.worker.attempt import Attempt
from webordinary.worker.chores import disk_watch
from webordinary.worker.chores.disk_watch import DiskWatch
from webordinary.worker.loop import Worker

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.embedded import EmbeddedRig
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Ending, Job
    from webordinary.ownership.claim import Claim
    from webordinary.worker.heartbeat import AttemptControl

AGENCY = "agency@example.com"
TOO_MUCH = 2**60
_TELLING = 5


def words_of_letters(ports: Ports) -> list[str]:
    """Return which letters have come since the last time that somebody asked."""
    return [letter.words for letter in ports.engine.outbox.take_due("postman", ports.now)]


def refuse(*_: object) -> None:
    raise Outage("the disk is full")


@dataclass(slots=True)
class Keeping:
    """An edit that keeps a file, on a disk that has room for it from a certain try on."""

    tight: Ports
    roomy: Ports
    room_at: int
    seen: list[tuple[int, list[str]]] = field(default_factory=list)

    def run(self, _claim: Claim, job: Job, _pulse: AttemptControl) -> Ending:
        self.seen.append((job.attempt, words_of_letters(self.roomy)))
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

    keeping = Keeping(open_embedded_ports(tmp_path, reserve=TOO_MUCH), ports, _TELLING + 2)

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


def test_a_disk_that_stays_nearly_full_is_told_although_no_job_runs_and_once_a_day(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    watch = DiskWatch(tmp_path, ports.engine.outbox, ports.clock, AGENCY)

    def is_told_after(minutes: float, *, little: int) -> bool:
        """Tell whether there is a letter of this day."""
        ports.clock.advance(timedelta(minutes=minutes))
        watch.little = little
        watch.look()
        return ports.engine.outbox.take(f"outage.disk.{ports.now.wall_at:%Y-%m-%d}", "w1", ports.now) is not None

    day = 24 * 60
    assert not is_told_after(0, little=0)
    assert not is_told_after(0, little=TOO_MUCH)
    assert not is_told_after(1, little=TOO_MUCH)
    assert is_told_after(1, little=TOO_MUCH)
    assert is_told_after(day, little=TOO_MUCH)
    assert not is_told_after(day, little=0)
    assert not is_told_after(day, little=TOO_MUCH)
    assert is_told_after(2, little=TOO_MUCH)


def test_what_could_not_be_written_on_a_full_disk_is_told_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = open_embedded_ports(tmp_path)
    watch = DiskWatch(tmp_path, ports.engine.outbox, ports.clock, AGENCY, little=TOO_MUCH)
    watch.look()
    ports.clock.advance(timedelta(minutes=2))
    with monkeypatch.context() as full:
        full.setattr(type(ports.engine.outbox), "add", refuse)
        with pytest.raises(Outage):
            watch.look()
    watch.little = 0
    watch.look()
    watch.look()
    assert words_of_letters(ports) == ["outage"]


def test_every_worker_looks_after_the_disk(rig: EmbeddedRig, monkeypatch: pytest.MonkeyPatch) -> None:
    Story(rig).begin(settings={"agency": f'address = "{AGENCY}"'}, workers=0)
    monkeypatch.setattr(disk_watch, "is_full", lambda *_: True)
    monkeypatch.setattr(disk_watch, "_IT_LASTS", timedelta(0))
    chores = rig.here.chores("w1")
    # It is seen, it has lasted, and what was written is sent.
    for _ in range(3):
        chores.tidy_up()
    assert [mail.subject for mail in rig.mailbox(AGENCY)] == ["Something that I need is away"]
