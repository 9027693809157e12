"""A demo while it runs: doors, workers and a site, and the way of one mail through them."""

from __future__ import annotations

import mimetypes
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.audit.story import tell
from webordinary.cli.demo.phone import OwnersPhone, SentMail
from webordinary.cli.follow import LOOK_EVERY_SECONDS, entries_as_they_come, say_entry
from webordinary.config import Config
from webordinary.config.clock import clock_of
from webordinary.mail.outcomes import ENTRY_OF

if TYPE_CHECKING:
    from webordinary.cli.demo.phone import MailFile
    from webordinary.cli.demo.stage import DemoStage
    from webordinary.engines.installation import Installation
    from webordinary.serve.supervisor import Supervisor

SUBJECT = "Opening hours"
PATIENCE_SECONDS = 120.0
_HOST = "127.0.0.1"

_ENDS = {EventType.ANSWERED, *ENTRY_OF.values()}
_BAD = {EventType.JOB_FAILED, EventType.JOB_STOPPED, EventType.JOB_DEAD}
# Every mail that changes a site goes this way; a step is known by its text.
_WAY = (
    ("arrived", EventType.MAIL_RECEIVED, ""),
    ("been put into its lane", EventType.JOB_ACCEPTED, ""),
    ("been claimed by a worker", EventType.JOB_STARTED, ""),
    ("been given to the agent", EventType.STEP, "agent started"),
    ("been committed", EventType.STEP, "edited"),
    ("been built", EventType.STEP, "built"),
    ("been published", EventType.STEP, "published"),
    ("been answered", EventType.ANSWERED, ""),
)


@dataclass(slots=True)
class MailProgress:
    """How far one mail has come."""

    mail: str
    job: str | None = None
    entries: list[Entry] = field(default_factory=list)

    def note(self, entry: Entry) -> bool:
        """Note an entry if it is about the mail, and say whether it is the last one."""
        if entry.mail == self.mail and entry.job:
            self.job = entry.job
        if self.mail != entry.mail and (self.job is None or self.job != entry.job):
            return False
        self.entries.append(entry)
        return entry.what in _ENDS

    @property
    def problem(self) -> str | None:
        """Why the mail did not become a change that is live, or None when it did."""
        for name, what, text in _WAY:
            if not any(entry.what is what and text in {"", entry.text} for entry in self.entries):
                told = [entry for entry in self.entries if entry.what in _BAD] or self.entries
                return f"The mail has not {name}" + (f"; last: {tell(told[-1])}." if told else ".")
        return None


def send(config: Config, words: str, *, subject: str = SUBJECT) -> SentMail:
    """Send a real mail of the owner to the running demo."""
    return OwnersPhone(config, clock_of(config)).write(words, subject=subject)


def read_files(paths: tuple[Path, ...]) -> tuple[MailFile, ...]:
    """Read what is to be attached."""
    return tuple((path.name, type_of(path.name), path.read_bytes()) for path in paths)


def type_of(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


@dataclass(frozen=True, slots=True)
class RunningDemo:
    """What a demo is made of while it runs."""

    here: Installation
    supervisor: Supervisor


@contextmanager
def running(config: Config) -> Iterator[RunningDemo]:
    """Show the site, listen for mail and keep the workers alive; at the end every process is gone."""
    from webordinary.cli.release import publish_first  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.config.live import LiveConfig  # noqa: PLC0415 - heavy
    from webordinary.engines.installation import Installation  # noqa: PLC0415 - heavy
    from webordinary.serve.doors import open_doors  # noqa: PLC0415 - heavy
    from webordinary.serve.everything import supervise  # noqa: PLC0415 - heavy

    here = Installation.open(config)
    for project in config.projects:
        publish_first(here, project)
    supervisor = supervise(here, config.workers.count)
    with open_doors(here, LiveConfig(config)):
        keeper = threading.Thread(target=supervisor.run, name="workers")
        keeper.start()
        try:
            yield RunningDemo(here, supervisor)
        finally:
            supervisor.stop()
            keeper.join()


@contextmanager
def staged(demo: RunningDemo) -> Iterator[DemoStage]:
    """Let the demo be tried out: a second listener is open, for which nobody vouches, as on the internet."""
    from webordinary.cli.demo.stage import DemoStage  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.doors.smtp import Smtp, SmtpKind  # noqa: PLC0415 - the same
    from webordinary.serve.doors import Reception  # noqa: PLC0415 - the same
    from webordinary.values import Listen  # noqa: PLC0415 - the same

    here = demo.here
    street = SmtpKind().open(Smtp(listen=Listen((_HOST, 0))), Reception(here, here.intake))
    street.start()
    try:
        host, _, port = street.where.rpartition(":")
        yield DemoStage(
            here, demo.supervisor, OwnersPhone(here.config, here.clock), (host, int(port)), _gates_of(here.config)
        )
    finally:
        street.close()


def let_take_time(config: Config) -> None:
    """Let the workers that are started from now on have agents that can be asked to take their time."""
    from webordinary.agent.scripted_agent import GATES  # noqa: PLC0415 - heavy, and --help should be quick

    os.environ[GATES] = str(_gates_of(config))


def _gates_of(config: Config) -> Path:
    return config.data / "gates"


@contextmanager
def stoppable() -> Iterator[threading.Event]:
    """Let Ctrl-C, SIGTERM and a closed terminal set an event, so that everything else can end in its order."""
    stop = threading.Event()
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def watch(here: Installation, sent: SentMail, after: int, stop: threading.Event) -> MailProgress:
    """Say what happens until the mail is answered, the patience is over or somebody wants to stop."""
    way = MailProgress(sent.mail)
    ends_at = time.monotonic() + PATIENCE_SECONDS

    def is_over() -> bool:
        return stop.wait(LOOK_EVERY_SECONDS) or time.monotonic() >= ends_at

    for entry in entries_as_they_come(here.engine.trail, after=after, is_over=is_over):
        say_entry(entry)
        if way.note(entry):
            break
    return way
