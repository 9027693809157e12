"""What the tests of the walk stand on: a folder without anything, a name server, and a server for outgoing mail."""

from __future__ import annotations

import json
import queue
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiosmtpd.controller import Controller

from tests.cli.inside import InsideProgram
from tests.ports import free_port
from webordinary.testing.dns import NameServer, Zone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from aiosmtpd.smtp import SMTP, Envelope, Session

DOMAIN = "edit.bakery.example"
AGENCY = "agency@example.net"
SCOTT = "scott@example.org"


@dataclass
class Post:
    """A mail server that takes everything, and keeps it for the test."""

    port: int = 0
    letters: queue.Queue[tuple[str, bytes]] = field(default_factory=queue.Queue)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - as the library has it
        assert isinstance(envelope.content, bytes)
        self.letters.put((envelope.rcpt_tos[0], envelope.content))
        return "250 OK"

    def next_to(self, address: str) -> bytes:
        """Wait for the next letter to somebody; what goes to others is passed over."""
        while True:
            to, letter = self.letters.get(timeout=240)
            if to == address:
                return letter


@contextmanager
def post() -> Iterator[Post]:
    """Run the server inside the block."""
    server = Post(free_port())
    controller = Controller(server, hostname="127.0.0.1", port=server.port)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()


@contextmanager
def name_server(zone: Zone) -> Iterator[str]:
    """Answer for a zone inside the block; returns where, as the configuration names it."""
    server = NameServer(zone)
    try:
        yield "{}:{}".format(*server.address)
    finally:
        server.close()


def zone_of(mx: str = "mx.provider.example", spf: str = "") -> Zone:
    zone = Zone({(DOMAIN, "MX"): [f"10 {mx}."]})
    if spf:
        zone.put(DOMAIN, "TXT", f"v=spf1 {spf} -all")
        zone.put(f"_dmarc.{DOMAIN}", "TXT", "v=DMARC1; p=none")
    return zone


def program_in(folder: Path, dns: str = "127.0.0.1:1") -> InsideProgram:
    """Return the program in a folder, listening at ports that nobody else has."""
    listens = {f"WEBORDINARY_{name}_LISTEN": "127.0.0.1:0" for name in ("SMTP", "PREVIEW", "DASHBOARD")}
    return InsideProgram(folder, {**listens, "WEBORDINARY_MAIL_DNS_SERVER": dns})


def write_answers(folder: Path, steps: Mapping[str, Mapping[str, Any]]) -> Path:
    """Write answers as somebody would, a table for each step."""
    lines = []
    for step, answers in steps.items():
        lines.append(f"[{step}]")
        lines += [f"{key} = {_toml(value)}" for key, value in answers.items()]
    path = folder / "answers.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value)


def states(program: InsideProgram) -> dict[str, str]:
    """Return how far each step is."""
    return {each["step"]: each["state"] for each in program.read("setup", "--list")}
