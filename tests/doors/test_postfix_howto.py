"""Our page about Postfix, word by word: the server takes our mail, hands it on, and lets our answers out."""

from __future__ import annotations

import smtplib
import tempfile
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from aiosmtpd.controller import Controller

from tests.doors.office import AMELIA, DOMAIN, MAIL
from tests.doors.postfix import Postfix, free_port, postfix
from tests.howto import blocks
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.config import Config, read_config
from webordinary.doors.smtp import Smtp
from webordinary.doors.smtp_door import Before
from webordinary.doors.smtp_listener import SmtpListener
from webordinary.engines.embedded.open import open_postman
from webordinary.engines.embedded.secrets import FileSecrets
from webordinary.intake import Intake
from webordinary.setup.outgoing_check import check_outgoing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aiosmtpd.smtp import SMTP, Envelope, Session

    from tests.rigs.ports import Ports

pytestmark = pytest.mark.programs

PAGE, HEADING = "mail-in.md", "Behind Postfix by LMTP"
SOCKET = "/var/lib/webordinary/lmtp"
OUTSIDE = "198.51.100.66"
ANSWER = f"From: Amelia <re+abc@{DOMAIN}>\r\nTo: scott@example.org\r\nSubject: Re: Hours\r\n\r\nDone.\r\n".encode()


class Outside:
    """The rest of the internet: takes every mail that leaves."""

    def __init__(self) -> None:
        self.taken: list[tuple[str | None, list[str]]] = []
        self.arrived = threading.Event()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's
        self.taken.append((envelope.mail_from, envelope.rcpt_tos))
        self.arrived.set()
        return "250 OK"


@dataclass
class Set:
    """What somebody has who followed the page."""

    server: Postfix
    config: Config
    ports: Ports
    listener: SmtpListener
    outside: Outside

    @contextmanager
    def stranger(self) -> Iterator[smtplib.SMTP]:
        """Let a machine of the internet come to the server."""
        with smtplib.SMTP("127.0.0.1", self.server.port, timeout=60) as client:
            client.ehlo("there.example")
            assert client.docmd("XCLIENT", f"ADDR={OUTSIDE} NAME=there.example")[0] == 220
            client.ehlo("there.example")
            yield client


@contextmanager
def following_the_page(folder: Path) -> Iterator[Set]:
    """Write what the page says; only the socket, the ports and the rest of the internet are ours."""
    (text,) = blocks(PAGE, HEADING, "toml")
    (lines,) = blocks(PAGE, HEADING)
    outside = Outside()
    sink = Controller(outside, hostname="127.0.0.1", port=free_port())
    sink.start()
    with tempfile.TemporaryDirectory(prefix="lmtp-") as name:
        Path(name).chmod(0o755)
        place = f"{name}/lmtp"
        assert SOCKET in text
        assert SOCKET in lines
        rest = f"relayhost = [127.0.0.1]:{sink.port}\naddress_verify_poll_delay = 1s\n"
        with postfix(0, lines=lines.replace(SOCKET, place) + rest) as server:
            text = text.replace(SOCKET, place).replace("127.0.0.1:25", f"127.0.0.1:{server.port}")
            config = read_config(text, folder / "webordinary.toml", {})
            ports = open_embedded_ports(folder / "data")
            intake = Intake(ports.engine, config.domain, ports.clock, ports.limits)
            listener = SmtpListener(intake, config.find_doors(Smtp)[0], Before(authserv_id=config.mail.authserv_id))
            listener.start()
            try:
                yield Set(server, config, ports, listener, outside)
            finally:
                listener.close()
                sink.stop()


@pytest.mark.thorough
def test_the_page_word_by_word(tmp_path: Path) -> None:
    with following_the_page(tmp_path) as here:
        with here.stranger() as client:
            client.mail("scott@example.org")
            assert client.rcpt("somebody@example.net")[0] == 554
            assert client.rcpt(f"flora@{DOMAIN}")[0] == 550
            assert client.rcpt(f"scott@amelia.{DOMAIN}")[0] == 250
            assert client.rcpt(AMELIA)[0] == 250
            assert client.data(MAIL)[0] == 250

        found = check_outgoing(here.config)
        assert (found.finding.value, found.says.endswith("takes mail for strangers")) == ("ok", True)
        open_postman(here.config, FileSecrets(here.config.data)).deliver(ANSWER, "scott@example.org")
        here.outside.arrived.wait(60)
        assert here.outside.taken == [(f"re+abc@{DOMAIN}", ["scott@example.org"])]

    (mail,) = here.ports.engine.overview.mails()
    kept = here.ports.engine.inbox.find(mail.id)
    assert kept is not None
    assert (kept.envelope.door, kept.envelope.mail_from) == ("lmtp", "scott@example.org")
    assert sorted(kept.envelope.recipients) == [AMELIA, f"scott@amelia.{DOMAIN}"]


def test_the_doctor_sees_a_server_that_lets_no_answer_out(tmp_path: Path) -> None:
    """The page once said this; every answer came back."""
    old = "smtpd_recipient_restrictions = reject_unauth_destination, reject_unverified_recipient\n"
    with postfix(0, lines=old) as server:
        url = f'domain = "{DOMAIN}"\n[outgoing]\nurl = "smtp://127.0.0.1:{server.port}"\n'
        found = check_outgoing(read_config(url, tmp_path / "webordinary.toml", {}))
    assert found.finding.value == "fail"
    assert "Relay access denied" in found.says
    assert "permit_mynetworks" in found.says
