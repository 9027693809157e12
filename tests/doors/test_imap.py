"""The IMAP door against a real server: new mail, lost servers, other people, and everything that is wrong."""

from __future__ import annotations

import logging
import queue
import socket
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.doors.dovecot import PASSWORD, USER, Dovecot, running_dovecot
from tests.doors.office import DOMAIN, MAIL
from tests.rigs import PORTS
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.audit.entry import EventType
from webordinary.config import Duration
from webordinary.doors.imap import ImapSection, Security
from webordinary.doors.imap_mailbox import OpenMailbox, read_password
from webordinary.doors.imap_poll import ImapDoor, ImapPoller
from webordinary.errors import Misconfigured, TryAgain
from webordinary.intake import LARGEST_MAIL, Intake
from webordinary.values import Host, ServerName, Title, Variable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.rigs.ports import Ports

SOON = timedelta(milliseconds=50)


@pytest.fixture(scope="module")
def server_of_the_house() -> Iterator[Dovecot]:
    """One for all tests, and started again for those that kill it."""
    with running_dovecot() as server:
        yield server


@pytest.fixture
def server(server_of_the_house: Dovecot) -> Dovecot:
    """Return the server with an empty mailbox."""
    with server_of_the_house.visit() as client:
        client.uid("STORE", "1:*", "+FLAGS", r"(\Deleted)")
        client.expunge()
        client.delete("Done")
    return server_of_the_house


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    return open_embedded_ports(tmp_path / "engine")


def section(server: Dovecot, **keys: Any) -> ImapSection:  # noqa: ANN401 - each test knows its keys
    secret = server.folder / "secret"
    secret.write_text(f"{PASSWORD}\n")
    usual = {"host": Host("127.0.0.1"), "port": server.port, "security": Security.NONE, "user": Title(USER)}
    return ImapSection(**{**usual, "password_file": secret, **keys})


def door_to(server: Dovecot, ports: Ports, **keys: Any) -> ImapDoor:  # noqa: ANN401 - each test knows its keys
    intake = Intake(ports.engine, DOMAIN, ports.clock, ports.limits)
    return ImapDoor(section(server, **keys), intake)


def look(door: ImapDoor) -> int:
    with door.open() as mailbox:
        return door.take_new(mailbox)


def mails(ports: Ports) -> list[bytes]:
    return [ports.engine.inbox.read(mail.id) for mail in reversed(ports.engine.overview.mails())]


@contextmanager
def polling(door: ImapDoor) -> Iterator[queue.Queue[int]]:
    """Stay at the mailbox inside the block; each look says how many mails it has taken."""
    looks: queue.Queue[int] = queue.Queue()
    poller = ImapPoller(door, on_taken=looks.put, first_wait=SOON)
    poller.start()
    try:
        yield looks
    finally:
        poller.close()


def next_taken(looks: queue.Queue[int]) -> int:
    """Wait for the next look that has found something."""
    return next(taken for taken in iter(lambda: looks.get(timeout=60), None) if taken)


@pytest.mark.parametrize("engine", PORTS)
def test_an_unseen_mail_is_taken_in_and_marked_on_every_engine(server: Dovecot, engine: str, tmp_path: Path) -> None:
    ports = PORTS[engine](tmp_path)
    server.put(MAIL)
    door = door_to(server, ports)
    assert look(door) == 1
    assert mails(ports) == [MAIL]
    assert server.flags() == [r"\Seen"]
    (view,) = ports.engine.overview.mails()
    assert (view.door, view.state) == ("imap", "decided")
    assert look(door) == 0


def test_what_was_seen_before_the_first_look_is_left_alone(server: Dovecot, ports: Ports) -> None:
    server.put(MAIL + b"old", r"\Seen")
    server.put(MAIL + b"new")
    server.put(MAIL + b"also old", r"\Seen")
    assert look(door_to(server, ports)) == 1
    assert look(door_to(server, ports)) == 0
    assert mails(ports) == [MAIL + b"new"]


def test_a_mail_that_somebody_else_has_read_first_is_taken_all_the_same(server: Dovecot, ports: Ports) -> None:
    door = door_to(server, ports)
    look(door)
    server.put(MAIL, r"\Seen \Flagged")
    assert look(door) == 1
    assert mails(ports) == [MAIL]


