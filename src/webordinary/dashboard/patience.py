"""How often somebody may guess: by the name that is guessed for, and by the address that guesses."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.clock import Clock

_WINDOW_SECONDS = 15 * 60
_FOR_A_NAME = 10
_FROM_AN_ADDRESS = 20
# More are forgotten, the oldest first: memory must not grow with the number of guessers.
_REMEMBERED = 10_000
# Who has one address of IPv6 has all of its network.
_OF_ONE_HOLDER = 64


@dataclass(slots=True)
class _Tally:
    """Counts by key within a window of time."""

    limit: int
    _counts: OrderedDict[str, tuple[float, int]] = field(default_factory=OrderedDict)

    def count(self, key: str, now: float) -> bool:
        """Count one more, and tell whether it is allowed."""
        began, counted = self._counts.pop(key, (now, 0))
        if now - began >= _WINDOW_SECONDS:
            began, counted = now, 0
        self._counts[key] = (began, min(counted, self.limit) + 1)
        while len(self._counts) > _REMEMBERED:
            self._counts.popitem(last=False)
        return counted < self.limit

    def uncount(self, key: str) -> None:
        """Take one back."""
        began, counted = self._counts.get(key, (0.0, 0))
        if counted:
            self._counts[key] = (began, counted - 1)

    def forget(self, key: str) -> None:
        self._counts.pop(key, None)

    def __len__(self) -> int:
        return len(self._counts)


class Patience:
    """What one process remembers of failed guesses; each guess counts before it is looked at."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._names, self._addresses = _Tally(_FOR_A_NAME), _Tally(_FROM_AN_ADDRESS)

    def allows(self, name: str, address: str) -> bool:
        """Count a guess, and tell whether it may be looked at."""
        now = self._clock.now().wall_at.timestamp()
        with self._lock:
            by_address = self._addresses.count(_holder(address), now)
            # An address that has guessed too often must not lock anybody else out.
            return by_address and self._names.count(name, now)

    def was_right(self, name: str, address: str) -> None:
        """Forget the guesses for a name whose owner has come; of its address only this one: the others were wrong."""
        with self._lock:
            self._names.forget(name)
            self._addresses.uncount(_holder(address))

    @property
    def remembered(self) -> int:
        return len(self._names) + len(self._addresses)


def _holder(address: str) -> str:
    try:
        found = ip_address(address)
    except ValueError:
        return address[:100]
    found = getattr(found, "ipv4_mapped", None) or found
    if isinstance(found, IPv6Address):
        return str(ip_network((found, _OF_ONE_HOLDER), strict=False))
    return str(found)
