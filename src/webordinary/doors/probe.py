"""Looks at a place to listen at: it is free, ours, another installation's or somebody else's."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING

from webordinary.findings import Check, fail, ok

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webordinary.values import Listen

_PATIENCE_SECONDS = 5.0


def check_port(name: str, listen: Listen, key: str, ask: Callable[[Listen], str], mark: str) -> Check:
    """Say whether a port can be listened at, or who does already; `ask` returns what is said there."""
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


def check_socket(path: Path, mark: str) -> Check:
    """Say the same of a Unix socket."""
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


def _taken_by_us(name: str, place: str, key: str, said: str, mark: str) -> Check | None:
    """Tell our own server from another installation's, beside which ours could not listen; None for other programs."""
    if f"WebOrdinary {mark}" in said:
        return ok(name, f"{place}, WebOrdinary listens there already")
    if "WebOrdinary" in said:
        return fail(name, f"another installation of WebOrdinary listens at {place}: end it or change {key}")
    return None


def _place_for(path: Path) -> Check:
    if not path.parent.is_dir():
        return fail("mail in", f"there is no folder {path.parent}: make it or change smtp.socket")
    if path.exists() and not path.is_socket():
        return fail("mail in", f"{path} is no socket: remove it or change smtp.socket")
    return ok("mail in", f"{path} is free")


def greeting_at(host: str, port: int, *, tls: bool) -> str:
    """Return the first words of a mail server."""
    with socket.create_connection((host, port), timeout=_PATIENCE_SECONDS) as connection:
        stream = ssl.create_default_context().wrap_socket(connection, server_hostname=host) if tls else connection
        return stream.recv(512).decode(errors="replace").strip()


def said_at(listen: Listen) -> str:
    """Return the first words of a mail server, or nothing."""
    with suppress(OSError):
        return greeting_at(listen.host, listen.port, tls=False)
    return ""


def served_at(listen: Listen) -> str:
    """Return how a web server calls itself, or nothing."""
    connection = HTTPConnection(listen.host, listen.port, timeout=_PATIENCE_SECONDS)
    try:
        connection.request("HEAD", "/")
        return connection.getresponse().getheader("Server", "")
    except (OSError, HTTPException):
        return ""
    finally:
        connection.close()
