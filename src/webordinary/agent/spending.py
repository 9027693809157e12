"""The money of one run: counted from what the model's server says, or by size, never from what the agent says.

What an answer can cost at most is set aside before it is asked for; `Till` is where, so that it outlives this process.
"""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.agent.agent import OverBudget, TokenCount
from webordinary.agent.prices import MOST_BYTES_A_TOKEN, NO_CORRECTIONS, size_of, tokens_of
from webordinary.errors import Refused, WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webordinary.agent.agent import Till
    from webordinary.agent.errand import ModelRequest
    from webordinary.agent.prices import PriceList

_log = logging.getLogger(__name__)
_WORDS = ("text", "thinking", "partial_json")
_COUNTED = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
_READING = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class OpenTill:
    """Pays whatever is asked: for a run whose money nobody else counts."""

    def reserve(self, most: float, least: float) -> float:
        del least
        return most

    def charge(self, reserved: float, spent: float, tokens: TokenCount) -> None:
        """Write nothing down."""


@dataclass(slots=True, eq=False)
class Bill:
    """One answer: what goes out for it, what was set aside, and what it has cost so far."""

    errand: ModelRequest
    held: float
    cost: float = 0.0


class Spending:
    """How much has been spent; `on_change` hears of each answer that was paid, in the thread that brought it."""

    def __init__(
        self,
        limit: float,
        on_change: Callable[[float], None],
        turns: int | None = None,
        till: Till | None = None,
        prices: PriceList = NO_CORRECTIONS,
    ) -> None:
        self.prices = prices
        self._limit = limit
        self._turns = turns
        self._on_change = on_change
        self._till = till or OpenTill()
        self._lock = threading.Lock()
        self._open: list[Bill] = []
        self._paid = 0.0
        self._answers = 0
        # Why no more money was given; and whether an answer was shortened because little was left.
        self.over: OverBudget | None = None
        self.was_tight = False

    @property
    def usd(self) -> float:
        return self._paid + sum(bill.cost for bill in self._open)

    @property
    def answers(self) -> int:
        """How often the model has answered."""
        return self._answers

    @property
    def is_over(self) -> bool:
        return self.over is not None or self.usd >= self._limit

    @property
    def is_tired(self) -> bool:
        """Whether the model has answered, or is about to, as often as it may."""
        return self._turns is not None and self._answers + len(self._open) >= self._turns

    def pays_in_full(self, errand: ModelRequest) -> bool:
        """Tell whether an answer can become as long as it wants without waiting for what others leave."""
        return errand.most <= self._left()

    def begin(self, errand: ModelRequest) -> Bill:
        """Set money aside for an answer that is about to be asked for; Refused when it is not there."""
        with self._lock:
            left = self._left()
            try:
                if left < errand.least:
                    raise self.used_up()
                held = self._till.reserve(min(errand.most, left), errand.least)
            except OverBudget as over:
                self.over = over
                raise Refused(f"the money for this job is spent: {over}") from over
            bill = Bill(errand.within(held), held)
            self.was_tight = self.was_tight or bill.errand is not errand
            self._open.append(bill)
            return bill

    def note(self, bill: Bill, usage: Mapping[str, Any]) -> None:
        """Say what an answer has cost so far."""
        bill.cost = bill.errand.cost(usage)

    def charge(self, bill: Bill, usage: Mapping[str, Any] | None) -> None:
        """Pay for an answer, or for nothing when none came; once, and before the agent has heard its end."""
        if bill not in self._open:
            return
        counted = _with_question(usage, bill.errand) if usage is not None else {}
        cost = bill.errand.cost(counted) if usage is not None else 0.0
        try:
            self._till.charge(bill.held, cost, tokens_in(counted))
        except WebOrdinaryError:
            # It stays set aside, which is rather too much than too little.
            _log.warning("what an answer has cost could not be written down", exc_info=True)
        with self._lock:
            self._open.remove(bill)
            self._paid += cost
            self._answers += usage is not None
            spent = self.usd
        if cost:
            self._on_change(spent)

    def used_up(self) -> OverBudget:
        return OverBudget(f"the request used up {self.usd:.2f} USD", limit=f"{self._limit:g} USD")

    def _left(self) -> float:
        return self._limit - self._paid - sum(max(bill.held, bill.cost) for bill in self._open)