def test_a_mail_that_somebody_marks_as_unread_again_is_not_taken_twice(server: Dovecot, ports: Ports) -> None:
    server.put(MAIL)
    look(door_to(server, ports))
    with server.visit() as client:
        client.store("1", "-FLAGS", r"(\Seen)")
    assert look(door_to(server, ports)) == 0
    assert server.flags() == [""]


def test_what_others_have_marked_as_deleted_is_not_purged(server: Dovecot, ports: Ports) -> None:
    door = door_to(server, ports)
    look(door)
    server.put(MAIL + b"1", r"\Deleted")
    server.put(MAIL + b"2")
    assert look(door) == 2
    assert server.flags() == [r"\Deleted \Seen", r"\Seen"]


@pytest.mark.parametrize("hidden", [(), ("MOVE",), ("MOVE", "UIDPLUS")], ids=["move", "copy", "copy without purge"])
def test_mails_can_be_moved_instead_of_marked(server: Dovecot, ports: Ports, hidden: tuple[str, ...]) -> None:
    with server.visit() as client:
        client.create("Done")
    server.put(MAIL + b"somebody else's", r"\Deleted \Seen")
    server.put(MAIL)
    door = door_to(server, ports, move_to=Title("Done"))
    with door.open() as mailbox:
        mailbox.abilities -= set(hidden)
        assert door.take_new(mailbox) == 1
    assert len(server.flags("Done")) == 1
    left = [r"\Deleted \Seen"] * 2 if "UIDPLUS" in hidden else [r"\Deleted \Seen"]
    assert [" ".join(sorted(flags.split())) for flags in server.flags()] == left
    assert look(door) == 0


def test_a_folder_to_move_to_that_is_missing_keeps_no_mail_from_coming_in(
    server: Dovecot, ports: Ports, caplog: pytest.LogCaptureFixture
) -> None:
    server.put(MAIL + b"1")
    server.put(MAIL + b"2")
    door = door_to(server, ports, move_to=Title("Nowhere"))
    assert look(door) == 2
    assert look(door) == 0
    assert "Nowhere" in caplog.text or "exist" in caplog.text
    assert server.flags() == ["", ""]


def test_the_envelope_names_mailbox_validity_and_number_and_whom_to_believe(server: Dovecot, ports: Ports) -> None:
    server.put(MAIL)
    door = door_to(server, ports)
    with door.open() as mailbox:
        (uid,) = mailbox.unseen()
        ImapDoor(door.imap, door.intake, authserv_id="mx.example.com").take_new(mailbox)
        key = f"imap:{USER}@127.0.0.1/INBOX:{mailbox.validity}:{uid}"
    (view,) = ports.engine.overview.mails()
    kept = ports.engine.inbox.find(view.id)
    assert kept is not None
    assert (kept.envelope.transport_key, kept.envelope.authserv_id) == (key, "mx.example.com")


DATE = b"Date: Mon, 2 Mar 2026 08:58:00 +0000\r\n"
RESULTS = b"Authentication-Results: mx.provider.example; dmarc=pass header.from=example.org\r\n"
RECEIVED = b"Received: from phone.example.org by mx.provider.example with ESMTPS id 1; Mon, 2 Mar 2026 08:59:00 GMT\r\n"


@pytest.mark.parametrize(
    ("head", "believed", "outcome"),
    [
        (RESULTS + RECEIVED, "mx.provider.example", "queued"),
        (RECEIVED + RESULTS, "mx.provider.example", "held"),
        (RESULTS + RECEIVED, None, "held"),
    ],
    ids=["the provider's own", "written by the sender", "nobody was named"],
)
def test_what_the_provider_found_out_counts_when_it_is_named(
    server: Dovecot, ports: Ports, head: bytes, believed: str | None, outcome: str
) -> None:
    server.put(head + DATE + MAIL)
    look(door_to(server, ports, authserv_id=ServerName(believed) if believed else None))
    (view,) = ports.engine.overview.mails()
    assert view.outcome == outcome, view.reason


def test_a_mail_that_comes_while_we_wait_is_taken_at_once(server: Dovecot, ports: Ports) -> None:
    with polling(door_to(server, ports)) as looks:
        looks.get(timeout=60)
        for number in range(3):
            server.put(MAIL + b"%d" % number)
            assert next_taken(looks) == 1
    assert [mail[-1:] for mail in mails(ports)] == [b"0", b"1", b"2"]


