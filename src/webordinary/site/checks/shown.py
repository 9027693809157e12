"""The facts that a built site shows: in its texts, behind its links and in what it tells to programs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from webordinary.site.checks.places import facts_at
from webordinary.site.checks.terms import terms_of
from webordinary.site.facts.find import FactKind, Known

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webordinary.site.checks.terms import Terms
    from webordinary.site.facts.find import Fact
    from webordinary.site.read.index import SiteIndex
    from webordinary.site.receipt.changes import PagePart, TextChange


def replaced_in(place: TextChange, old: Shown, new: Shown) -> Iterator[tuple[Fact, Fact]]:
    """Yield each fact that gave way to another one of its kind, with that one."""
    before, after = old.facts_at(place.place, place.before), new.facts_at(place.place, place.after)
    come, gone = differing(place, before, after)
    for kind in dict.fromkeys(fact.kind for fact in gone):
        was, now = ([fact for fact in facts if fact.kind is kind] for facts in (gone, come))
        yield from zip(was, now, strict=False)


def differing(place: TextChange, before: Sequence[Fact], after: Sequence[Fact]) -> tuple[list[Fact], list[Fact]]:
    """Return the facts that came and those that are gone; in the same sentence each is held against its own place."""
    if _frame(place.before, before) == _frame(place.after, after):
        pairs = [(old, new) for old, new in zip(before, after, strict=True) if not Known([old]).has(new)]
        return [new for _, new in pairs], [old for old, _ in pairs]
    had, has = Known(before), Known(after)
    return [fact for fact in after if not had.has(fact)], [fact for fact in before if not has.has(fact)]


def _frame(text: str, facts: Sequence[Fact]) -> list[str]:
    """Return the words around the facts of a text."""
    ends = [0, *(fact.end for fact in facts)]
    starts = [*(fact.at for fact in facts), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


@dataclass(frozen=True)
class Shown:
    """A site's facts, asked for one by one."""

    site: SiteIndex

    @cached_property
    def counts_to_24(self) -> bool:
        """Whether the site writes 18:00 somewhere, and means the morning with 9:00."""
        return self.terms.has("late")

    def facts_at(self, place: PagePart, text: str) -> tuple[Fact, ...]:
        """Return the facts of a text in the style of the site."""
        return self.in_style(facts_at(place, text)) if text else ()

    def in_style(self, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return the facts as the site means them."""
        found = tuple(facts)
        if not found or not self.counts_to_24:
            return found
        return tuple(fact.in_the_morning() if fact.kind is FactKind.TIME else fact for fact in found)

    @property
    def terms(self) -> Terms:
        return terms_of(self.site)

    def has(self, fact: Fact) -> bool:
        """Tell whether a fact stands anywhere that people can read, or follow."""
        terms = self.terms
        if terms.has_any("fact", fact.forms) or (not self.counts_to_24 and terms.has_any("evening", fact.forms)):
            return True
        if terms.has(f"open {fact.bare}"):
            return True
        return fact.is_bare and terms.has(f"complete {fact.bare}")

    def has_house(self, fact: Fact) -> bool:
        """Tell whether this number is that of a house in one of the addresses."""
        return fact.kind is FactKind.NUMBER and self.terms.has(f"house {fact.form}")

    @cached_property
    def currencies(self) -> set[str]:
        """The currencies of its prices."""
        return set(self.terms.payloads("currency"))

    def leads_to(self, host: str) -> bool:
        """Tell whether one of its links leads to a host, or is the same where it leads to none."""
        return self.terms.has(f"host {host}")
