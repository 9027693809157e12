"""Addresses whose mails come back: after a few in a row nobody writes there any more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from webordinary.clock import Moment

# One full mailbox or one wrong rule of a server is no reason to give a person up.
TOO_MANY = 3
# A mailbox that was mended is written to again, also if nobody says so.
COUNTED_FOR = timedelta(days=30)
# What happens to everybody's mails on one bad day says nothing about an address.
LASTING = timedelta(days=1)
# What the trail says of a bounce beside its address, if the mailbox is not only full or away.
FOR_GOOD = "for_good"


@dataclass(frozen=True, slots=True)
class Bounce:
    """One letter that came back from one address."""

    letter: str
    address: str
    is_for_good: bool
    reason: str
    bounced_at: datetime

    @property
    def facts(self) -> dict[str, str]:
        """Return what the trail says of it."""
        said = {"address": fold_address(self.address), "letter": self.letter}
        return said | {FOR_GOOD: "yes"} if self.is_for_good else said


class Bounces(Protocol):
    """Each letter counts once for its address, however often it is reported."""

    def record(self, bounce: Bounce) -> bool:
        """Write it down, with a line in the trail; False when this letter is known to have come back."""

    def of(self, address: str) -> Sequence[Bounce]:
        """Return what came back from an address, oldest first."""

    def all(self, *, limit: int = 100) -> Sequence[Bounce]:
        """Return what came back, newest first."""

    def clear(self, address: str, by: str, now: Moment) -> int:
        """Forget what came back from an address, so that it is written to again; says how much that was."""


def find_dead_end(bounces: Bounces, address: str, now: datetime) -> Bounce | None:
    """Return the first of the bounces because of which an address is not written to, if it is not."""
    return dead_end_of(bounces.of(address), now)


def dead_end_of(returned: Sequence[Bounce], now: datetime) -> Bounce | None:
    """Return the same of one address, of all that came back from it, the oldest first."""
    counted = [each for each in returned if each.is_for_good and now - each.bounced_at < COUNTED_FOR]
    if len(counted) < TOO_MANY or counted[-1].bounced_at - counted[0].bounced_at < LASTING:
        return None
    return counted[0]
