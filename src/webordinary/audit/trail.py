"""The trail keeps entries in the order in which they happened and never changes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from webordinary.audit.entry import Entry


class Trail(Protocol):
    """The audit log: what a transaction did is written in that transaction, the rest through `record`."""

    def record(self, entry: Entry) -> None:
        """Add one entry at the end."""

    def read(
        self, *, after: int = 0, limit: int = 1000, job: str | None = None, lane: str | None = None
    ) -> Sequence[Entry]:
        """Return entries with a greater number than `after`, oldest first."""

    def newest(
        self, *, limit: int, job: str | None = None, lane: str | None = None, before: int | None = None
    ) -> Sequence[Entry]:
        """Return the last entries, or the last ones with a smaller number than `before`; oldest first."""

    def last_number(self) -> int:
        """Return the number of the newest entry, 0 when there is none."""

    def forget_before(self, at: datetime) -> int:
        """Drop entries older than the retention, and say how many."""
