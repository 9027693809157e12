"""Dates and times in texts: with the year, and with the half of the day, where one stands."""

from __future__ import annotations

import re

from webordinary.site.fact import Fact, Kind, detailed, exact, plain
from webordinary.site.number_words import (
    HALF_PAST,
    HALVES,
    MONTHS,
    NEVER_COUNTED,
    NUMBERS,
    QUARTER_PAST,
    QUARTER_TO,
    QUARTERS,
    STRICTLY_BEFORE_TIMES,
)

_NOON, _HOURS, _MINUTES = 12, 24, 60
_MONTHS_A_YEAR, _LONGEST_MONTH = 12, 31
_month = "|".join(sorted(MONTHS, key=len, reverse=True))
_word = "|".join(sorted(NUMBERS, key=len, reverse=True))

STAMP = re.compile(r"(?<![\w.])(?P<value>\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?)")
DATE = re.compile(
    rf"(?<![\w.])(?=\w)(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s*(?:of\s+|de\s+)?(?P<month>{_month})\b\.?"
    rf"(?:,?\s+(?:de\s+|del\s+)?(?P<year>(?:19|20)\d\d)(?![\d:]))?"
    rf"|(?P<month2>{_month})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.,]\d)"
    rf"(?:,?\s+(?P<year2>(?:19|20)\d\d)(?![\d:]))?"
    rf"|(?P<day3>\d{{1,2}})\.\s?(?P<month3>\d{{1,2}})\.(?:\s?(?P<year3>\d{{4}}|\d{{2}}))?(?![\d:])"
    rf"|(?P<day4>\d{{1,2}})/(?P<month4>\d{{1,2}})/(?P<year4>\d{{4}}|\d{{2}})(?!\d))"
)
_EARLY = "in the morning|morgens|früh|vormittags|du matin|de la mañana"
_LATE = (
    "in the afternoon|in the evening|at night|tonight|nachmittags|abends|am abend|am nachmittag|nachts"
    "|de l.apr[èe]s-midi|du soir|de la tarde|de la noche"
)
_HALF = rf"(?:(?P<{{0}}>[ap]\.?m\b\.?)|(?P<{{0}}_early>{_EARLY})|(?P<{{0}}_late>{_LATE}))"
_CLOCK = "uhr|o.clock|heures?|horas?|h"
# A dot between two numbers is a time only where the word for it follows; else it may as well be a price. What is done
# "en 24 heures" takes so long.
TIME = re.compile(
    rf"(?<![\w.,:/$€£])(?<!\ben )(?P<hour>\d{{1,2}})(?:(?:[:h]\s?(?P<minute>[0-5]\d)|\.(?P<minute3>[0-5]\d)"
    rf"(?=\s*(?:{_CLOCK}|[ap]\.?m)\b|\s*-\s*\d{{1,2}}\.[0-5]\d\s*(?:{_CLOCK})\b))(?!\d)(?:\s*(?:{_CLOCK})\b)?|\s*(?:{_CLOCK})\b)"
    rf"(?:\s*{_HALF.format('half')})?|(?<![\w.,:/])(?P<hour2>\d{{1,2}})\s*{_HALF.format('half2')}"
)
SPOKEN = re.compile(
    rf"(?<![\w-])(?=\w)(?:(?P<hour>{_word}|\d{{1,2}})\s*(?:h|heures?)?\s+"
    rf"(?:(?P<half_past>{HALF_PAST})|(?P<quarter_past>{QUARTER_PAST})|(?P<quarter_to>{QUARTER_TO}))"
    rf"|(?P<half>{HALVES})\s+(?P<of>{_word})|(?P<quarter>{QUARTERS})\s+(?P<near>{_word})"
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
        return _spoken_time(hour - 1 if match["half"].startswith("halb") else hour, 30, half)
    if match["quarter"]:
        to = any(word in match["quarter"] for word in ("to", "vor", "moins", "drei"))
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
