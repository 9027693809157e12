"""The money of one run: counted from what the model's server says, never from what the agent says."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

from webordinary.agent.prices import cost_of

if TYPE_CHECKING:
    from collections.abc import Callable


class Spending:
    """How much has been spent; `on_change` hears of each change in the thread that brought it."""

    def __init__(self, limit: float, on_change: Callable[[float], None], turns: int | None = None) -> None:
        self._limit = limit
        self._turns = turns
        self._on_change = on_change
        self._lock = threading.Lock()
        self._answers: dict[int, float] = {}

    @property
    def usd(self) -> float:
        return sum(self._answers.values())

    @property
    def is_over(self) -> bool:
        return self.usd >= self._limit

    @property
    def is_tired(self) -> bool:
        """Whether the model has answered as often as it may."""
        return self._turns is not None and len(self._answers) >= self._turns

    def begin(self) -> int:
        """Return a number for an answer that is about to pass."""
        with self._lock:
            number = len(self._answers)
            self._answers[number] = 0.0
            return number

    def note(self, number: int, model: str, usage: dict[str, Any]) -> None:
        """Say what an answer has cost so far; it counts before the agent has heard it."""
        cost = cost_of(model, usage)
        with self._lock:
            changed = cost != self._answers[number]
            self._answers[number] = cost
            spent = self.usd
        if changed:
            self._on_change(spent)


class UsageReader:
    """Reads the usage from an answer while it passes by, piece by piece: one message, or server-sent events."""

    def __init__(self) -> None:
        self.usage: dict[str, Any] = {}
        self._rest = b""

    def feed_events(self, piece: bytes) -> None:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        # A line that never ends is no event of a model's.
        self._rest = self._rest[-1_000_000:]
        for line in lines:
            if line.startswith(b"data:"):
                self.note(line[5:])

    def note(self, text: bytes) -> None:
        """Take the usage out of one event or one whole message; later numbers replace earlier ones."""
        try:
            event = json.loads(text)
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict):
            return
        inner = event.get("message")
        for holder in (event, inner if isinstance(inner, dict) else {}):
            found = holder.get("usage")
            if isinstance(found, dict):
                self.usage.update({name: value for name, value in found.items() if isinstance(value, int)})
