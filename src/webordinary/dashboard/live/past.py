"""What was told lately, for a browser that comes back and says what it has heard last."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from webordinary.dashboard.live.seat import changed, reload

if TYPE_CHECKING:
    from webordinary.dashboard.live.names import Changes
    from webordinary.dashboard.viewer import Viewer

REMEMBERED = 256


class Past:
    """The last changes with their numbers; who has missed more than that loads everything again."""

    def __init__(self) -> None:
        self._told: deque[tuple[int, Changes]] = deque()
        # Everything up to here is forgotten.
        self._before = 0
        self._newest = 0

    def add(self, number: int, changes: Changes) -> None:
        self._told.append((number, changes))
        self._newest = number
        if len(self._told) > REMEMBERED:
            self._before, _ = self._told.popleft()

    def forget(self, number: int) -> None:
        """Begin anew: of what came before this number nothing is known."""
        self._told.clear()
        self._before = self._newest = number

    def since(self, after: int | None, viewer: Viewer) -> bytes | None:
        """Return what somebody has missed who knows everything up to an entry; None when it is nothing."""
        # Who knows more than there is looked at another trail: one from before a restore.
        if after is None or not self._before <= after <= self._newest:
            return reload(self._newest)
        names = {name for number, told in self._told if number > after for name in told.for_viewer(viewer)}
        return changed(self._newest, sorted(names)) if names else None
