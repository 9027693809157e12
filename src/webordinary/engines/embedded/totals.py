"""The totals in SQLite: one row beside the trail, so that a backup has both as they were at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from webordinary.engines.embedded.database import changed, one
from webordinary.metrics.totals import Totals

if TYPE_CHECKING:
    from webordinary.engines.embedded.database import Database

_KEY = "totals"


class SqliteTotals:
    """What was counted, as one text."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self) -> Totals | None:
        with self._database.read() as cursor:
            row = one(cursor, "SELECT value FROM meta WHERE key = ?", (_KEY,))
        return msgspec.json.decode(row[0], type=Totals) if row else None

    def replace(self, totals: Totals, before: int | None) -> bool:
        value = msgspec.json.encode(totals).decode()
        with self._database.write() as cursor:
            if before is None:
                return bool(changed(cursor, "INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)", (_KEY, value)))
            sql = "UPDATE meta SET value = ? WHERE key = ? AND json_extract(value, '$.number') = ?"
            return bool(changed(cursor, sql, (value, _KEY, before)))
