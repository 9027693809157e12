"""Dates and times in texts: with the year, and with the half of the day, where one stands."""

from __future__ import annotations

import re

from webordinary.languages import any_of
from webordinary.site.facts.fact import Fact, Kind, detailed, exact, plain
from webordinary.site.facts.number_words import MONTHS, NEVER_COUNTED, NUMBERS, STRICTLY_BEFORE_TIMES, is_half_to

_NOON, _HOURS, _MINUTES = 12, 24, 60
_MONTHS_A_YEAR, _LONGEST_MONTH = 12, 31
_month = "|".join(sorted(MONTHS, key=len, reverse=True))
_word = "|".join(sorted(NUMBERS, key=len, reverse=True))

STAMP = re.compile(r"(?<![\w.])(?P<value>\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?)")
_OF = any_of(lambda each: each.site.of_date)
_ORDINAL = any_of(lambda each: each.site.ordinal)
DATE = re.compile(
    rf"(?<![\w.])(?=\w)(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})"
    rf"|(?P<day>\d{{1,2}})(?:{_ORDINAL}|\.)?\s*(?:(?:{_OF})\s+)?(?P<month>{_month})\b\.?"
    rf"(?:,?\s+(?:(?:{_OF})\s+)?(?P<year>(?:19|20)\d\d)(?![\d:]))?"
    rf"|(?P<month2>{_month})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.,]\d)"
    rf"(?:,?\s+(?P<year2>(?:19|20)\d\d)(?![\d:]))?"
    rf"|(?P<day3>\d{{1,2}})\.\s?(?P<month3>\d{{1,2}})\.(?:\s?(?P<year3>\d{{4}}|\d{{2}}))?(?![\d:])"
    rf"|(?P<day4>\d{{1,2}})/(?P<month4>\d{{1,2}})/(?P<year4>\d{{4}}|\d{{2}})(?!\d))"
)
_EARLY = any_of(lambda each: each.site.early)
_LATE = any_of(lambda each: each.site.late)
_HALF = rf"(?:(?P<{{0}}>[ap]\.?m\b\.?)|(?P<{{0}}_early>{_EARLY})|(?P<{{0}}_late>{_LATE}))"
_CLOCK = any_of(lambda each: each.site.oclock)
# A dot between two numbers is a time only where the word for it follows; else it may as well be a price. What is done
# "en 24 heures" takes so long.
TIME = re.compile(
    rf"(?<![\w.,:/$€£])(?<!\ben )(?P<hour>\d{{1,2}})(?:(?:[:h]\s?(?P<minute>[0-5]\d)|\.(?P<minute3>[0-5]\d)"
    rf"(?=\s*(?:{_CLOCK}|[ap]\.?m)\b|\s*-\s*\d{{1,2}}\.[0-5]\d\s*(?:{_CLOCK})\b))(?!\d)(?:\s*(?:{_CLOCK})\b)?|\s*(?:{_CLOCK})\b)"
    rf"(?:\s*{_HALF.format('half')})?|(?<![\w.,:/])(?P<hour2>\d{{1,2}})\s*{_HALF.format('half2')}"
)
_HALF_BEFORE = any_of(lambda each: f"{each.site.half_past_before}|{each.site.half_to_before}")
_QUARTER_TO_BEFORE = any_of(lambda each: each.site.quarter_to_before)
_QUARTER_BEFORE = f"{any_of(lambda each: each.site.quarter_past_before)}|{_QUARTER_TO_BEFORE}"
SPOKEN = re.compile(
    rf"(?<![\w-])(?=\w)(?:(?P<hour>{_word}|\d{{1,2}})\s*(?:{_CLOCK})?\s+"
    rf"(?:(?P<half_past>{any_of(lambda each: each.site.half_past)})"
    rf"|(?P<quarter_past>{any_of(lambda each: each.site.quarter_past)})"
    rf"|(?P<quarter_to>{any_of(lambda each: each.site.quarter_to)}))"
    rf"|(?P<half>{_HALF_BEFORE})\s+(?P<of>{_word})|(?P<quarter>{_QUARTER_BEFORE})\s+(?P<near>{_word})"
    rf"|(?P<word>{_word})(?P<clock>\s+(?:{_CLOCK})\b)?)(?:\s+{_HALF.format('said')})?(?!\w)"
)
_FOLLOWS = re.compile(r"[\s]+([^\W\d_]{3,})")
_BEFORE = re.compile(r"([^\W\d_]+)\s*$")


