"""A while as it was written, and the moments that it means in the project's time zone.

Some whiles have a name instead of dates (next week, in August, this weekend), and of some nobody knows the days.
Whatever repeats itself, or only has a name such as Christmas, is asked about: guessed days would be a surprise.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from webordinary.mail.when.dates import (
    EndsFirst,
    LongGone,
    NoSuchDay,
    Written,
    any_of,
    find_day,
    find_days,
    spaced,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zoneinfo import ZoneInfo

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


_DAY = timedelta(days=1)


class Trouble(StrEnum):
    """Why a date is of no use."""

    PAST = "past"
    IMPOSSIBLE = "impossible"
    BACKWARDS = "backwards"
    UNCLEAR = "unclear"
    SEVERAL = "several"
    NO_END = "no_end"
    # "Over Christmas", "for a few days": nobody knows which days those are.
    VAGUE = "vague"
    # "Closed on Monday": the next one, or every one.
    WEEKLY = "weekly"
    # "Every Monday": a change begins and ends once.
    AGAIN = "again"
    # "On 1 January the cake costs 5": on that day, or from then on.
    DAY_OR_SINCE = "day_or_since"
    # One sentence holds for a while, and the others do not say so.
    REST = "rest"
    # We and the agent have understood different times.
    DIFFERS = "differs"


# Of no weight beside a while whose days are said.
WEAK = frozenset({Trouble.VAGUE, Trouble.WEEKLY})


@dataclass(frozen=True, slots=True)
class Span:
    """From when until when a change holds; without a beginning it holds at once, without an end for good."""

    starts_at: datetime | None
    ends_at: datetime | None
    # The very words of the mail.
    said: str = ""


@dataclass(frozen=True, slots=True)
class Misread:
    """A date that was meant, and that only the person can put right."""

    trouble: Trouble
    said: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """From when until when, as it was written."""

    first: Written | None
    last: Written | None
    said: str
    # "Until 5 May" is the night after it; "take it down on 5 May" is that morning.
    last_counts: bool = True
    # "From 24 December for ten days".
    days: int = 0
    # "Next week" instead of dates.
    named: While | None = None
    # "We are closed from Monday": nobody is closed for good and says so like this.
    needs_end: bool = False
    # Whether other sentences are meant too: "publish this on Monday".
    is_for_all: bool = False


def resolved(bounds: Bounds, now: datetime, zone: ZoneInfo) -> Span | Misread | None:
    """Return the moments that are meant, or why they cannot be kept."""
    today = now.astimezone(zone).date()
    try:
        first, last = _days(bounds, today)
    except NoSuchDay:
        return Misread(Trouble.IMPOSSIBLE, bounds.said)
    except EndsFirst:
        return Misread(Trouble.BACKWARDS, bounds.said)
    except LongGone:
        return Misread(Trouble.PAST, bounds.said)
    starts_at = _moment(first, bounds.first, zone)
    to_the_end = last is not None and bounds.last_counts and (bounds.last is None or bounds.last.at is None)
    ends_at = _moment(last + _DAY if last is not None and to_the_end else last, bounds.last, zone)
    if first is not None and bounds.days:
        # One day ends with it, whatever time it begins at; ten days are ten times round the clock.
        ends_at = _moment(first + bounds.days * _DAY, bounds.first if bounds.days > 1 else None, zone)
    begins_today = first == today and (bounds.first is None or bounds.first.at is None)
    if bounds.needs_end and ends_at is None:
        return Misread(Trouble.NO_END, bounds.said)
    return judge_span(starts_at, ends_at, now, bounds.said, begins_today=begins_today)


def judge_span(
    starts_at: datetime | None, ends_at: datetime | None, now: datetime, said: str, *, begins_today: bool = False
) -> Span | Misread | None:
    """Return the while if it can still be kept; None when it holds at once and for good."""
    if starts_at is not None and ends_at is not None and ends_at <= starts_at:
        return Misread(Trouble.BACKWARDS, said)
    if ends_at is not None and ends_at <= now:
        return Misread(Trouble.PAST, said)
    if starts_at is not None and starts_at <= now:
        if ends_at is None and not begins_today:
            return Misread(Trouble.PAST, said)
        starts_at = None
    return Span(starts_at, ends_at, said) if starts_at or ends_at else None


def _days(bounds: Bounds, today: date) -> tuple[date | None, date | None]:
    if bounds.named is not None:
        return bounds.named.days(today)
    if bounds.first is not None and bounds.last is not None:
        return find_days(bounds.first, bounds.last, today)
    first = find_day(bounds.first, today) if bounds.first else None
    return first, find_day(bounds.last, today) if bounds.last else None


def _moment(day: date | None, written: Written | None, zone: ZoneInfo) -> datetime | None:
    if day is None:
        return None
    at = written.at if written is not None and written.at is not None else time(0)
    return datetime.combine(day, at, zone).astimezone(UTC)
