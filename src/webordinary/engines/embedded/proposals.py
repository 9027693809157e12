"""Proposals in SQLite: one row for each thread."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.engines.embedded.database import changed, one
from webordinary.engines.embedded.rows import write_entry
from webordinary.engines.stored_text import text_of
from webordinary.jobs.proposals import Proposal, Standing, about_proposal

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database

_PUT = """
INSERT INTO proposals (thread, id, project, standing, proposed_at, body) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (thread) DO UPDATE SET id = excluded.id, standing = excluded.standing,
  proposed_at = excluded.proposed_at, body = excluded.body
"""
_CHANGE = "UPDATE proposals SET standing = ?, body = ? WHERE thread = ? AND id = ? AND standing = 'open'"


class SqliteProposals:
    """The last proposal of each thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, thread: str) -> Proposal | None:
        with self._database.read() as cursor:
            row = one(cursor, "SELECT body FROM proposals WHERE thread = ?", (thread,))
        return _read(row) if row else None

    def all_open(self, *, project: str | None = None) -> Sequence[Proposal]:
        sql = (
            "SELECT body FROM proposals WHERE standing = 'open' AND (?1 IS NULL OR project = ?1)"
            " ORDER BY proposed_at, id"
        )
        with self._database.read() as cursor:
            return [_read(row) for row in cursor.execute(sql, (project,))]

    def close(self, proposal: Proposal, standing: Standing, by: str, now: Moment) -> bool:
        closed = replace(proposal, standing=standing, closed_by=by)
        with self._database.write() as cursor:
            if not changed(cursor, _CHANGE, (standing.value, text_of(closed), proposal.thread, proposal.id)):
                return False
            write_entry(cursor, about_proposal(closed, now))
            return True

    def mark_reminded(self, proposal: Proposal, now: Moment) -> bool:  # noqa: ARG002 - the letter says when
        reminded = text_of(replace(proposal, reminded=True))
        sql = f"{_CHANGE} AND body = ?"
        values = (Standing.OPEN.value, reminded, proposal.thread, proposal.id, text_of(proposal))
        with self._database.write() as cursor:
            return not proposal.reminded and bool(changed(cursor, sql, values))


def put_forward(cursor: apsw.Cursor, proposal: Proposal, now: Moment) -> None:
    """Make it the thread's proposal, inside the caller's transaction."""
    values = (
        proposal.thread,
        proposal.id,
        proposal.lane.project,
        proposal.standing.value,
        now.seconds,
        text_of(proposal),
    )
    cursor.execute(_PUT, values)


def _read(row: tuple[Any, ...]) -> Proposal:
    return msgspec.json.decode(row[0], type=Proposal)