def read_stamp(match: re.Match[str]) -> Fact:
    """Return a moment that a program wrote, which is not for people."""
    return detailed(Kind.DATE, match[0][:10], match[0][5:10])


def read_date(match: re.Match[str]) -> Fact | None:
    if match["iso"]:
        return detailed(Kind.DATE, match["iso"], match["iso"][5:])
    day = int(match["day"] or match["day2"] or match["day3"] or match["day4"])
    month = match["month"] or match["month2"]
    number = MONTHS[month] if month else int(match["month3"] or match["month4"])
    if match["month4"] and number > _MONTHS_A_YEAR:
        # Only America writes the month first.
        number, day = day, number
    if not 1 <= number <= _MONTHS_A_YEAR or not 1 <= day <= _LONGEST_MONTH:
        return None
    year = match["year"] or match["year2"] or match["year3"] or match["year4"]
    bare = f"{number:02}-{day:02}"
    if not year:
        return plain(Kind.DATE, bare, bare)
    return detailed(Kind.DATE, f"{'20' if len(year) < len('2026') else ''}{year}-{bare}", bare)


def read_time(match: re.Match[str]) -> Fact | None:
    hour, minute = match["hour"] or match["hour2"], int(match["minute"] or match["minute3"] or 0)
    if int(hour) > _HOURS or minute >= _MINUTES:
        return None
    half = _half(match, "half") or _half(match, "half2")
    is_exact = hour.startswith("0")
    return exact(Kind.TIME, *times_of(int(hour), minute, half, is_exact=is_exact))


def read_spoken(match: re.Match[str]) -> Fact | None:
    """Return a number in words, or a time in words."""
    half = _half(match, "said")
    if match["hour"]:
        hour = NUMBERS[match["hour"]] if match["hour"] in NUMBERS else int(match["hour"])
        minute = 30 if match["half_past"] else 15 if match["quarter_past"] else 45
        return _spoken_time(hour - 1 if match["quarter_to"] else hour, minute, half)
    if match["half"]:
        hour = NUMBERS[match["of"]]
        return _spoken_time(hour - is_half_to(match["half"], match["of"]), 30, half)
    if match["quarter"]:
        to = match["quarter"] in _QUARTER_TO_BEFORE.split("|")
        return _spoken_time(NUMBERS[match["near"]] - to, 45 if to else 15, half)
    number = NUMBERS[match["word"]]
    if half or match["clock"]:
        return _spoken_time(number, 0, half) if number <= _HOURS else None
    is_time = may_be_time(match.string, match.start(), match.end())
    return plain(Kind.NUMBER, str(number), *(times_of(number, 0) if is_time else ()))


def _spoken_time(hour: int, minute: int, half: str) -> Fact | None:
    return exact(Kind.TIME, *times_of(hour % _HOURS, minute, half)) if hour <= _HOURS else None


def times_of(hour: int, minute: int, half: str = "", *, is_exact: bool = False) -> tuple[str, ...]:
    """Return the times that an hour may mean, the one that was written first."""
    if hour > _HOURS:
        return ()
    if half:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    first = f"{hour % _HOURS:02}:{minute:02}"
    if half or is_exact or hour > _NOON or hour == 0:
        return (first,)
    return first, f"{(hour + _NOON) % _HOURS:02}:{minute:02}"


def _half(match: re.Match[str], name: str) -> str:
    if match[name]:
        return match[name][:1]
    return "a" if match[f"{name}_early"] else "p" if match[f"{name}_late"] else ""


def may_be_time(text: str, start: int, end: int) -> bool:
    """Tell whether a number alone may be an hour: "at nine", "9 to 5", and not "5 rolls"."""
    before = _BEFORE.search(text, max(0, start - 20), start)
    if before and before[1] in STRICTLY_BEFORE_TIMES:
        return True
    following = _FOLLOWS.match(text, end)
    return following is None or following[1] in NEVER_COUNTED or following[1] in NUMBERS
