"""The head of a lane's line: who comes next, also while it cannot start yet."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from webordinary.engines.embedded.database import one

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment

LIVE_STATES = "('preparing', 'queued', 'running', 'parked', 'committing')"

# Each looks up one place of an index, however long the line is and however long the lane's past.
_LINE = f"SELECT id, state, not_before FROM jobs AS j WHERE lane = :lane AND state IN {LIVE_STATES}"  # noqa: S608 - constants
_FIRST = f"{_LINE} ORDER BY sequence LIMIT 1"
_FIRST_OF_THREAD = f"{_LINE} AND thread = :first ORDER BY sequence LIMIT 1"
_ANY_VERB = f"SELECT 1 FROM jobs WHERE lane = :lane AND kind = 'verb' AND state IN {LIVE_STATES} LIMIT 1"  # noqa: S608 - constants
# A verb goes before waiting instructions, but never before an earlier mail of its own thread.
_FIRST_VERB = f"""
{_LINE} AND kind = 'verb' AND NOT EXISTS (
  SELECT 1 FROM jobs AS e WHERE e.lane = j.lane AND e.thread = j.thread AND e.sequence < j.sequence
  AND e.state IN {LIVE_STATES})
ORDER BY thread IS :first DESC, sequence LIMIT 1
"""  # noqa: S608 - constants


class Head(NamedTuple):
    """The job that comes next in its lane."""

    job: str
    state: str
    not_before: float

    def can_start(self, now: Moment) -> bool:
        return self.state in {"queued", "parked"} and self.not_before <= now.seconds


def again_in(head: Head | None, now: Moment) -> timedelta | None:
    """Return how long the head still waits for its backoff; None when that is not what it waits for."""
    if head is None or head.not_before <= now.seconds:
        return None
    return timedelta(seconds=head.not_before - now.seconds)


def find_head(cursor: apsw.Cursor, lane: str, first_thread: str | None) -> Head | None:
    """Return who comes next, also when it cannot start yet: it keeps its place."""
    values = {"lane": lane, "first": first_thread}
    # Verbs are rare, and asking who of them comes first costs five times as much as asking whether there is one.
    row = one(cursor, _FIRST_VERB, values) if one(cursor, _ANY_VERB, values) else None
    if row is None and first_thread is not None:
        row = one(cursor, _FIRST_OF_THREAD, values)
    row = row or one(cursor, _FIRST, values)
    return Head(*row) if row else None
