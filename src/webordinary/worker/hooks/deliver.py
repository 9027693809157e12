"""Tells every receiver of what happened, at least once: from the trail into one small file, and from there out.

One file for each receiver holds how far the trail was read and what is not taken yet. Who holds its lock is the only
one that sends; a process that dies in between leaves the file as it was, and the event is sent again with the same id.
"""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from webordinary.audit.entry import Entry, EventType
from webordinary.errors import WebOrdinaryError
from webordinary.worker.hooks.hook import ToldEvent, events_of, sign, told_of
from webordinary.worker.hooks.post import post

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webordinary.audit.trail import Trail
    from webordinary.clock import Clock
    from webordinary.worker.hooks.hook import Webhook

# After the last of them it is given up: about a day after it happened.
BACKOFF = tuple(timedelta(seconds=each) for each in (10, 60, 300, 1800, 7200, 28800, 43200))
_READ_AT_ONCE = 500
# What is not taken waits in the trail, from which nothing is lost.
_MOST_PENDING = 1000
_MOST_GIVEN_UP = 20


class Pending(msgspec.Struct, frozen=True):
    """An event that was not taken yet."""

    told: ToldEvent
    tries: int
    due_at: datetime


class LostEvent(msgspec.Struct, frozen=True):
    """An event that a receiver was never told of."""

    told: ToldEvent
    why: str
    at: datetime


class _Kept(msgspec.Struct, frozen=True):
    """What a receiver's file says."""

    read_until: int
    pending: tuple[Pending, ...] = ()
    given_up: tuple[LostEvent, ...] = ()


@dataclass(slots=True)
class Webhooks:
    """What one process does for all receivers, in a thread for each: a slow one keeps nobody else waiting."""

    hooks: tuple[Webhook, ...]
    trail: Trail
    clock: Clock
    folder: Path
    backoff: tuple[timedelta, ...] = BACKOFF
    # How far the trail may still be written to behind its end.
    behind: timedelta = timedelta()
    _threads: dict[str, threading.Thread] = field(default_factory=dict, init=False)

    def look(self) -> None:
        """Begin to tell what there is, unless that is being done."""
        for hook in self.hooks:
            if hook.mark not in self._threads or not self._threads[hook.mark].is_alive():
                thread = threading.Thread(target=self._tell, args=(hook,), name="webhook", daemon=True)
                self._threads[hook.mark] = thread
                thread.start()

    def keep_looking(self, every: timedelta) -> None:
        """Look from now on, for as long as this process lives: where no chores are done on a machine with a disk."""
        again = threading.Timer(every.total_seconds(), self.keep_looking, (every,))
        again.daemon = True
        again.start()
        self.look()

    def deliver(self) -> None:
        """Tell every receiver what is due now."""
        for hook in self.hooks:
            self._tell(hook)

    def _tell(self, hook: Webhook) -> None:
        with self._locked(hook) as path:
            if path is not None:
                self._deliver_to(hook, path)

    def _deliver_to(self, hook: Webhook, path: Path) -> None:
        last = self.trail.last_number()
        kept = _read(path) or _Kept(last)
        # A backup that was restored has a trail that ends earlier than what was read.
        kept = self._take_up(hook, replace(kept, read_until=min(kept.read_until, last)))
        _write(path, kept)
        now = self.clock.now().wall_at
        for due in [each for each in kept.pending if each.due_at <= now]:
            rest = tuple(each for each in kept.pending if each is not due)
            again = self._try(hook, due)
            pending = (*rest, again) if isinstance(again, Pending) else rest
            lost = (again, *kept.given_up) if isinstance(again, LostEvent) else kept.given_up
            kept = _Kept(kept.read_until, pending, lost[:_MOST_GIVEN_UP])
            _write(path, kept)

    def _take_up(self, hook: Webhook, kept: _Kept) -> _Kept:
        """Read what is new in the trail, and keep what the receiver wants to hear of."""
        until, pending, now = kept.read_until, list(kept.pending), self.clock.now().wall_at
        while len(pending) < _MOST_PENDING:
            found = self.trail.read(after=until, limit=_READ_AT_ONCE)
            entries = [entry for entry in found if entry.at <= now - self.behind] if self.behind else found
            for entry in entries:
                told = [told_of(entry, event, hook) for event in events_of(entry, hook.events)]
                pending += [Pending(each, 0, now) for each in told]
                until = entry.number
            if len(entries) < _READ_AT_ONCE:
                break
        return _Kept(until, tuple(pending), kept.given_up)

    def _try(self, hook: Webhook, due: Pending) -> Pending | LostEvent | None:
        """Send it once; return what is to be tried again, or never again."""
        now = self.clock.now().wall_at
        try:
            post(hook.url, *_signed(hook, due.told, now), private=hook.private)
        except WebOrdinaryError as problem:
            if due.tries < len(self.backoff):
                return Pending(due.told, due.tries + 1, now + self.backoff[due.tries])
            return self._give_up(due, str(problem))
        return None

    def _give_up(self, due: Pending, why: str) -> LostEvent:
        facts = {"event": due.told.event.value, "id": due.told.id}
        now = self.clock.now().wall_at
        entry = Entry(EventType.WEBHOOK_GIVEN_UP, now, job=due.told.job, mail=due.told.mail, text=why, facts=facts)
        self.trail.record(entry)
        return LostEvent(due.told, why, now)

    @contextmanager
    def _locked(self, hook: Webhook) -> Iterator[Path | None]:
        """Give the receiver's file, or nothing while another process has it."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self.folder / f"{hook.mark}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            yield self.folder / f"{hook.mark}.json" if _is_ours(handle) else None
        finally:
            os.close(handle)


def lost_events(folder: Path, hook: Webhook) -> tuple[LostEvent, ...]:
    """Return what a receiver was never told of, the newest first."""
    kept = _read(folder / f"{hook.mark}.json")
    return kept.given_up if kept else ()


def _read(path: Path) -> _Kept | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Kept)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _is_ours(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _signed(hook: Webhook, told: ToldEvent, now: datetime) -> tuple[bytes, dict[str, str]]:
    body, seconds = msgspec.json.encode(told), int(now.timestamp())
    return body, {
        "Content-Type": "application/json",
        "User-Agent": "webordinary",
        "webhook-id": told.id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": sign(hook.secret(), told.id, seconds, body),
    }


def _write(path: Path, kept: _Kept) -> None:
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(kept))
    new.rename(path)
