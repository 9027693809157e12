"""What a chaos run stands on: one engine with short limits, as each process of the run opens it for itself."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from tests.chaos.feeder import Feeder
from webordinary.clock import SystemClock
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.mail_transport import MaildirTransport
from webordinary.engines.embedded.open import DATABASE, Ports
from webordinary.engines.embedded.signals import DatagramSignals
from webordinary.jobs.limits import Limits
from webordinary.site.targets.folder import FolderSites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tests.chaos.plan import Plan, Result
    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine

# Short enough that a stopped worker loses its lane within the run, long enough for a busy machine of two cores.
LIMITS = Limits(
    lease=timedelta(seconds=0.6),
    idle_lease=timedelta(seconds=0.6),
    beat=timedelta(seconds=0.15),
    idle_beat=timedelta(seconds=0.2),
    look=timedelta(seconds=0.2),
    sweep=timedelta(seconds=0.2),
    idle_release=timedelta(seconds=0.6),
    first_interrupt_after=timedelta(seconds=0),
    attempts=1_000_000,
    # Nobody here could resume a project.
    breaker=1_000_000,
    backoff=(timedelta(seconds=0.05),),
    outage=(timedelta(seconds=0.05),),
    drain=timedelta(seconds=5),
    ring_again=timedelta(seconds=0.5),
    claim_errors=50,
    claim_pause=timedelta(seconds=1),
    restart_pause=timedelta(seconds=0.1),
)
STEPS = (
    "claimed", "before the commit point", "after the commit point", "after the push", "before the end",
    "settling", "set aside", "in a round of repair", "after a round of repair",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ground:
    """An open engine, and what only the run itself asks of it."""

    engine: Engine
    clock: Clock
    limits: Limits
    is_blocked: Callable[[], bool]
    close: Callable[[], None]
    # Called with the name of each step that lies inside of the store.
    watch_writes: Callable[[Callable[[str], None]], None]


class Place(Protocol):
    """Where a run happens; whatever it needs lives as long as `opened` does."""

    @property
    def steps(self) -> tuple[str, ...]:
        """Return every step at which a worker can be hit."""

    @property
    def look_again(self) -> timedelta:
        """Return how often one may look without being in the way."""

    def opened(self, folder: Path) -> AbstractContextManager[Mapping[str, str]]:
        """Make everything that the processes of a run share; return what their environment must say."""

    def ground(self, folder: Path, environment: Mapping[str, str], *, troubled: bool) -> Ground:
        """Open the engine in one process; with trouble between it and its stores where there can be any."""

    def feeder(self, door: Ground, plan: Plan, result: Result) -> Feeder:
        """Return whoever brings the work."""


class OneMachine:
    """The embedded engine in a folder; some of its wakeups are lost, some wake twice, and the wall clock jumps."""

    steps = (*STEPS, "inside a transaction")
    look_again = timedelta(milliseconds=5)

    @contextmanager
    def opened(self, folder: Path) -> Iterator[Mapping[str, str]]:  # noqa: ARG002 - each process makes what it needs
        yield {}

    def ground(self, folder: Path, environment: Mapping[str, str], *, troubled: bool) -> Ground:  # noqa: ARG002 - nothing lies between a process and a file
        database = Database(folder / DATABASE)
        postman, sites = MaildirTransport(folder / "mailbox"), FolderSites(previews=folder / "previews", targets={})
        engine = Ports(folder, LIMITS, postman, sites, signals=LossySignals(folder)).on(database)

        def watch_writes(obey: Callable[[str], None]) -> None:
            database.at_commit = lambda: obey("inside a transaction")

        return Ground(engine, JumpingClock(folder), LIMITS, database.is_blocked, database.close, watch_writes)

    def feeder(self, door: Ground, plan: Plan, result: Result) -> Feeder:
        return Feeder(door, plan, result)


class LossySignals(DatagramSignals):
    """Wakeups of which some are lost and some wake twice."""

    def __init__(self, data: Path) -> None:
        super().__init__(data)
        self._count = os.getpid()

    def wake(self, workers: Iterable[str]) -> None:
        self._count += 1
        wanted = tuple(workers)
        for _ in range((1, 1, 0, 2)[self._count % 4]):
            super().wake(wanted)


class JumpingClock(SystemClock):
    """The machine's clocks, but somebody keeps changing the time on the wall."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._file = folder / "offset"

    def now(self) -> Moment:
        now = super().now()
        return replace(now, wall_at=now.wall_at + self.offset)

    @property
    def offset(self) -> timedelta:
        try:
            return timedelta(seconds=float(self._file.read_text(encoding="ascii") or 0))
        except FileNotFoundError:
            return timedelta(0)


def jump(folder: Path, by: timedelta) -> None:
    """Set the wall clock of every process of a run."""
    file = folder / "offset"
    draft = file.with_suffix(".new")
    draft.write_text(f"{by.total_seconds()}", encoding="ascii")
    draft.rename(file)
