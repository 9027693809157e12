"""Opens the doors of an installation: where mail comes in and where sites are looked at."""

from __future__ import annotations

import logging
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.config.live import LiveSiteFolders
from webordinary.doors.preparing import Preparers
from webordinary.mail.door import DOORS
from webordinary.serve.dashboard import DashboardKeeper
from webordinary.site.web.server import SiteServer, folder_for_host

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webordinary.config.live import LiveConfig
    from webordinary.engines.installation import Installation
    from webordinary.intake import Intake
    from webordinary.mail.inbox import Envelope

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Doors:
    """Where the open doors are, for people: where each kind listens, and what to say about the others."""

    web: str
    dashboard: str
    listening: Mapping[str, str]
    sentences: tuple[str, ...] = ()


@contextmanager
def open_doors(here: Installation, live: LiveConfig) -> Iterator[Doors]:
    """Listen for mail, hooks and browsers, and look into mailboxes; at the end what was accepted is decided."""
    config, preparers = here.config, Preparers()
    take = Reception(here, replace(here.intake, aside=preparers))
    targets, previews = LiveSiteFolders(live), config.data / "previews"
    server = SiteServer(config.preview.listen, lambda host: folder_for_host(host, previews, targets), config.mark)
    listening: dict[str, str] = {}
    sentences = []
    with ExitStack() as open_now:
        open_now.callback(preparers.close)
        server.start()
        open_now.callback(server.close)
        keeper = DashboardKeeper(config)
        keeper.start()
        open_now.callback(keeper.close)
        for each in config.doors:
            with DOORS.answering(each.kind) as kind:
                door = kind.open(each.options, take)
                door.start()
                open_now.callback(door.close)
                if where := getattr(door, "where", ""):
                    listening[each.kind] = where
                sentences.append(kind.describe(each.options, where))
        yield Doors(":".join(map(str, server.address)), keeper.address, listening, tuple(filter(None, sentences)))


@dataclass(frozen=True, slots=True)
class Reception:
    """Takes in what a door brings; the thread that brought a mail decides it."""

    installation: Installation
    intake: Intake

    def __call__(self, raw: bytes, envelope: Envelope) -> str:
        mail = self.intake.receive(raw, envelope).mail
        try:
            self.intake.decide(mail)
        except Exception:  # noqa: BLE001 - it is safe, and nobody there could do anything about it
            # It stays undecided; the sweep of any worker decides it in half a minute.
            _log.exception("the mail %s could not be decided yet", mail)
        return mail
