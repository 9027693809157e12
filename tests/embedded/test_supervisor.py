"""The supervisor: nothing that goes wrong around one worker ends the one who watches over all of them."""

from __future__ import annotations

import errno
import os
import signal
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import apsw
import pytest

from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.child.companion import Companion
from webordinary.errors import Misconfigured
from webordinary.serve import supervisor as supervisor_module
from webordinary.serve.supervisor import Supervisor

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports


@pytest.fixture
def ports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ports:
    monkeypatch.setattr(supervisor_module, "_LOOK_SECONDS", 0.01)
    return open_embedded_ports(tmp_path)


def start_sleeper() -> Companion:
    return Companion(["sleep", "1000"], os.environ)


def test_a_worker_that_could_not_be_started_is_started_later(ports: Ports) -> None:
    tries: list[str] = []

    def start(name: str) -> Companion:
        tries.append(name)
        if len(tries) == 1:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        supervisor.stop()
        return start_sleeper()

    supervisor = Supervisor(ports.engine, ports.clock, ports.limits, start, 1, lambda: False)
    supervisor.run()
    assert len(tries) == 2
    assert supervisor.pids == []


def test_the_agency_is_told_when_no_worker_can_be_started_for_minutes(ports: Ports) -> None:
    told: list[bool] = []

    def start(_: str) -> Companion:
        key = f"outage.workers.{ports.now.wall_at:%Y-%m-%d}"
        told.append(any(told) or ports.engine.outbox.take(key, "w1", ports.now) is not None)
        ports.clock.advance(timedelta(minutes=1))
        if len(told) == 6:
            supervisor.stop()
            return start_sleeper()
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    limits = replace(ports.limits, restart_pause=timedelta(milliseconds=1))
    supervisor = Supervisor(ports.engine, ports.clock, limits, start, 1, lambda: False)
    supervisor.agency = "agency@example.com"
    supervisor.run()
    assert told == [False, False, False, True, True, True]


def test_a_store_that_cannot_be_used_does_not_end_the_supervisor(ports: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []

    def start(_: str) -> Companion:
        companion = start_sleeper()
        companion.signal(signal.SIGSTOP)
        return companion

    def is_blocked() -> bool:
        looks.append("look")
        if len(looks) == 1:
            raise apsw.CantOpenError("unable to open database file")
        supervisor.stop()
        return True

    def lapse(*_: object) -> int:
        looks.append("lapse")
        raise Misconfigured("the database cannot be opened")

    monkeypatch.setattr(type(ports.engine.claims), "lapse", lapse)
    supervisor = Supervisor(ports.engine, ports.clock, ports.limits, start, 1, is_blocked)
    supervisor.run()
    assert looks == ["look", "look", "lapse"]
    assert supervisor.pids == []


def test_a_supervisor_that_has_ended_can_be_stopped_again(ports: Ports) -> None:
    supervisor = Supervisor(ports.engine, ports.clock, ports.limits, lambda _: start_sleeper(), 0, lambda: False)
    supervisor.stop()
    supervisor.run()
    supervisor.stop()


def test_workers_are_ended_also_when_nobody_can_say_what_they_do(ports: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
    def lanes(*_: object) -> None:
        raise Misconfigured("the database cannot be opened")

    def start(_: str) -> Companion:
        companion = start_sleeper()
        # Stopped, it does not hear that it should end.
        companion.signal(signal.SIGSTOP)
        supervisor.stop()
        return companion

    monkeypatch.setattr(type(ports.engine.overview), "lanes", lanes)
    limits = replace(ports.limits, drain=timedelta(0), drain_committing=timedelta(0))
    supervisor = Supervisor(ports.engine, ports.clock, limits, start, 1, lambda: False)
    supervisor.run()
    assert supervisor.pids == []
