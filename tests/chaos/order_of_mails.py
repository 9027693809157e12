"""`make chaos`: people write, with photos and with second thoughts, while the mail listener dies again and again."""

from __future__ import annotations

import argparse
import random
import smtplib
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tests.chaos.mail_door import DOMAIN, SENDERS, open_intake
from tests.pictures import photo
from tests.tree import ROOT
from webordinary.clock import SystemClock
from webordinary.jobs.job import State
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from webordinary.clock import Moment

_TO = f"amelia@{DOMAIN}"
_STOP = "stop"
_PHOTO = ("oven.jpg", "image/jpeg", photo())
# What a person sends in a row: requests, some with a photo, and now and then a stop.
_SAID = ("plain", "plain", "photo", _STOP)


class _Later(SystemClock):
    """The time an hour from now."""

    def now(self) -> Moment:
        return super().now() + timedelta(hours=1)


@dataclass(slots=True)
class Mailer:
    """A mail server in front of the listener: what was not accepted is sent again, byte for byte."""

    folder: Path
    kind: str
    sent: dict[str, list[str]] = field(default_factory=dict)
    kills: int = 0
    _door: subprocess.Popen[str] | None = None
    _port: int = 0

    def write(self, sender: str, what: str) -> None:
        """Send the next mail of one person, all of whose mails are one conversation."""
        known = self.sent.setdefault(sender, [])
        first = f"<first.{sender}>"
        text = _STOP if what == _STOP else f"We open at {len(known)} o'clock."
        files = (_PHOTO,) if what == "photo" else ()
        name, answered = f"<{len(known)}.{sender}>" if known else first, first if known else None
        raw = write_mail(sender=sender, to=_TO, text=text, message_id=name, in_reply_to=answered, files=files)
        while not self._was_taken(sender, raw):
            self.restart()
        known.append(text)

    def restart(self) -> None:
        self.kill()
        argv = [sys.executable, "-m", "tests.chaos.mail_door", str(self.folder), self.kind]
        self._door = subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self._port = int(self._door.stdout.readline()) if self._door.stdout else 0

    def kill(self) -> None:
        if self._door is not None:
            self._door.kill()
            self._door.communicate()
            self._door = None
            self.kills += 1

    def _was_taken(self, sender: str, raw: bytes) -> bool:
        if self._door is None:
            return False
        try:
            with smtplib.SMTP("127.0.0.1", self._port) as client:
                client.sendmail(sender, [_TO], raw)
        except (OSError, smtplib.SMTPException):
            return False
        return True


def torment(folder: Path, mails: int, kills: int, seed: int, kind: str = "ordered") -> tuple[list[str], int]:
    """Return what went wrong, and how often the listener died."""
    chance = random.Random(seed)  # noqa: S311 - the same run again, not a secret
    mailer = Mailer(folder, kind)
    for _ in range(mails):
        sender = chance.choice(SENDERS)
        mailer.write(sender, chance.choice(_SAID) if sender in mailer.sent else "plain")
        # Right behind the answer "250": the mail is safe, and perhaps somebody has begun to look at it.
        if chance.random() < kills / mails:
            mailer.kill()
    mailer.kill()
    with open_intake(folder) as intake:
        # Files that somebody was preparing are left alone for a while.
        while replace(intake, clock=_Later()).decide_forgotten():
            pass
        jobs = sorted(intake.engine.overview.jobs(limit=mails), key=lambda job: job.sequence)
    done = {
        sender: [(job.request.text, job.state) for job in jobs if job.request.reply_to == sender] for sender in SENDERS
    }
    problems = [problem for sender, said in mailer.sent.items() for problem in _problems(sender, said, done[sender])]
    return problems, mailer.kills


def _problems(sender: str, said: list[str], done: list[tuple[str, State]]) -> list[str]:
    """Compare what one person wrote with what became of it: in the same order, and stopped if a stop came later."""
    last_stop = max((place for place, text in enumerate(said) if text == _STOP), default=-1)
    wanted = [
        (text, State.STOPPED if place < last_stop else State.QUEUED) for place, text in enumerate(said) if text != _STOP
    ]
    if done == wanted:
        return []
    return [f"{sender} wrote {said}, and this became of it: {[f'{text} {state}' for text, state in done]}"]


def run_in_a_new_folder(mails: int, kills: int, *, seed: int = 1, kind: str = "ordered") -> tuple[list[str], int]:
    """Run once and leave nothing behind."""
    with tempfile.TemporaryDirectory(prefix="order-") as folder:
        return torment(Path(folder), mails, kills, seed, kind)


def main() -> int:
    """Print one line; non-zero when a mail overtook another, or when the checker would not notice."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scale", type=float, default=1.0, help="1 = 250 mails and 50 kills")
    scale = options.parse_args().scale
    mails = max(30, int(250 * scale))
    broken, kills = run_in_a_new_folder(mails, mails // 5)
    unordered, _ = run_in_a_new_folder(60, 20, kind="unordered")
    sys.stdout.write(
        f"order of one sender's mails: {mails} mails, {kills} kills, {len(broken)} broken promises;"
        f" found without the order: {len(unordered)} (must not be 0)\n"
    )
    sys.stdout.writelines(f"  {problem}\n" for problem in broken[:20])
    return 1 if broken or not unordered else 0


if __name__ == "__main__":
    sys.exit(main())
