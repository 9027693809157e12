"""Hooks of mail providers as a door kind: the table `[hook]`, what is checked about it, and how it opens."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from webordinary.doors.probe import check_port, served_at
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, CheckLevel, fail, warn
from webordinary.mail.door import DoorKind, DoorTable
from webordinary.values import AtLeastOne, Duration, Listen, Section, Variable, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.doors.hook_listener import HookListener
    from webordinary.mail.door import DoorKey, DoorSurroundings, TakeMail

_PUBLIC_KEY = re.compile(r"[A-Za-z0-9+/]{80,1000}={0,2}", re.ASCII)
_EITHER = (("secret_file", "secret_variable"), ("mailgun_key_file", "mailgun_key_variable"))


class PublicKey(str):
    """The public half of a key, in base64; nothing about it is secret."""

    __slots__ = ()
    EXPECTED = "a public key"

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


class HookKind(DoorKind[Hook]):
    """Listens for the hooks of mail providers, if the table is there."""

    options = Hook
    table = DoorTable.OPTIONAL

    def complaints(self, tables: Sequence[Hook], around: DoorSurroundings) -> Iterator[tuple[DoorKey, str]]:
        for index, hook in enumerate(tables):
            if not around.is_one_machine:
                yield (index, None), "is for one machine, on AWS mail comes in by SES; remove it"
            for key, why in _impossible(hook):
                yield (index, key), why

    def describe(self, options: Hook, where: str) -> str:  # noqa: ARG002 - the port may have been chosen just now
        return f"Waiting for providers' hooks on http://{where}/."

    def doctor(self, options: Hook) -> str:
        return str(options.listen)

    def findings(self, options: Hook, take: TakeMail) -> Iterator[Check]:
        from webordinary.doors.hook_seals import read_seals  # noqa: PLC0415 - heavy, and --help should be quick

        try:
            read_seals(options)
        except WebOrdinaryError as problem:
            yield fail("hook", str(problem))
            return
        found = check_port("hook", options.listen, "hook.listen", served_at, take.installation.config.mark)
        if found.finding is CheckLevel.OK and not options.listen.is_loopback:
            found = warn("hook", f"{found.says}, and is not encrypted: put a web server with TLS in front of loopback")
        yield found

    def open(self, options: Hook, take: TakeMail) -> HookListener:
        from webordinary.doors.hook_listener import HookListener  # noqa: PLC0415 - heavy, and the keys are read everywhere

        return HookListener(take.intake, options, take.installation.config.mark)


def _impossible(hook: Hook) -> Iterator[tuple[str | None, str]]:
    for one, other in _EITHER:
        if getattr(hook, one) and getattr(hook, other):
            yield other, f"cannot stand beside `{one}`; remove one of them"
    for name in ("head_deadline", "mail_deadline"):
        if not getattr(hook, name):
            yield name, "must be longer than 0"
    if not (hook.has_secret or hook.has_mailgun_key or hook.sendgrid_key):
        yield None, "needs `secret_file`, `mailgun_key_file` or `sendgrid_key`; without one nobody is let in"
