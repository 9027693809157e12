"""The SMTP door: what it leaves behind when it cannot open, and what a stranger can write through it."""

from __future__ import annotations

import gc
import smtplib
import socket
import warnings
from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.audit.entry import EventType
from webordinary.config import Listen
from webordinary.doors.smtp import Smtp
from webordinary.doors.smtp_listener import SmtpListener
from webordinary.errors import Misconfigured
from webordinary.intake import Intake

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    return open_embedded_ports(tmp_path)


def listener_for(ports: Ports, port: int = 0) -> SmtpListener:
    intake = Intake(ports.engine, "edit.example.com", ports.clock, ports.limits)
    return SmtpListener(intake, Smtp(listen=Listen(("127.0.0.1", port))))


def fail_to_start(ports: Ports) -> None:
    listener_for(ports)
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(Misconfigured, match="free port"):
        listener_for(ports, other.getsockname()[1]).start()


def test_a_listener_that_could_not_start_leaves_no_event_loop_behind(ports: Ports) -> None:
    gc.collect()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        fail_to_start(ports)
        gc.collect()
    assert [str(warning.message) for warning in heard if "event loop" in str(warning.message)] == []


def test_mails_that_are_too_large_are_recorded_once_for_each_connection(ports: Ports) -> None:
    listener = listener_for(ports)
    listener.start()
    try:
        for _ in range(2):
            with smtplib.SMTP(*listener.address) as client:
                client.ehlo()
                codes = [client.mail("stranger@example.net", ["SIZE=99999999"])[0] for _ in range(3)]
            assert codes == [552, 552, 552]
    finally:
        listener.close()
    assert [entry.what for entry in ports.engine.trail.read()] == [EventType.MAIL_REFUSED] * 2
