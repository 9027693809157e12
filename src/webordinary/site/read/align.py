"""Two rows of texts side by side: what stayed, what became something else, what came and what is gone."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    Row: TypeAlias = Sequence[Hashable]
    # From where to where in the first row, and in the second.
    Run: TypeAlias = tuple[int, int, int, int]

# How long what differs may be, and how many pairs of the same text it may have, to be put in order: beyond that,
# finding the best order takes longer than anybody waits.
_LONGEST, _MOST_PAIRS = 4_000, 200_000
_MOST_COMPARED = 900
_A_LITTLE = 0.01


def differences(before: Row, after: Row) -> Iterator[Run]:
    """Yield where two rows differ; nothing that differs is left out."""
    first = _alike(before, after)
    last = _alike(before[first:][::-1], after[first:][::-1])
    one, other = before[first : len(before) - last], after[first : len(after) - last]
    if not one and not other:
        return
    counts = Counter(other)
    if max(len(one), len(other)) > _LONGEST or sum(counts[text] for text in one) > _MOST_PAIRS:
        yield first, len(before) - last, first, len(after) - last
        return
    codes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    found = [tuple(places) for kind, *places in codes if kind != "equal"]
    in_place = [place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) == len(other) and len(in_place) <= sum(
        max(to_a - from_a, to_b - from_b) for from_a, to_a, from_b, to_b in found
    ):
        # Two prices that changed places are two prices that changed, and no rows that moved.
        found = [(place, place + 1, place, place + 1) for place in in_place]
    for from_a, to_a, from_b, to_b in found:
        yield first + from_a, first + to_a, first + from_b, first + to_b


def pairs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Yield what became what, in order: the places of two texts, or of one that stands alone."""
    for from_a, to_a, from_b, to_b in differences(before, after):
        for one, other in _matched(before[from_a:to_a], after[from_b:to_b]):
            yield None if one is None else from_a + one, None if other is None else from_b + other


def _alike(one: Row, other: Row) -> int:
    """Return how many of the first texts are the same."""
    shared = min(len(one), len(other))
    return next((place for place in range(shared) if one[place] != other[place]), shared)


def _matched(gone: Sequence[str], come: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Put what is gone beside what came in its place, the most similar ones together; what is left stands alone."""
    shared = min(len(gone), len(come))
    if not shared or len(gone) == len(come) == 1 or len(gone) * len(come) > _MOST_COMPARED:
        yield from ((place, place) for place in range(shared))
        yield from ((place, None) for place in range(shared, len(gone)))
        yield from ((None, place) for place in range(shared, len(come)))
        return
    yield from _best(gone, come)


def _best(gone: Sequence[str], come: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Return the pairs, in order, that have the most words in common."""
    words_gone, words_come = ([frozenset(text.lower().split()) for text in texts] for texts in (gone, come))
    best = [[0.0] * (len(come) + 1) for _ in range(len(gone) + 1)]
    alike = [[_likeness(one, other) for other in words_come] for one in words_gone]
    for one in range(len(gone) - 1, -1, -1):
        for other in range(len(come) - 1, -1, -1):
            best[one][other] = max(
                best[one + 1][other + 1] + alike[one][other], best[one + 1][other], best[one][other + 1]
            )
    found: list[tuple[int | None, int | None]] = []
    one = other = 0
    while one < len(gone) and other < len(come):
        if best[one][other] == best[one + 1][other + 1] + alike[one][other]:
            found.append((one, other))
            one, other = one + 1, other + 1
        elif best[one][other] == best[one + 1][other]:
            found.append((one, None))
            one += 1
        else:
            found.append((None, other))
            other += 1
    found += [(place, None) for place in range(one, len(gone))]
    return found + [(None, place) for place in range(other, len(come))]


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return _A_LITTLE + len(one & other) / max(1, len(one | other))
