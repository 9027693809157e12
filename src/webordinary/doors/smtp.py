"""The mail listener as a door kind: the table `[smtp]`, what is checked about it, and how it opens."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from webordinary.doors.probe import check_port, check_socket, said_at
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, fail, ok, warn
from webordinary.mail.door import DoorKind, DoorTable
from webordinary.values import AtLeastOne, Duration, Listen, Section

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.doors.smtp_listener import SmtpListener
    from webordinary.mail.door import DoorKey, DoorSurroundings, TakeMail

# A renewal of a certificate happens at least this long before its end.
_SOON = timedelta(days=14)


class Protocol(StrEnum):
    """What the listener speaks."""

    SMTP = "smtp"
    LMTP = "lmtp"


class Smtp(Section, frozen=True, kw_only=True):
    """How mail comes in."""

    listen: Listen = Listen(("127.0.0.1", 2525))
    """Where the built-in mail listener waits for mail."""
    socket: Path | None = None
    """A Unix socket to wait at instead of `listen`, for a mail server on this machine."""
    protocol: Protocol = Protocol.SMTP
    """`smtp`, or `lmtp` behind another mail server such as Postfix: it answers for each recipient."""
    trust_local: bool = False
    """Take the sender of a mail as verified; only if `demo = true` and the listener is on loopback."""
    recipients: AtLeastOne = 100
    """How many recipients one mail may have; more are told to come in another mail."""
    connections: AtLeastOne = 100
    """How many connections there may be at the same time."""
    connections_each: AtLeastOne = 20
    """How many of them may come from one address; relays are not counted."""
    command_deadline: Duration = Duration(seconds=60)
    """How long a client may take for its next command."""
    mail_deadline: Duration = Duration(minutes=10)
    """How long a client may take to send one mail."""
    session_deadline: Duration = Duration(minutes=30)
    """How long one connection may last, whatever it does."""
    certificate: Path | None = None
    """The certificate for STARTTLS, in PEM with its chain; read again when it changes."""
    key: Path | None = None
    """The certificate's private key."""
    users: Path | None = None
    """Who may log in: lines as `webordinary password ADDRESS` prints them; needs a certificate or loopback."""

    def inside(self, folder: Path) -> Smtp:
        """Return it with relative paths that begin at the folder."""
        given = {name: getattr(self, name) for name in ("socket", "certificate", "key", "users")}
        return replace(self, **{name: folder / path for name, path in given.items() if path is not None})

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the listener."""
        return self.socket is not None or self.listen.is_loopback


class SmtpKind(DoorKind[Smtp]):
    """Listens for mail servers and mail programs; there is always one."""

    options = Smtp
    table = DoorTable.ALWAYS

    def complaints(self, tables: Sequence[Smtp], around: DoorSurroundings) -> Iterator[tuple[DoorKey, str]]:
        for index, smtp in enumerate(tables):
            for key, why in (*_distrusted(smtp, is_demo=around.is_demo), *_impossible(smtp)):
                yield (index, key), why

    def meeting_places(self, options: Smtp) -> Iterator[Path]:
        if options.socket is not None:
            yield options.socket

    def doctor(self, options: Smtp) -> str:
        return str(options.socket or options.listen)

    def findings(self, options: Smtp, take: TakeMail) -> Iterator[Check]:
        mark = take.installation.config.mark
        if options.socket is not None:
            yield check_socket(options.socket, mark)
        else:
            yield check_port("mail in", options.listen, "smtp.listen", said_at, mark)
        if options.certificate and options.key:
            yield _certificate(options.certificate, options.key)
        if options.users:
            yield _logins(options.users)

    def open(self, options: Smtp, take: TakeMail) -> SmtpListener:
        from webordinary.doors.smtp_door import Before  # noqa: PLC0415 - heavy, and the keys are read everywhere
        from webordinary.doors.smtp_listener import SmtpListener  # noqa: PLC0415 - the same

        config = take.installation.config
        before = Before(tuple(config.mail.relays), config.mail.authserv_id, config.mark)
        return SmtpListener(take.intake, options, before)


def _distrusted(smtp: Smtp, *, is_demo: bool) -> Iterator[tuple[str, str]]:
    # Behind another mail server every mail comes from loopback: trust outside a demo would be an open door.
    if smtp.trust_local and not is_demo:
        yield (
            "trust_local",
            "is only for a demo, because anybody could pose as an editor; remove it",
        )
    if smtp.trust_local and not smtp.listen.is_loopback:
        yield "trust_local", 'needs `smtp.listen` to be on loopback, such as "127.0.0.1:2525"'


def _impossible(smtp: Smtp) -> Iterator[tuple[str, str]]:
    for name in ("command_deadline", "mail_deadline", "session_deadline"):
        if not getattr(smtp, name):
            yield name, "must be longer than 0"
    if (smtp.certificate is None) != (smtp.key is None):
        there, missing = ("certificate", "key") if smtp.certificate else ("key", "certificate")
        yield there, f"needs `smtp.{missing}` beside it"
    if smtp.users and not smtp.certificate and not smtp.is_local:
        # Without either everybody on the way could read the passwords.
        yield "users", "needs `smtp.certificate` and `smtp.key`, or a listener on loopback"
    if smtp.trust_local and smtp.protocol is Protocol.LMTP:
        yield "trust_local", "cannot be true behind another mail server, because all mail comes from there"


def _certificate(certificate: Path, key: Path) -> Check:
    from webordinary.doors.certificate import ends_at  # noqa: PLC0415 - heavy, and --help should be quick

    try:
        end = ends_at(certificate, key)
    except WebOrdinaryError as problem:
        return fail("certificate", str(problem))
    if end - datetime.now(UTC) < _SOON:
        return warn("certificate", f"{certificate} ends on {end:%Y-%m-%d}: renew it, it is read again by itself")
    return ok("certificate", f"{certificate}, until {end:%Y-%m-%d}")


def _logins(users: Path) -> Check:
    from webordinary.doors.users import Users  # noqa: PLC0415 - heavy, and --help should be quick

    try:
        count = Users(users).look()
    except WebOrdinaryError as problem:
        return fail("logins", str(problem))
    if not count:
        return warn("logins", f"{users} is empty: `webordinary password ADDRESS` prints a line for it")
    return ok("logins", f"{count} users in {users}")
