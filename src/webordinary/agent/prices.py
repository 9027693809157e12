"""What tokens cost, and how many something has by its size: the limit of a job is counted by us, not by the agent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.routing.project import ModelPrice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


# English has four to a token, code and most other languages three.
BYTES_A_TOKEN = 3
# No text has more: a server that tells less than this is not believed.
MOST_BYTES_A_TOKEN = 8
# The most that models of today make of one picture, and of a document whose pages nobody has counted.
_PICTURE, _DOCUMENT = 5_000, 200_000


def tokens_of(size: int) -> int:
    """Return the tokens of a text of so many bytes, rounded up."""
    return -(-size // BYTES_A_TOKEN)


def size_of(text: object) -> int:
    """Return the bytes of a text; half characters count like whole ones."""
    return len(str(text).encode(errors="replace"))


def tokens_asked(asked: dict[str, Any]) -> int:
    """Return the tokens of a question; what is carried as a picture or a document is not counted as letters."""
    size, more = size_of(json.dumps(asked, ensure_ascii=False)), 0
    for kind, data in _carried(asked):
        size -= len(data)
        more += _PICTURE if kind.startswith("image/") else min(tokens_of(len(data)), _DOCUMENT)
    return tokens_of(size) + more


def _carried(asked: object) -> Iterator[tuple[str, str]]:
    """Find what is carried in base64, however deep it lies."""
    left = [asked]
    while left:
        match left.pop():
            case {"type": "base64", "media_type": str(kind), "data": str(data)} if data.isascii():
                yield kind, data
            case dict(inner):
                left.extend(inner.values())
            case list(inner):
                left.extend(inner)
            case _:
                pass


_MILLION = 1_000_000
_CACHE_WRITE, _CACHE_READ = 1.25, 0.1
# Kept for an hour instead of five minutes: so many times the price of reading on top of what writing it costs anyway.
_CACHE_LONGER = 0.75
# Beyond so much, these read for twice and write for one and a half times the price.
_LONG = 200_000
_DEAR_WHEN_LONG = ("claude-sonnet-4-0", "claude-sonnet-4-2", "claude-sonnet-4-5")


def _listed_at(model: str, reading: float, writing: float) -> ModelPrice:
    return ModelPrice(model, reading, writing, reading * _CACHE_WRITE, reading * _CACHE_READ)


# List prices of the first half of 2026.
PACKAGED = (
    _listed_at("claude-opus-4-1", 15, 75),
    _listed_at("claude-opus-4-0", 15, 75),
    _listed_at("claude-opus-4-2", 15, 75),
    _listed_at("claude-3-opus", 15, 75),
    _listed_at("claude-opus", 5, 25),
    _listed_at("claude-sonnet", 3, 15),
    _listed_at("claude-haiku", 1, 5),
    _listed_at("claude-3-5-haiku", 0.8, 4),
    _listed_at("claude-3-haiku", 0.25, 1.25),
)
# A model that nobody has told us about is counted as a dear one: a limit that is too early is mended by a setting.
UNKNOWN = _listed_at("", 15, 75)


@dataclass(frozen=True, slots=True)
class PriceList:
    """What models cost: what the agency says, else the list that comes along, else as much as the dearest."""

    own: tuple[ModelPrice, ...] = ()

    def price_of(self, model: str) -> ModelPrice:
        """Return the price of a model, whatever a cloud puts before its name; the most telling beginning counts."""
        name = _plain(model)
        return _best(self.own, name) or _best(PACKAGED, name) or UNKNOWN

    def unknown_among(self, models: Iterable[str]) -> Sequence[str]:
        """Return those of the names, or patterns of names, that are counted as if they were the dearest."""
        return [model for model in models if self.price_of(model.strip("*")) is UNKNOWN]

    def cost_of(self, model: str, usage: Mapping[str, Any]) -> float:
        """Return what an answer with this usage costs; a count that is missing or no number counts as nothing."""
        rounds = usage.get("iterations")
        parts = [each for each in rounds if isinstance(each, dict)] if isinstance(rounds, list) else []
        # Where the servers took several rounds, the sum may tell of the last one alone.
        return max(self._cost(model, usage), sum(self._cost(model, each) for each in parts))

    def _cost(self, model: str, usage: Mapping[str, Any]) -> float:
        price = self.price_of(model)
        fresh, written, read = (
            _count(usage, name) for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        )
        longer = _CACHE_LONGER * _count(usage, "ephemeral_1h_input_tokens")
        reading = (fresh + longer) * price.input + written * price.cache_write + read * price.cache_read
        # A correction of a price says all of it.
        is_long = price not in self.own and fresh + written + read > _LONG and _plain(model).startswith(_DEAR_WHEN_LONG)
        more_read, more_written = (2.0, 1.5) if is_long else (1.0, 1.0)
        writing = _count(usage, "output_tokens") * price.output
        return (reading * more_read + writing * more_written) / _MILLION


NO_CORRECTIONS = PriceList()


def _best(prices: Sequence[ModelPrice], name: str) -> ModelPrice | None:
    known = [price for price in prices if name.startswith(price.model)]
    return max(known, key=lambda price: len(price.model)) if known else None


def _plain(model: str) -> str:
    return model.rpartition("anthropic.")[2].lower()


def _count(usage: Mapping[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and value > 0 else 0
