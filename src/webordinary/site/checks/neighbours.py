"""The words that a fact stands with: "Apple cake 4.80" is not there when only the rye bread costs 4.80."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from webordinary.languages import listed
from webordinary.site.facts.find import LONGEST_REMEMBERED, FactKind, find_facts
from webordinary.site.receipt.changes import PagePart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webordinary.site.facts.find import Fact
    from webordinary.site.receipt.changes import TextChange


# They stand in every other mail and say nothing about a sentence of the site.
_SMALL = listed(lambda each: each.site.small_words, " ")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SHORT = 3
_STEM = 5


def words_of(text: str) -> set[str]:
    """Return the words of a text that say what it is about."""
    return set(_WORD.findall(text.lower())) - _SMALL


def content_words(text: str) -> set[str]:
    """Return those of them that are no short ones."""
    return {word for word in words_of(text) if len(word) > _SHORT}


def stems_of(text: str) -> frozenset[str]:
    """Return how the words of a text begin that say what it is about."""
    return frozenset(word[:_STEM] for word in words_of(text))


_TITLE_WORD = re.compile(r"[^\W\d_]{4,}")


def title_words(text: str) -> set[str]:
    """Return the words of a title by which somebody may call its page."""
    return set(_TITLE_WORD.findall(text.lower()))


_LOOK_BACK = 3
# How far the words before a row of facts reach: a page of nothing but numbers has none.
_FAR = 200
_LONGEST_TITLE = 6
_ENDS = frozenset({FactKind.PRICE, FactKind.TIME})
_AMOUNTS = frozenset({FactKind.PRICE, FactKind.NUMBER})


@dataclass(frozen=True, slots=True)
class FactNeighbourhood:
    """A fact with the words around it, up to the next ones of its kind."""

    fact: Fact
    stems: frozenset[str]
    text: str


def regions(texts: Iterable[str]) -> Iterator[FactNeighbourhood]:
    """Yield the facts of a page with their words; one that stands alone has those of the texts above it."""
    above: list[str] = []
    for text in texts:
        found = _within(text)
        heading = stems_of(" ".join(above)) if any(not stems for _, stems in found) else frozenset()
        yield from (FactNeighbourhood(fact, stems or heading, text) for fact, stems in found)
        # "Wedding cake, three tiers" still says what the price below it is about.
        is_over = any(not stems or fact.kind in _ENDS for fact, stems in found)
        above = [] if is_over else [*above, text][-_LOOK_BACK:]


def titled(places: Iterable[TextChange]) -> Iterator[tuple[TextChange, str]]:
    """Yield what changed; a text that is gone with the title that went with it: an offer goes with its price."""
    above = ""
    for place in places:
        is_gone = place.place is PagePart.TEXT and not place.after
        yield place, above if is_gone and not _is_title(place.before) else ""
        above = place.before if is_gone and _is_title(place.before) else ""


def _is_title(text: str) -> bool:
    """Tell whether a text could stand above another one: a few words that are no sentence."""
    is_short = len(text.split()) <= _LONGEST_TITLE and not text.endswith((".", "!", "?"))
    return is_short and bool(stems_of(text))


def _within(text: str) -> Sequence[tuple[Fact, frozenset[str]]]:
    return _within_again(text) if len(text) <= LONGEST_REMEMBERED else _stems_within(text)


def _stems_within(text: str) -> tuple[tuple[Fact, frozenset[str]], ...]:
    return tuple((fact, stems_of(f"{before} {after}")) for fact, before, after in segments(text))


_within_again = lru_cache(maxsize=20_000)(_stems_within)


def segments(text: str) -> Iterator[tuple[Fact, str, str]]:
    """Yield each fact with what stands before it and behind it, up to the next ones of its kind."""
    facts = find_facts(text)
    begins: dict[FactKind, int] = {}
    ends: dict[FactKind, int] = {}
    starts: dict[FactKind, int] = {}
    behind = []
    for fact in reversed(facts):
        behind.append(starts.get(class_of(fact), len(text)))
        starts[class_of(fact)] = fact.at
    for fact, end in zip(facts, reversed(behind), strict=True):
        kind = class_of(fact)
        # Of an old price with the new one behind it both are about the same.
        is_alone = not text[ends.get(kind, 0) : fact.at].strip()
        begin = max(begins.get(kind, 0), fact.at - _FAR) if is_alone else ends.get(kind, 0)
        yield fact, text[begin : fact.at], text[fact.end : end]
        begins[kind], ends[kind] = begin, fact.end


def class_of(fact: Fact) -> FactKind:
    """Return what could stand in its place: where one has a currency, another may have left it out."""
    return FactKind.NUMBER if fact.kind in _AMOUNTS else fact.kind


def is_alike(one: Fact, other: Fact) -> bool:
    """Tell whether one fact could stand in the place of the other."""
    return class_of(one) is class_of(other)
