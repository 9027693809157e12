"""The walk with a mail server of one's own: Postfix with the lines that the walk shows, from nothing to an answer."""

from __future__ import annotations

import json
import signal
from email.utils import formatdate
from typing import TYPE_CHECKING, Any

import pytest

from tests.doors.postfix import postfix
from tests.ports import free_port
from tests.programs import need_root
from tests.setup.ground import AGENCY, DOMAIN, SCOTT, name_server, post, program_in, write_answers, zone_of
from tests.signing import Signer, make_key
from webordinary.testing.mail import write_mail
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.testing.dns import Zone

pytestmark = pytest.mark.programs

HOST = "mx.bakery.example"
OUTSIDE = "198.51.100.66"


def known_names() -> Zone:
    zone = zone_of(HOST, spf="mx")
    zone.put(f"setup-looks-here.{DOMAIN}", "MX", f"10 {HOST}.")
    return zone


def answers(lmtp: int, outgoing: int) -> dict[str, dict[str, Any]]:
    return {
        "mail": {"way": "postfix", "domain": DOMAIN, "agency": AGENCY, "host": HOST, "listen": f"127.0.0.1:{lmtp}"},
        "outgoing": {"server": f"127.0.0.1:{outgoing}"},
        "site": {"kind": "folder", "place": "bakery"},
        "project": {"id": "amelia"},
        "agent": {"kind": "scripted"},
        "editor": {"user": "scott", "address": SCOTT},
        "service": {"systemd": False},
    }


def shown_lines(done: list[str]) -> str:
    """Return what the walk tells somebody to put into main.cf."""
    begin = next(number for number, line in enumerate(done) if "main.cf" in line)
    return "\n".join(done[begin + 1 :])


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_a_walk_with_postfix_ends_with_the_answer_of_a_real_mail(tmp_path: Path) -> None:
    need_root("postfix")
    copy_sample_site(tmp_path / "bakery")
    zone, lmtp = known_names(), free_port()
    signer = Signer("example.org", make_key()).publish(zone)
    with name_server(zone) as dns, post() as world:
        program = program_in(tmp_path, dns)
        del program.environment["WEBORDINARY_SMTP_LISTEN"]
        path = write_answers(tmp_path, {**answers(lmtp, 1), "outgoing": {"later": True}})

        told = json.loads(program.run("setup", "--answers", str(path), "--json", code=1))
        assert told["left"] == ["outgoing", "first-mail"]
        lines = shown_lines(told["steps"][0]["done"])

        rest = f"\nrelayhost = [127.0.0.1]:{world.port}\naddress_verify_poll_delay = 1s\n"
        with program.start("serve") as serving, postfix(0, lines=lines + rest) as server:
            serving.line_with(str(lmtp))
            path = write_answers(tmp_path, answers(lmtp, server.port))
            told = json.loads(program.run("setup", "--answers", str(path), "--json", code=1))
            assert told["left"] == ["first-mail"]
            assert b"test letter" in world.next_to(AGENCY)

            mail = signer.sign(
                f"Date: {formatdate()}\r\n".encode()
                + write_mail(sender=SCOTT, to=f"amelia@{DOMAIN}", text="We open at nine now.")
            )
            server.take(mail, hello=b"phone.example", mail_from=SCOTT, to=f"amelia@{DOMAIN}", address=OUTSIDE)
            letter = world.next_to(SCOTT)
            while b"Auto-Submitted: auto-replied" not in letter:
                letter = world.next_to(SCOTT)
            last = program.read("setup", "--answers", str(path), "--wait", "4m")
            assert serving.end(signal.SIGTERM) == 0
    assert (last["left"], last["steps"][0]["state"]) == ([], "done")
