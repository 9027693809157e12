"""What `doctor` says about servers that mail goes out by, each a real one on loopback; none of them is sent a mail."""

from __future__ import annotations

import ssl
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

from tests.cli.test_doctor import change, findings
from tests.doors.certificates import write_certificate
from tests.doors.postfix import free_port
from webordinary.config import read_config
from webordinary.engines.embedded.mail_transport import Rehearsal
from webordinary.engines.embedded.open import open_postman
from webordinary.engines.embedded.secrets import FileSecrets
from webordinary.errors import Misconfigured, TryAgain
from webordinary.setup.outgoing_check import check_outgoing, judge_rehearsal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aiosmtpd.smtp import Envelope, Session

    from tests.cli.program import Program


@dataclass
class Server:
    """A server that takes mail only as it is told to, and remembers what it was asked."""

    sender: str = "250 OK"
    recipient: str = "250 OK"
    user: str | None = None
    asked: list[str] = field(default_factory=list)
    # Who showed a password.
    tried: list[object] = field(default_factory=list)

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name and arguments
        self, _server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        self.asked.append(f"from {address}")
        if self.user and not session.authenticated:
            return "530 5.7.0 Authentication required"
        envelope.mail_from = address
        return self.sender

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name and arguments
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        self.asked.append(f"to {address}")
        if self.recipient.startswith("2"):
            envelope.rcpt_tos.append(address)
        return self.recipient

    async def handle_RSET(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802 - as above
        self.asked.append("nothing")
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802 - as above
        self.asked.append("a mail")
        return "250 OK"


@contextmanager
def serving(server: Server, login: str = "", **keys: object) -> Iterator[str]:
    """Return the address to write into the configuration."""

    def let_in(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: object) -> AuthResult:
        server.tried.append(data)
        return AuthResult(success=getattr(data, "password", b"") == b"right", handled=False)

    port = free_port()
    auth = {"authenticator": let_in, "auth_require_tls": False} if server.user else {}
    controller = Controller(server, hostname="127.0.0.1", port=port, **auth, **keys)  # type: ignore[arg-type]  # either all of them or none
    controller.start()
    try:
        yield f"smtp://{login}127.0.0.1:{port}"
    finally:
        controller.stop()


def look(url: str, more: str = "plain_password = true") -> tuple[str, str]:
    text = f'domain = "edit.example.com"\n[outgoing]\nurl = "{url}"\n{more}\n'
    found = check_outgoing(read_config(text, Path("/srv/webordinary.toml"), {}))
    return found.finding.value, found.says


def test_the_doctor_asks_the_outgoing_server_and_sends_nothing(bakery: Program) -> None:
    server = Server()
    with serving(server) as url:
        change(bakery, "maildir:outgoing", url)
        state, said = findings(bakery)["outgoing mail"]
    assert (state, said.endswith("takes mail for strangers")) == ("ok", True)
    assert server.asked == ["from re+doctor@edit.localhost", "to somebody@example.com", "nothing"]


@pytest.mark.parametrize(
    ("sender", "recipient", "state", "words"),
    [
        ("250 OK", "554 5.7.1 <somebody@example.com>: Relay access denied", "fail", "permit_mynetworks"),
        ("250 OK", "550 relay not permitted", "fail", "takes no mail for strangers"),
        ("250 OK", "530 5.7.0 Authentication required", "fail", "wants a login"),
        ("530 5.7.0 Authentication required", "250 OK", "fail", "wants a login"),
        ("553 5.7.1 not your address", "250 OK", "fail", "takes no mail from our addresses"),
        ("250 OK", "450 4.7.1 greylisted", "warn", "look again later"),
        ("250 OK", "556 5.1.10 example.com does not accept mail (nullMX)", "ok", "knows that nobody is at"),
    ],
)
def test_what_a_server_refuses_is_said_with_its_words(sender: str, recipient: str, state: str, words: str) -> None:
    server = Server(sender, recipient)
    with serving(server) as url:
        found, said = look(url)
    assert found == state
    assert words in said
    assert server.asked[-1] == "nothing"
    if state == "fail":
        assert (sender if sender[0] == "5" else recipient)[:12] in said


def test_a_wrong_password_is_found_and_never_repeated() -> None:
    with serving(Server(user="scott"), "scott:hunter2@") as url:
        state, said = look(url)
    assert (state, "does not let scott in" in said, "hunter2" in said) == ("fail", True, False)


def test_a_login_that_is_not_offered_or_missing_is_found() -> None:
    with serving(Server(), "scott:right@") as url:
        state, said = look(url)
        assert (state, "offers no login here" in said) == ("fail", True)
    with serving(Server(user="scott")) as url:
        state, said = look(url)
        assert (state, "wants a login" in said) == ("fail", True)
    with serving(Server(user="scott"), "scott:right@") as url:
        assert look(url)[0] == "ok"


def test_a_password_is_shown_only_behind_encryption_unless_the_server_is_this_machine() -> None:
    server = Server(user="scott")
    with serving(server, "scott:right@") as url:
        state, said = look(url, "")
        config = read_config(f'domain = "a.example"\n[outgoing]\nurl = "{url}"\n', Path("/srv/x"), {})
        with pytest.raises(TryAgain, match="does not encrypt, so it is shown no password"):
            open_postman(config, FileSecrets(Path("/srv"))).deliver(b"From: a@b\r\n\r\nx", "scott@example.org")
    assert (state, "it is shown no password; write smtps://" in said, "right" in said) == ("fail", True, False)
    assert (server.tried, server.asked) == ([], [])
    for host in ("mail.example", "127.0.0.1.example", "[2001:db8::1]", "128.0.0.1"):
        with pytest.raises(Misconfigured, match="plain_password` is only for a server on this machine"):
            look(f"smtp://scott:right@{host}:25")


def test_a_certificate_that_is_not_believed_is_found(tmp_path: Path) -> None:
    certificate, key = write_certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    with serving(Server(), tls_context=context) as url:
        state, said = look(url)
    assert (state, "certificate" in said.lower()) == ("fail", True)


def test_what_goes_over_the_network_unencrypted_is_warned_of() -> None:
    config = read_config('domain = "a.example"\n[outgoing]\nurl = "smtp://mail.example:25"\n', Path("/srv/x"), {})
    heard = Rehearsal("recipient", 250, "2.1.5 OK", is_encrypted=False)
    found = judge_rehearsal(heard, config.outgoing)
    assert (found.finding.value, "every answer can be read" in found.says) == ("warn", True)
