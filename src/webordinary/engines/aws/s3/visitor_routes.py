"""Routes of visitors: a key-value store at CloudFront that leads from a host to a release in the bucket of sites.

CloudFront cannot follow the pointer objects, so that the same is written there once more, always after them. It only
moves forward without a clock or a counter: each writer has read the pointer after the version of the store over
which alone the write succeeds, so no later write can carry an older pointer.

The store takes a few writes a second, each over the version before. Whoever meets others there says what is wished in
the bucket, and one of those who wait writes for all.
"""

from __future__ import annotations

import logging
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from webordinary.engines.aws.faults import translated
from webordinary.errors import TryAgain
from webordinary.metrics.meter import Metric, NoMeter
from webordinary.routing.lane import LONGEST_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mypy_boto3_cloudfront_keyvaluestore import CloudFrontKeyValueStoreClient

    from webordinary.engines.aws.s3.waiting import WaitingProjects, Wish
    from webordinary.metrics.meter import Meter

_log = logging.getLogger(__name__)
# What Amazon takes: the bytes of all keys and values together, and the keys of one write.
LARGEST_STORE = 5_000_000
MOST_KEYS = 50
LONGEST_RELEASE_ID = 14
_CONFLICT, _FULL, _MISSING = "ConflictException", "ServiceQuotaExceededException", "ResourceNotFoundException"
_LOOKS, _READERS = 300, 8
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.05, 0.25


def sites_that_fit(own_address: int = 0) -> int:
    """Return how many sites one store holds if every name is as long as it may be, each with an address of its own."""
    alias = own_address + len("=") + LONGEST_ID if own_address else 0
    return LARGEST_STORE // (LONGEST_ID + LONGEST_RELEASE_ID + alias)


class Led(Enum):
    """What became of a wish."""

    THERE = "visitors are led there"
    NO_ROOM = "the store has no room for another key"


class _Written(Enum):
    YES = "yes"
    OVERTAKEN = "somebody else wrote meanwhile"
    NO_ROOM = "no room"


