"""Existing mailboxes as a door kind: the tables `[[imap]]`, what is checked about them, and how one is polled."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta
from msgspec.structs import replace

from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, fail, ok
from webordinary.mail.door import DoorKind, DoorTable
from webordinary.values import Duration, Host, Id, Listen, Section, ServerName, Title, Variable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from webordinary.doors.imap_poll import ImapDoor, ImapPoller
    from webordinary.engines.installation import Installation
    from webordinary.intake import Intake
    from webordinary.mail.door import DoorKey, DoorSurroundings, TakeMail

Port = Annotated[int, Meta(ge=1, le=65535)]
_USUAL_PORTS = {"tls": 993, "starttls": 143, "none": 143}
# After half an hour of silence a server may close the connection (RFC 2177 says 29 minutes).
_LONGEST_IDLE = timedelta(minutes=29)


class Security(StrEnum):
    """How a mailbox's password is kept secret on its way."""

    TLS = "tls"
    STARTTLS = "starttls"
    NONE = "none"


class ImapSection(Section, frozen=True, kw_only=True):
    """An existing mailbox that is looked into."""

    host: Host
    """The mailbox's IMAP server."""
    port: Port | None = None
    """The server's port; 993 if it is left out, without `security = "tls"` 143."""
    security: Security = Security.TLS
    """`tls` from the first byte, `starttls` before the password, or `none`, which only loopback may have."""
    certificates: Path | None = None
    """The authorities to believe, in PEM, for a server with a certificate of its own; else those of this machine."""
    user: Title
    """Whose mailbox it is."""
    password_file: Path | None = None
    """A file that holds the password; this, `password_variable` or `oauth`."""
    password_variable: Variable | None = None
    """The environment variable that holds the password; this or `password_file`."""
    oauth: Id | None = None
    """The `[[oauth]]` login whose tokens let us in, where the provider takes no password."""
    mailbox: Title = Title("INBOX")
    """The folder to look into; everything that is not marked as seen is taken in."""
    move_to: Title | None = None
    """The folder that mails are moved to when they are safe; if left out they are marked as seen and stay."""
    authserv_id: ServerName | None = None
    """The provider's name in the Authentication-Results that it adds; that of `[mail]` if it is left out."""
    idle: Duration = Duration(minutes=25)
    """How long to wait for the server's word before it is asked anew; under 29 minutes."""
    poll: Duration = Duration(seconds=60)
    """How often to look where the server cannot say that mail has come."""

    def inside(self, folder: Path) -> ImapSection:
        """Return it with relative paths that begin at the folder."""
        given = {name: getattr(self, name) for name in ("certificates", "password_file")}
        return replace(self, **{name: folder / path for name, path in given.items() if path is not None})

    @property
    def actual_port(self) -> int:
        return self.port or _USUAL_PORTS[self.security]

    @property
    def name(self) -> str:
        """What people and the inbox call the mailbox."""
        return f"{self.user}@{self.host}/{self.mailbox}"


class ImapKind(DoorKind[ImapSection]):
    """Polls mailboxes at other servers, or waits until they say that mail has come."""

    options = ImapSection
    table = DoorTable.MANY
    is_of_one_machine = False

    def complaints(self, tables: Sequence[ImapSection], around: DoorSurroundings) -> Iterator[tuple[DoorKey, str]]:
        seen: set[str] = set()
        for index, each in enumerate(tables):
            for key, why in _wrong(each, around.logins):
                yield (index, key), why
            if each.name in seen:
                yield (index, "user"), f'is looked into twice, as "{each.name}"; remove one of them'
            seen.add(each.name)

    def describe(self, options: ImapSection, where: str) -> str:  # noqa: ARG002 - it is at another server
        return f"Looking into the mailbox {options.name}."

    def doctor(self, options: ImapSection) -> str:
        return options.name

    def findings(self, options: ImapSection, take: TakeMail) -> Iterator[Check]:
        from webordinary.doors.imap_mailbox import open_mailbox  # noqa: PLC0415 - heavy, and --help should be quick

        try:
            with open_mailbox(options, take.installation.tokens(options.oauth)) as mailbox:
                every = f"is asked every {options.poll.total_seconds():g} s"
                yield ok("mailbox", f"{options.name} {'says when mail comes' if mailbox.can_wait else every}")
        except WebOrdinaryError as problem:
            yield fail("mailbox", str(problem))

    def open(self, options: ImapSection, take: TakeMail) -> ImapPoller:
        from webordinary.doors.imap_poll import ImapPoller  # noqa: PLC0415 - heavy, and the keys are read everywhere

        return ImapPoller(mailbox_door(options, take.installation, take.intake))


def mailbox_door(imap: ImapSection, here: Installation, intake: Intake) -> ImapDoor:
    """Return the door of one mailbox."""
    from webordinary.doors.imap_poll import ImapDoor  # noqa: PLC0415 - heavy, and the keys are read everywhere

    return ImapDoor(imap, intake, here.config.mail.authserv_id, here.tokens(imap.oauth))


def _wrong(imap: ImapSection, logins: Collection[str]) -> Iterator[tuple[str | None, str]]:
    if sum(each is not None for each in (imap.password_file, imap.password_variable, imap.oauth)) != 1:
        yield None, "needs exactly one of `password_file`, `password_variable` and `oauth`"
    if imap.oauth is not None and imap.oauth not in logins:
        yield "oauth", f'is "{imap.oauth}", and no `[[oauth]]` has that name'
    if imap.security is Security.NONE and not Listen((imap.host, 0)).is_loopback:
        yield "security", 'can be "none" only on loopback, because the password would be readable on its way'
    if not timedelta(0) < imap.idle < _LONGEST_IDLE:
        yield "idle", "must be longer than 0 and shorter than 29 minutes, after which servers hang up"
    if not imap.poll:
        yield "poll", "must be longer than 0"
    if imap.move_to == imap.mailbox:
        yield "move_to", "must be another folder than `mailbox`"
