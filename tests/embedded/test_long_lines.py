"""A lane in which ten thousand jobs wait costs what one with ten costs; counted in steps of SQLite, not in time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw

from tests.contracts.long_lines import QUEUE, costs_of_all
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.open import DATABASE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

MANY = 10_000
_COPY = """
WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
INSERT INTO jobs (id, lane, sequence, thread, dedup_key, kind, state, subject, request, token, received_at, prepare_by,
  start_by)
SELECT 'copy-' || n, lane, n, thread, 'copy-' || n, kind, state, subject, request, 'copy-' || n, received_at,
  prepare_by, start_by FROM jobs, numbers WHERE sequence = 1
"""


class _Steps:
    """Counts what SQLite does in every connection that is opened from now on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        opened = Database._connection  # noqa: SLF001 - where each thread gets its connection
        watched: set[int] = set()

        def connect(database: Database) -> apsw.Connection:
            connection = opened(database)
            if id(connection) not in watched:
                watched.add(id(connection))
                connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, self._note)
            return connection

        monkeypatch.setattr(Database, "_connection", connect)

    def _note(self, event: dict[str, Any]) -> None:
        self.count += event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]

    def of(self, act: Callable[[], object]) -> int:
        before = self.count
        act()
        return self.count - before


def costs_with(waiting: int, folder: Path, steps: _Steps) -> dict[str, int]:
    ports = open_embedded_ports(folder)
    ports.queue(rule=QUEUE)
    with Database(folder / DATABASE).write() as cursor:
        cursor.execute(_COPY, (waiting,))
        cursor.execute("UPDATE lanes SET pending = ?1, next_sequence = ?1 + 1", (waiting,))
    return costs_of_all(ports, steps.of)


def test_ten_thousand_waiting_jobs_cost_what_ten_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = _Steps(monkeypatch)
    few = costs_with(10, tmp_path / "few", steps)
    many = costs_with(MANY, tmp_path / "many", steps)
    # A deeper tree takes a step or two more; reading the line would take a hundred thousand.
    assert {name: (few[name], cost) for name, cost in many.items() if cost > few[name] + 40} == {}
    assert all(cost > 0 for cost in few.values())
