"""Where mails go out: a mail server, a folder or SES, read from one address."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from urllib.parse import unquote, urlsplit

from webordinary.config.outside import read_outside
from webordinary.values import CONTROL, Address, Id, Section, read_path, text_of

_ENCODING = "in a password write / ? # @ : as %2F %3F %23 %40 %3A"


class OutgoingRoute(StrEnum):
    """How mails leave."""

    SMTP = "smtp"
    SMTPS = "smtps"
    MAILDIR = "maildir"
    SES = "ses"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """Where mails go out: a mail server with its credentials, a folder, or SES."""

    kind: OutgoingRoute
    host: str = ""
    port: int = 0
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    # Where the password lies if the address has none; it is read each time anew.
    password_file: Path | None = None
    path: Path | None = None
    # The login whose tokens let us in, where the server takes no password.
    oauth: str | None = None
    # Whom all mails are from, where the server lets out only its own.
    sender: str | None = None
    # Whether the password may be read on the way, because the way does not leave this machine.
    plain_password: bool = False

    def read_password(self) -> str:
        """Return the password, from where the configuration says that it is; empty if there is none."""
        if self.password_file is None:
            return self.password or ""
        return read_outside(self.password_file, None, f"the password of {self.user}", "outgoing.password_file")


class OutgoingUrl(str):
    """The address of the outgoing mail server; it may hold a password and is therefore never shown."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> OutgoingUrl:
        text = cls(text_of(value))
        text.parse(Path())
        return text

    def __repr__(self) -> str:
        return "OutgoingUrl(…)"

    def parse(self, folder: Path) -> Outgoing:
        """Take the address apart; a relative maildir begins at the folder."""
        kind, _, rest = str(self).partition(":")
        if kind == OutgoingRoute.MAILDIR and rest.strip("/"):
            return Outgoing(OutgoingRoute.MAILDIR, path=folder / read_path(rest))
        if self == f"{OutgoingRoute.SES}:":
            return Outgoing(OutgoingRoute.SES)
        if kind not in {OutgoingRoute.SMTP, OutgoingRoute.SMTPS} or CONTROL.search(self) or " " in self:
            raise ValueError("must be smtp://HOST:PORT, smtps://USER:PASSWORD@HOST, maildir:FOLDER or ses:")
        return _mail_server(OutgoingRoute(kind), self)


class OutgoingSection(Section, frozen=True, kw_only=True):
    """How mail goes out."""

    url: OutgoingUrl
    """Where answers go: `smtp://HOST:PORT`, `smtps://USER:PASSWORD@HOST`, `maildir:FOLDER`, on AWS always `ses:`."""
    password_file: Path | None = None
    """A file that holds the password; then the address has a user and no password."""
    oauth: Id | None = None
    """The `[[oauth]]` login whose tokens let us in at the server; then the address has a user and no password."""
    sender: Address | None = None
    """Whom answers are from where the server lets out only its own; replies go to the thread's address anyway."""
    plain_password: bool = False
    """Show the password to a server that does not encrypt; only for one on this machine, such as `127.0.0.1`."""

    def inside(self, folder: Path) -> Outgoing:
        """Return where mails go out; relative paths begin at the folder."""
        file = folder / self.password_file if self.password_file else None
        route = self.url.parse(folder)
        plain = self.plain_password
        return replace(route, password_file=file, oauth=self.oauth, sender=self.sender, plain_password=plain)


def _mail_server(kind: OutgoingRoute, url: str) -> Outgoing:
    # Nothing of the address is repeated in a complaint: a password may be what is wrong with it.
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError(f"has a host or a port that cannot be read; {_ENCODING}") from None
    if parts.path.strip("/") or parts.query or parts.fragment or not parts.hostname:
        raise ValueError(f"must end after HOST:PORT; {_ENCODING}")
    if parts.password and not parts.username:
        raise ValueError("must have both a user and a password, or neither")
    user, password = (unquote(part) if part else None for part in (parts.username, parts.password))
    return Outgoing(kind, parts.hostname, port or _usual_port(kind, user), user, password)


def _usual_port(kind: OutgoingRoute, user: str | None) -> int:
    if kind is OutgoingRoute.SMTPS:
        return 465
    return 25 if user is None else 587
