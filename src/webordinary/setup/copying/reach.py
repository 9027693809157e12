"""Asks one host for one address at a time: never a machine of a private network, and never more than was allowed."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from webordinary.errors import Refused, TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "WebOrdinary-copy"
_SECONDS = 20.0
_SECONDS_EACH = 60.0
_PIECE = 65_536
_MOST_TURNS = 5
_TURNED = frozenset({301, 302, 303, 307, 308})
_UNICAST = IPv6Network("2000::/3")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """What a server gave: the address at which it was found at last, and its bytes."""

    address: str
    code: int
    kind: str = ""
    content: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class WebOrigin:
    """One server on the web: how it is spoken to, its name and its port."""

    scheme: str
    host: str
    port: int

    @classmethod
    def of(cls, address: str) -> WebOrigin | None:
        """Return the server of an address; None if it is none of the web."""
        try:
            parts = urlsplit(address)
            port = parts.port
        except ValueError:
            return None
        if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None:
            return None
        return cls(parts.scheme, parts.hostname.lower(), port or _PORTS[parts.scheme])

    def is_neighbour(self, other: WebOrigin) -> bool:
        """Whether it is the same site: with or without `www.`, with or without TLS."""
        usual = {80, 443}
        is_port = self.port == other.port or {self.port, other.port} <= usual
        return is_port and self.host.removeprefix("www.") == other.host.removeprefix("www.")


@dataclass(frozen=True, slots=True)
class WebReach:
    """How far we go; `loopback` lets this machine itself be asked, and still no other private one."""

    loopback: bool = False
    largest: int = 20 * 1024 * 1024

    def ask(self, address: str) -> WebAnswer:
        """Return what is at an address, after turns at the same site; TryAgain if nobody answers."""
        for _ in range(_MOST_TURNS):
            found, turn = self._ask_once(address)
            if turn is None:
                return found
            here, there = WebOrigin.of(address), WebOrigin.of(turn)
            if here is None or there is None or not here.is_neighbour(there):
                return WebAnswer(turn, found.code)
            address = turn
        return WebAnswer(address, http.HTTPStatus.LOOP_DETECTED)

    def _ask_once(self, address: str) -> tuple[WebAnswer, str | None]:
        origin = WebOrigin.of(address)
        if origin is None:
            raise Refused(f"{address[:100]} is no address of the web.")
        parts = urlsplit(address)
        asked = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection = self._open(origin)
        # A server that sends a little now and then never runs into the limit of a single read.
        limit = threading.Timer(_SECONDS_EACH, _hang_up, (connection,))
        limit.daemon = True
        limit.start()
        try:
            # Nothing packed: what unpacks to more than was allowed is never asked for.
            connection.request("GET", asked, headers={"User-Agent": NAME, "Accept-Encoding": "identity"})
            answer = connection.getresponse()
            to = answer.getheader("Location")
            if answer.status in _TURNED and to:
                return WebAnswer(address, answer.status), urljoin(address, to[:2000])
            found = self._read(address, answer)
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise TryAgain(f"{origin.host} did not answer to {asked[:100]} ({problem})") from None
        finally:
            is_late = limit.finished.is_set()
            limit.cancel()
            connection.close()
        if is_late:
            raise TryAgain(f"{address[:100]} takes too long")
        return found, None

    def _read(self, address: str, answer: http.client.HTTPResponse) -> WebAnswer:
        kind = answer.getheader("Content-Type", "").partition(";")[0].strip().lower()
        if answer.status != http.HTTPStatus.OK or answer.getheader("Content-Encoding", "identity") != "identity":
            return WebAnswer(address, answer.status if answer.status != http.HTTPStatus.OK else 415, kind)
        content = b""
        while piece := answer.read1(_PIECE):
            content += piece
            if len(content) > self.largest:
                return WebAnswer(address, http.HTTPStatus.REQUEST_ENTITY_TOO_LARGE, kind)
        if answer.length:
            raise TryAgain(f"{address[:100]} ended too early")
        return WebAnswer(address, answer.status, kind, content)

    def _open(self, origin: WebOrigin) -> http.client.HTTPConnection:
        # The number that was looked at is the one that is called: a name may lead elsewhere a moment later.
        machine = self._machine(origin)
        try:
            return _connect(origin, machine)
        except OSError as problem:
            raise TryAgain(f"{origin.host} does not answer ({problem})") from None

    def _machine(self, origin: WebOrigin) -> str:
        try:
            found = list(_numbers_of(origin))
        except OSError as problem:
            raise TryAgain(f"{origin.host} cannot be found ({problem})") from None
        for number in found:
            if not self._may_call(number):
                what = "this machine" if ip_address(number).is_loopback else "a private network"
                raise Refused(f"{origin.host} is at {number}, which belongs to {what}; nothing was fetched from there.")
        if not found:
            raise TryAgain(f"{origin.host} cannot be found")
        return found[0]

    def _may_call(self, number: str) -> bool:
        address = ip_address(number)
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            return self._may_call(str(address.ipv4_mapped))
        if address.is_loopback:
            return self.loopback
        if isinstance(address, IPv6Address) and (address not in _UNICAST or address.sixtofour is not None):
            # Some carry the number of a machine in an older network, which may be a private one.
            return False
        return address.is_global and not address.is_multicast


def _numbers_of(origin: WebOrigin) -> Iterator[str]:
    for _, _, _, _, place in socket.getaddrinfo(origin.host, origin.port, type=socket.SOCK_STREAM):
        yield str(place[0]).partition("%")[0]


def _connect(origin: WebOrigin, machine: str) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection(origin.host, origin.port, timeout=_SECONDS)
    connection.sock = socket.create_connection((machine, origin.port), timeout=_SECONDS)
    if origin.scheme == "https":
        connection.default_port = _PORTS["https"]
        connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=origin.host)
    return connection


def _hang_up(connection: http.client.HTTPConnection) -> None:
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)