def tokens_in(usage: Mapping[str, Any]) -> TokenCount:
    """Return what a usage counts; where the servers took several rounds, the sum of them."""
    rounds: list[Mapping[str, Any]] = [each for each in usage.get("iterations") or () if isinstance(each, dict)]
    counts = [[_count(each, name) for name in _COUNTED] for each in (rounds or [usage])]
    return TokenCount(*(sum(column) for column in zip(*counts, strict=True)))


def _count(usage: Mapping[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and value > 0 else 0


def _with_question(usage: Mapping[str, Any], errand: ModelRequest) -> dict[str, Any]:
    """Count the question by its size where the server did not say what it was."""
    told = any(isinstance(usage.get(name), int) and usage[name] > 0 for name in _READING)
    return dict(usage) if told or usage.get("iterations") else {**usage, **errand.question}


class UsageReader:
    """Reads the usage from an answer while it passes by, piece by piece: one message, or server-sent events.

    What a server does not tell is counted by size; what it tells is believed unless its words are plainly longer. A
    question is believed: a server that has it in its cache may count very little.
    """

    def __init__(self) -> None:
        self.usage: dict[str, Any] = {}
        # What it complains about instead of answering.
        self.trouble: list[dict[str, Any]] = []
        self._rest = b""
        self._size = self._size_told = self._told = 0
        self._bytes = 0

    def feed_events(self, piece: bytes) -> None:
        self._bytes += len(piece)
        *lines, self._rest = (self._rest + piece).split(b"\n")
        # A line that never ends is no event of a model's.
        self._rest = self._rest[-1_000_000:]
        for line in lines:
            if line.startswith(b"data:"):
                self.note(line[5:])

    def feed_whole(self, message: bytes) -> None:
        self._bytes += len(message)
        self.note(message)

    def note(self, text: bytes) -> None:
        """Take the usage out of one event or one whole message; later numbers replace earlier ones."""
        try:
            event = json.loads(text)
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict):
            return
        self._hear_complaint(event)
        inner = event.get("message")
        for holder in (event, inner if isinstance(inner, dict) else {}):
            self._measure(holder)
            found = holder.get("usage")
            if isinstance(found, dict):
                self._take(found)
                self._told, self._size_told = self.usage.get("output_tokens", 0), self._size

    def close(self) -> None:
        """Count by its words what an answer did not say that it cost, or said wrongly."""
        if not self.usage and not self._size:
            if self.trouble:
                return
            # Said in a way that we do not know.
            self._size = self._bytes
        since = self._size - (self._size_told if self._told > 0 else 0)
        by_size = max(self._told, 0) + tokens_of(since)
        self.usage["output_tokens"] = max(by_size, self._size // MOST_BYTES_A_TOKEN)

    def complain(self, text: bytes) -> None:
        """Take in what a server says beside its answer."""
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            return
        if isinstance(said, dict):
            self._hear_complaint(said)

    def _hear_complaint(self, said: dict[str, Any]) -> None:
        if isinstance(said.get("error"), dict):
            self.trouble.append(said["error"])
        elif isinstance(said.get("message"), str):
            # As Amazon's servers say it.
            self.trouble.append(said)

    def _measure(self, holder: Mapping[str, Any]) -> None:
        """Add what a piece, or a whole message, says in words."""
        if isinstance(delta := holder.get("delta"), dict):
            self._size += sum(size_of(delta[name]) for name in _WORDS if name in delta)
        blocks = holder.get("content")
        for block in blocks if isinstance(blocks, list) else ():
            if isinstance(block, dict):
                said = [block[name] for name in _WORDS if name in block]
                self._size += sum(map(size_of, said)) + (size_of(json.dumps(block["input"])) if "input" in block else 0)

    def _take(self, found: dict[str, Any]) -> None:
        self.usage.update({name: value for name, value in found.items() if isinstance(value, int)})
        if isinstance(longer := found.get("cache_creation"), dict):
            self._take({name: value for name, value in longer.items() if name == "ephemeral_1h_input_tokens"})
        if isinstance(rounds := found.get("iterations"), list):
            self.usage["iterations"] = rounds
