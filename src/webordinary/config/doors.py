"""The tables of the doors: the mail listener, the HTTP door for hooks, and the mailboxes that are looked into."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, field
from msgspec.structs import replace

from webordinary.config.options import plain_options
from webordinary.mail.door import DOORS
from webordinary.values import AtLeastOne, Duration, Host, Id, Listen, Section, ServerName, Title, Variable, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config.lines import KeyPath


Port = Annotated[int, Meta(ge=1, le=65535)]
_USUAL_PORTS = {"tls": 993, "starttls": 143, "none": 143}


class Protocol(StrEnum):
    """What the listener speaks."""

    SMTP = "smtp"
    LMTP = "lmtp"


class Security(StrEnum):
    """How a mailbox's password is kept secret on its way."""

    TLS = "tls"
    STARTTLS = "starttls"
    NONE = "none"


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


_PUBLIC_KEY = re.compile(r"[A-Za-z0-9+/]{80,1000}={0,2}", re.ASCII)
_EITHER = (("secret_file", "secret_variable"), ("mailgun_key_file", "mailgun_key_variable"))


class PublicKey(str):
    """The public half of a key, in base64; nothing about it is secret."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> PublicKey:
        text = "".join(text_of(value).split())
        if not _PUBLIC_KEY.fullmatch(text):
            raise ValueError("must be the public key as SendGrid shows it, in base64 and without BEGIN and END")
        return cls(text)


class Hook(Section, frozen=True, kw_only=True):
    """Where a mail provider's hook hands mail in; without this table there is no such door."""

    listen: Listen = Listen(("127.0.0.1", 8026))
    """Where the HTTP door waits, behind a web server that encrypts."""
    secret_file: Path | None = None
    """A file with what Postmark, SendGrid, a worker of Cloudflare or a script have to show: 32 letters or more."""
    secret_variable: Variable | None = None
    """The environment variable that holds that secret; this or `secret_file`."""
    mailgun_key_file: Path | None = None
    """A file with Mailgun's webhook signing key; opens `/mailgun/mime`."""
    mailgun_key_variable: Variable | None = None
    """The environment variable that holds that key; this or `mailgun_key_file`."""
    sendgrid_key: PublicKey | None = None
    """SendGrid's public key for signed hooks; with it `/sendgrid` takes what is signed, and no secret."""
    connections: AtLeastOne = 100
    """How many connections there may be at the same time."""
    connections_each: AtLeastOne = 20
    """How many of them may come from one address; loopback is not counted, that is the web server in front."""
    head_deadline: Duration = Duration(seconds=30)
    """How long a client may take until it has said what it wants."""
    mail_deadline: Duration = Duration(minutes=5)
    """How long a client may then take to send the mail."""

    def inside(self, folder: Path) -> Hook:
        """Return it with relative paths that begin at the folder."""
        given = {name: getattr(self, name) for name in ("secret_file", "mailgun_key_file")}
        return replace(self, **{name: folder / path for name, path in given.items() if path is not None})

    @property
    def has_secret(self) -> bool:
        return bool(self.secret_file or self.secret_variable)

    @property
    def has_mailgun_key(self) -> bool:
        return bool(self.mailgun_key_file or self.mailgun_key_variable)


def complaints_about_hook(hook: Hook | None, *, on_aws: bool) -> Iterator[tuple[KeyPath, str]]:
    """Say what is wrong with the door."""
    if hook is None:
        return
    if on_aws:
        yield ("hook",), "is for one machine, on AWS mail comes in by SES; remove it"
    for one, other in _EITHER:
        if getattr(hook, one) and getattr(hook, other):
            yield ("hook", other), f"cannot stand beside `{one}`; remove one of them"
    for name in ("head_deadline", "mail_deadline"):
        if not getattr(hook, name):
            yield ("hook", name), "must be longer than 0"
    if not (hook.has_secret or hook.has_mailgun_key or hook.sendgrid_key):
        yield ("hook",), "needs `secret_file`, `mailgun_key_file` or `sendgrid_key`; without one nobody is let in"


class DoorName(str):
    """The name of a door kind from outside."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> DoorName:
        name = text_of(value)
        if name not in DOORS.names:
            raise ValueError(f"names a door that no package brings along: {name[:60]!r}")
        return cls(name)


class DoorSection(Section, frozen=True, kw_only=True):
    """Another way for mails to come in, which a package of yours brings along."""

    kind: DoorName
    """The name of the door, as the package calls it."""
    options: dict[str, Any] = field(default_factory=dict)
    """What the door asks for, as its own documentation says."""

    def inside(self, folder: Path) -> DoorSection:
        """Return it with relative paths of its options that begin at the folder."""
        return replace(self, options=plain_options(DOORS.find(self.kind).options, self.options, folder))


def complaints_about_doors(doors: tuple[DoorSection, ...]) -> Iterator[tuple[KeyPath, str]]:
    """Say what the doors from outside find wrong."""
    for index, door in enumerate(doors):
        with DOORS.answering(door.kind) as kind:
            complaints = list(kind.check(door.options))
        yield from ((("door", index, "options", key), why) for key, why in complaints)