def test_many_mails_that_come_while_we_begin_to_wait_are_all_taken(server: Dovecot, ports: Ports) -> None:
    with polling(door_to(server, ports)) as looks, server.visit() as client:
        for number in range(40):
            client.append("INBOX", "", "", MAIL + b"%d" % number)
        while len(mails(ports)) < 40:
            looks.get(timeout=60)
    assert [mail[len(MAIL) :] for mail in mails(ports)] == [b"%d" % number for number in range(40)]


def test_a_server_that_cannot_wait_is_asked_again_and_again(server: Dovecot, ports: Ports) -> None:
    door = door_to(server, ports, poll=Duration(seconds=0.05))
    with pytest.MonkeyPatch.context() as patch, polling(door) as looks:
        patch.setattr(OpenMailbox, "can_wait", property(lambda _: False))
        looks.get(timeout=60)
        server.put(MAIL)
        assert next_taken(looks) == 1


def test_the_wait_is_begun_anew_before_the_server_loses_its_patience(server: Dovecot, ports: Ports) -> None:
    with polling(door_to(server, ports, idle=Duration(seconds=0.05))) as looks:
        assert [looks.get(timeout=60) for _ in range(4)] == [0, 0, 0, 0]
        server.put(MAIL)
        assert next_taken(looks) == 1


def test_when_the_server_was_killed_we_come_back_and_miss_nothing(server: Dovecot, ports: Ports) -> None:
    with polling(door_to(server, ports)) as looks:
        looks.get(timeout=60)
        server.kill()
        server.start()
        server.put(MAIL)
        assert next_taken(looks) == 1
    assert mails(ports) == [MAIL]


def test_a_door_is_closed_although_the_server_hangs(server: Dovecot, ports: Ports) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        poller = ImapPoller(door_to(server, ports, port=silent.getsockname()[1]), grace=SOON)
        poller.start()
        connection, _ = silent.accept()
        poller.close()
        poller.close()
        connection.close()


def test_a_server_that_is_not_there_is_waited_for(server: Dovecot, ports: Ports) -> None:
    server.put(MAIL)
    server.kill()
    door = door_to(server, ports)
    with pytest.raises(TryAgain, match="cannot be read right now"):
        look(door)
    with polling(door) as looks:
        server.start()
        assert next_taken(looks) == 1


def test_when_the_server_numbers_its_mails_anew_only_unseen_ones_are_new(server: Dovecot, ports: Ports) -> None:
    server.put(MAIL + b"before")
    door = door_to(server, ports)
    assert look(door) == 1
    before = ports.engine.mailboxes.find(door.imap.name)
    server.kill()
    for index in (server.folder / "mail" / USER).glob("dovecot*"):
        index.unlink()
    server.start()
    server.put(MAIL + b"after")
    assert look(door) == 1
    after = ports.engine.mailboxes.find(door.imap.name)
    assert before is not None
    assert after is not None
    assert before.validity != after.validity
    assert [mail[len(MAIL) :] for mail in mails(ports)] == [b"before", b"after"]


def test_a_crash_after_the_mail_was_kept_leads_to_no_second_one(server: Dovecot, ports: Ports) -> None:
    door = door_to(server, ports)
    look(door)
    server.put(MAIL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OpenMailbox, "acknowledge", crash)
        with pytest.raises(KeyboardInterrupt):
            look(door)
    assert server.flags() == [""]
    assert look(door) == 1
    assert mails(ports) == [MAIL]
    assert server.flags() == [r"\Seen"]


def test_a_crash_before_the_mail_was_kept_loses_nothing(server: Dovecot, ports: Ports) -> None:
    server.put(MAIL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Intake, "receive", crash)
        with pytest.raises(KeyboardInterrupt):
            look(door_to(server, ports))
    assert server.flags() == [""]
    assert look(door_to(server, ports)) == 1


def test_a_mail_that_cannot_be_kept_stays_unmarked_until_it_can(server: Dovecot, tmp_path: Path) -> None:
    server.put(MAIL)
    full = open_embedded_ports(tmp_path / "engine", reserve=2**62)
    with pytest.raises(TryAgain, match="nearly full"):
        look(door_to(server, full))
    assert server.flags() == [""]
    assert look(door_to(server, open_embedded_ports(tmp_path / "engine", reserve=0))) == 1


