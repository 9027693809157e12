"""Behind a real Postfix by LMTP, with and without filters: nobody becomes verified by what he calls himself."""

from __future__ import annotations

import queue
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING

import pytest

from tests.doors.filters import opendkim, opendmarc, rspamd
from tests.doors.milter import filtering
from tests.doors.office import AMELIA, ANYWHERE, DOMAIN
from tests.doors.postfix import NAME, Postfix, postfix
from tests.programs import need_root
from tests.rigs.embedded_ports import open_embedded_ports
from tests.signing import Signer, make_key
from webordinary.clock import SystemClock
from webordinary.doors.smtp import Protocol, Smtp
from webordinary.doors.smtp_door import Before
from webordinary.doors.smtp_listener import SmtpListener
from webordinary.intake import Intake
from webordinary.intake.trust import Trust
from webordinary.mail.identity.judge import Judge
from webordinary.testing.dns import NameServer, Zone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webordinary.mail.inbox import Decision

pytestmark = pytest.mark.programs

SCOTT = "scott@example.org"
# An address of loopback on which nobody else answers questions about names.
NAMES = "127.0.0.77"
HOME, ELSEWHERE = "192.0.2.1", "198.51.100.66"
PASS = f"Authentication-Results: {NAME}; dmarc=pass header.from=example.org\r\n"
BELOW = f"Received: from a.example (a.example [{HOME}]) by {NAME} (Postfix) with ESMTPS id 1; x\r\n"
SPACES = ("\u00a0", "\u2003", "\u202f", "\u205f", "\u3000", "\u1680", " ", "\t")


@dataclass(frozen=True, slots=True)
class Telling(Intake):
    """An intake that tells at once what it has decided."""

    told: queue.SimpleQueue[Decision | None] = field(default_factory=queue.SimpleQueue)

    def decide(self, mail: str) -> Decision | None:
        decision = Intake.decide(self, mail)
        self.told.put(decision)
        return decision


@dataclass(frozen=True, slots=True)
class Behind:
    """An installation behind a real server."""

    server: Postfix
    intake: Telling
    signer: Signer

    def take(
        self, raw: bytes, hello: str = "there.example", mail_from: str = "eve@x.example", at: str = ELSEWHERE
    ) -> str:
        """Return what became of a mail, and how its sender was proven."""
        self.server.take(raw, hello=hello.encode(), mail_from=mail_from, to=AMELIA, address=at)
        decision = self.intake.told.get(timeout=60)
        assert decision is not None
        assert decision.judged is not None
        return f"{decision.outcome} {decision.judged.method}"


@contextmanager
def behind(folder: Path, *milters: int, zone: Zone | None = None) -> Iterator[Behind]:
    zone = zone or Zone()
    zone.put("example.org", "TXT", f"v=spf1 ip4:{HOME} -all")
    zone.put("_dmarc.example.org", "TXT", "v=DMARC1; p=reject")
    signer = Signer("example.org", make_key()).publish(zone)
    ports = open_embedded_ports(folder / "data")
    trust = Trust(Judge(zone, DOMAIN, authserv_id=NAME))
    intake = Telling(ports.engine, DOMAIN, SystemClock(), ports.limits, trust=trust)
    listener = SmtpListener(intake, Smtp(listen=ANYWHERE, protocol=Protocol.LMTP), Before(authserv_id=NAME))
    listener.start()
    try:
        with postfix(listener.address[1], *milters) as server:
            yield Behind(server, intake, signer)
    finally:
        listener.close()


def order(subject: str = "Hours", *, text: str = "Close the shop.", top: str = "") -> bytes:
    head = f"From: {SCOTT}\r\nTo: {AMELIA}\r\nSubject: {subject}\r\nDate: {format_datetime(datetime.now(UTC))}\r\n"
    return f"{top}{head}Message-ID: <{subject}@phone.example>\r\n\r\n{text}\r\n".encode()


def forgeries() -> Iterator[tuple[bytes, str]]:
    """Yield mails in another's name, each with what the machine that hands it in calls itself."""
    for claim in ("x by y with LMTP", f"x by {NAME} with LMTP", f"x by {NAME} with LMTP id 1; x"):
        for space in SPACES:
            yield order(top=PASS + BELOW), claim.replace(" ", space)
    yield order(top=PASS + BELOW), NAME
    yield order(top=BELOW + PASS + BELOW), f"[{HOME}]"


