"""Live pages: many viewers of one dashboard process, one reader; from an entry of the trail to what a page shows.

Each viewer holds a stream. An entry is written, the stream names what has changed, and the viewer fetches that
fragment: all of them the same one at the same moment, which is the worst that can happen.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import socket
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bench.figures import milliseconds
from webordinary.audit.entry import Entry, EventType
from webordinary.child.companion import Companion
from webordinary.child.table import resident_bytes
from webordinary.config import example_config, load_config
from webordinary.dashboard.process import house_of
from webordinary.dashboard.server import allow_many_viewers
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.engines.installation import Installation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.dashboard.house import House

_HOST = "127.0.0.1"
_PATIENCE_SECONDS = 60
_TOGETHER = 50


def measure_live(parent: Path, viewers: int, events: int) -> dict[str, object]:
    """Open the streams, let things happen one after the other, and stop while all still look."""
    allow_many_viewers()
    with tempfile.TemporaryDirectory(dir=parent, prefix="bench-live-") as folder, _dashboard(Path(folder)) as shown:
        audience = asyncio.run(_Audience(shown, viewers).watch(events))
        return {
            "live_500_viewers_p95_ms": milliseconds(audience.fragments, 95),
            "live_500_viewers_p50_ms": milliseconds(audience.fragments, 50),
            "live_event_p95_ms": milliseconds(audience.heard, 95),
            "live_viewers": viewers,
            "dashboard_mb_of_viewers": round(audience.resident / 1_000_000),
            "live_stop_s": round(audience.stopped_ns / 1e9, 2),
        }


@dataclass(frozen=True, slots=True)
class _Shown:
    """A dashboard that runs."""

    house: House
    port: int
    process: Companion


@contextmanager
def _dashboard(folder: Path) -> Iterator[_Shown]:
    path = folder / "webordinary.toml"
    path.write_text(example_config(domain="edit.example.com", outgoing="maildir:mailbox", workers=1), encoding="utf-8")
    here = Installation.open(load_config(path, {}))
    with socket.create_server((_HOST, 0), backlog=1024) as listening:
        number = listening.fileno()
        program = [sys.executable, "-m", "webordinary.dashboard.process"]
        process = Companion([*program, str(path), "", str(os.getpid()), str(number)], os.environ, keeps=(number,))
        try:
            yield _Shown(house_of(here), listening.getsockname()[1], process)
        finally:
            process.signal(signal.SIGKILL)
            process.bury()


@dataclass(slots=True)
class _Audience:
    """All viewers, and when each of them heard and saw what happened."""

    shown: _Shown
    viewers: int
    heard: list[int] = field(default_factory=list)
    fragments: list[int] = field(default_factory=list)
    resident: int = 0
    stopped_ns: int = 0
    happened_ns: int = 0

    async def watch(self, events: int) -> _Audience:
        seats = [_Viewer(self, self._session()) for _ in range(self.viewers)]
        for first in range(0, len(seats), _TOGETHER):
            await asyncio.gather(*(seat.sit_down() for seat in seats[first : first + _TOGETHER]))
        for _ in range(events):
            looking = [asyncio.create_task(seat.see_next()) for seat in seats]
            await asyncio.sleep(0)
            await asyncio.to_thread(self._happen)
            await asyncio.wait_for(asyncio.gather(*looking), _PATIENCE_SECONDS)
        self.resident = resident_bytes(self.shown.process.pid) or 0
        began = time.monotonic_ns()
        self.shown.process.signal(signal.SIGTERM)
        await asyncio.wait_for(asyncio.gather(*(seat.hear_end() for seat in seats)), _PATIENCE_SECONDS)
        # Streams that have ended are not the end: whoever restarts the program waits for the process.
        await asyncio.to_thread(select.select, [self.shown.process], [], [], _PATIENCE_SECONDS)
        self.stopped_ns = time.monotonic_ns() - began
        return self

    def _session(self) -> str:
        house = self.shown.house
        return f"{house.cookie}={house.sessions.begin(Viewer('viewer', Role.READER))}"

    def _happen(self) -> None:
        entry = Entry(EventType.WORKER_STARTED, self.shown.house.here.clock.now().wall_at, worker="w-1")
        self.happened_ns = time.monotonic_ns()
        self.shown.house.here.engine.trail.record(entry)


class _Viewer:
    """One browser: a stream, and a second connection for fragments."""

    def __init__(self, audience: _Audience, cookie: str) -> None:
        self._audience = audience
        sent = f"Cookie: {cookie}\r\nHost: {_HOST}\r\n\r\n"
        self._stream = f"GET /events?after= HTTP/1.1\r\n{sent}".encode()
        self._ask = f"GET /fragments/now HTTP/1.1\r\n{sent}".encode()

    async def sit_down(self) -> None:
        port = self._audience.shown.port
        self._events, self._opened = await asyncio.open_connection(_HOST, port)
        self._opened.write(self._stream)
        await self._events.readuntil(b"event: reload\ndata: \n\n")
        self._answers, self._asks = await asyncio.open_connection(_HOST, port)
        await self._fetch()

    async def see_next(self) -> None:
        await self._events.readuntil(b'"now"')
        self._audience.heard.append(time.monotonic_ns() - self._audience.happened_ns)
        await self._fetch()
        self._audience.fragments.append(time.monotonic_ns() - self._audience.happened_ns)

    async def _fetch(self) -> None:
        self._asks.write(self._ask)
        head = await self._answers.readuntil(b"\r\n\r\n")
        length = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        await self._answers.readexactly(int(length.partition(b":")[2]))

    async def hear_end(self) -> None:
        """Wait until the server has closed the stream."""
        while await self._events.read(65536):
            pass
        for writer in (self._opened, self._asks):
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
