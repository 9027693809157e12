"""Which facts of a place came and which are gone, and which gave way to which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.site.facts.find import Known

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.site.checks.shown import Shown
    from webordinary.site.facts.find import Fact
    from webordinary.site.receipt.changes import Words


def replaced_in(place: Words, old: Shown, new: Shown) -> Iterator[tuple[Fact, Fact]]:
    """Yield each fact that gave way to another one of its kind, with that one."""
    before, after = old.facts_at(place.place, place.before), new.facts_at(place.place, place.after)
    come, gone = differing(place, before, after)
    for kind in dict.fromkeys(fact.kind for fact in gone):
        was, now = ([fact for fact in facts if fact.kind is kind] for facts in (gone, come))
        yield from zip(was, now, strict=False)


def differing(place: Words, before: Sequence[Fact], after: Sequence[Fact]) -> tuple[list[Fact], list[Fact]]:
    """Return the facts that came and those that are gone; in the same sentence each is held against its own place."""
    if len(before) == len(after) and _frame(place.before, before) == _frame(place.after, after):
        pairs = [(old, new) for old, new in zip(before, after, strict=True) if not Known([old]).has(new)]
        return [new for _, new in pairs], [old for old, _ in pairs]
    had, has = Known(before), Known(after)
    return [fact for fact in after if not had.has(fact)], [fact for fact in before if not has.has(fact)]


def _frame(text: str, facts: Sequence[Fact]) -> list[str]:
    """Return the words around the facts of a text."""
    ends = [0, *(fact.end for fact in facts)]
    starts = [*(fact.at for fact in facts), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]
