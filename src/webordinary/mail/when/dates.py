"""Dates as people write them: the patterns of a language, and the day of the calendar that is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from typing import TYPE_CHECKING

from webordinary.languages import known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.languages import When

_NOON = 12
_HOURS, _MINUTES = 24, 60
_CENTURY = 2000
_A_WEEK = 7
_MONTHS_A_YEAR = 12
# A day of the year that has just gone by is more likely a slip than a plan for next year.
JUST_GONE = timedelta(days=90)
_LONGEST_WITHOUT_YEAR = timedelta(days=330)


class NoSuchDay(Exception):
    """There is no such day in any year, or no such time of day."""


class EndsFirst(Exception):
    """The end comes before the beginning."""


class LongGone(Exception):
    """The day has gone by, and nothing says that next year's is meant."""


class TwoReadings(Exception):
    """3/4 is the third of April for some and the fourth of March for others."""


@dataclass(frozen=True, slots=True)
class Written:
    """A date as it was written; what is missing follows from the other one, or from today."""

    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    ahead: int | None = None
    at: time | None = None
    # "Monday" without "next": a day of every week, unless something begins with it.
    is_bare_weekday: bool = False

    @property
    def lacks_month(self) -> bool:
        return self.day is not None and self.month is None

    @property
    def has_calendar(self) -> bool:
        return self.day is not None


def any_of(spellings: tuple[str, ...]) -> str:
    """Return a pattern for any of these, the longest first."""
    return "|".join(sorted({each for spelling in spellings for each in spelling.split("|")}, key=len, reverse=True))


def words_of(code: str) -> When:
    """Return the words with which a language that is known says when something holds."""
    return next(each.when for each in known() if each.code == code)


# Behind a word there is a space, unless it has an apostrophe: "dal 3 all'8 maggio".
GAP = r"(?:\s|(?<='))"


def spaced(pattern: str) -> str:
    """Let one space in a pattern be any number of them in a mail."""
    return re.sub(r"\\s(?![*+?{])", r"\\s+", pattern.replace(r"\s?", r"\s*")).replace(" ", r"\s+")


def date_pattern(when: When, name: str, *, day_alone: bool = False) -> str:
    """Return the pattern of one date, with groups that begin with this name."""
    months, days = any_of(when.months), any_of(when.weekdays)
    year = rf"(?:,?\s?(?:(?:{when.of_year})\s)?(?P<{name}_y@>20\d\d)(?!\d))?"
    suffix = rf"(?:{when.ordinal}|\.)?"
    forms = [
        rf"(?P<{name}_iso>20\d\d-\d\d-\d\d)(?!\d)",
        rf"(?P<{name}_d1>\d{{1,2}}){suffix}\s?(?:(?:{when.of})\s)?(?P<{name}_m1>{months})\b\.?"
        + year.replace("@", "1"),
        rf"(?P<{name}_d3>\d{{1,2}})\.\s?(?P<{name}_m3>\d{{1,2}})\.(?:(?:\s?(?=20\d\d))?(?P<{name}_y3>20\d\d|\d\d)(?![\d:]))?",
        rf"(?P<{name}_d4>\d{{1,2}})/(?P<{name}_m4>\d{{1,2}})(?:/(?P<{name}_y4>20\d\d|\d\d))?(?![\d/])",
        rf"(?P<{name}_rel>{any_of(tuple(word for word, _ in when.ahead))})\b",
        rf"(?:{when.next_before})\s(?P<{name}_wd1>{days})\b",
        rf"(?P<{name}_wd2>{days})\s(?:{when.next_after})\b",
        rf"(?P<{name}_wd3>{days})\b(?![.,]{{0,2}}\s?(?:{when.article})?\s?\d)",
    ]
    if when.month_may_lead:
        lead = rf"(?P<{name}_m2>{months})\b\.?\s(?P<{name}_d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:.]\d|\d)"
        forms.insert(1, lead + year.replace("@", "2"))
    else:
        # "bis 24.12" at the end of a sentence; 8.30 is a time of day.
        forms.append(
            rf"(?P<{name}_d5>\d{{1,2}})\.(?P<{name}_m5>0?[1-9]|1[0-2])(?![\d.]|\s?(?:(?:{when.oclock})\b|€|eur|chf))"
        )
    if day_alone:
        forms.append(rf"(?P<{name}_d0>\d{{1,2}}){suffix}(?![\d:/]|\s?(?:{when.oclock})\b)")
    weekday = rf"(?:(?:{days})\b[.,]{{0,2}}\s)?"
    article = rf"(?:(?:{when.article}){GAP})?"
    early = rf"(?:{_time_pattern(when, f'{name}_e')}\s(?:{when.day_of})\s)?"
    late = rf"(?:,?\s{_time_pattern(when, f'{name}_t')})?"
    return rf"{early}{article}{weekday}{article}(?:{'|'.join(forms)}){late}"


def _time_pattern(when: When, name: str) -> str:
    hour = rf"(?P<{name}h@>\d{{1,2}})"
    minute = rf"[:.h](?P<{name}m@>[0-5]\d)(?!\d)"
    forms = [
        rf"(?:{when.at})\s{hour}(?:{minute})?(?:\s?(?P<{name}s@>{when.oclock})\b)?(?!\d)".replace("@", "1"),
        rf"{hour}{minute}(?:\s?(?P<{name}s@>{when.oclock})\b)?".replace("@", "2"),
        rf"{hour}\s?(?P<{name}s@>{when.oclock})\b".replace("@", "3"),
        rf"(?:(?:{when.at})\s)?(?P<{name}n>{when.noon})\b",
    ]
    return f"(?:{'|'.join(forms)})"


