"""A page of a long list: rows are looked at in order until the page is full or enough were looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")
# Reads rows behind a mark, the newest first; and says from where to go on, None at the end.
Reader = Callable[[str, int], tuple[Sequence[Row], str | None]]

SHOWN = 50
LOOKED_AT = 5_000
_PIECE = 500
_EVERY = 10_000_000


@dataclass(frozen=True, slots=True)
class ShownPage(Generic[Row]):
    """Rows of one page; `after` leads to the next one, and is empty at the end.

    An empty page may have a next one: nothing fitted among those that were looked at.
    """

    rows: Sequence[Row]
    after: str = ""
    begins_at: str = ""


def look_through(
    read: Reader[Row], fits: Callable[[Row], bool], mark: Callable[[Row], str], *, after: str = "", shown: int = SHOWN
) -> ShownPage[Row]:
    """Return the rows that fit, as many as a page shows; it looks at a bounded number of them."""
    kept: list[Row] = []
    looked, place = 0, after
    while looked < LOOKED_AT:
        # One more than is shown tells whether there is a next page.
        wanted = _PIECE if looked else shown + 1
        rows, then = read(place, wanted)
        for row in rows:
            if not fits(row):
                continue
            if len(kept) == shown:
                return ShownPage(kept, mark(kept[-1]), after)
            kept.append(row)
        if then is None:
            return ShownPage(kept, "", after)
        looked, place = looked + len(rows), then
        if len(rows) < wanted:
            # The store itself has looked at as many as it looks at for one question.
            break
    return ShownPage(kept, place, after)


def each_row(
    read: Reader[Row], fits: Callable[[Row], bool], *, after: str = "", most: int, looked_at: int = _EVERY
) -> Iterator[Row]:
    """Yield the rows that fit, but not more than so many, and look at no more than so many."""
    place: str | None = after
    left, looked = most, 0
    while place is not None and left > 0 and looked < looked_at:
        rows, place = read(place, _PIECE)
        looked += _PIECE
        for row in (row for row in rows if fits(row)):
            yield row
            left -= 1
            if not left:
                return
