"""What the end of a job that goes over to another lane asks of SQLite: each row once, and nothing of the search."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import apsw

from tests.contracts.test_lanes import DONE, take
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.engines.embedded.database import Database

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_job_that_ends_and_the_next_that_starts_are_read_and_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = open_embedded_ports(tmp_path)
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#scott")
    claim, job = take(ports)
    other = ports.queue(lane="amelia#maria")
    statements: list[str] = []

    def note(event: dict[str, Any]) -> None:
        statements.append(event["sql"])

    opened = Database._connection  # noqa: SLF001 - where each thread gets its connection

    def connect(database: Database) -> apsw.Connection:
        connection = opened(database)
        connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, note)
        return connection

    monkeypatch.setattr(Database, "_connection", connect)
    after = ports.engine.attempts.finish(claim, job, DONE, ports.now, give_way=True)
    assert after.claimed is not None
    assert after.claimed.job is not None
    assert after.claimed.job.id == other
    done = Counter(" ".join(sql.split()[:3]) for sql in statements)
    assert (done["BEGIN IMMEDIATE"], done["COMMIT"]) == (1, 1)
    assert (done["UPDATE jobs SET"], done["UPDATE lanes SET"], done["INSERT INTO trail"]) == (2, 2, 1)
    assert not [sql for sql in statements if "WHERE id = ?" in sql and sql.startswith("SELECT")], "a job is read again"
    # The index of words takes part as soon as a statement could redact a job, and asks this in each such transaction.
    assert not [sql for sql in statements if "data_version" in sql]
