"""An outgoing server that refuses everybody for an hour: nobody is silenced, and it heals by itself."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from aiosmtpd.controller import Controller

from tests.embedded.test_chores import AGENCY, chores_of
from tests.ports import free_port
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.engines.embedded.mail_transport import SmtpTransport
from webordinary.engines.embedded.outbox import SqliteOutbox
from webordinary.reply.bounces import find_dead_end
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from aiosmtpd.smtp import SMTP, Envelope, Session

    from tests.rigs.ports import Ports

SCOTT = "scott@example.org"


@dataclass
class MoodyServer:
    """A real server that takes mail, or refuses it at a step of its own choice."""

    refuses_at: str | None = None
    taken: list[str] = field(default_factory=list)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.refuses_at == "recipient":
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's
        if self.refuses_at == "text":
            return "550 rejected"
        self.taken += envelope.rcpt_tos
        return "250 taken"


@pytest.fixture
def server() -> Iterator[tuple[MoodyServer, int]]:
    mood = MoodyServer()
    controller = Controller(mood, hostname="127.0.0.1", port=free_port())
    controller.start()
    yield mood, controller.port
    controller.stop()


def sending_through(ports: Ports, port: int) -> Ports:
    postman = SmtpTransport("127.0.0.1", port, tls=False, user=None, password=None, others=[AGENCY, SCOTT])
    outbox = ports.engine.outbox
    assert isinstance(outbox, SqliteOutbox)
    outbox._postman = postman  # noqa: SLF001 - the one part of the engine that is to be real here
    return replace(ports, engine=replace(ports.engine, outbox=outbox))


@pytest.mark.parametrize("step", ["recipient", "text"])
def test_after_an_hour_of_550_for_everybody_every_letter_arrives(
    tmp_path: Path, server: tuple[MoodyServer, int], step: str
) -> None:
    mood, port = server
    ports = sending_through(open_embedded_ports(tmp_path), port)
    chores = chores_of(ports)
    mood.refuses_at = step
    for minute in range(60):
        if minute % 10 == 0:
            for to in (SCOTT, AGENCY):
                ports.engine.outbox.add(Letter(f"{minute}.{to}.answer", "answer", to, "stopped"), ports.now)
        chores.tidy_up()
        ports.clock.advance(timedelta(minutes=1))
    assert mood.taken == []
    assert list(ports.engine.bounces.all()) == []
    assert find_dead_end(ports.engine.bounces, SCOTT, ports.now.wall_at) is None

    mood.refuses_at = None
    for _ in range(70):
        chores.tidy_up()
        ports.clock.advance(timedelta(minutes=1))
    assert mood.taken.count(SCOTT) == 6
    assert mood.taken.count(AGENCY) == 6 + (step == "recipient")


def test_the_agency_reads_that_the_server_refused_everybody(tmp_path: Path, server: tuple[MoodyServer, int]) -> None:
    mood, port = server
    ports = sending_through(open_embedded_ports(tmp_path), port)
    chores = chores_of(ports)
    mood.refuses_at = "recipient"
    ports.engine.outbox.add(Letter("a.answer", "answer", SCOTT, "stopped"), ports.now)
    for _ in range(20):
        chores.tidy_up()
        ports.clock.advance(timedelta(minutes=1))
    today = f"{ports.now.wall_at:%Y-%m-%d}"
    mood.refuses_at = None
    for _ in range(6):
        chores.tidy_up()
        ports.clock.advance(timedelta(minutes=1))
    assert sorted(mood.taken) == sorted([SCOTT, AGENCY])
    written = ports.engine.outbox.written(f"outage.outgoing.{today}")
    assert written is not None
    assert b"takes no mail for anybody" in written
