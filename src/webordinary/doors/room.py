"""How many connections and how many bytes of unfinished mail a listener has room for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address, ip_network

from webordinary.intake import LARGEST_MAIL

# Eight of the largest mails at once: what a small machine can spare.
MOST_BYTES = 8 * LARGEST_MAIL


@dataclass(slots=True)
class Room:
    """Counts who is inside; used from one event loop only."""

    connections: int
    connections_each: int
    relays: tuple[str, ...] = ()
    bytes_at_once: int = MOST_BYTES
    taken: int = 0
    _inside: Counter[str] = field(default_factory=Counter)

    @property
    def inside(self) -> int:
        return self._inside.total()

    def enter(self, peer: str | None) -> bool:
        """Take a place for one connection, or say that none is free; the caller gives it back with `leave`."""
        who = whose(peer)
        is_limited = peer is not None and not is_relay(peer, self.relays)
        if self.inside >= self.connections or (is_limited and self._inside[who] >= self.connections_each):
            return False
        self._inside[who] += 1
        return True

    def leave(self, peer: str | None) -> None:
        who = whose(peer)
        self._inside[who] -= 1
        if not self._inside[who]:
            del self._inside[who]

    def take(self, size: int) -> bool:
        """Reserve room for bytes; what was taken must be given back."""
        if self.taken + size > self.bytes_at_once:
            return False
        self.taken += size
        return True

    def give_back(self, size: int) -> None:
        self.taken -= size


def whose(peer: str | None) -> str:
    """Return whom an address is counted for: a network of IPv6 is one customer, who has all its addresses."""
    address = _address(peer)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return str(address or "")


def is_relay(peer: str, relays: tuple[str, ...]) -> bool:
    """Tell whether one of our own mail servers hands this in."""
    address = _address(peer)
    return address is not None and any(address in ip_network(relay) for relay in relays)


def _address(peer: str | None) -> object:
    if not peer:
        return None
    address = ip_address(peer.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address
