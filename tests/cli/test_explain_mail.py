"""`webordinary explain-mail` as a person and a program use it: it tells everything and does nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.signing import Signer, make_key
from webordinary.testing.dns import SILENT, NameServer, Zone
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.program import Program

FIELDS = (
    "file",
    "verdict",
    "method",
    "sender",
    "lane",
    "thread",
    "instruction",
    "attachments",
    "outcome",
    "reason",
)
SCOTT = "scott@example.org"
TO = "amelia@edit.localhost"
OWNER = SCOTT.rpartition("@")[2]


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[NameServer]:
    server = NameServer(Zone())
    monkeypatch.setenv("WEBORDINARY_MAIL_DNS_SERVER", f"127.0.0.1:{server.address[1]}")
    Signer(OWNER, make_key()).publish(server.zone)
    server.zone.put(OWNER, "TXT", "v=spf1 ip4:192.0.2.10 -all")
    server.zone.put(f"_dmarc.{OWNER}", "TXT", "v=DMARC1; p=reject")
    yield server
    server.close()


def mail(**how: object) -> bytes:
    given = {"sender": SCOTT, "to": TO, "text": "We open at nine.", "written_at": datetime.now(UTC), **how}
    return write_mail(**given)  # type: ignore[arg-type]  # passed on as it came


def state_of(folder: Path) -> set[tuple[str, int]]:
    """Everything there is, apart from what SQLite keeps beside an open file."""
    files = (file for file in folder.rglob("*") if file.is_file() and not file.name.endswith(("-wal", "-shm")))
    return {(str(file), file.stat().st_size) for file in files}


def explain(bakery: Program, *words: str) -> list[dict[str, object]]:
    said = bakery.run("explain-mail", "--json", *words)
    found = [json.loads(line) for line in said.splitlines()]
    assert all(set(FIELDS) <= each.keys() for each in found)
    return found


def test_every_step_is_told_and_nothing_is_changed(bakery: Program) -> None:
    bakery.run("show", "mail")
    (bakery.folder / "mail.eml").write_bytes(mail(files=(("menu.pdf", "application/pdf", b"%PDF"),)))
    before = state_of(bakery.folder)
    said = bakery.run("explain-mail", "mail.eml", "--as", SCOTT)

    for words in ("Read:", "Sender:", "verified (operator)", "lane amelia#scott, a new thread", "Outcome: queued"):
        assert words in said
    assert state_of(bakery.folder) == before
    assert bakery.read("show", "jobs") == bakery.read("show", "mail") == []
    (told,) = explain(bakery, "mail.eml", "--as", SCOTT)
    assert (told["lane"], told["thread"], told["outcome"]) == ("amelia#scott", "new", "queued")
    assert told["instruction"] == "We open at nine."
    assert told["attachments"] == [{"name": "menu.pdf", "content_type": "application/pdf", "bytes": 4}]


@pytest.mark.usefixtures("zone")
def test_the_verdict_is_the_one_the_listener_would_come_to(bakery: Program) -> None:
    signer = Signer(OWNER, make_key())
    (bakery.folder / "signed.eml").write_bytes(signer.sign(mail()))
    (bakery.folder / "plain.eml").write_bytes(mail())
    (bakery.folder / "broken.eml").write_bytes(signer.sign(mail()).replace(b"at nine", b"at four"))
    here = ("--peer", "192.0.2.10", "--mail-from", SCOTT)
    elsewhere = ("--peer", "198.51.100.66", "--mail-from", "eve@elsewhere.example")

    told = explain(bakery, "signed.eml", "plain.eml", "broken.eml")
    assert [(each["verdict"], each["outcome"]) for each in told] == [
        ("verified", "queued"),
        ("unverified", "held"),
        ("unverified", "held"),
    ]
    assert explain(bakery, "plain.eml", *here)[0]["method"] == "spf"
    assert explain(bakery, "plain.eml", *elsewhere)[0]["outcome"] == "quarantined"


def test_what_is_not_taken_is_still_read(any_bakery: Program) -> None:
    (any_bakery.folder / "held.eml").write_bytes(mail())
    (any_bakery.folder / "eve.eml").write_bytes(mail(sender="eve@elsewhere.example"))
    held, stranger = explain(any_bakery, "held.eml", "eve.eml")

    assert (held["outcome"], held["lane"], held["instruction"]) == ("held", "amelia#scott", "We open at nine.")
    assert (stranger["outcome"], stranger["lane"], stranger["instruction"]) == ("ignored", None, "We open at nine.")


def test_a_mail_that_came_before_is_known(any_bakery: Program) -> None:
    (any_bakery.folder / "mail.eml").write_bytes(mail(message_id="<1@phone.example>"))
    any_bakery.run("deliver", "mail.eml", "--as", SCOTT)

    assert explain(any_bakery, "mail.eml", "--as", SCOTT)[0]["outcome"] == "repeated"


def test_no_readable_file_makes_it_fail(bakery: Program) -> None:
    hostile = {
        "empty": b"",
        "nul": b"\0" * 1000,
        "noise": bytes(range(256)) * 40,
        "no-from": b"Subject: x\n\ny",
        "two-froms": b"From: a@b.c\nFrom: d@e.f\n\nx",
        "comment": b"From: (scott@example.org) eve@x.example\n\nx",
        "long-line": b"Subject: " + b"x" * 70_000 + b"\n\nx",
        "many-to": b"From: a@b.example\nTo: " + b", ".join(b"x%d@y.example" % n for n in range(20_000)) + b"\n\nx",
        "nested": b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(1000)),
        "boundary": b"From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n--y\n\nhello",
        "charset": b"From: a@b.example\nContent-Type: text/plain; charset=nonsense\n\n\xff\xfe",
        "base64": b"From: a@b.example\nContent-Transfer-Encoding: base64\n\n!!!!not base64",
        "large": b"From: a@b.example\n\n" + b"x" * (25 * 1024 * 1024 + 100_000),
        "signature": b"DKIM-Signature: v=1; a=rsa-sha256; d=b.example; h=from; bh=; b=;;;==\nFrom: a@b.example\n\nx",
    }
    for name, raw in hostile.items():
        (bakery.folder / f"{name}.eml").write_bytes(raw)
    told = explain(bakery, *(f"{name}.eml" for name in hostile))

    assert [each["file"] for each in told] == [f"{name}.eml" for name in hostile]
    assert {each["outcome"] for each in told} <= {"ignored", "refused", "held", "automatic"}


def test_a_file_that_cannot_be_read_does_not_keep_the_others_from_being_explained(bakery: Program) -> None:
    (bakery.folder / "mail.eml").write_bytes(mail())
    said = bakery.run("explain-mail", "nosuch.eml", "mail.eml", code=1)

    assert "Outcome: held" in said
    assert "nosuch.eml cannot be read" in said


def test_a_silent_name_server_is_said_and_does_not_stop_it(
    bakery: Program, zone: NameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBORDINARY_MAIL_DNS_TIMEOUT", "300 ms")
    zone.zone.put(f"s1._domainkey.{OWNER}", "TXT", SILENT)
    (bakery.folder / "signed.eml").write_bytes(Signer(OWNER, make_key()).sign(mail()))
    said = bakery.run("explain-mail", "signed.eml")

    assert "no name server answered" in said
    assert "Outcome: held" in said


def test_it_works_without_any_installation_and_leaves_nothing_behind(program: Program) -> None:
    (program.folder / "mail.eml").write_bytes(mail())
    said = program.run("explain-mail", "mail.eml")

    assert "no project has this address" in said
    assert [file.name for file in program.folder.iterdir()] == ["mail.eml"]


def test_an_invitation_without_words_would_be_answered_as_empty(bakery: Program, zone: NameServer) -> None:
    assert zone
    head = f"From: {SCOTT}\r\nTo: {TO}\r\nSubject: Team meeting\r\nMessage-ID: <invitation@phone.example>\r\n"
    raw = f"{head}Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".encode()
    (bakery.folder / "invitation.eml").write_bytes(raw)

    told = bakery.read("explain-mail", "invitation.eml", "--as", SCOTT)

    assert (told["outcome"], told["reason"]) == ("refused", "the mail has no text")
