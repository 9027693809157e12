"""Pages of a list that a program reads one after the other, with what it may not see left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from webordinary.dashboard.api.shapes import MOST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")
# A page looks at no more than so many portions: one of a project with few jobs may be short, and says how to go on.
_MOST_PORTIONS = 10


def page_of(
    fetch: Callable[[str, int], Sequence[T]],
    named: Callable[[T], str],
    keep: Callable[[T], bool],
    after: str,
    limit: int,
) -> tuple[list[T], str | None]:
    """Return the next items that may be seen, and where the page behind them begins; None at the end."""
    found: list[T] = []
    for _ in range(_MOST_PORTIONS):
        portion = fetch(after, MOST)
        for each in portion:
            if len(found) == limit:
                return found, after
            after = named(each)
            found += [each] if keep(each) else []
        if len(portion) < MOST:
            return found, None
    return found, after
