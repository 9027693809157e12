"""A door in a process of its own that dies while it stores a mail: `python -m tests.doors.dying_hook FOLDER WHEN`."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.doors.hooks import open_hook
from webordinary.intake import Intake

if TYPE_CHECKING:
    from webordinary.mail.inbox import Envelope, Kept


@dataclass(frozen=True, slots=True)
class Dying(Intake):
    """Dies as if the power had gone, before the mail is stored or right after."""

    when: str = ""

    def receive(self, raw: bytes, envelope: Envelope) -> Kept:
        if self.when == "after":
            Intake.receive(self, raw, envelope)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


if __name__ == "__main__":
    folder, when = Path(sys.argv[1]), sys.argv[2]
    booth = open_hook(folder, lambda ports, domain: Dying(ports.engine, domain, ports.clock, ports.limits, when=when))
    sys.stdout.write(f"{booth.listener.address[1]}\n")
    sys.stdout.flush()
    signal.pause()
