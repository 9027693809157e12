"""Judges how SQLite will answer each statement that the embedded engine runs, whichever test runs it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from webordinary.engines.embedded import backup, database, people

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

# One row for each process, configured mailbox or publishing project, and a few for each project; and what the search
# has not read yet.
SMALL_TABLES = {"meta", "search_due", "job_counts", "workers", "mailboxes", "publish_slots", "sqlite_schema"}
# These hold what lives, waits or is wrong now, however long the past is; SQLite enters only such rows into them.
SMALL_INDEXES = {
    "jobs_asked",
    "jobs_live",
    "jobs_of_thread",
    "jobs_verbs",
    "jobs_to_report",
    "lanes_owned",
    "lanes_overdue",
    "lanes_paused",
    "lanes_ready",
    "mails_in_line",
    "mails_undecided",
    "outbox_due",
    "projects_failing",
    "projects_paused",
    "proposals_open",
    "schedules_open",
    "workers_idle",
}
_STEP = re.compile(
    r"(?P<how>SCAN|SEARCH) (?P<table>\w+)(?: AS \w+)?"
    r"(?: USING (?:(?:COVERING )?INDEX (?P<index>\w+)|(?:INTEGER )?PRIMARY KEY)(?: \((?P<keys>.*)\))?)?"
)
_ASKS_FOR_WORDS = re.compile(r"SCAN search_words VIRTUAL TABLE INDEX \d+:\S")
_TABLES = "SELECT name, (SELECT count(*) FROM pragma_table_info(name) WHERE pk) FROM sqlite_schema WHERE type = 'table'"
_UNIQUE = """
SELECT list.name, (SELECT count(*) FROM pragma_index_info(list.name))
FROM sqlite_schema JOIN pragma_index_list(sqlite_schema.name) AS list WHERE type = 'table' AND "unique"
"""
_NOT_JUDGED = re.compile(
    r"\s*(?:--.*\s*)*(?:PRAGMA|BEGIN|COMMIT|ROLLBACK|EXPLAIN|CREATE|ALTER|DROP|SAVEPOINT|RELEASE)\b", re.IGNORECASE
)
# A restore reads everything before anybody works, and so do who forgets
# a person or hands out what is known of one, and who makes up a million jobs.
_READ_EVERYTHING = (backup.__file__, people.__file__, str(Path(__file__).parent.parent / "bench"))
_HERE = str(Path(__file__).parent)


class SlowQuestion(AssertionError):
    """A statement reads a whole table that grows, or sorts what it finds in one."""


class Judge:
    """Knows every statement that was seen, and which of them would be slow with a million jobs."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.refused: dict[str, list[str]] = {}
        self._empty = apsw.Connection(":memory:")
        self._empty.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        for _, script in database.migrations():
            self._empty.execute(script)
        # A row has one number, whatever else its table calls its key.
        self._tables = {str(name): int(str(keys or 1)) for name, keys in self._empty.execute(_TABLES)}
        self._unique = self._tables | {str(name): int(str(keys)) for name, keys in self._empty.execute(_UNIQUE)}

    @property
    def partial_indexes(self) -> set[str]:
        """Return the indexes into which only rows with a condition are entered."""
        found = self._empty.execute("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '% WHERE %'")
        return {str(row[0]) for row in found}

    def see(self, sql: str, bindings: apsw.Bindings | None) -> None:
        """Judge a statement that was not seen before."""
        if sql in self.seen or _NOT_JUDGED.match(sql):
            return
        self.seen.add(sql)
        steps = [str(row[3]) for row in self._empty.execute(f"EXPLAIN QUERY PLAN {sql}", bindings)]
        if problems := list(self._problems(steps)):
            self.refused[sql] = problems
            raise SlowQuestion(f"{' '.join(sql.split())}: {'; '.join(problems)}")

    def watch(self, connection: apsw.Connection) -> None:
        """Judge what our own code runs on a connection; a test may read as slowly as it likes."""

        def trace(_cursor: apsw.Cursor, sql: str, bindings: apsw.Bindings | None) -> bool:
            if sql not in self.seen and _is_our_own(sys._getframe(1)):  # noqa: SLF001 - the only way
                self.see(sql, bindings)
            return True

        connection.exec_trace = trace

    def _problems(self, steps: list[str]) -> Iterator[str]:
        # The index of words is asked for words or for one number; its plan says which.
        steps = [text for text in steps if not _ASKS_FOR_WORDS.search(text)]
        large = [step for text in steps if (step := _STEP.match(text)) and self._may_find_many(step)]
        yield from (step.string for step in large if step["how"] == "SCAN")
        if large and any(text.startswith("USE TEMP B-TREE") for text in steps):
            yield f"sorts what it finds in {', '.join(sorted({step['table'] for step in large}))}"

    def _may_find_many(self, step: re.Match[str]) -> bool:
        table, index, keys = step["table"], step["index"], step["keys"] or ""
        if table in SMALL_TABLES or index in SMALL_INDEXES or table not in self._tables:
            return False
        # One row at most.
        is_exact = bool(keys) and all(key.endswith("=?") for key in keys.split(" AND "))
        return not (is_exact and len(keys.split(" AND ")) == self._unique.get(index or table))


def _is_our_own(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_filename in {database.__file__, __file__}:
        if frame.f_code.co_name == "_bring_up_to_date":
            # A migration reads whole tables, once.
            return False
        frame = frame.f_back
    if frame is not None and frame.f_code.co_name == "_superseded":
        # Reads from the newest row on, and stops by itself after a month of them.
        return False
    return frame is not None and not frame.f_code.co_filename.startswith((_HERE, *_READ_EVERYTHING))
