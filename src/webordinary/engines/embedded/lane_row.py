"""The rows of lanes: read, written if they have changed, and found by who waits and who is gone."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING, Any

from webordinary.dispatch.lane import LaneRow, LeaseClock
from webordinary.engines.embedded.database import one, rows
from webordinary.engines.stored_text import storable

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment

# In the order of the fields of LaneRow.
_FIELDS = (
    "fence, owner, nonce, lease_until, lease_boot, pending, verbs, next_sequence, running, committing, ready_since,"
    " not_before, overdue_at, first_thread, last_worker, paused, paused_at, patience_shift, rung_at, rings,"
    " rings_suppressed, runs_until"
)
_COLUMNS = f"lane, {_FIELDS}"
_SELECT = f"SELECT {_COLUMNS} FROM lanes WHERE lane = ?"  # noqa: S608 - constants
_NAMES = ["lane", *_FIELDS.split(", ")]
_INSERT = f"INSERT INTO lanes (project, user, {_COLUMNS}) VALUES ({', '.join('?' * (3 + len(_FIELDS.split(','))))})"  # noqa: S608 - constants
_READY = f"""
SELECT {_COLUMNS} FROM lanes
WHERE ready_since IS NOT NULL AND owner IS NULL AND not_before <= :now AND lane != :besides
ORDER BY ready_since LIMIT :most
"""  # noqa: S608 - constants
# Leases of an earlier boot are older than any of this one.
_LEFT_BEHIND = f"""
SELECT {_COLUMNS} FROM lanes
WHERE owner IS NOT NULL AND pending > 0 AND (lease_boot != :boot_id OR lease_until <= :boot)
  AND (paused IS NULL OR committing) AND lane != :besides
ORDER BY committing DESC, lease_boot = :boot_id, lease_until LIMIT :most
"""  # noqa: S608 - constants


def lane_from(row: tuple[Any, ...]) -> LaneRow:
    lane = LaneRow(*row)
    lane.leases = LeaseClock.BOOT
    return lane


def find_lane(cursor: apsw.Cursor, lane: str) -> tuple[Any, ...] | None:
    """Return the columns of a lane's row, which exists since its first job."""
    return one(cursor, _SELECT, (lane,))


def find_free_lanes(cursor: apsw.Cursor, now: Moment, besides: str, most: int) -> list[tuple[Any, ...]]:
    """Return the lanes that have been ready longest, and those that were left behind longest."""
    values = {"now": now.seconds, "boot": now.boot, "boot_id": now.boot_id, "besides": besides, "most": most}
    return rows(cursor, _LEFT_BEHIND, values) + rows(cursor, _READY, values)


def values_of(row: LaneRow) -> tuple[Any, ...]:
    """Return the columns of a lane as they are kept."""
    return (
        row.lane,
        row.fence,
        row.owner,
        row.nonce,
        row.lease_until,
        row.lease_boot,
        row.pending,
        row.verbs,
        row.next_sequence,
        row.running,
        int(row.is_committing),
        row.ready_since,
        row.not_before,
        row.overdue_at,
        row.first_thread,
        row.last_worker,
        storable(row.paused) if row.paused is not None else None,
        row.paused_at,
        row.patience_shift,
        row.rung_at,
        row.rings,
        row.rings_suppressed,
        row.runs_until,
    )


def update_lane(cursor: apsw.Cursor, row: LaneRow, before: tuple[Any, ...]) -> None:
    """Write a lane if it is not as it was read."""
    values = values_of(row)
    if values != before:
        differs = tuple(map(ne, values, before))
        cursor.execute(_update(differs), (*compress(values, differs), row.lane))


@lru_cache(maxsize=256)
def _update(differs: tuple[bool, ...]) -> str:
    """Set only what has changed: SQLite writes every index of a column that is set, also of one that stays equal."""
    columns = ", ".join(f"{name} = ?" for name in compress(_NAMES, differs))
    return f"UPDATE lanes SET {columns} WHERE lane = ?"  # noqa: S608 - constants


def insert_lane(cursor: apsw.Cursor, row: LaneRow) -> None:
    """Begin a lane of a project that may be new."""
    project, _, user = row.lane.partition("#")
    cursor.execute("INSERT OR IGNORE INTO projects (project) VALUES (?)", (project,))
    cursor.execute(_INSERT, (project, user, *values_of(row)))
