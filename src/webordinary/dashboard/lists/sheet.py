"""A list as CSV: row by row while it is sent, and harmless in a spreadsheet whatever a mail says."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from starlette.responses import StreamingResponse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from starlette.responses import Response

Row = TypeVar("Row")
Column: TypeAlias = "tuple[str, Callable[[Row], object]]"

MOST_ROWS = 100_000
# A spreadsheet takes what begins like that for a formula, also behind a tab or a line break.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
# Spreadsheets take a file for UTF-8 that begins with it.
_MARK = "\ufeff"
_AT_ONCE = 200


def send_sheet(name: str, columns: Iterable[Column[Row]], rows: Iterable[Row]) -> Response:
    """Answer with all rows of a list as a file."""
    heads = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return StreamingResponse(_pieces(tuple(columns), rows), headers=heads, media_type="text/csv; charset=utf-8")


def _pieces(columns: tuple[Column[Row], ...], rows: Iterable[Row]) -> Iterator[str]:
    yield _MARK + _written([[title for title, _ in columns]])
    left, rest = MOST_ROWS, iter(rows)
    while left and (piece := list(islice(rest, min(_AT_ONCE, left)))):
        yield _written([[harmless(read(row)) for _, read in columns] for row in piece])
        left -= len(piece)
    if not left:
        yield _written([[f"These are the first {MOST_ROWS:,} rows; filter the list to see the others."]])


def _written(lines: Iterable[Iterable[str]]) -> str:
    page = io.StringIO()
    csv.writer(page).writerows(lines)
    return page.getvalue()


def harmless(value: object) -> str:
    """Return a cell that no spreadsheet runs: a text that could be a formula is marked as a text."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    text = "" if value is None else str(value).replace("\0", "")
    return f"'{text}" if text.lstrip(" \u00a0").startswith(_FORMULA) or text.startswith(_FORMULA) else text