@dataclass(slots=True)
class VisitorRoutes:
    """One key-value store; `routes_of` reads a project's pointer and says which keys lead where."""

    client: CloudFrontKeyValueStoreClient
    store: str
    waiting: WaitingProjects
    routes_of: Callable[[str], Mapping[str, str]]
    meter: Meter = field(default_factory=NoMeter)
    pause: Callable[[float], object] = time.sleep
    # What the last write left behind is still older than whatever is read after it: no need to ask again.
    _tag: str | None = None

    def lead(self, project: str) -> Led:
        """Let visitors find what the project's pointer says; TryAgain when nobody came to write it."""
        if not self.waiting.some(1):
            written, _ = self._write_for([project])
            if written is not _Written.OVERTAKEN:
                return self._told(project, written)
        return self._lead_with_others(self.waiting.add(project))

    def forget(self, keys: Iterable[str]) -> None:
        """Remove keys that are there."""
        for _ in range(_LOOKS):
            tag = self._version_before()
            known = [key for key in keys if self._has(key)]
            if not known or self._write(tag, {}, known) is not _Written.OVERTAKEN:
                return
            self._rest()
        raise self._too_many()

    def put_alias(self, host: str, label: str) -> None:
        """Let a host lead to what another name under the domain shows."""
        for _ in range(_LOOKS):
            if self._write(self._version_before(), {host: f"={label}"}) is not _Written.OVERTAKEN:
                return
            self._rest()
        raise self._too_many()

    def version(self) -> str:
        """Return which version of the store is the newest; Misconfigured when there is none or it is not ours."""
        with translated(self._what):
            found = self.client.describe_key_value_store(KvsARN=self.store)
        self.meter.record(Metric.VISITOR_ROUTES_BYTES, found["TotalSizeInBytes"])
        return found["ETag"]

    @property
    def _what(self) -> str:
        return f"the key-value store {self.store.rpartition('/')[2]}"

    def _lead_with_others(self, wish: Wish) -> Led:
        for _ in range(_LOOKS):
            if not self.waiting.has(wish):
                return Led.THERE
            with self.waiting.turn() as is_ours:
                written = self._write_for_all(wish) if is_ours else _Written.OVERTAKEN
            if written is not _Written.OVERTAKEN:
                return self._told(wish.project, written)
            self._rest()
        raise self._too_many()

    def _write_for_all(self, own: Wish) -> _Written:
        """Write what everybody waits for, ourselves first; those that others wrote for see that their wish is gone."""
        wishes = [own, *(wish for wish in self.waiting.some(MOST_KEYS) if wish != own)]
        written, whose = self._write_for([wish.project for wish in wishes])
        if written is not _Written.OVERTAKEN:
            # For whom there was no room finds out when it is his turn.
            self.waiting.done(wish for wish in wishes if wish.project in whose or wish == own)
        if written is _Written.YES and own.project not in whose:
            return _Written.NO_ROOM
        return written

    def _write_for(self, projects: Sequence[str]) -> tuple[_Written, set[str]]:
        """Write the routes of as many of these projects as one write takes; say whose they were."""
        # The order is the whole point: first the version, then the pointers.
        tag = self._version_before()
        with ThreadPoolExecutor(_READERS, thread_name_prefix="pointer") as many:
            found = dict(zip(projects, many.map(self.routes_of, projects), strict=True))
        puts, whose = _fitting(found)
        written = self._write(tag, puts)
        if written is _Written.NO_ROOM:
            # Whoever has a key already needs no room.
            known = {project: {key: to for key, to in found[project].items() if self._has(key)} for project in whose}
            puts, whose = _fitting({project: routes for project, routes in known.items() if routes})
            written = self._write(tag, puts) if puts else written
        return written, whose

    def _version_before(self) -> str:
        tag, self._tag = self._tag or self.version(), None
        return tag

    def _has(self, key: str) -> bool:
        try:
            with translated(self._what, let_through=frozenset({_MISSING})):
                self.client.get_key(KvsARN=self.store, Key=key)
        except ClientError:
            return False
        return True

    def _write(self, tag: str, puts: Mapping[str, str], deletes: Sequence[str] = ()) -> _Written:
        if not puts and not deletes:
            return _Written.YES
        try:
            with translated(self._what, let_through=frozenset({_CONFLICT, _FULL})):
                done = self.client.update_keys(
                    KvsARN=self.store,
                    IfMatch=tag,
                    Puts=[{"Key": key, "Value": to} for key, to in puts.items()],
                    Deletes=[{"Key": key} for key in deletes],
                )
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") == _CONFLICT:
                return _Written.OVERTAKEN
            self.meter.record(Metric.VISITOR_ROUTES_BYTES, LARGEST_STORE)
            return _Written.NO_ROOM
        self._tag = done["ETag"]
        self.meter.record(Metric.VISITOR_ROUTES_BYTES, done["TotalSizeInBytes"])
        return _Written.YES

    def _told(self, project: str, written: _Written) -> Led:
        if written is _Written.YES:
            return Led.THERE
        _log.error("%s is full: %s is shown from its own folder, without a key", self._what, project)
        return Led.NO_ROOM

    def _rest(self) -> None:
        self.pause(random.uniform(_SHORTEST_PAUSE, _LONGEST_PAUSE))  # noqa: S311 - to spread workers

    def _too_many(self) -> TryAgain:
        return TryAgain(f"{self._what} is being changed by others all the time")


def _fitting(found: Mapping[str, Mapping[str, str]]) -> tuple[dict[str, str], set[str]]:
    """Return the keys of one write, and the projects that they are of; the first one always fits."""
    puts, whose = dict[str, str](), set[str]()
    for project, routes in found.items():
        if len(puts) + len(routes) <= MOST_KEYS:
            puts |= routes
            whose.add(project)
    return puts, whose
