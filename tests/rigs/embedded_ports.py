"""The embedded engine's ports without processes: the real ones, in a temporary folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.rigs.ports import Ports
from webordinary.engine import Engine
from webordinary.engines.embedded.attempts import SqliteAttempts
from webordinary.engines.embedded.callbacks import SqliteCallbacks
from webordinary.engines.embedded.claims import SqliteClaims
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.inbox import FolderInbox
from webordinary.engines.embedded.lanes import SqliteLanes
from webordinary.engines.embedded.outbox import SqliteOutbox
from webordinary.engines.embedded.overview import SqliteOverview
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.engines.embedded.signals import DatagramSignals
from webordinary.engines.embedded.threads import SqliteThreads
from webordinary.engines.embedded.trail import SqliteTrail
from webordinary.errors import TryAgain
from webordinary.jobs.limits import Limits
from webordinary.routing.project import Editor, Project, Rules, SiteTarget, Target
from webordinary.site.targets.folder import FolderSites
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from pathlib import Path

AMELIA = Project(
    "amelia",
    "Amelia's Bakery",
    "amelia.git",
    "main",
    (),
    ".",
    Rules(),
    SiteTarget(Target.FOLDER, "sites/amelia"),
    (Editor("scott", "scott@example.org"),),
)


class _Postman:
    """Keeps what was handed over, and refuses when told to: an outgoing server that a contract can steer."""

    def __init__(self) -> None:
        self.delivered: list[tuple[str, bytes]] = []
        self.refusal: str | None = None

    def deliver(self, raw: bytes, to: str) -> None:
        if self.refusal is not None:
            raise TryAgain(self.refusal)
        self.delivered.append((to, raw))

    def refuse(self, why: str | None) -> None:
        self.refusal = why


def open_embedded_ports(folder: Path, limits: Limits | None = None) -> Ports:
    """Open the engine in a folder; opening it a second time is what a restart does."""
    limits = limits or Limits()
    database = Database(folder / "webordinary.db")
    signals = DatagramSignals(folder)
    postman = _Postman()
    engine = Engine(
        inbox=FolderInbox(database, folder / "mail"),
        projects=ConfiguredProjects((AMELIA,)),
        threads=SqliteThreads(database),
        lanes=SqliteLanes(database, signals, limits),
        callbacks=SqliteCallbacks(database, signals, limits),
        claims=SqliteClaims(database, signals, limits),
        attempts=SqliteAttempts(database, limits),
        signals=signals,
        sites=FolderSites(previews=folder / "previews", targets={"amelia": folder / "sites" / "amelia"}),
        outbox=SqliteOutbox(database, postman),
        trail=SqliteTrail(database),
        overview=SqliteOverview(database),
    )
    return Ports(engine, ManualClock(), limits, postman.delivered, postman.refuse)
