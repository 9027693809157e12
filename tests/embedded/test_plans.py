"""What the judge of query plans, which every other test runs under, refuses and lets pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plans import SMALL_INDEXES, Judge, SlowQuestion
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.open import DATABASE
from webordinary.engines.embedded.rows import select_entries

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM jobs WHERE subject = 'Hours'",
        "SELECT count(*) FROM lanes",
        "SELECT id FROM jobs WHERE lane = 'a#b' ORDER BY received_at",
        "UPDATE mails SET reason = '' WHERE sender = 'scott'",
        "DELETE FROM trail WHERE at < 0",
        "SELECT lane FROM lanes WHERE paused IS NOT (SELECT paused FROM projects WHERE project = 'a')",
        "SELECT DISTINCT lane FROM threads",
    ],
)
def test_what_grows_slow_with_the_years_is_refused(sql: str) -> None:
    judge = Judge()
    with pytest.raises(SlowQuestion):
        judge.see(sql, ())
    assert list(judge.refused) == [sql]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT subject FROM jobs WHERE id = 'job-1'",
        "SELECT id FROM jobs WHERE rowid < 9 ORDER BY rowid DESC LIMIT 5",
        "SELECT id FROM jobs WHERE lane = 'a#b' ORDER BY sequence DESC LIMIT 5",
        "SELECT owner FROM lanes WHERE owner IS NOT NULL ORDER BY lease_until",
        "SELECT worker FROM workers ORDER BY seen_at",
        "INSERT INTO meta VALUES ('a', 'b')",
    ],
)
def test_what_reads_as_much_as_it_shows_is_let_pass(sql: str) -> None:
    Judge().see(sql, ())


def test_a_statement_of_the_engine_is_judged_as_soon_as_any_test_runs_it(tmp_path: Path, query_plans: Judge) -> None:
    database = Database(tmp_path / DATABASE)
    with database.read() as cursor, pytest.raises(SlowQuestion):
        select_entries(cursor, "text = ?", ("nothing has this text",))
    query_plans.refused.clear()


def test_what_a_test_asks_by_itself_is_not_judged(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    ports.queue()
    with Database(tmp_path / DATABASE).read() as cursor:
        assert cursor.execute("SELECT count(*) FROM jobs").fetchall() == [(1,)]


def test_the_small_indexes_hold_only_some_rows_of_their_tables() -> None:
    judge = Judge()
    assert judge.partial_indexes >= SMALL_INDEXES