def test_a_mail_in_anothers_name_is_held_behind_a_bare_server(tmp_path: Path) -> None:
    with behind(tmp_path) as here:
        for raw, hello in forgeries():
            assert here.take(raw, hello) == "held none", hello
        # Nor does the domain of the return path help, as long as it comes from elsewhere.
        assert here.take(order(), mail_from=SCOTT) == "held none"
        assert here.take(order(top=BELOW), f"there.example [{HOME}]", mail_from=SCOTT) == "held none"


@pytest.mark.thorough
def test_honest_mail_is_done_behind_a_bare_server(tmp_path: Path) -> None:
    with behind(tmp_path) as here:
        assert here.take(here.signer.sign(order("signed"))) == "queued dkim"
        assert here.take(order("straight"), mail_from=SCOTT, at=HOME) == "queued spf"
        unsigned_to = here.signer.sign(order("microsoft"), names=("from", "date", "subject", "message-id"))
        assert here.take(unsigned_to, mail_from=SCOTT, at=HOME) == "queued spf"
        replayed = here.signer.sign(order("again"), names=("from", "date", "subject", "message-id"))
        assert here.take(replayed) == "held dkim"


@pytest.mark.thorough
def test_the_word_of_a_filter_counts_and_that_of_a_sender_does_not(tmp_path: Path) -> None:
    for said, became in (
        ("none", "held none"),
        ("fail", "quarantined dmarc"),
        ("pass", "queued authentication-results"),
    ):
        word = f"{NAME}; dmarc={said} header.from=example.org"
        with filtering("Authentication-Results", word) as port, behind(tmp_path / said, port) as here:
            for raw, hello in list(forgeries())[::9]:
                assert here.take(raw, hello).startswith(became if said != "pass" else ("queued", "repeated")), hello


@pytest.mark.thorough
def test_behind_opendkim_nobody_is_believed_for_what_he_wrote_himself(tmp_path: Path) -> None:
    with opendkim(tmp_path) as port, behind(tmp_path, port) as here:
        for raw, hello in forgeries():
            assert here.take(raw, hello) == "held none", hello
        assert here.take(order("straight"), mail_from=SCOTT, at=HOME) == "queued spf"


@pytest.mark.thorough
def test_behind_rspamd_nobody_is_believed_for_what_he_wrote_himself(tmp_path: Path) -> None:
    """Its own word stands below the server's Received line, where it could be anybody's: so we look ourselves."""
    zone = Zone()
    names = NameServer(zone)
    try:
        with rspamd(names.address[1]) as port, behind(tmp_path, port, zone=zone) as here:
            for raw, hello in list(forgeries())[::3]:
                assert here.take(raw, hello) == "held none", hello
            assert here.take(here.signer.sign(order("signed"))) == "queued dkim"
            assert here.take(order("straight"), mail_from=SCOTT, at=HOME) == "queued spf"
            replayed = here.signer.sign(order("again"), names=("from", "date", "subject", "message-id"))
            assert here.take(replayed) == "held dkim"
    finally:
        names.close()


@pytest.mark.thorough
def test_behind_opendmarc_its_word_counts_and_that_of_a_sender_does_not(tmp_path: Path) -> None:
    need_root("opendmarc")
    zone = Zone()
    names = NameServer(zone, (NAMES, 53))
    try:
        with (
            opendkim(tmp_path, NAMES) as first,
            opendmarc(tmp_path, NAMES) as second,
            behind(tmp_path, first, second, zone=zone) as here,
        ):
            for raw, hello in list(forgeries())[::6]:
                assert here.take(raw, hello) == "quarantined dmarc", hello
            assert here.take(order("straight"), mail_from=SCOTT, at=HOME) == "queued authentication-results"
            assert here.take(here.signer.sign(order("signed"))).startswith("queued")
            replayed = here.signer.sign(order("again"), names=("from", "date", "subject", "message-id"))
            assert here.take(replayed).startswith("held")
    finally:
        names.close()
