"""The words that a fact stands with: "Apple cake 4.80" is not there when only the rye bread costs 4.80."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from webordinary.site.facts import Kind, find_facts
from webordinary.site.request import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webordinary.site.facts import Fact

_LOOK_BACK = 3
# How much of two words has to be the same: "Sundays" and "Sunday" are one.
_STEM = 5
_AMOUNTS = frozenset({Kind.PRICE, Kind.NUMBER})


@dataclass(frozen=True, slots=True)
class Region:
    """A fact with the words around it, up to the next ones of its kind."""

    fact: Fact
    stems: frozenset[str]
    text: str


def regions(texts: Iterable[str]) -> Iterator[Region]:
    """Yield the facts of a page with their words; one that stands alone has those of the texts above it."""
    above: list[str] = []
    for text in texts:
        found = _within(text)
        if not found:
            above = [*above, text][-_LOOK_BACK:]
            continue
        heading = stems_of(" ".join(above))
        yield from (Region(fact, stems or heading, text) for fact, stems in found)
        above = []


@lru_cache(maxsize=20_000)
def _within(text: str) -> tuple[tuple[Fact, frozenset[str]], ...]:
    facts = find_facts(text)
    return tuple((fact, stems_of(segment(text, fact, facts))) for fact in facts)


def segment(text: str, fact: Fact, facts: Sequence[Fact]) -> str:
    """Return what stands around a fact, from the one of its kind before it to the one after it."""
    same = [each for each in facts if each is not fact and is_alike(each, fact)]
    start = max((each.end for each in same if each.at < fact.at), default=0)
    end = min((each.at for each in same if each.at > fact.at), default=len(text))
    return f"{text[start : fact.at]} {text[fact.end : end]}"


def is_alike(one: Fact, other: Fact) -> bool:
    """Tell whether one fact could stand in the place of the other."""
    return one.kind is other.kind or (one.kind in _AMOUNTS and other.kind in _AMOUNTS)


def stems_of(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in content_words(text))
