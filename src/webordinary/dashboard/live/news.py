"""The news of one dashboard process: one thread reads the trail while somebody looks, and tells all who do.

The thread asks the store, the streams never do. Where each look is a paid request it looks seldom, and says so.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from webordinary.dashboard.live.names import Changes
from webordinary.dashboard.live.past import Past
from webordinary.dashboard.live.reader import TrailReader
from webordinary.dashboard.live.seat import END, GONE, Seat, beat, changed, reload
from webordinary.dashboard.live.shared import SharedAnswers
from webordinary.errors import WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from starlette.responses import Response

    from webordinary.audit.entry import Entry
    from webordinary.audit.trail import Trail
    from webordinary.dashboard.sessions import Sessions
    from webordinary.dashboard.viewer import Viewer
    from webordinary.engine import Traits

BEAT_SECONDS = 5.0
MOST_STREAMS, MOST_OF_ONE = 1000, 20
# Where numbers come from the clocks of several machines, an entry may turn up behind a later one.
_LATE_NANOSECONDS = 3_000_000_000

_log = logging.getLogger(__name__)


class LiveNews:
    """What happens, for everybody who looks; without viewers nothing runs and nothing is asked."""

    def __init__(self, trail: Trail, sessions: Sessions, traits: Traits) -> None:
        self._trail, self._sessions, self._traits = trail, sessions, traits
        self._reader = TrailReader(trail, 0 if traits.has_free_looks else _LATE_NANOSECONDS)
        # Where it is free, more often than anybody could notice: all viewers wait for this one look.
        self.every = traits.seconds_between_looks / 2 if traits.has_free_looks else traits.seconds_between_looks
        self._past = Past()
        self._shared = SharedAnswers()
        self._seats: set[Seat] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wanted, self._closed = threading.Event(), threading.Event()
        self._looked_at = float("-inf")
        self._thread: threading.Thread | None = None

    @property
    def viewers(self) -> int:
        return len(self._seats)

    @property
    def looks(self) -> int:
        """How often the store was asked what is new."""
        return self._reader.looks

    def number(self) -> int | None:
        """Return an entry that a page made from now on knows; None where asking would cost something."""
        if self._traits.has_free_looks:
            return self._trail.last_number()
        return self._reader.number if self._is_fresh() else None

    def enter(self, viewer: Viewer, secret: str, after: int | None) -> Seat | None:
        """Give somebody a place at the stream; None when all are taken. To be called in the event loop."""
        of_one = sum(1 for seat in self._seats if seat.secret == secret)
        if self._closed.is_set() or len(self._seats) >= MOST_STREAMS or of_one >= MOST_OF_ONE:
            return None
        self._loop = asyncio.get_running_loop()
        seat = Seat(viewer, secret, after)
        self._seats.add(seat)
        if self._is_fresh():
            self._greet()
        self._wanted.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._read, name="live news", daemon=True)
            self._thread.start()
        return seat

    def leave(self, seat: Seat) -> None:
        seat.end()
        self._seats.discard(seat)
        if not self._seats:
            self._wanted.clear()

    def close(self) -> None:
        """End every stream: each browser hears it and comes back later. To be called in the event loop."""
        self._closed.set()
        self._wanted.set()
        for seat in self._seats:
            seat.end(END)

    async def share(self, question: str, make: Callable[[], Awaitable[Response]]) -> Response:
        """Answer all who ask the same at the same moment with what one of them is answered."""
        return await self._shared.answer(question, self._reader.number, make)

    def _is_fresh(self) -> bool:
        return self._wanted.is_set() and time.monotonic() - self._looked_at < BEAT_SECONDS

    def _read(self) -> None:
        """Look again and again while somebody wants it; a beat says how that goes."""
        beaten_at = float("-inf")
        while self._wanted.wait() and not self._closed.is_set():
            self._look()
            now = time.monotonic()
            if now - beaten_at >= BEAT_SECONDS:
                beaten_at = now
                self._in_loop(self._beat, self._without_session())
            self._closed.wait(self.every)

    def _look(self) -> None:
        try:
            entries = self._reader.look()
        except WebOrdinaryError as problem:
            _log.warning("the trail cannot be read for the dashboard: %s", problem)
            return
        self._looked_at = time.monotonic()
        if entries is None or entries or any(not seat.is_greeted for seat in tuple(self._seats)):
            self._in_loop(self._tell, self._reader.number, entries)

    def _without_session(self) -> list[Seat]:
        """Return where somebody sits who has signed out meanwhile, or is somebody else now."""
        return [seat for seat in tuple(self._seats) if self._sessions.find(seat.secret, is_visit=False) != seat.viewer]

    def _in_loop(self, what: Callable[..., None], *given: object) -> None:
        # The loop may be over already: then nobody is left to be told.
        with suppress(RuntimeError):
            if self._loop is not None:
                self._loop.call_soon_threadsafe(what, *given)

    def _tell(self, number: int, entries: Sequence[Entry] | None) -> None:
        if entries is None:
            self._past.forget(number)
            for seat in self._seats:
                if seat.is_greeted:
                    seat.put(reload(number))
        elif entries:
            changes = Changes(entries)
            self._past.add(number, changes)
            # Most viewers see the same: what they are told is written once.
            write = cache(lambda viewer: _written(number, changes, viewer))
            for seat in self._seats:
                if seat.is_greeted and (told := write(seat.viewer)):
                    seat.put(told)
        self._greet()

    def _greet(self) -> None:
        """Tell those who are new what they have missed."""
        for seat in [seat for seat in self._seats if not seat.is_greeted]:
            seat.is_greeted = True
            seat.put(self._beat_now())
            if (missed := self._past.since(seat.after, seat.viewer)) is not None:
                seat.put(missed)

    def _beat(self, without_session: Sequence[Seat]) -> None:
        for seat in without_session:
            seat.end(GONE)
        told = self._beat_now()
        for seat in self._seats:
            seat.put(told)

    def _beat_now(self) -> bytes:
        behind = time.monotonic() - self._looked_at
        return beat(behind, self.every)


def _written(number: int, changes: Changes, viewer: Viewer) -> bytes | None:
    names = changes.for_viewer(viewer)
    return changed(number, sorted(names)) if names else None
