"""From an empty folder to the answer of a real mail, by real processes."""

from __future__ import annotations

import json
import signal
from email.utils import formatdate
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import Program
from tests.doors.dovecot import PASSWORD, USER, Dovecot, running_dovecot
from tests.setup.ground import AGENCY, DOMAIN, SCOTT, name_server, post, program_in, write_answers, zone_of
from webordinary.testing.mail import write_mail
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from pathlib import Path


def seen() -> bytes:
    """Return what a provider writes in front of every mail that it has looked at, and the mail's own date."""
    return (
        "Authentication-Results: mx.provider.example; dmarc=pass header.from=example.org\r\n"
        f"Received: from phone.example.org by mx.provider.example with ESMTPS id 1; {formatdate()}\r\n"
        f"Date: {formatdate()}\r\n"
    ).encode()


def answers(mailbox: Dovecot, outgoing: int) -> dict[str, dict[str, Any]]:
    return {
        "mail": {
            "way": "imap",
            "domain": DOMAIN,
            "agency": AGENCY,
            "host": "127.0.0.1",
            "port": mailbox.port,
            "security": "none",
            "user": USER,
            "password": {"file": "the-password"},
            "authserv_id": "mx.provider.example",
        },
        "dns": {"mx": "mx.provider.example"},
        "outgoing": {"server": f"127.0.0.1:{outgoing}", "security": "starttls", "user": ""},
        "site": {"kind": "folder", "place": "bakery"},
        "project": {"id": "amelia", "name": "Amelia's Bakery"},
        "agent": {"kind": "scripted"},
        "editor": {"user": "scott", "address": SCOTT},
    }


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_a_walk_from_nothing_ends_with_the_answer_of_a_real_mail(tmp_path: Path) -> None:
    copy_sample_site(tmp_path / "bakery")
    (tmp_path / "the-password").write_text(f"{PASSWORD}\n")
    with running_dovecot() as mailbox, post() as outgoing, name_server(zone_of()) as dns:
        program = program_in(tmp_path, dns)
        path = write_answers(tmp_path, answers(mailbox, outgoing.port))

        # All but the mail itself, in a process of its own.
        told = json.loads(Program.run(program, "setup", "--answers", str(path), "--json", code=1))

        assert told["left"] == ["first-mail"]
        assert {each["step"]: each["state"] for each in told["steps"]}["first-mail"] == "waiting"
        assert b"test letter" in outgoing.next_to(AGENCY)
        # Shown nowhere, and kept where only its owner reads it.
        assert PASSWORD not in json.dumps(told)
        secret = tmp_path / "data" / "secrets" / "imap-password"
        assert (secret.read_text(), secret.stat().st_mode & 0o777) == (PASSWORD, 0o600)
        kept = tmp_path / ".webordinary-setup.json"
        assert PASSWORD not in kept.read_text() + (tmp_path / "webordinary.toml").read_text()

        with program.start("serve") as serving:
            serving.line_with("Looking into the mailbox")
            mailbox.put(seen() + write_mail(sender=SCOTT, to=f"amelia@{DOMAIN}", text="We open at nine now."))

            letter = outgoing.next_to(SCOTT)
            while b"Auto-Submitted: auto-replied" not in letter:
                # First comes how to write, as each new editor gets it.
                letter = outgoing.next_to(SCOTT)
            last = program.read("setup", "--answers", str(path), "--wait", "4m")
            assert serving.end(signal.SIGTERM) == 0

    assert (last["left"], last["steps"][0]["state"]) == ([], "done")
    assert [each["state"] for each in program.read("show", "jobs")] == ["done"]
