"""What `doctor` finds at the doors: ports and sockets, the certificate, logins, and mailboxes at other servers."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.cli.checks import Check, CheckLevel, fail, ok, warn
from webordinary.config import Config, Listen
from webordinary.config.doors import Hook, ImapSection, Smtp
from webordinary.errors import WebOrdinaryError
from webordinary.mail.door import DOORS

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.oauth.tokens import Tokens

_PATIENCE_SECONDS = 5.0
# Whoever renews certificates does so at least this long before the end.
_SOON = timedelta(days=14)


def check_listeners(config: Config) -> Iterator[Check]:
    """Look where mail and browsers come in on this machine."""
    smtp, preview = config.smtp, config.preview
    if smtp.socket is not None:
        yield _socket(smtp.socket, config.mark)
    else:
        yield _port("mail in", smtp.listen, "smtp.listen", _said_at, config.mark)
    yield _port("sites", preview.listen, "preview.listen", _served_at, config.mark)
    if smtp.certificate and smtp.key:
        yield _certificate(smtp.certificate, smtp.key)
    if smtp.users:
        yield _logins(smtp)
    if config.hook:
        yield _hook(config.hook, config.mark)


def check_doors(config: Config) -> Iterator[Check]:
    """Look at the doors that packages bring along."""
    for door in config.doors:
        name = f"door {door.kind}"
        try:
            with DOORS.answering(door.kind) as kind:
                yield ok(name, kind.doctor(door.options))
        except WebOrdinaryError as problem:
            yield fail(name, str(problem))


def check_mailboxes(here: Installation) -> Iterator[Check]:
    """Log in to each mailbox at another server, and change nothing there."""
    for imap in here.config.imap:
        yield _mailbox(imap, here.tokens(imap.oauth))


def _port(name: str, listen: Listen, key: str, ask: Callable[[Listen], str], mark: str) -> Check:
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(tuple(listen))
        except OSError as problem:
            if (taken := _taken_by_us(name, str(listen), key, ask(listen), mark)) is not None:
                return taken
            return fail(name, f"{listen} cannot be used ({problem.strerror}): end the other program or change {key}")
    return ok(name, f"{listen} is free")


def _taken_by_us(name: str, place: str, key: str, said: str, mark: str) -> Check | None:
    """Tell our own server from another installation's, beside which ours could not listen; None for other programs."""
    if f"WebOrdinary {mark}" in said:
        return ok(name, f"{place}, WebOrdinary listens there already")
    if "WebOrdinary" in said:
        return fail(name, f"another installation of WebOrdinary listens at {place}: end it or change {key}")
    return None


def _socket(path: Path, mark: str) -> Check:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(_PATIENCE_SECONDS)
        try:
            probe.connect(str(path))
        except OSError:
            return _place_for(path)
        said = b""
        with suppress(OSError):
            said = probe.recv(512)
    ours = _taken_by_us("mail in", str(path), "smtp.socket", said.decode(errors="replace"), mark)
    return ours or fail("mail in", f"another program listens at {path}: end it or change smtp.socket")


def _place_for(path: Path) -> Check:
    if not path.parent.is_dir():
        return fail("mail in", f"there is no folder {path.parent}: make it or change smtp.socket")
    if path.exists() and not path.is_socket():
        return fail("mail in", f"{path} is no socket: remove it or change smtp.socket")
    return ok("mail in", f"{path} is free")


def _certificate(certificate: Path, key: Path) -> Check:
    from webordinary.doors.certificate import ends_at  # noqa: PLC0415 - heavy, and --help should be quick

    try:
        end = ends_at(certificate, key)
    except WebOrdinaryError as problem:
        return fail("certificate", str(problem))
    if end - datetime.now(UTC) < _SOON:
        return warn("certificate", f"{certificate} ends on {end:%Y-%m-%d}: renew it, it is read again by itself")
    return ok("certificate", f"{certificate}, until {end:%Y-%m-%d}")


def _logins(smtp: Smtp) -> Check:
    from webordinary.doors.users import Users  # noqa: PLC0415 - heavy, and --help should be quick

    if smtp.users is None:
        return warn("logins", "nobody can log in")
    try:
        count = Users(smtp.users).look()
    except WebOrdinaryError as problem:
        return fail("logins", str(problem))
    if not count:
        return warn("logins", f"{smtp.users} is empty: `webordinary password ADDRESS` prints a line for it")
    return ok("logins", f"{count} users in {smtp.users}")


def _hook(hook: Hook, mark: str) -> Check:
    from webordinary.doors.hook_seals import read_seals  # noqa: PLC0415 - heavy, and --help should be quick

    try:
        read_seals(hook)
    except WebOrdinaryError as problem:
        return fail("hook", str(problem))
    found = _port("hook", hook.listen, "hook.listen", _served_at, mark)
    if found.finding is CheckLevel.OK and not hook.listen.is_loopback:
        return warn("hook", f"{found.says}, and is not encrypted: put a web server with TLS in front of loopback")
    return found


def _mailbox(imap: ImapSection, tokens: Tokens | None) -> Check:
    from webordinary.doors.imap_mailbox import open_mailbox  # noqa: PLC0415 - heavy, and --help should be quick

    try:
        with open_mailbox(imap, tokens) as mailbox:
            waits = "says when mail comes" if mailbox.can_wait else f"is asked every {imap.poll.total_seconds():g} s"
    except WebOrdinaryError as problem:
        return fail("mailbox", str(problem))
    return ok("mailbox", f"{imap.name} {waits}")


def greeting_at(host: str, port: int, *, tls: bool) -> str:
    """Return the first words of a mail server."""
    with socket.create_connection((host, port), timeout=_PATIENCE_SECONDS) as connection:
        stream = ssl.create_default_context().wrap_socket(connection, server_hostname=host) if tls else connection
        return stream.recv(512).decode(errors="replace").strip()


def _said_at(listen: Listen) -> str:
    with suppress(OSError):
        return greeting_at(listen.host, listen.port, tls=False)
    return ""


def _served_at(listen: Listen) -> str:
    connection = HTTPConnection(listen.host, listen.port, timeout=_PATIENCE_SECONDS)
    try:
        connection.request("HEAD", "/")
        return connection.getresponse().getheader("Server", "")
    except (OSError, HTTPException):
        return ""
    finally:
        connection.close()
