"""Questions to name servers about senders: an answer, nothing, or TryAgain when nobody answered."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

import dns.exception
import dns.name
import dns.rdatatype

from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta

    from dns.rdata import Rdata
    from dns.resolver import Resolver as NameServers

_KNOWN_ANSWERS = 2_000
_DEAF_AFTER = 3
_DEAF_SECONDS = 30.0
# An honest sender needs about five; SPF alone may ask for hundreds.
_MOST_QUESTIONS = 40


class Dns(Protocol):
    """A resolver: it returns texts with one letter for each byte, addresses, `10 host` for MX."""

    def look_up(self, name: str, kind: str) -> list[str]:
        """Return all records of a kind, or none; TryAgain when that could not be found out now."""


class Resolver:
    """The name servers of this machine, or the one that was configured."""

    def __init__(self, timeout: timedelta, server: tuple[str, int] | None = None) -> None:
        self._seconds = timeout.total_seconds()
        self._server = server
        self._resolver: NameServers | None = None
        self._silences = 0
        self._deaf_until = 0.0

    def look_up(self, name: str, kind: str) -> list[str]:
        try:
            asked = dns.name.from_text(name)
        except (dns.exception.DNSException, UnicodeError, ValueError):
            return []
        if time.monotonic() < self._deaf_until:
            # One mail after another would wait its full time for a server that is not there.
            raise TryAgain(f"the name servers have not answered lately, so {name} was not asked for")
        return self._answer(asked, kind)

    def _answer(self, name: dns.name.Name, kind: str) -> list[str]:
        from dns.resolver import NXDOMAIN, YXDOMAIN, NoAnswer  # noqa: PLC0415 - heavy, and most commands ask nobody

        try:
            answer = self._open().resolve(name, kind, search=False, lifetime=self._seconds)
        except (NXDOMAIN, NoAnswer, YXDOMAIN):
            self._silences = 0
            return []
        except dns.exception.DNSException as error:
            self._note_silence(timed_out=isinstance(error, dns.exception.Timeout))
            raise TryAgain(f"no name server answered about {name} ({type(error).__name__})") from None
        except OSError as error:
            self._note_silence(timed_out=True)
            raise TryAgain(f"no name server could be asked about {name} ({error})") from None
        self._silences = 0
        return _values(answer.rrset or (), kind)

    def _open(self) -> NameServers:
        if self._resolver is None:
            from dns.resolver import LRUCache  # noqa: PLC0415 - the same
            from dns.resolver import Resolver as NameServers  # noqa: PLC0415 - the same

            resolver = NameServers(configure=self._server is None)
            if self._server is not None:
                resolver.nameservers, resolver.port = [self._server[0]], self._server[1]
            resolver.cache = LRUCache(_KNOWN_ANSWERS)
            self._resolver = resolver
        return self._resolver

    def _note_silence(self, *, timed_out: bool) -> None:
        self._silences = self._silences + 1 if timed_out else 0
        if self._silences >= _DEAF_AFTER:
            self._silences, self._deaf_until = 0, time.monotonic() + _DEAF_SECONDS


def _values(records: Iterable[Rdata], kind: str) -> list[str]:
    if kind == "TXT":
        return [b"".join(record.strings).decode("latin-1") for record in records]  # type: ignore[attr-defined]  # dnspython types records by their base
    if kind == "MX":
        return [f"{record.preference} {record.exchange.to_text(omit_final_dot=True)}" for record in records]  # type: ignore[attr-defined]  # the same
    return [record.to_text().rstrip(".") for record in records]


class OneMail:
    """The questions about one mail: remembered while it is judged, and limited, because its sender chooses them."""

    def __init__(self, dns: Dns, patience: timedelta) -> None:
        self._dns = dns
        self._known: dict[tuple[str, str], list[str]] = {}
        self._until = time.monotonic() + patience.total_seconds()

    def look_up(self, name: str, kind: str) -> list[str]:
        key = name.lower().rstrip("."), kind
        if key not in self._known:
            if len(self._known) >= _MOST_QUESTIONS:
                return []
            if time.monotonic() > self._until:
                raise TryAgain("the name servers of the sender take too long")
            self._known[key] = self._dns.look_up(*key)
        return self._known[key]


class NoDns:
    """Nobody to ask, for a machine without a network: everything stays unknown."""

    def look_up(self, name: str, kind: str) -> list[str]:
        raise TryAgain(f"name servers are not asked here, so {name} ({kind}) stays unknown")
