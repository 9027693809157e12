"""Mails in a second that the SMTP listener accepts from ten clients, each mail on the disk before its "250"."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from bench.figures import ratio
from bench.place import ROOT, open_place
from webordinary.child.companion import Companion
from webordinary.config import Listen
from webordinary.doors.smtp import Smtp
from webordinary.doors.smtp_listener import SmtpListener
from webordinary.intake import Intake
from webordinary.jobs.limits import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from bench.place import Place

_CLIENTS = 10
_COMMITS = 50


class Lost(AssertionError):
    """A mail was accepted and is not there."""


def measure_smtp(parent: Path, mails: int) -> dict[str, object]:
    """Send that many mails from each client, and compare one of them with one durable commit of the same disk."""
    with open_place(parent, Limits()) as place:
        commits = [place.commit_durably() for _ in range(_COMMITS)]
        listener = SmtpListener(
            Intake(place.engine, "edit.example.com", place.clock, place.limits), Smtp(listen=Listen(("127.0.0.1", 0)))
        )
        listener.start()
        try:
            took = _send(place, listener.address[1], mails)
        finally:
            listener.close()
        commits += [place.commit_durably() for _ in range(_COMMITS)]
        kept = len(place.engine.overview.mails(limit=_CLIENTS * mails + 1))
    if kept != _CLIENTS * mails:
        raise Lost(f"{_CLIENTS * mails} mails were accepted and {kept} are there")
    return {
        "smtp_mails_per_s": round(kept * 1e9 / took),
        "smtp_mail_ratio": ratio([took // kept], commits),
    }


def _send(place: Place, port: int, mails: int) -> int:
    """Return the nanoseconds from the first mail to the last answer."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    argv = [sys.executable, "-m", "bench.sender", str(place.folder), str(port), str(_CLIENTS), str(mails)]
    clients = Companion(argv, {**os.environ, "PYTHONPATH": path})
    took = place.hear("smtp").entered_ns
    clients.bury()
    return took
