"""Whiles that have a name instead of dates: next week, in August, this weekend; and those whose days nobody knows.

Whatever repeats itself, or only has a name such as Christmas, is asked about: guessed days would be a surprise.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from webordinary.mail.when.dates import any_of, spaced, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.languages import When

_A_WEEK = 7
_SATURDAY = 5


class Named(StrEnum):
    """A while that is known by its name."""

    NEXT_WEEK = "next_week"
    THIS_WEEK = "this_week"
    WEEKEND = "weekend"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class While:
    """A named while; of a month also which one, and in which year if that is said."""

    name: Named
    month: int = 0
    year: int | None = None

    def days(self, today: date) -> tuple[date, date]:
        """Return its first and its last day."""
        monday = today - timedelta(days=today.weekday())
        match self.name:
            case Named.NEXT_WEEK:
                return monday + timedelta(days=_A_WEEK), monday + timedelta(days=2 * _A_WEEK - 1)
            case Named.THIS_WEEK:
                return today, monday + timedelta(days=_A_WEEK - 1)
            case Named.WEEKEND:
                return max(today, monday + timedelta(days=_SATURDAY)), monday + timedelta(days=_SATURDAY + 1)
            case Named.MONTH:
                year = self.year or today.year + (self.month < today.month)
                return date(year, self.month, 1), date(year, self.month, monthrange(year, self.month)[1])


@dataclass(frozen=True, slots=True)
class WhilePatterns:
    """Compiled once for each language."""

    when: When
    named: tuple[tuple[Named, re.Pattern[str]], ...]
    again: re.Pattern[str]
    vague: re.Pattern[str]
    weekly: re.Pattern[str]
    either: re.Pattern[str]
    always: re.Pattern[str]
    we: re.Pattern[str]
    also: re.Pattern[str]
    all_of_it: re.Pattern[str]

    def find_named(self, text: str) -> Iterator[tuple[While, re.Match[str]]]:
        """Yield every while of a sentence that has a name."""
        for name, pattern in self.named:
            for match in pattern.finditer(text):
                yield self._while(name, match), match

    def _while(self, name: Named, match: re.Match[str]) -> While:
        if name is not Named.MONTH:
            return While(name)
        found = match["month"]
        month = next(at for at, each in enumerate(self.when.months, start=1) if found in each.split("|"))
        return While(name, month, int(match["year"]) if match["year"] else None)


@cache
def whiles_of(code: str) -> WhilePatterns:
    """Return the patterns of a language."""
    when = words_of(code)
    days = any_of(tuple(each.split("|")[0] for each in when.weekdays))
    month = rf"(?:{when.in_month})\s(?P<month>{any_of(when.months)})(?:\s(?:{when.of}\s)?(?P<year>20\d\d))?(?!\s?\d)"
    named = {
        Named.NEXT_WEEK: when.next_week,
        Named.THIS_WEEK: when.this_week,
        Named.WEEKEND: when.weekend,
        Named.MONTH: month,
    }
    of_days = (when.again, when.vague, when.weekly, when.either)
    with_days = (_words(each.replace("{days}", days)) for each in of_days)
    return WhilePatterns(
        when,
        tuple((name, _words(pattern)) for name, pattern in named.items()),
        *with_days,
        *(_words(each) for each in (when.always, when.we, when.also, when.all_of_it)),
    )


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{spaced(pattern)})(?!\w)")
