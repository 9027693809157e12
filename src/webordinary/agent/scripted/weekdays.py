"""Weekdays as people write them, in every language."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import re
from dataclasses import dataclass

from webordinary.languages import any_of, known

WORKING_DAYS = frozenset(range(5))
EVERY_DAY = frozenset(range(7))
_SHORT_NAMES = (
    *("mon mo lun", "tue tues di mar", "wed weds mi mer mié", "thu thur do jeu jue", "fri fr ven vie"),
    *("sat sa sam sáb", "sun so dim dom"),
)
_LONGEST_SHORT_FORM = 5
_FULL_NAMES = {
    name: number
    for each in known()
    for number, names in enumerate(each.when.weekdays)
    for name in names.split("|")
    if len(name) >= _LONGEST_SHORT_FORM
}
_NUMBERS = _FULL_NAMES | {name: number for number, names in enumerate(_SHORT_NAMES) for name in names.split()}
_WORKING_DAYS = any_of(lambda each: each.agent.working_days)
_WEEKENDS = any_of(lambda each: each.agent.weekends)
_GROUPS = (
    (re.compile(_WORKING_DAYS, re.IGNORECASE), WORKING_DAYS),
    (re.compile(_WEEKENDS, re.IGNORECASE), frozenset({5, 6})),
    (re.compile(r".*", re.DOTALL), EVERY_DAY),
)
_FULL = "|".join(sorted(_FULL_NAMES, key=len, reverse=True))
_PAIR = "(?:Mo|Di|Mi|Do|Fr|Sa|So)"
# "So", "Do" and "Mi" are also words: the German short forms count only beside a day, a number or a cell.
_GERMAN = (
    rf"\b{_PAIR}\b(?=\.?:?[ \u00a0]?(?:(?:[-–—,&+/]|und |bis )[ \u00a0]?{_PAIR}\b|\d|\t|um\b|ab\b|von\b))"
    rf"|(?:(?<=[-–—])|(?<=[-–—] )|(?<=bis )|(?<=und )|(?<=[&,] )){_PAIR}\b"
)
_DAY = re.compile(
    rf"(?P<group>(?i:\b(?:{any_of(lambda each: each.agent.every_day)}|{_WORKING_DAYS}|{_WEEKENDS})\b))"
    rf"|(?P<full>(?i:\b(?:{_FULL})(?:s|en)?\b))"
    r"|(?P<short>(?i:\b(?:mon|tues?|weds?|thu(?:rs?)?|fri)\b)"
    r"|\b(?:Sat|Sun|SAT|SUN)\b|\b(?:sat|sun)\b(?=\.? ?[-–&\d])|(?<=[-–&])(?:sat|sun)\b"
    r"|(?i:\b(?:lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom))(?=\.)"
    rf"|{_GERMAN})"
)
_THROUGH = any_of(lambda each: each.agent.through_days)
_AND = any_of(lambda each: each.letters.and_)
_RANGE = re.compile(rf"\.?\s?(?:[-–—]|(?:{_THROUGH})\s)\s?(?:el\s)?", re.IGNORECASE)
_LIST = re.compile(rf"\.?\s?(?:[,&+/]\s?(?:(?:{_AND})\s)?|(?:{_AND})\s)(?:on\s|am\s|le\s)?", re.IGNORECASE)
_LONGEST_GAP = 12


@dataclass(frozen=True, slots=True)
class DayMention:
    """Where a text names days, and which."""

    start: int
    end: int
    days: frozenset[int]
    last: int


def find_days(text: str) -> list[DayMention]:
    """Return the days that a text names, ranges and lists of days as one mention."""
    mentions: list[DayMention] = []
    for match in _DAY.finditer(text):
        days = _days_of(match)
        mention = DayMention(match.start(), match.end(), days, max(days))
        joined = _join(text, mentions[-1], mention) if mentions else None
        if joined is None:
            mentions.append(mention)
        else:
            mentions[-1] = joined
    return mentions


def days_beside(spans: list[tuple[int, int]], mentions: list[DayMention]) -> list[frozenset[int]]:
    """Return the days of each span: those before it, or after it where the text begins with a span and ends with a day.

    "9 to 6, on Sundays 10 to 1" begins with a span, too: one without a day of its own.
    """
    if not spans or not mentions:
        return [frozenset() for _ in spans]
    if spans[0][0] < mentions[0].start and spans[-1][0] < mentions[-1].start:
        turned = [(-end, -start) for start, end in reversed(spans)]
        seen = [DayMention(-m.end, -m.start, m.days, m.last) for m in reversed(mentions)]
        return list(reversed(_days_before(turned, seen)))
    return _days_before(spans, mentions)


def _days_before(spans: list[tuple[int, int]], mentions: list[DayMention]) -> list[frozenset[int]]:
    found: list[frozenset[int]] = []
    days: frozenset[int] = frozenset()
    waiting = list(reversed(mentions))
    for start, _ in spans:
        fresh: frozenset[int] = frozenset()
        while waiting and waiting[-1].start < start:
            fresh |= waiting.pop().days
        # A second span with no day of its own (after a lunch break) belongs to the day of the first.
        days = fresh or days
        found.append(days)
    return found


def _days_of(match: re.Match[str]) -> frozenset[int]:
    name = match[0].lower()
    if match["group"]:
        return next(days for pattern, days in _GROUPS if pattern.fullmatch(name))
    return frozenset(_NUMBERS[each] for each in (name, name[:-1], name[:-2]) if each in _NUMBERS)


def _join(text: str, earlier: DayMention, later: DayMention) -> DayMention | None:
    gap = text[earlier.end : later.start]
    if len(gap) > _LONGEST_GAP:
        return None
    if _LIST.fullmatch(gap):
        return DayMention(earlier.start, later.end, earlier.days | later.days, later.last)
    if not _RANGE.fullmatch(gap) or len(later.days) != 1:
        return None
    steps = (later.last - earlier.last) % 7 + 1
    through = frozenset((earlier.last + step) % 7 for step in range(steps))
    return DayMention(earlier.start, later.end, earlier.days | through, later.last)