def read_date(match: re.Match[str], name: str, when: When) -> Written:
    """Return what a match of the pattern says; NoSuchDay and TwoReadings when it says nothing certain."""
    return replace(_read_day(match, name, when), at=_read_time(match, name))


def _read_day(match: re.Match[str], name: str, when: When) -> Written:
    found = {key.removeprefix(f"{name}_"): value for key, value in match.groupdict().items() if value is not None}
    mine = {key: value for key, value in found.items() if f"{name}_{key}" in match.re.groupindex}
    if iso := mine.get("iso"):
        in_year, month, day = (int(part) for part in iso.split("-"))
        return Written(day, month, in_year)
    if relative := mine.get("rel"):
        return Written(ahead=dict(when.ahead)[relative])
    for key in ("wd1", "wd2", "wd3"):
        if key in mine:
            return Written(weekday=_number_of(mine[key], when.weekdays) - 1, is_bare_weekday=key == "wd3")
    for form in "12345":
        if f"d{form}" in mine:
            year = _read_year(mine.get(f"y{form}"))
            if form in "12":
                return Written(int(mine[f"d{form}"]), _number_of(mine[f"m{form}"], when.months), year)
            day, month = int(mine[f"d{form}"]), int(mine[f"m{form}"])
            return _slashed(day, month, year, when, match) if form == "4" else Written(day, month, year)
    return Written(int(mine["d0"]))


def _slashed(day: int, month: int, year: int | None, when: When, match: re.Match[str]) -> Written:
    """Read 24/12 or, as only America writes it, 12/24: one of two dates tells how the other is meant."""
    known = {key: int(value) for key, value in match.groupdict().items() if value and key[-3:] in {"_d4", "_m4"}}
    if any(number > _MONTHS_A_YEAR for key, number in known.items() if key.endswith("_d4")):
        return Written(day, month, year)
    if any(number > _MONTHS_A_YEAR for key, number in known.items() if key.endswith("_m4")):
        return Written(month, day, year)
    if when.month_may_lead and day != month:
        raise TwoReadings
    return Written(day, month, year)


def _read_year(text: str | None) -> int | None:
    return None if text is None else int(text) % 100 + _CENTURY


def _number_of(word: str, spellings: tuple[str, ...]) -> int:
    return next(number for number, each in enumerate(spellings, start=1) if word in each.split("|"))


def _read_time(match: re.Match[str], name: str) -> time | None:
    for part in (f"{name}_t", f"{name}_e"):
        groups = match.groupdict()
        if groups.get(f"{part}n"):
            return time(_NOON)
        for form in "123":
            if hour := groups.get(f"{part}h{form}"):
                return _time(int(hour), int(groups.get(f"{part}m{form}") or 0), groups.get(f"{part}s{form}") or "")
    return None


def _time(hour: int, minute: int, half: str) -> time:
    if half[:1] in {"a", "p"}:
        hour = hour % _NOON + (_NOON if half[0] == "p" else 0)
    if hour >= _HOURS or minute >= _MINUTES:
        raise NoSuchDay
    return time(hour, minute)


def find_day(written: Written, today: date, after: date | None = None) -> date:
    """Return the day that is meant by a date which stands alone, or that follows another one."""
    if written.ahead is not None:
        return today + timedelta(days=written.ahead)
    if written.weekday is not None:
        since = after or today
        return since + timedelta(days=(written.weekday - since.weekday() - 1) % _A_WEEK + 1)
    if written.year is not None:
        return _day(written.year, written)
    days = list(_days(written, today))
    coming = next(day for day in days if day >= (after or today))
    gone = [day for day in days if day < today]
    if after is None and coming > today and gone and today - gone[-1] <= JUST_GONE:
        raise LongGone
    return coming


def find_days(first: Written, last: Written, today: date) -> tuple[date, date]:
    """Return the first and the last day of a while, with what one of them lacks taken from the other."""
    if first.lacks_month:
        first = replace(first, month=last.month, year=last.year)
    if last.lacks_month:
        last = replace(last, month=first.month, year=first.year)
    if not first.has_calendar or not last.has_calendar:
        begins = find_day(first, today)
        return begins, find_day(last, today, begins)
    if first.year is None and last.year is None:
        return _find_without_years(first, last, today)
    if first.year is None and last.year is not None:
        ends = _day(last.year, last)
        return max(day for day in _days(first, ends) if day <= ends), ends
    begins = _day(first.year or 0, first)
    if last.year is not None:
        return begins, _day(last.year, last)
    return begins, next(day for day in _days(last, begins) if day >= begins)


def _find_without_years(first: Written, last: Written, today: date) -> tuple[date, date]:
    spans = [(begins, next(day for day in _days(last, begins) if day >= begins)) for begins in _days(first, today)]
    if any(ends - begins > _LONGEST_WITHOUT_YEAR for begins, ends in spans[:2]):
        raise EndsFirst
    place = next(number for number, (_, ends) in enumerate(spans) if ends >= today)
    begins, ends = spans[place]
    if begins > today and place and today - spans[place - 1][1] <= JUST_GONE:
        raise LongGone
    return begins, ends


def _days(written: Written, around: date) -> Iterator[date]:
    """Yield this day in the years around a day, the earliest first; there is a 29 February at least every eight."""
    found = []
    for year in range(around.year - 2, around.year + 10):
        try:
            found.append(_day(year, written))
        except NoSuchDay:
            continue
    if not found:
        raise NoSuchDay
    yield from found


def _day(year: int, written: Written) -> date:
    try:
        return date(year, written.month or 0, written.day or 0)
    except ValueError:
        raise NoSuchDay from None
