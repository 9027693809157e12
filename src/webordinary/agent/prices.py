"""What tokens cost, and how many something has by its size: the limit of a job is counted by us, not by the agent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


# English has four to a token, code and most other languages three.
BYTES_A_TOKEN = 3
# No text has more: whoever tells less than this is not believed.
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
# Kept for an hour instead of five minutes, on top of what writing it costs anyway.
_CACHE_LONGER = 0.75
# Beyond so much, these read for twice and write for one and a half times the price.
_LONG = 200_000
_DEAR_WHEN_LONG = ("claude-sonnet-4-0", "claude-sonnet-4-2", "claude-sonnet-4-5")


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """US dollars for a million tokens."""

    reading: float
    writing: float


# Beginnings of model names, the most telling one counts; list prices of the first half of 2026.
_PRICES = {
    "claude-opus-4-1": TokenPrice(15, 75),
    "claude-opus-4-0": TokenPrice(15, 75),
    "claude-opus-4-2": TokenPrice(15, 75),
    "claude-3-opus": TokenPrice(15, 75),
    "claude-opus": TokenPrice(5, 25),
    "claude-sonnet": TokenPrice(3, 15),
    "claude-haiku": TokenPrice(1, 5),
    "claude-3-5-haiku": TokenPrice(0.8, 4),
    "claude-3-haiku": TokenPrice(0.25, 1.25),
}
# A model that nobody has told us about is counted as a dear one: a limit that is too early is mended by a setting.
UNKNOWN = TokenPrice(15, 75)


def price_of(model: str) -> TokenPrice:
    """Return the price of a model, whatever a cloud puts before its name."""
    name = _plain(model)
    known = [start for start in _PRICES if name.startswith(start)]
    return _PRICES[max(known, key=len)] if known else UNKNOWN


def cost_of(model: str, usage: Mapping[str, Any]) -> float:
    """Return what an answer with this usage costs; a count that is missing or no number counts as nothing."""
    rounds = usage.get("iterations")
    parts = [each for each in rounds if isinstance(each, dict)] if isinstance(rounds, list) else []
    # Where the servers took several rounds, the sum may tell of the last one alone.
    return max(_cost(model, usage), sum(_cost(model, each) for each in parts))


def _cost(model: str, usage: Mapping[str, Any]) -> float:
    price = price_of(model)
    fresh, written, read = (
        _count(usage, name) for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    )
    reading = fresh + _CACHE_WRITE * written + _CACHE_READ * read
    reading += _CACHE_LONGER * _count(usage, "ephemeral_1h_input_tokens")
    is_long = fresh + written + read > _LONG and _plain(model).startswith(_DEAR_WHEN_LONG)
    more_read, more_written = (2.0, 1.5) if is_long else (1.0, 1.0)
    writing = _count(usage, "output_tokens") * price.writing
    return (reading * price.reading * more_read + writing * more_written) / _MILLION


def _plain(model: str) -> str:
    return model.rpartition("anthropic.")[2].lower()


def _count(usage: Mapping[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and value > 0 else 0
