"""The workers: what each does, when it was last seen, and the memory of those on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.child import is_alive
from webordinary.child.table import resident_bytes
from webordinary.clock import say_duration
from webordinary.dashboard.now.standing import at
from webordinary.worker.life import folder_of_lives, look_for_life

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from webordinary.engines.installation import Installation
    from webordinary.overview import WorkerView
    from webordinary.worker.life import Life

MOST_WORKERS = 200


@dataclass(frozen=True, slots=True)
class WorkerNow:
    """A worker as it is at this moment; the memory is None where nobody here can look."""

    worker: WorkerView
    state: str
    lane: str | None
    resident: int | None
    is_gone: bool = False


def workers_now(here: Installation, lanes: Mapping[str, str]) -> list[WorkerNow]:
    """Return every worker that the store knows; `lanes` says which lane belongs to whom."""
    now = here.clock.now()
    turned = {life.worker: life for life in look_for_life(folder_of_lives(here.config.data), now)}
    found = here.engine.overview.workers()[:MOST_WORKERS]
    return [_look_at(each, lanes.get(each.worker), turned.get(each.worker), now.wall_at) for each in found]


def _look_at(worker: WorkerView, lane: str | None, life: Life | None, now: datetime) -> WorkerNow:
    is_gone = bool(worker.process) and not is_alive(worker.process)
    resident = resident_bytes(int(worker.process.partition(":")[0])) if worker.process and not is_gone else None
    state = "gone, its process has ended" if is_gone else _state(worker, lane, life, now)
    return WorkerNow(worker, state, lane, resident, is_gone)


def _state(worker: WorkerView, lane: str | None, life: Life | None, now: datetime) -> str:
    if life is not None and life.has_stalled:
        return f"stuck: its loop has not turned for {say_duration(life.ago)}, restart it"
    if worker.holds_back_until is not None and worker.holds_back_until > now:
        return f"holds back until {at(worker.holds_back_until, now)}: the store gave it errors"
    if lane is not None:
        return "owns a lane"
    return "waits for work" if worker.idle else "looks for work"
