"""The version on one machine: all processes are of the one that was installed, and an upgrade begins them anew."""

from __future__ import annotations


class OneVersion:
    """Nobody works beside another version here."""

    def record(self, mine: str) -> None:
        """Nothing has to be noted."""

    def newest(self) -> str | None:
        return None
