"""What a request asks for: only the owner's own words ask, and what others wrote is known by where it comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from webordinary.site.checks.finding import Problem
from webordinary.site.checks.neighbours import content_words, stems_of, words_of
from webordinary.site.facts.find import FactKind, Known, find_facts, numbers_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.site.facts.find import Fact

_HOST = re.compile(r"(?<![\w@.-])(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}(?:/[^\s<>\"')\]]*)?(?![\w@])")
_HALF_A_DAY = 12 * 60


@dataclass(frozen=True, slots=True)
class OthersWords:
    """Words of somebody else that came along: a quoted or forwarded mail, or a file with its name."""

    problem: Problem
    text: str
    name: str = ""
    # What a picture's name says about it.
    about: str = ""


@dataclass(frozen=True)
class Asked:
    """The owner's own words, what may be shown beside them, and what others wrote."""

    text: str
    brought: tuple[str, ...] = ()
    sources: tuple[OthersWords, ...] = ()

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems_of(" ".join(content_words(self.text)))

    @cached_property
    def lower(self) -> str:
        return self.text.lower()

    def says(self, word: str) -> bool:
        """Tell whether this word stands there and means something."""
        return word.lower() in words_of(self.text)

    @cached_property
    def known(self) -> Known:
        """Everything that was asked for, or may be shown with it."""
        known = Known(find_facts(self.text))
        for text in self.brought:
            known.add(find_facts(text))
        for source in self.sources:
            if source.problem is Problem.ATTACHED:
                known.add(fact for fact in find_facts(source.name) if fact.kind is FactKind.DATE or _is_year(fact))
        return known

    @cached_property
    def names(self) -> Known:
        """The numbers in the names of files: a picture's text may repeat them."""
        facts = (fact for source in self.sources for fact in find_facts(f"{source.name}\n{source.about}"))
        return Known(fact for fact in facts if fact.kind is FactKind.NUMBER and fact.form.isdecimal())

    @cached_property
    def hosts(self) -> set[str]:
        """Addresses of pages that were written without their beginning."""
        texts = "\n".join((self.text, *self.brought)).lower()
        return {found.rstrip("./").removeprefix("www.") for found in _HOST.findall(texts)}

    def source_of(self, facts: Sequence[Fact]) -> OthersWords | None:
        """Return where all of these facts come from that nobody has asked for."""
        found = (source for source, known in self._told_by if all(known.has(fact) for fact in facts))
        return next(found, None)

    @cached_property
    def _told_by(self) -> list[tuple[OthersWords, Known]]:
        return [(source, Known(find_facts(f"{source.text}\n{source.name}"))) for source in self.sources]

    def asks_for(self, fact: Fact, instead: Fact | None, before: Sequence[Fact], currencies: set[str]) -> bool:
        """Tell whether a fact was asked for that came instead of another one, in the place of all these."""
        if fact.kind is FactKind.ADDRESS:
            return self.known.has(fact) or self._is_next_door(fact, before)
        if fact.kind is FactKind.LINK and fact.form.lower() in self.hosts:
            return True
        if self.known.has_exactly(fact):
            return self._is_nearest(fact, instead)
        if not self.known.has(fact):
            return False
        if fact.kind is FactKind.PRICE:
            usual = {each.currency for each in before} - {""} or set(currencies)
            return not usual or fact.currency in usual
        years = self.known.years
        return not fact.year or not years or int(fact.year) in years | {year + 1 for year in years}

    @cached_property
    def _said_exactly(self) -> set[str]:
        return {form for fact in self.known.facts if len(fact.forms) == 1 for form in fact.forms}

    def _is_next_door(self, fact: Fact, before: Sequence[Fact]) -> bool:
        """Tell whether it is another house of the same street, whose number was asked for."""
        numbers, street = numbers_in(fact), _street(fact)
        is_same = any(street == _street(each) for each in before if each.kind is FactKind.ADDRESS)
        return is_same and any(self.known.has_number(each) for each in numbers)

    def _is_nearest(self, fact: Fact, instead: Fact | None) -> bool:
        """Tell whether a time is in the likelier half of the day, where nobody has said in which it is."""
        if fact.kind is not FactKind.TIME or len(fact.forms) > 1 or instead is None or len(instead.forms) > 1:
            return True
        if not fact.forms.isdisjoint(self._said_exactly):
            return True
        mine, was = _minutes(fact.form), _minutes(instead.form)
        return abs(mine - was) <= abs((mine + _HALF_A_DAY) % (2 * _HALF_A_DAY) - was)


def _is_year(fact: Fact) -> bool:
    """Tell whether a number is a year: a picture's name may say when it was taken, and nothing else."""
    return fact.kind is FactKind.NUMBER and fact.form.isdecimal() and len(fact.form) == len("2026")


def _street(fact: Fact) -> frozenset[str]:
    return frozenset(fact.form.split()) - numbers_in(fact)


def _minutes(time: str) -> int:
    hour, _, minute = time.partition(":")
    return int(hour) * 60 + int(minute)
