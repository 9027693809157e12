"""The money of one run: counted from what the model's server says, never from what the agent says."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

from webordinary.agent.prices import cost_of

if TYPE_CHECKING:
    from collections.abc import Callable


_WORDS = ("text", "thinking", "partial_json")
_LETTERS_A_TOKEN = 4


class Spending:
    """How much has been spent; `on_change` hears of each change in the thread that brought it."""

    def __init__(self, limit: float, on_change: Callable[[float], None], turns: int | None = None) -> None:
        self._limit = limit
        self._turns = turns
        self._on_change = on_change
        self._lock = threading.Lock()
        self._answers: dict[int, float] = {}
        self._begun = 0

    @property
    def usd(self) -> float:
        return sum(self._answers.values())

    @property
    def is_over(self) -> bool:
        return self.usd >= self._limit

    @property
    def is_tired(self) -> bool:
        """Whether the model has answered, or is about to, as often as it may."""
        return self._turns is not None and len(self._answers) >= self._turns

    def begin(self) -> int:
        """Return a number for an answer that is about to pass."""
        with self._lock:
            self._begun += 1
            self._answers[self._begun] = 0.0
            return self._begun

    def take_back(self, number: int) -> None:
        """Forget an answer that did not come; one that has cost something stays."""
        with self._lock:
            if not self._answers[number]:
                del self._answers[number]

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
        self._letters = 0

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
        if isinstance(event.get("delta"), dict):
            self._letters += sum(len(str(event["delta"].get(name, ""))) for name in _WORDS)
        inner = event.get("message")
        for holder in (event, inner if isinstance(inner, dict) else {}):
            found = holder.get("usage")
            if isinstance(found, dict):
                self._take(found)
                self._letters = 0

    def close(self) -> None:
        """Count by its words what an answer did not say that it cost, because it was broken off."""
        told = self.usage.get("output_tokens", 0)
        self.usage["output_tokens"] = max(told, self._letters // _LETTERS_A_TOKEN)

    def _take(self, found: dict[str, Any]) -> None:
        self.usage.update({name: value for name, value in found.items() if isinstance(value, int)})
        if isinstance(longer := found.get("cache_creation"), dict):
            self._take({name: value for name, value in longer.items() if name == "ephemeral_1h_input_tokens"})
        if isinstance(rounds := found.get("iterations"), list):
            self.usage["iterations"] = rounds
