"""Following the trail: what happens, line by line, while it happens."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.audit.log import line_of
from webordinary.audit.story import tell
from webordinary.audit.trail import Trail
from webordinary.cli.options import open_installation
from webordinary.cli.output import say
from webordinary.config import Config
from webordinary.errors import WebOrdinaryError

if TYPE_CHECKING:
    from webordinary.jobs.job import Job


# Often enough to seem immediate, and nothing that a database would notice.
LOOK_EVERY_SECONDS = 0.1


def wakeup_for(config: Config, job: Job) -> Callable[[], None]:
    """Return a function that blocks for a moment; on AWS a message about the job's end wakes it earlier."""
    pause, seconds = threading.Event(), config.traits.seconds_between_looks
    if config.traits.has_free_looks:
        return lambda: _ignore(pause.wait(seconds))
    from webordinary.engines.choose import open_account  # noqa: PLC0415 - heavy

    outcomes = open_account(config).outcomes(job.lane)

    def listen() -> None:
        try:
            outcomes.wait_for(job.id, timedelta(seconds=seconds))
        except WebOrdinaryError:
            # The queue is only quicker than looking at the row.
            pause.wait(seconds)

    return listen


def _ignore(_: object) -> None:
    """Wait for a time, and not for anything else."""


STYLES = {
    EventType.JOB_DONE: "green",
    EventType.ANSWERED: "bold green",
    EventType.MAIL_RECEIVED: "bold",
    EventType.MAIL_HELD: "yellow",
    EventType.MAIL_REFUSED: "yellow",
    EventType.MAIL_FROM_STRANGER: "yellow",
    EventType.MAIL_QUARANTINED: "red",
    EventType.MAIL_LIMITED: "yellow",
    EventType.JOB_FAILED: "red",
    EventType.JOB_DEAD: "red",
    EventType.ANSWER_DELAYED: "red",
    EventType.ANSWER_GIVEN_UP: "red",
    EventType.PROJECT_PAUSED: "red",
    EventType.CONFIGURATION_BROKEN: "red",
}


def entries_as_they_come(
    trail: Trail, *, after: int, is_over: Callable[[], bool], job: str | None = None
) -> Iterator[Entry]:
    """Yield each new entry; when there is none, `is_over` waits a moment and says whether to look a last time."""
    last_look = False
    while True:
        fresh = trail.read(after=after, job=job)
        for entry in fresh:
            after = entry.number
            yield entry
        if last_look:
            return
        last_look = not fresh and is_over()


def log_line(entry: Entry) -> None:
    """Print one entry as a line of a log."""
    sys.stdout.write(line_of(entry) + "\n")
    sys.stdout.flush()


def say_entry(entry: Entry) -> None:
    """Print one entry with its time."""
    say(f"{entry.at.astimezone():%H:%M:%S}  {tell(entry)}", STYLES.get(entry.what, ""))


@contextmanager
def told_aloud(config: Path | None, *, as_json: bool = False) -> Iterator[None]:
    """Print whatever happens while the block runs; as JSON without the words in it, for a log that others keep."""
    show = log_line if as_json else say_entry
    here = open_installation(config)
    trail, pause = here.engine.trail, here.config.traits.seconds_between_looks
    after = trail.last_number()
    over = threading.Event()

    def tell_all() -> None:
        for entry in entries_as_they_come(trail, after=after, is_over=lambda: over.wait(pause)):
            show(entry)

    teller = threading.Thread(target=tell_all, name="teller", daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
