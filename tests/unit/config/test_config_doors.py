from __future__ import annotations

from pathlib import Path

import pytest

from webordinary.config import Config, read_config
from webordinary.config.describe import keys_of, section_in
from webordinary.config.shape import File
from webordinary.doors.imap import ImapSection, Security
from webordinary.doors.smtp import Protocol, Smtp
from webordinary.errors import Misconfigured
from webordinary.mail.door import DOORS

SMALL = """\
domain = "edit.example.com"

[outgoing]
url = "maildir:outgoing"
"""
BOX = """
[[imap]]
host = "imap.example.com"
user = "website@example.com"
password_file = "secret"
"""


def read(text: str) -> Config:
    return read_config(SMALL + text, Path("/srv/webordinary.toml"), {})


def complaint(text: str) -> str:
    with pytest.raises(Misconfigured) as caught:
        read(text)
    return str(caught.value).removeprefix("/srv/webordinary.toml")


@pytest.mark.parametrize("name", DOORS.built_in)
def test_a_built_in_door_brings_its_own_table(name: str) -> None:
    assert section_in(keys_of(File)[name].type) is DOORS.find(name).options
    assert complaint(f"[{name}]\nnobody_asks_for_it = true\n")


def test_without_a_word_the_listener_has_limits() -> None:
    smtp = read("").find_doors(Smtp)[0]
    assert (smtp.protocol, smtp.recipients, smtp.connections, smtp.connections_each) == (Protocol.SMTP, 100, 100, 20)
    assert smtp.command_deadline < smtp.mail_deadline < smtp.session_deadline


def test_relative_paths_begin_at_the_folder_of_the_file() -> None:
    smtp = read(
        '[smtp]\ncertificate = "tls/mail.pem"\nkey = "/etc/mail.key"\nusers = "users"\nsocket = "lmtp"'
    ).find_doors(Smtp)[0]
    assert (smtp.certificate, smtp.key) == (Path("/srv/tls/mail.pem"), Path("/etc/mail.key"))
    assert (smtp.users, smtp.socket) == (Path("/srv/users"), Path("/srv/lmtp"))
    assert read(BOX).find_doors(ImapSection)[0].password_file == Path("/srv/secret")


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ('certificate = "c"', "`smtp.certificate` needs `smtp.key` beside it"),
        ('key = "k"', "`smtp.key` needs `smtp.certificate` beside it"),
        ('listen = "0.0.0.0:25"\nusers = "u"', "`smtp.users` needs `smtp.certificate` and `smtp.key`"),
        ("command_deadline = 0", "`smtp.command_deadline` must be longer than 0"),
        ("recipients = 0", "`smtp.recipients` must be a whole number from 1"),
        ('protocol = "http"', '`smtp.protocol` must be "smtp" or "lmtp"'),
    ],
)
def test_a_listener_that_cannot_work_is_refused(table: str, wrong: str) -> None:
    assert wrong in complaint(f"[smtp]\n{table}\n")


def test_passwords_are_fine_on_loopback_and_behind_a_socket() -> None:
    assert read('[smtp]\nusers = "u"').find_doors(Smtp)[0].is_local
    assert read('[smtp]\nlisten = "0.0.0.0:25"\nsocket = "s"\nusers = "u"').find_doors(Smtp)[0].is_local


def test_behind_another_mail_server_nobody_is_trusted_for_being_local() -> None:
    text = "demo = true\n" + SMALL + '[smtp]\nprotocol = "lmtp"\ntrust_local = true\n'
    with pytest.raises(Misconfigured, match="cannot be true behind another mail server"):
        read_config(text, Path("/srv/webordinary.toml"), {})


def test_a_mailbox_knows_its_port_and_its_name() -> None:
    (box,) = read(BOX).find_doors(ImapSection)
    assert (box.actual_port, box.security, box.mailbox, box.move_to) == (993, Security.TLS, "INBOX", None)
    assert box.name == "website@example.com@imap.example.com/INBOX"
    (other,) = read(BOX + 'security = "starttls"').find_doors(ImapSection)
    assert other.actual_port == 143


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ('password_variable = "BOX"', "`imap` needs exactly one of `password_file`, `password_variable` and `oauth`"),
        ('security = "none"', '`imap.security` can be "none" only on loopback'),
        ('idle = "29 min"', "`imap.idle` must be longer than 0 and shorter than 29 minutes"),
        ("idle = 0", "`imap.idle` must be longer than 0"),
        ("poll = 0", "`imap.poll` must be longer than 0"),
        ('move_to = "INBOX"', "`imap.move_to` must be another folder"),
        ("port = 0", "`imap.port` must be a whole number"),
        (BOX, "is looked into twice"),
    ],
)
def test_a_mailbox_that_cannot_work_is_refused(lines: str, wrong: str) -> None:
    assert wrong in complaint(f"{BOX}{lines}\n")


def test_a_mailbox_without_a_password_is_refused() -> None:
    assert "needs exactly one of" in complaint(BOX.replace('password_file = "secret"', ""))


def test_a_password_cannot_be_written_where_the_name_of_its_variable_belongs() -> None:
    box = BOX.replace('password_file = "secret"', 'password_variable = "pass word!"')
    assert "pass word!" not in complaint(box)
    ours = BOX.replace('password_file = "secret"', 'password_variable = "WEBORDINARY_BOX"')
    assert "must not begin with WEBORDINARY_" in complaint(ours)


def test_a_mailbox_on_this_machine_may_be_read_without_encryption() -> None:
    box = BOX.replace("imap.example.com", "127.0.0.1") + 'security = "none"\n'
    assert read(box).find_doors(ImapSection)[0].actual_port == 143
