"""What is to be done to many things, kept as a file: the frozen list, and one line for each thing that was done.

Who does it holds a lock on the lines, which the system takes back when a process ends: so nobody starts it twice,
and everybody can tell whether it still runs.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_ID = re.compile(r"[0-9a-f]{16}")
_KEPT_SECONDS = 30 * 86400
# Held by who asks whether something runs and by who starts it, so that asking never looks like running.
_ONE_AT_A_TIME = threading.Lock()


class BulkPlan(msgspec.Struct, frozen=True):
    """What somebody was shown: exactly these things, and no others that fit later."""

    id: str
    action: str
    by: str
    made_at: datetime
    # The list with its filter, to go back to.
    where: str
    ids: tuple[str, ...]
    labels: tuple[str, ...]
    # More fitted than are taken at once.
    is_cut: bool = False


class BulkLine(msgspec.Struct, frozen=True):
    """What became of one thing."""

    id: str
    words: str
    has_failed: bool = False


class BulkState(StrEnum):
    """Where it stands."""

    WAITS = "waits"
    RUNS = "runs"
    BROKEN_OFF = "broken off"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class BulkProgress:
    """A plan and how far it has come."""

    plan: BulkPlan
    state: BulkState
    lines: Sequence[BulkLine]

    @property
    def failed(self) -> list[BulkLine]:
        return [line for line in self.lines if line.has_failed]

    @property
    def left(self) -> list[str]:
        done = {line.id for line in self.lines}
        return [each for each in self.plan.ids if each not in done]


@dataclass(frozen=True, slots=True)
class BulkPlans:
    """The plans of one installation, in a folder that only we can read."""

    folder: Path

    def keep(self, plan: BulkPlan) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._sweep()
        draft = self.folder / f"{plan.id}.new"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(plan))
        draft.rename(self._path(plan.id))

    def find(self, name: str) -> BulkProgress | None:
        if not _ID.fullmatch(name):
            return None
        try:
            plan = msgspec.json.decode(self._path(name).read_bytes(), type=BulkPlan)
        except (FileNotFoundError, msgspec.DecodeError):
            return None
        # Asked before the lines are read: what ends in between is only told later.
        runs = self._runs(name)
        lines = self._lines(name)
        return BulkProgress(plan, _state(plan, lines, runs=runs, was_begun=self._log(name).exists()), lines)

    def start(self, name: str, do: Callable[[str], BulkLine]) -> bool:
        """Do what is left in a thread of its own; False when somebody is at it, or nothing is left."""
        with _ONE_AT_A_TIME:
            handle = os.open(self._log(name), os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                return False
            # Looked at under the lock: what another has done by now is not done again.
            plan = msgspec.json.decode(self._path(name).read_bytes(), type=BulkPlan)
            left = BulkProgress(plan, BulkState.RUNS, self._lines(name)).left
        threading.Thread(target=_work_off, args=(handle, left, do), name=f"bulk {name}", daemon=True).start()
        return bool(left)

    def _runs(self, name: str) -> bool:
        with _ONE_AT_A_TIME:
            try:
                handle = os.open(self._log(name), os.O_RDONLY)
            except FileNotFoundError:
                return False
            try:
                fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
            finally:
                os.close(handle)
            return False

    def _lines(self, name: str) -> list[BulkLine]:
        lines: list[BulkLine] = []
        with suppress(FileNotFoundError):
            for line in self._log(name).read_bytes().splitlines():
                # A line that was cut by a crash is about a thing that is told as not done.
                with suppress(msgspec.DecodeError):
                    lines.append(msgspec.json.decode(line, type=BulkLine))
        return lines

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _sweep(self) -> None:
        for path in self.folder.iterdir():
            with suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime > _KEPT_SECONDS:
                    path.unlink()


def new_plan_id() -> str:
    return secrets.token_hex(8)


def _state(plan: BulkPlan, lines: Sequence[BulkLine], *, runs: bool, was_begun: bool) -> BulkState:
    if runs:
        return BulkState.RUNS
    if len({line.id for line in lines}) >= len(plan.ids):
        return BulkState.OVER
    return BulkState.BROKEN_OFF if was_begun else BulkState.WAITS


def _work_off(handle: int, left: Sequence[str], do: Callable[[str], BulkLine]) -> None:
    """Do one after the other; each line is written before the next thing is touched."""
    try:
        for each in left:
            # On a line of its own, also behind one that was cut.
            os.write(handle, b"\n" + msgspec.json.encode(do(each)) + b"\n")
    finally:
        os.close(handle)
