"""Mails of one person are decided as they came, through the real program: with photos, and after its sudden death."""

from __future__ import annotations

import signal
import smtplib
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_serve import SCOTT, TO, listener_of
from tests.pictures import photo
from tests.tree import ROOT
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.cli.program import Program, Started

ASKED = "<asked@phone.example.org>"


@pytest.fixture(autouse=True)
def trusting(bakery: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the mail listener believe whom it hears, as behind a mail server on the same machine."""
    path = bakery.folder / "webordinary.toml"
    path.write_text("demo = true\n" + path.read_text().replace("[smtp]", "[smtp]\ntrust_local = true", 1))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def photos(count: int) -> tuple[tuple[str, str, bytes], ...]:
    """Return photos as large as phones take them, which keep a processor busy for a while."""
    return tuple(
        (f"oven-{number}.jpg", "image/jpeg", photo("JPEG", size=(4000 + number, 3000))) for number in range(count)
    )


def send(server: Started, *mails: bytes, sender: str = SCOTT) -> None:
    """Hand mails in one right behind the other, as a mail server does that has them all."""
    with smtplib.SMTP(*listener_of(server)) as client:
        for mail in mails:
            client.sendmail(sender, [TO], mail)


def request(*, sender: str = SCOTT, files: int = 0) -> bytes:
    text = "Please put these photos on the about page. We open at nine now."
    return write_mail(sender=sender, to=TO, text=text, message_id=ASKED, files=photos(files))


def stop() -> bytes:
    return write_mail(sender=SCOTT, to=TO, text="stop", subject="Re: Our website", in_reply_to=ASKED)


def outcomes(bakery: Program) -> list[tuple[str, str]]:
    return [(job["state"], job["outcome"] or "") for job in bakery.read("show", "jobs")]


@pytest.mark.parametrize("files", [0, pytest.param(3, marks=pytest.mark.thorough)])
def test_a_stop_behind_a_mail_that_was_kept_before_a_crash_stops_it(bakery: Program, files: int) -> None:
    with bakery.start("serve", module="tests.rigs.dying_door") as server:
        send(server, request(files=files))
        assert server.end(signal.SIGCONT) == -signal.SIGKILL

    with bakery.start("serve") as server:
        send(server, stop())
        server.line_with("was stopped")
    assert outcomes(bakery) == [("stopped", "")]
    assert next(mail["reason"] for mail in bakery.read("show", "mail")) == "the verb stop"


@pytest.mark.thorough
@pytest.mark.parametrize("files", [1, 3])
def test_a_stop_right_behind_a_mail_with_photos_stops_it(bakery: Program, files: int) -> None:
    with bakery.start("serve") as server:
        send(server, request(files=files), stop())
        server.line_with("was stopped")
    assert outcomes(bakery) == [("stopped", "")]


@pytest.mark.thorough
def test_two_people_with_photos_do_not_delay_a_third_who_writes_behind_them(bakery: Program) -> None:
    path = bakery.folder / "webordinary.toml"
    others = "".join(
        f'\n[[project.editor]]\nuser = "{each}"\naddress = "{each}@example.org"\n' for each in ("maria", "tom")
    )
    path.write_text(path.read_text() + others)
    with bakery.start("serve") as server:
        listener = listener_of(server)
        for person, files in (("scott", 3), ("maria", 3), ("tom", 0)):
            sender = f"{person}@example.org"
            mail = write_mail(
                sender=sender, to=TO, text="Please put these photos on the about page.", files=photos(files)
            )
            with smtplib.SMTP(*listener) as client:
                client.sendmail(sender, [TO], mail)
        assert server.line_with("waits for its turn").rstrip().endswith("amelia#tom")
