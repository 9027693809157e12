"""How much waits and runs, by indexes that hold nothing else."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import one
from webordinary.overview import LoadView

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment

_READY = """
SELECT count(*), min(ready_since) FROM lanes INDEXED BY lanes_ready WHERE ready_since IS NOT NULL AND ready_since <= ?
"""
# What an owner left behind that is gone waits too, since its lease has ended.
_LEFT_BEHIND = """
SELECT count(*), max(CASE WHEN lease_boot = :boot_id THEN :boot - lease_until ELSE 0 END)
FROM lanes INDEXED BY lanes_owned
WHERE owner IS NOT NULL AND pending > 0 AND (lease_boot != :boot_id OR lease_until <= :boot)
  AND (paused IS NULL OR committing)
"""
_LIVE = """
SELECT count(*), total(state IN ('running', 'committing')), min(received_at) FROM jobs INDEXED BY jobs_live
WHERE finished_at IS NULL
"""


def read_load(cursor: apsw.Cursor, now: Moment) -> LoadView:
    """Return what one look shows."""
    ready, since = one(cursor, _READY, (now.seconds,)) or (0, None)
    left, longest = one(cursor, _LEFT_BEHIND, {"boot": now.boot, "boot_id": now.boot_id}) or (0, None)
    live, running, oldest = one(cursor, _LIVE) or (0, 0, None)
    return LoadView(
        lanes_waiting=ready + left,
        longest_lane=max(_since(since, now), timedelta(seconds=longest or 0)),
        jobs_waiting=live - int(running),
        jobs_running=int(running),
        longest_job=_since(oldest, now),
    )


def _since(seconds: float | None, now: Moment) -> timedelta:
    return timedelta(seconds=max(0.0, now.seconds - seconds)) if seconds is not None else timedelta()
