"""Opens the doors of an installation: where mail comes in and where sites are looked at."""

from __future__ import annotations

import logging
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.config.live import LiveSiteFolders
from webordinary.doors.hook_listener import HookListener
from webordinary.doors.imap_poll import ImapDoor, ImapPoller
from webordinary.doors.preparing import Preparers
from webordinary.doors.smtp_door import Before
from webordinary.doors.smtp_listener import SmtpListener
from webordinary.mail.door import DOORS
from webordinary.site.web.server import SiteServer, folder_for_host

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config.live import LiveConfig
    from webordinary.engines.installation import Installation
    from webordinary.intake import Intake
    from webordinary.mail.door import OpenDoor
    from webordinary.mail.inbox import Envelope

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Doors:
    """Where the open doors are, for people."""

    mail: str
    web: str
    hook: str | None = None


@contextmanager
def open_doors(here: Installation, live: LiveConfig) -> Iterator[Doors]:
    """Listen for mail, hooks and browsers, and look into mailboxes; at the end what was accepted is decided."""
    config = here.config
    targets = LiveSiteFolders(live)
    previews, mark = config.data / "previews", config.mark
    server = SiteServer(config.preview.listen, lambda host: folder_for_host(host, previews, targets), mark)
    before = Before(tuple(config.mail.relays), config.mail.authserv_id, mark)
    preparers = Preparers()
    intake = replace(here.intake, aside=preparers)
    listener = SmtpListener(intake, config.smtp, before)
    hooks = [HookListener(intake, config.hook, mark)] if config.hook else []
    pollers = [ImapPoller(door) for door in mailbox_doors(here, intake)]
    with ExitStack() as open_now:
        open_now.callback(preparers.close)
        doors: tuple[OpenDoor, ...] = (server, listener, *hooks, *pollers, *_from_outside(here, intake))
        for door in doors:
            door.start()
            open_now.callback(door.close)
        yield Doors(listener.where, ":".join(map(str, server.address)), next((hook.where for hook in hooks), None))


def _from_outside(here: Installation, intake: Intake) -> Iterator[OpenDoor]:
    """Return the doors that packages bring along; each mail is decided by whoever brought it."""

    def take(raw: bytes, envelope: Envelope) -> str:
        mail = intake.receive(raw, envelope).mail
        try:
            intake.decide(mail)
        except Exception:  # noqa: BLE001 - it is safe, and nobody there could do anything about it
            # It stays undecided; the sweep of any worker decides it in half a minute.
            _log.exception("the mail %s could not be decided yet", mail)
        return mail

    for each in here.config.doors:
        with DOORS.answering(each.kind) as kind:
            door = kind.open(each.options, take)
        yield door


def mailbox_doors(here: Installation, intake: Intake) -> list[ImapDoor]:
    """Return a door for each existing mailbox that is looked into."""
    authserv_id = here.config.mail.authserv_id
    return [ImapDoor(each, intake, authserv_id, here.tokens(each.oauth)) for each in here.config.imap]
