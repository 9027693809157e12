"""What tokens cost: the limit of a job is counted by us and not by the agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_MILLION = 1_000_000
_CACHE_WRITE, _CACHE_READ = 1.25, 0.1


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    reading: float
    writing: float


# Beginnings of model names, the most telling one counts; list prices of the first half of 2026.
_PRICES = {
    "claude-opus-4-1": Price(15, 75),
    "claude-opus-4-0": Price(15, 75),
    "claude-opus-4-2": Price(15, 75),
    "claude-3-opus": Price(15, 75),
    "claude-opus": Price(5, 25),
    "claude-sonnet": Price(3, 15),
    "claude-haiku": Price(1, 5),
    "claude-3-5-haiku": Price(0.8, 4),
    "claude-3-haiku": Price(0.25, 1.25),
}
# A model that nobody has told us about is counted as a dear one: a limit that is too early is mended by a setting.
UNKNOWN = Price(15, 75)


def price_of(model: str) -> Price:
    """Return the price of a model, whatever a cloud puts before its name."""
    name = model.rpartition("anthropic.")[2].lower()
    known = [start for start in _PRICES if name.startswith(start)]
    return _PRICES[max(known, key=len)] if known else UNKNOWN


def cost_of(model: str, usage: dict[str, Any]) -> float:
    """Return what an answer with this usage costs; a count that is missing or no number counts as nothing."""
    price = price_of(model)
    reading = (
        _count(usage, "input_tokens")
        + _CACHE_WRITE * _count(usage, "cache_creation_input_tokens")
        + _CACHE_READ * _count(usage, "cache_read_input_tokens")
    )
    return (reading * price.reading + _count(usage, "output_tokens") * price.writing) / _MILLION


def _count(usage: dict[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and value > 0 else 0