def test_a_mail_that_is_removed_while_we_look_is_no_trouble(server: Dovecot, ports: Ports) -> None:
    for number in range(3):
        server.put(MAIL + b"%d" % number)
    door = door_to(server, ports)
    with door.open() as mailbox:
        with server.visit() as client:
            client.store("2", "+FLAGS", r"(\Deleted)")
            client.expunge()
        assert door.take_new(mailbox) == 2
    assert [mail[-1:] for mail in mails(ports)] == [b"0", b"2"]


def test_a_mail_that_is_too_large_is_refused_and_the_next_one_is_taken(server: Dovecot, ports: Ports) -> None:
    server.put(MAIL + (b"0" * 998 + b"\r\n") * (LARGEST_MAIL // 1000 + 1))
    server.put(MAIL)
    assert look(door_to(server, ports)) == 1
    assert mails(ports) == [MAIL]
    (refused,) = [
        entry for entry in ports.engine.trail.read() if entry.what is EventType.MAIL_REFUSED and not entry.mail
    ]
    assert "the limit is 25 MB" in refused.text
    assert server.flags() == [r"\Seen", r"\Seen"]
    assert look(door_to(server, ports)) == 0


def test_a_wrong_password_is_a_sentence_without_the_password(
    server: Dovecot, ports: Ports, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "wrong").write_text("hunter2\n")
    caplog.set_level(logging.DEBUG)
    door = door_to(server, ports, password_file=tmp_path / "wrong")
    with pytest.raises(Misconfigured, match=r"correct imap\.password_file") as caught:
        look(door)
    assert "hunter2" not in f"{caught.value!r} {caught.value.__context__!r} {caplog.text}"


@pytest.mark.thorough
def test_a_folder_that_does_not_exist_is_a_sentence(server: Dovecot, ports: Ports) -> None:
    with pytest.raises(Misconfigured, match=r"has no folder Wünsche .*correct imap\.mailbox"):
        look(door_to(server, ports, mailbox=Title("Wünsche")))


def test_a_folder_of_any_name_can_be_read(server: Dovecot, ports: Ports) -> None:
    with server.visit() as client:
        client.create('"W&APw-nsche und Fragen"')
        client.append('"W&APw-nsche und Fragen"', "", "", MAIL)
    try:
        assert look(door_to(server, ports, mailbox=Title("Wünsche und Fragen"))) == 1
    finally:
        with server.visit() as client:
            client.delete('"W&APw-nsche und Fragen"')


@pytest.mark.parametrize(("security", "port"), [(Security.TLS, "tls_port"), (Security.STARTTLS, "port")])
def test_the_certificate_of_the_server_is_checked(server: Dovecot, ports: Ports, security: Security, port: str) -> None:
    server.put(MAIL)
    keys = {"security": security, "port": getattr(server, port)}
    with pytest.raises(Misconfigured, match="is not believed"):
        look(door_to(server, ports, **keys))
    with pytest.raises(Misconfigured, match="is not believed"):
        look(door_to(server, ports, **keys, host=Host("127.0.0.2"), certificates=server.certificate))
    assert look(door_to(server, ports, **keys, certificates=server.certificate)) == 1


def test_waiting_works_through_an_encrypted_connection(server: Dovecot, ports: Ports) -> None:
    keys = {"security": Security.TLS, "port": server.tls_port, "certificates": server.certificate}
    with polling(door_to(server, ports, **keys)) as looks:
        looks.get(timeout=60)
        server.put(MAIL)
        assert next_taken(looks) == 1


def test_the_password_can_stand_in_a_variable(server: Dovecot, ports: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKERY_PASSWORD", PASSWORD)
    door = door_to(server, ports, password_file=None, password_variable=Variable("BAKERY_PASSWORD"))
    assert look(door) == 0


@pytest.mark.parametrize("content", ["", "two\nlines", "zero\0byte"])
def test_a_file_that_holds_no_password_is_a_sentence(server: Dovecot, tmp_path: Path, content: str) -> None:
    (tmp_path / "secret").write_text(content)
    with pytest.raises(Misconfigured, match="does not hold the password"):
        read_password(section(server, password_file=tmp_path / "secret"))
    with pytest.raises(Misconfigured, match="cannot be read"):
        read_password(section(server, password_file=tmp_path / "nowhere"))


def crash(*_: object) -> None:
    """End as a process ends that is killed: nothing after this is done."""
    raise KeyboardInterrupt
