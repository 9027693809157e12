"""A fact as a typed value, and a collection of facts that knows which of them say the same.

Two facts are the same when all of their details are; a price without its currency, a date without its year and a
phone number without its country are the same as any that differs from them only in what they leave out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NOON = 12


class FactKind(StrEnum):
    """What a fact is about."""

    LINK = "link"
    MAIL = "mail"
    PHONE = "phone"
    ACCOUNT = "account"
    CODE = "code"
    ADDRESS = "address"
    DATE = "date"
    TIME = "time"
    PRICE = "price"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: what it is, its one form, how it was written and where in its text.

    `forms` are all that it may mean, with their details: "nine" may be 9:00 and 21:00. `bare` is the form without
    the detail that others of its kind have, and `is_bare` says that it was written so.
    """

    kind: FactKind
    form: str
    written: str = ""
    at: int = 0
    forms: frozenset[str] = frozenset()
    bare: str = ""
    is_bare: bool = False

    @property
    def end(self) -> int:
        return self.at + len(self.written)

    @property
    def times(self) -> list[str]:
        """The times that it may be, the one that was written first."""
        found = (
            sorted(form for form in self.forms if ":" in form) if self.kind in {FactKind.TIME, FactKind.NUMBER} else []
        )
        return found[::-1] if found and found[-1].startswith("12") else found

    @property
    def currency(self) -> str:
        return self.form.partition(" ")[2] if self.kind is FactKind.PRICE else ""

    @property
    def year(self) -> str:
        return self.form[:4] if self.kind is FactKind.DATE and not self.is_bare else ""

    def found(self, written: str, at: int) -> Fact:
        """Return the fact as it was written, and where."""
        return Fact(self.kind, self.form, written, at, self.forms, self.bare, self.is_bare)

    def written_like(self, other: Fact) -> str:
        """Return how it is written where the other one stands: a phone's link has its country and no spaces."""
        code = other.form.partition(" ")[0]
        if self.kind is FactKind.PHONE and code.startswith("+") and not other.written.lstrip("+").strip("0123456789"):
            return f"{code}{self.bare.removeprefix('tel ')}"
        return self.written

    def moved(self, by: int) -> Fact:
        """Return the fact in a longer text."""
        return self.found(self.written, self.at + by) if by else self

    def in_the_morning(self) -> Fact:
        """Return the fact as one who counts the hours to 24 means it."""
        return replace(self, forms=self.forms - set(self.times[1:])) if len(self.times) > 1 else self

    def is_late(self) -> bool:
        """Tell whether only somebody who counts the hours to 24 writes so."""
        hour = self.written[:2]
        return self.kind is FactKind.TIME and hour.isdecimal() and (hour.startswith("0") or int(hour) > _NOON)


def exact(kind: FactKind, *forms: str) -> Fact:
    """Return a fact that has no details to leave out."""
    return Fact(kind, forms[0], forms=frozenset(forms))


def detailed(kind: FactKind, form: str, bare: str) -> Fact:
    """Return a fact with its detail."""
    return Fact(kind, form, forms=frozenset({form}), bare=bare)


def plain(kind: FactKind, form: str, *times: str) -> Fact:
    """Return a fact without the detail that others of its kind have; perhaps it is one of these times."""
    return Fact(kind, form, forms=frozenset(times), bare=form, is_bare=True)


def numbers_in(fact: Fact) -> frozenset[str]:
    """Return the numbers that stand in an address."""
    parts = fact.form.split() if fact.kind == FactKind.ADDRESS else ()
    return frozenset(part for part in parts if part[0].isdigit())


class Known:
    """Facts that were said, or that stand somewhere."""

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self.facts: list[Fact] = []
        self._forms: set[str] = set()
        self._left_open: set[str] = set()
        self._completed: set[str] = set()
        self._houses: set[str] = set()
        self.add(facts)

    def add(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            self.facts.append(fact)
            self._forms |= fact.forms
            if fact.kind is FactKind.ADDRESS:
                self._houses |= numbers_in(fact)
            if fact.bare:
                (self._left_open if fact.is_bare else self._completed).add(fact.bare)

    def has(self, fact: Fact) -> bool:
        """Tell whether one of these facts is the same as this one."""
        if self.has_exactly(fact) or fact.bare in self._left_open:
            return True
        return fact.is_bare and fact.bare in self._completed

    def has_exactly(self, fact: Fact) -> bool:
        """Tell whether one of them is the same with all its details."""
        return not fact.forms.isdisjoint(self._forms)

    def has_number(self, form: str) -> bool:
        """Tell whether this number stands among them, with or without a currency."""
        return form in self._left_open or form in self._completed

    def has_house(self, fact: Fact) -> bool:
        """Tell whether this number is that of a house in one of the addresses."""
        return fact.kind is FactKind.NUMBER and fact.form in self._houses

    @cached_property
    def years(self) -> set[int]:
        numbers = (fact.year or fact.form for fact in self.facts if fact.kind in {FactKind.DATE, FactKind.NUMBER})
        return {int(text) for text in numbers if len(text) == len("2026") and text.isdecimal()}
