"""The workers: what each does, when it was last seen, and the memory of those on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.child import is_alive
from webordinary.child.table import resident_bytes
from webordinary.clock import say_duration
from webordinary.dashboard.now.standing import at, last_beat
from webordinary.worker.life import folder_of_lives, look_for_life

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from webordinary.engines.installation import Installation
    from webordinary.overview import LaneView, WorkerView
    from webordinary.worker.life import Life

MOST_WORKERS = 200


@dataclass(frozen=True, slots=True)
class WorkerNow:
    """A worker as it is at this moment; the memory is None where nobody here can look."""

    worker: WorkerView
    state: str
    lane: str | None
    # By whatever it said last: its row, which changes when it claims or waits, its beat, or a turn of its loop.
    heard_at: datetime
    resident: int | None
    is_gone: bool = False


def workers_now(here: Installation, lanes: Mapping[str, LaneView]) -> list[WorkerNow]:
    """Return every worker that the store knows; `lanes` says which lane belongs to whom."""
    now = here.clock.now()
    turned = {life.worker: life for life in look_for_life(folder_of_lives(here.config.data), now)}
    found = here.engine.overview.workers()[:MOST_WORKERS]
    return [_look_at(here, each, lanes.get(each.worker), turned.get(each.worker), now.wall_at) for each in found]


def _look_at(
    here: Installation, worker: WorkerView, owned: LaneView | None, life: Life | None, now: datetime
) -> WorkerNow:
    lane = owned.lane if owned else None
    is_gone = bool(worker.process) and not is_alive(worker.process)
    resident = resident_bytes(int(worker.process.partition(":")[0])) if worker.process and not is_gone else None
    state = "gone, its process has ended" if is_gone else _state(worker, lane, life, now)
    heard = [worker.seen_at]
    if owned is not None and owned.lease_until is not None:
        heard.append(last_beat(owned, owned.lease_until, here.limits, now))
    if life is not None:
        heard.append(now - life.ago)
    return WorkerNow(worker, state, lane, max(heard), resident, is_gone)


def _state(worker: WorkerView, lane: str | None, life: Life | None, now: datetime) -> str:
    if life is not None and life.has_stalled:
        return f"stuck: its loop has not turned for {say_duration(life.ago)}, restart it"
    if worker.holds_back_until is not None and worker.holds_back_until > now:
        return f"holds back until {at(worker.holds_back_until, now)}: the store gave it errors"
    if lane is not None:
        return "owns a lane"
    return "waits for work" if worker.idle else "looks for work"
