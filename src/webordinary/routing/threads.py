"""Threads: which conversation a mail continues, whose lane it belongs to, and the agent's session in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.routing.lane import Lane


@dataclass(frozen=True, slots=True)
class Thread:
    """One mail conversation; it belongs to the lane that began it."""

    id: str
    lane: Lane
    session: str | None = None

    @property
    def branch(self) -> str:
        return f"thread-{self.id}"


class Threads(Protocol):
    """Known conversations. A thread's id is random, never made from what a sender wrote."""

    def find(self, thread: str) -> Thread | None: ...

    def find_by_messages(self, message_ids: Sequence[str]) -> Thread | None:
        """Return the thread in which the last known of these Message-IDs was written."""

    def begin_session(self, thread: str, session: str, *, is_first: bool = False) -> str:
        """Return the agent's session in a thread: this one, unless an earlier job began another that goes on.

        Where it is known to be the first, the store may write it with what comes next about the job.
        """
