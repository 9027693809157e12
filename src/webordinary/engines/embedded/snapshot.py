"""One state of the database: copied while others go on writing, and looked through for damage."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import quote

import apsw

from webordinary.engines.embedded.faults import translated
from webordinary.overview import Examined

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta
    from pathlib import Path

# About 16 MB: a report often enough for a person, and seldom enough to cost nothing.
_PAGES_A_STEP = 4096
_STEPS_BETWEEN_LOOKS = 1_000
_BUSY_MS = 10_000


def copy_snapshot(source: Path, target: Path, tell: Callable[[int, int], None]) -> None:
    """Copy the database as it is now into an empty file, and tell how many bytes of how many are there.

    The one read transaction around all steps keeps the state: what others write meanwhile goes into the write-ahead
    log, which is cut to its usual size after it. Without it SQLite begins anew after each of their transactions.
    """
    with closing(_open(source)) as original, closing(apsw.Connection(str(target))) as copy, translated(target):
        original.execute("BEGIN")
        size = int(original.execute("PRAGMA page_size").get)
        original.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        with copy.backup("main", original, "main") as backup:
            while not backup.done:
                backup.step(_PAGES_A_STEP)
                tell((backup.page_count - backup.remaining) * size, backup.page_count * size)
        original.execute("COMMIT")


def examine(path: Path, within: timedelta) -> Examined:
    """Look through the pages of a database that others use, but not for longer than that."""
    with closing(_open(path)) as connection, translated(path):
        ends_at = time.monotonic() + within.total_seconds()
        connection.set_progress_handler(lambda: time.monotonic() > ends_at, _STEPS_BETWEEN_LOOKS)
        try:
            return Examined(_first_problem(connection, "quick_check"))
        except apsw.InterruptError:
            return Examined(None, is_complete=False)


def find_damage(path: Path) -> str | None:
    """Look through all of a database that nobody else uses, every row against every index; write nothing beside it."""
    where = f"file:{quote(str(path))}?immutable=1"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    with translated(path), closing(apsw.Connection(where, flags=flags)) as connection:
        return _first_problem(connection, "integrity_check")


def _first_problem(connection: apsw.Connection, check: str) -> str | None:
    try:
        said = str(connection.execute(f"PRAGMA {check}(1)").get)
    except (apsw.CorruptError, apsw.NotADBError) as broken:
        return str(broken)
    return None if said == "ok" else " ".join(said.split())


def _open(path: Path) -> apsw.Connection:
    with translated(path):
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        connection.set_busy_timeout(_BUSY_MS)
        return connection
