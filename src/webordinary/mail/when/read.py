"""What a mail says about when its change holds; a date that is only a fact of the site is never taken for that.

A sentence counts when it says that we are closed, on holiday, or open at another time, gives an order or names a price,
and says in the right place from when, until when, or on which day. Whatever is in doubt is left to the agent.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.mail.when.dates import (
    EndsFirst,
    LongGone,
    NoSuchDay,
    TwoReadings,
    Written,
    find_day,
    find_days,
    read_date,
)
from webordinary.mail.when.patterns import How, Patterns, patterns_of, place_of
from webordinary.mail.when.sentences import sentences
from webordinary.mail.when.tongues import TONGUES

if TYPE_CHECKING:
    import re
    from zoneinfo import ZoneInfo

    from webordinary.mail.when.sentences import Sentence

_DAY = timedelta(days=1)
# Where a weekday alone is a single day, and not that day of every week.
_ONE_DAY = frozenset({How.SINCE, How.ON})
_BOTH = 2


class Trouble(StrEnum):
    """Why a date is of no use."""

    PAST = "past"
    IMPOSSIBLE = "impossible"
    BACKWARDS = "backwards"
    UNCLEAR = "unclear"
    SEVERAL = "several"
    NO_END = "no_end"


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
class _Bounds:
    first: Written | None
    last: Written | None
    said: str
    # "Until 5 May" is the night after it; "take it down on 5 May" is that morning.
    last_counts: bool = True
    # "From 24 December for ten days".
    days: int = 0


def read_span(text: str, now: datetime, zone: ZoneInfo, languages: tuple[str, ...] = ()) -> Span | Misread | None:
    """Return the while that a mail asks for; None when none of its dates is meant so."""
    said = sentences(text)
    for language in dict.fromkeys((*(each for each in languages if each in TONGUES), *TONGUES)):
        patterns = patterns_of(TONGUES[language])
        found = [each for sentence in said for each in _look(sentence, patterns, text)]
        if found:
            return _agree([_resolved(each, now, zone) if isinstance(each, _Bounds) else each for each in found])
    return None


def _agree(found: list[Span | Misread | None]) -> Span | Misread | None:
    """Take one while for the whole mail: a second one would need a change of its own."""
    clear = [each for each in found if each is not None]
    wrong = next((each for each in clear if isinstance(each, Misread)), None)
    spans = {(each.starts_at, each.ends_at) for each in clear if isinstance(each, Span)}
    if wrong is None and len(spans) > 1:
        return Misread(Trouble.SEVERAL, "; ".join(each.said for each in clear))
    return wrong or (clear[0] if clear else None)


def _look(sentence: Sentence, patterns: Patterns, text: str) -> list[_Bounds | Misread]:
    """Return every while of a sentence; "from X" and "until Y" apart from each other are one."""
    found: list[tuple[How, _Bounds | Misread]] = []
    taken: list[tuple[int, int]] = []
    for how, pattern in patterns.dates:
        for match in pattern.finditer(sentence.text):
            # A part of something longer says nothing by itself: "from 3 May" of "from 3 May to 5 May".
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            read = _read(how, match, sentence, patterns, text)
            if how is How.RANGE or read is not None:
                taken.append(match.span())
            if read is not None:
                found.append((how, read))
    return _joined(found) or _taken_back(sentence, patterns, text)


def _taken_back(sentence: Sentence, patterns: Patterns, text: str) -> list[_Bounds | Misread]:
    """Return the end that is said by itself: "Add the soup of the day, and take it down on Friday"."""
    match = patterns.take_back.search(sentence.text)
    if match is None or not patterns.is_end(place_of(sentence, match)):
        return []
    said = text[sentence.start + match.start() : sentence.start + match.end()].strip(" ,;:\n")
    try:
        last = read_date(match, _which(match), patterns.tongue)
    except (NoSuchDay, TwoReadings) as wrong:
        return [Misread(Trouble.UNCLEAR if isinstance(wrong, TwoReadings) else Trouble.IMPOSSIBLE, said)]
    return [] if last.lacks_month else [_Bounds(None, last, said, last_counts=False)]


def _joined(found: list[tuple[How, _Bounds | Misread]]) -> list[_Bounds | Misread]:
    bounds = [(how, each) for how, each in found if isinstance(each, _Bounds)]
    hows = [how for how, _ in bounds]
    if len(bounds) == len(found) == _BOTH and hows[0] is How.UNTIL and hows[1] in _ONE_DAY:
        (_, until), (_, since) = bounds
        return [_Bounds(since.first, until.last, since.said)]
    return [each for _, each in found]


def _read(
    how: How, match: re.Match[str], sentence: Sentence, patterns: Patterns, text: str
) -> _Bounds | Misread | None:
    if not patterns.is_meant(how, place_of(sentence, match)):
        return None
    down = patterns.take_down.search(sentence.text, match.end()) if how in _ONE_DAY else None
    end = down.end() if down else match.end()
    said = text[sentence.start + match.start() : sentence.start + end].strip(" ,;:\n")
    try:
        first = read_date(match, "a", patterns.tongue) if how is not How.UNTIL else None
        last = read_date(match, "b", patterns.tongue) if how in {How.RANGE, How.UNTIL} else None
        if down:
            last = read_date(down, _which(down), patterns.tongue)
    except (NoSuchDay, TwoReadings) as wrong:
        return Misread(Trouble.UNCLEAR if isinstance(wrong, TwoReadings) else Trouble.IMPOSSIBLE, said)
    if not _is_bounded(how, first, last):
        return None
    more = patterns.more_days(sentence.text, match.end()) if how is How.RANGE else ""
    if more:
        return Misread(Trouble.SEVERAL, said + text[sentence.start + match.end() :][: len(more)])
    days = patterns.days_from(sentence.text) if last is None else None
    bounds = _Bounds(first, last, said, last_counts=down is None, days=days or 0)
    return bounds if days != 0 else Misread(Trouble.NO_END, said)


def _is_bounded(how: How, first: Written | None, last: Written | None) -> bool:
    """Leave out what names no single day: "from 9 to 5", "Monday to Friday"."""
    dates = [each for each in (first, last) if each is not None]
    if all(each.lacks_month for each in dates):
        return False
    # "From tomorrow until Friday" has a day to begin with.
    return how in _ONE_DAY or not any(each.is_bare_weekday for each in dates[:1])


def _resolved(bounds: _Bounds, now: datetime, zone: ZoneInfo) -> Span | Misread | None:
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
        ends_at = _moment(first + bounds.days * _DAY, bounds.first, zone)
    begins_today = first == today and (bounds.first is None or bounds.first.at is None)
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


def _days(bounds: _Bounds, today: date) -> tuple[date | None, date | None]:
    if bounds.first is not None and bounds.last is not None:
        return find_days(bounds.first, bounds.last, today)
    first = find_day(bounds.first, today) if bounds.first else None
    return first, find_day(bounds.last, today) if bounds.last else None


def _moment(day: date | None, written: Written | None, zone: ZoneInfo) -> datetime | None:
    if day is None:
        return None
    at = written.at if written is not None and written.at is not None else time(0)
    return datetime.combine(day, at, zone).astimezone(UTC)


def _which(match: re.Match[str]) -> str:
    """Return under which name a date was found that may stand before or behind its verb."""
    found = {key.partition("_")[0] for key, value in match.groupdict().items() if value is not None}
    return "b" if "b" in found else "a"
