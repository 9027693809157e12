"""Differences that are alike: the same words became the same other words, in sentences that need not be the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Said: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A sentence word by word: what became what, and what stands around it."""

    ahead: Said
    before: Said
    after: Said
    behind: Said

    @property
    def core(self) -> tuple[Said, Said]:
        return self.before, self.after


def split_difference(before: str, after: str) -> Difference:
    """Take two versions of a sentence apart."""
    old, new = tuple(before.split()), tuple(after.split())
    first = shared_words(old, new)
    last = shared_words(old[first:][::-1], new[first:][::-1])
    return Difference(old[:first], old[first : len(old) - last], new[first : len(new) - last], old[len(old) - last :])


def shared_words(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words at the beginning are the same."""
    most = min(len(one), len(other))
    return next((place for place in range(most) if one[place] != other[place]), most)


def say_once(found: Sequence[Difference]) -> tuple[str, str]:
    """Return both versions of what differs alike, with as many of the words around it as all of them share."""
    ahead = _shared_by_all([each.ahead[::-1] for each in found])[::-1]
    behind = _shared_by_all([each.behind for each in found])
    opened = ("…",) if any(len(each.ahead) > len(ahead) for each in found) else ()
    closed = ("…",) if any(len(each.behind) > len(behind) for each in found) else ()
    before, after = (" ".join((*opened, *ahead, *core, *behind, *closed)) for core in found[0].core)
    return before, after


def _shared_by_all(said: Sequence[Said]) -> Said:
    shared = said[0]
    for each in said[1:]:
        shared = shared[: shared_words(shared, each)]
    return shared
