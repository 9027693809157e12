from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from tests.doors.dovecot import PASSWORD, USER, Dovecot, running_dovecot
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.program import Program

MAIL = write_mail(sender="scott@example.org", to="amelia@edit.localhost", text="We open at nine now.")


@pytest.fixture
def server() -> Iterator[Dovecot]:
    with running_dovecot() as server:
        yield server


def look_into(program: Program, server: Dovecot, password: str = PASSWORD) -> None:
    (program.folder / "secret").write_text(password)
    with (program.folder / "webordinary.toml").open("a") as file:
        file.write(f"""
[[imap]]
host = "127.0.0.1"
port = {server.port}
security = "none"
user = "{USER}"
password_file = "secret"
""")


def test_looking_once_takes_in_what_is_new(any_bakery: Program, server: Dovecot) -> None:
    look_into(any_bakery, server)
    server.put(MAIL)

    assert f"{USER}@127.0.0.1/INBOX: 1 new mail" in any_bakery.run("imap", "--once")
    assert "no new mails" in any_bakery.run("imap", "--once")
    (mail,) = any_bakery.read("show", "mail")
    assert (mail["door"], mail["outcome"]) == ("imap", "held")


@pytest.mark.thorough
def test_without_once_it_stays_until_it_is_ended(bakery: Program, server: Dovecot) -> None:
    look_into(bakery, server)
    server.put(MAIL)
    with bakery.start("imap") as staying:
        staying.line_with("1 new mail")
        server.put(MAIL + b"Thank you!")
        staying.line_with("1 new mail")

        assert staying.end(signal.SIGTERM) == 0
    assert "Traceback" not in staying.said


def test_serving_looks_into_mailboxes_too(bakery: Program, server: Dovecot) -> None:
    look_into(bakery, server)
    with bakery.start("serve") as serving:
        serving.line_with(f"Looking into the mailbox {USER}@127.0.0.1/INBOX")
        server.put(MAIL)
        serving.line_with("is held, nothing will be done")

        assert serving.end(signal.SIGTERM) == 0


def test_a_mailbox_that_lets_us_not_in_is_a_sentence_and_a_code(bakery: Program, server: Dovecot) -> None:
    look_into(bakery, server, password="hunter2")

    said = bakery.run("imap", "--once", code=1)

    assert "correct imap.password_file" in said
    assert "hunter2" not in said


def test_without_a_mailbox_it_says_what_to_write(bakery: Program) -> None:
    assert "add an [[imap]] table" in bakery.run("imap", "--once", code=2)
