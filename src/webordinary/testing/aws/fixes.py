"""Every repair of the local server by its name, in the order in which they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

FIXES: tuple[Callable[[], None], ...] = ()


def apply(without: Collection[str] = ()) -> None:
    """Repair the server in this process, leaving out what is named."""
    names = {fix.__name__ for fix in FIXES}
    if unknown := set(without) - names:
        raise ValueError(f"there is no repair called {', '.join(sorted(unknown))}")
    for fix in FIXES:
        if fix.__name__ not in without:
            fix()
