"""Sends one event to one receiver: no redirect is followed, and a private address has to be allowed."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from collections.abc import Mapping

_SECONDS = 10.0
_GOOD = range(200, 300)
_OWN_TRANSLATORS = ipaddress.IPv6Network("64:ff9b:1::/48")
# Networks with translators (NAT64) have every address of IPv4 below the first; the second is how that was done before.
_TRANSLATED = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("::/96"))


class NotTaken(TryAgain):
    """A receiver has not taken an event."""


def post(url: str, body: bytes, headers: Mapping[str, str], *, private: bool) -> None:
    """Hand a body over, or say in words why it was not taken."""
    parts = urlsplit(url)
    host, is_safe = parts.hostname or "", parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        at = _place(host, parts.port or (443 if is_safe else 80), private=private)
        connection = http.client.HTTPConnection(host, parts.port, timeout=_SECONDS)
        # Connected here to what was looked at: a name that is asked twice may lead elsewhere the second time.
        connection.sock = _connect(at, host, is_safe=is_safe)
        try:
            connection.request("POST", path, body, dict(headers))
            status = connection.getresponse().status
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ValueError) as problem:
        raise NotTaken(f"it cannot be reached ({problem})") from None
    if status not in _GOOD:
        raise NotTaken(f"it answered {status}")


def _connect(at: tuple[str, int], host: str, *, is_safe: bool) -> socket.socket:
    made = socket.create_connection(at, _SECONDS)
    if not is_safe:
        return made
    try:
        return ssl.create_default_context().wrap_socket(made, server_hostname=host)
    except BaseException:
        made.close()
        raise


def _place(host: str, port: int, *, private: bool) -> tuple[str, int]:
    """Return the first address of a name; every one of them has to be public, or the receiver allowed to be private."""
    found = [each[4][0] for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not private and not all(is_public(str(each)) for each in found):
        raise NotTaken(f"{host} is in a private network; `private = true` in its [[webhook]] allows that")
    return str(found[0]), port


def is_public(address: str) -> bool:
    """Tell whether everybody can reach an address; one of IPv6 may be another way to write one of IPv4."""
    found = ipaddress.ip_address(address.partition("%")[0])
    inside = _inside(found) if isinstance(found, ipaddress.IPv6Address) else None
    if found in _OWN_TRANSLATORS:
        return False
    return found.is_global and not found.is_multicast and (inside is None or inside.is_global)


def _inside(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if any(address in each for each in _TRANSLATED):
        return ipaddress.IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour
