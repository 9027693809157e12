"""A mail listener in a process of its own, to be killed: `python -m tests.chaos.mail_door FOLDER ordered|unordered`."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tests.chaos.ground import LIMITS, OneMachine
from webordinary.clock import SystemClock
from webordinary.config import Listen
from webordinary.doors.preparing import Preparers
from webordinary.doors.smtp import Smtp
from webordinary.doors.smtp_listener import SmtpListener
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.intake import Intake
from webordinary.intake.trust import MailLimits, Trust
from webordinary.mail.identity.dns import NoDns
from webordinary.mail.identity.judge import Judge
from webordinary.routing.project import Editor, Project, Rules, SiteTarget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.mail.inbox import KeptMail

DOMAIN = "edit.example.com"
SENDERS = tuple(f"person{number}@example.org" for number in range(6))
_MANY = MailLimits(sender_an_hour=1_000_000, project_a_day=1_000_000, thread_a_day=1_000_000, dns_tries=1)


@contextmanager
def open_intake(folder: Path, kind: type[Intake] = Intake) -> Iterator[Intake]:
    """Open what decides the mails of a folder; it forgets nothing for longer than a moment."""
    editors = tuple(Editor(address.partition("@")[0], address) for address in SENDERS)
    target = SiteTarget("folder", "sites/amelia")
    project = Project("amelia", "Amelia", "amelia.git", "main", (), ".", Rules(), target, editors)
    ground = OneMachine().ground(folder, {}, troubled=False)
    engine = replace(ground.engine, projects=ConfiguredProjects([project]))
    limits = replace(LIMITS, undecided_after=timedelta(0))
    yield kind(engine, DOMAIN, SystemClock(), limits, trust=Trust(Judge(NoDns(), DOMAIN), limits=_MANY))
    ground.close()


@dataclass(frozen=True, slots=True)
class Unordered(Intake):
    """Decides each mail as if it were the only one, which the checker has to notice."""

    def _decide_older(self, kept: KeptMail) -> None:  # noqa: ARG002 - the very thing that is left out
        return None


def _main(folder: Path, kind: type[Intake]) -> None:
    with open_intake(folder, kind) as intake:
        door = replace(intake, aside=Preparers())
        listener = SmtpListener(door, Smtp(listen=Listen(("127.0.0.1", 0)), trust_local=True))
        listener.start()
        sys.stdout.write(f"{listener.address[1]}\n")
        sys.stdout.flush()
        signal.pause()


if __name__ == "__main__":
    _main(Path(sys.argv[1]), Intake if sys.argv[2] == "ordered" else Unordered)
