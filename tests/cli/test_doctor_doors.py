from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_doctor import findings
from tests.doors.certificates import write_certificate
from tests.doors.dovecot import PASSWORD, USER, Dovecot, running_dovecot
from webordinary.doors.certificate import ends_at
from webordinary.doors.passwords import Hashed
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.program import Program


@pytest.fixture
def server() -> Iterator[Dovecot]:
    with running_dovecot() as server:
        yield server


def set_smtp(program: Program, lines: str) -> None:
    path = program.folder / "webordinary.toml"
    path.write_text(path.read_text().replace("[smtp]\n", f"[smtp]\n{lines}\n", 1))


def test_certificate_and_users_are_looked_at(bakery: Program) -> None:
    write_certificate(bakery.folder, days=90)
    (bakery.folder / "users").write_text(f"scott@example.org:{Hashed.of('rolls and more')}\n")
    set_smtp(bakery, 'certificate = "mail.pem"\nkey = "mail.key"\nusers = "users"')

    found = findings(bakery)

    assert found["certificate"][0] == "ok"
    assert found["logins"][1].startswith("1 users in")


def test_a_certificate_that_ends_soon_and_an_empty_file_are_warned_of(bakery: Program) -> None:
    write_certificate(bakery.folder)
    (bakery.folder / "users").write_text("# nobody yet\n")
    set_smtp(bakery, 'certificate = "mail.pem"\nkey = "mail.key"\nusers = "users"')

    found = findings(bakery)

    assert found["certificate"][0] == "warn"
    assert "renew it" in found["certificate"][1]
    assert "webordinary password" in found["logins"][1]


def test_a_certificate_and_users_that_cannot_be_read_are_found(bakery: Program) -> None:
    set_smtp(bakery, 'certificate = "mail.pem"\nkey = "mail.key"\nusers = "users"')

    found = findings(bakery, code=1)

    assert "correct smtp.certificate" in found["certificate"][1]
    assert "correct smtp.users" in found["logins"][1]


@pytest.mark.thorough
def test_a_unix_socket_is_free_or_taken(bakery: Program) -> None:
    set_smtp(bakery, 'socket = "lmtp"\nprotocol = "lmtp"')
    assert findings(bakery)["mail in"][1].endswith("lmtp is free")

    with bakery.start("serve") as server:
        server.line_with("is ready")
        assert "WebOrdinary listens there already" in findings(bakery)["mail in"][1]
        server.end()

    (bakery.folder / "lmtp").write_text("a shopping list")
    assert "is no socket" in findings(bakery, code=1)["mail in"][1]


@pytest.mark.thorough
def test_another_program_at_the_socket_is_found(bakery: Program) -> None:
    set_smtp(bakery, 'socket = "lmtp"')
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(bakery.folder / "lmtp"))
        other.listen()

        assert findings(bakery, code=1)["mail in"][0] == "fail"


def test_each_mailbox_is_logged_in_to(bakery: Program, server: Dovecot) -> None:
    (bakery.folder / "secret").write_text(PASSWORD)
    path = bakery.folder / "webordinary.toml"
    keys = f'host = "127.0.0.1"\nport = {server.port}\nsecurity = "none"\nuser = "{USER}"\npassword_file = "secret"\n'
    path.write_text(f"{path.read_text()}\n[[imap]]\n{keys}")
    assert findings(bakery)["mailbox"] == ("ok", f"{USER}@127.0.0.1/INBOX says when mail comes")

    (bakery.folder / "secret").write_text("hunter2")
    state, said = findings(bakery, code=1)["mailbox"]

    assert (state, "hunter2" in said) == ("fail", False)
    assert "correct imap.password_file" in said


def test_a_certificate_knows_its_end(tmp_path: Path) -> None:
    end = ends_at(*write_certificate(tmp_path, days=30))
    assert timedelta(days=29) < end - datetime.now(UTC) < timedelta(days=31)


def test_a_certificate_that_has_ended_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="expired"):
        ends_at(*write_certificate(tmp_path, days=-1))


def test_a_certificate_with_another_ones_key_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    certificate, _ = write_certificate(tmp_path)
    _, key = write_certificate(tmp_path / "other")
    with pytest.raises(Misconfigured, match=r"correct smtp\.certificate"):
        ends_at(certificate, key)
