"""The embedded engine's ports without processes: the real ones, in a temporary folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.rigs.ports import LIMITS, Ports
from webordinary.engines.embedded.database import RESERVE, Database
from webordinary.engines.embedded.open import DATABASE
from webordinary.engines.embedded.open import Ports as EmbeddedPorts
from webordinary.errors import TryAgain
from webordinary.routing.project import Editor, Project, Rules, SiteTarget
from webordinary.site.targets.folder import FolderSites
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.jobs.limits import Limits

AMELIA = Project(
    "amelia",
    "Amelia's Bakery",
    "amelia.git",
    "main",
    (),
    ".",
    Rules(),
    SiteTarget("folder", "sites/amelia"),
    (Editor("scott", "scott@example.org"),),
)


class Postman:
    """Keeps what was handed over, and refuses when told to: an outgoing server that a contract can steer."""

    def __init__(self) -> None:
        self.delivered: list[tuple[str, bytes]] = []
        self.refusal: str | Exception | None = None

    def deliver(self, raw: bytes, to: str) -> None:
        if self.refusal is not None:
            raise self.refusal if isinstance(self.refusal, Exception) else TryAgain(self.refusal)
        self.delivered.append((to, raw))

    def refuse(self, why: str | Exception | None) -> None:
        self.refusal = why


def open_embedded_ports(folder: Path, limits: Limits | None = None, *, reserve: int = RESERVE) -> Ports:
    """Open the engine in a folder; opening it a second time is what a restart does."""
    limits = limits or LIMITS
    postman = Postman()
    sites = FolderSites(previews=folder / "previews", targets={"amelia": folder / "sites" / "amelia"})
    made = EmbeddedPorts(folder, limits, postman, sites, (AMELIA,))
    engine = made.on(Database(folder / DATABASE, reserve))
    return Ports(engine, ManualClock(), limits, postman.delivered, postman.refuse)
