"""Who waits to be led to, as one small object for each, and whose turn it is to write for all of them."""

from __future__ import annotations

import secrets
import time
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from webordinary.engines.aws.s3.places import WAITING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from webordinary.engines.aws.s3.bucket import Bucket

_TURN = f"{WAITING}.turn"
# Whoever holds the turn for longer has died; two at once would hinder each other and break nothing.
_LONGEST_TURN = 10.0


@dataclass(frozen=True, slots=True)
class Wish:
    """A project whose visitors have to be led anew; the key is of this wish alone."""

    key: str
    project: str


@dataclass(frozen=True, slots=True)
class WaitingProjects:
    """Wishes in the bucket of the sites: a listing there shows all that was written before."""

    bucket: Bucket
    clock: Callable[[], float] = time.time

    def add(self, project: str) -> Wish:
        """Wait; the pointer must have been written before."""
        wish = Wish(f"{WAITING}{project}/{secrets.token_hex(6)}", project)
        self.bucket.put(wish.key, b"")
        return wish

    def has(self, wish: Wish) -> bool:
        return self.bucket.read(wish.key) is not None

    def some(self, most: int) -> list[Wish]:
        found = (Wish(stored.key, stored.key.split("/")[1]) for stored in self.bucket.stored(WAITING))
        return list(islice((wish for wish in found if wish.key != _TURN), most))

    def done(self, wishes: Iterable[Wish]) -> None:
        self.bucket.delete(wish.key for wish in wishes)

    @contextmanager
    def turn(self) -> Iterator[bool]:
        """Say whether it is ours to write now."""
        now, found = self.clock(), self.bucket.read(_TURN)
        is_taken = found is not None and float(found.content) > now
        is_ours = not is_taken and self.bucket.put_if(
            _TURN, repr(now + _LONGEST_TURN).encode(), found.tag if found else None
        )
        try:
            yield is_ours
        finally:
            if is_ours:
                self.bucket.delete([_TURN])
