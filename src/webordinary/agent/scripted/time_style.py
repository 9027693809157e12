"""Times as pages write them (8:00, 8am, 8h, 8 Uhr), alone or as a range, read and written back alike."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import re
from dataclasses import dataclass

from webordinary.languages import any_of

_HOUR = 60
_NOON = 12 * _HOUR
_MIDNIGHT = 24 * _HOUR
_TIME = (
    r"(?P<h{n}>\d{{1,2}})(?:(?P<s{n}>[:.]|[ \u00a0]?h[ \u00a0]?)(?P<m{n}>\d{{2}}))?"
    r"(?P<x{n}>[ \u00a0]?(?:[ap]\.?[ \u00a0]?m(?!\w)\.?|(?:uhr|uur|h)(?!\w)))?"
)
_THROUGH = any_of(lambda each: each.agent.through_time)
_TO = rf"(?:\s{{0,4}}[-–—−‑\t]\s{{0,4}}|\s(?:{_THROUGH})\s(?:las\s)?)"
_RANGE = re.compile(
    rf"(?<![\d.,:/€$£+#-]){_TIME.format(n=1)}{_TO}{_TIME.format(n=2)}"
    r"(?![\d€$£%]|[.,:/-]\d|"
    r"[ \u00a0](?:[€$£%°]|(?:euros?|years?|people|persons?|jahre|ans|min|k?g|k?m)\b))",
    re.IGNORECASE,
)
_SINGLE = re.compile(
    rf"\b(?:(?P<opens>{any_of(lambda each: each.agent.opens_at)})|{any_of(lambda each: each.agent.closes_at)})"
    rf"\s{_TIME.format(n=1)}(?!\w|[.,:/-]\d|\s{{0,4}}[-–—−‑]|\s(?:{_THROUGH})\s)",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(?P<space>[ \u00a0]?)(?P<letter>[ap])(?P<rest>.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class PageTime:
    """A time on a page with the look of it: separator, leading zero, am or pm."""

    start: int
    end: int
    minutes: int
    separator: str = ""
    suffix: str = ""
    padded: bool = False
    shared_suffix: str = ""

    @property
    def is_styled(self) -> bool:
        return bool(self.separator or self.suffix)


@dataclass(frozen=True, slots=True)
class PageRange:
    """From when to when, or only one of them where a sentence names no other."""

    start: int
    end: int
    first: PageTime | None
    last: PageTime | None

    @property
    def is_styled(self) -> bool:
        return any(time is not None and time.is_styled for time in (self.first, self.last))

    @property
    def passes_midnight(self) -> bool:
        return bool(self.first and self.last and self.first.minutes >= self.last.minutes)


def find_ranges(text: str) -> list[PageRange]:
    """Return the ranges and the single opening and closing times of a passage, in order."""
    ranges = [found for match in _RANGE.finditer(text) if (found := _range(text, match))]
    taken = [(each.start, each.end) for each in ranges]
    for match in _SINGLE.finditer(text):
        time = _page_time(match, 1)
        if time is None or any(start < match.end() and match.start() < end for start, end in taken):
            continue
        # In a sentence a bare number after "open at" is a time already.
        ends = (time, None) if match["opens"] else (None, time)
        ranges.append(PageRange(time.start, time.end, *ends))
    return sorted(ranges, key=lambda each: each.start)


def restyled(old: PageTime, minutes: int) -> str:
    """Return a time in the looks of the one that it replaces."""
    suffix = old.suffix or old.shared_suffix
    match = _SUFFIX.match(suffix)
    if not match:
        return _in_a_day(old, minutes)
    hour, minute = divmod(minutes % _MIDNIGHT, _HOUR)
    shown = _digits((hour - 1) % 12 + 1, minute, old)
    if not old.suffix and (minutes >= _NOON) == (old.minutes >= _NOON):
        return shown
    letter = "p" if hour * _HOUR >= _NOON else "a"
    return shown + match["space"] + (letter.upper() if match["letter"].isupper() else letter) + match["rest"]


def _in_a_day(old: PageTime, minutes: int) -> str:
    hour, minute = divmod(minutes, _HOUR)
    # "8h" becomes "9h30", but "8 Uhr" becomes "9:30 Uhr".
    if old.suffix.strip().lower() == "h" and minute:
        return f"{hour}{old.suffix}{' ' if old.suffix != old.suffix.strip() else ''}{minute:02}"
    return _digits(hour, minute, old) + old.suffix


def _digits(hour: int, minute: int, old: PageTime) -> str:
    shown = f"{hour:02}" if old.padded else str(hour)
    return f"{shown}{old.separator or ':'}{minute:02}" if old.separator or minute else shown


def _range(text: str, match: re.Match[str]) -> PageRange | None:
    first, last = _page_time(match, 1), _page_time(match, 2)
    if first is None or last is None:
        return None
    # A padded hour anywhere in the passage shows how its other hours are to be written.
    padded = bool(re.search(r"(?<![\d.,:])0\d[:.h]\d\d", text))
    if _SUFFIX.match(last.suffix) and not first.suffix:
        first = _with_shared_suffix(first, last)
    return PageRange(match.start(), match.end(), _padded(first, padded=padded), _padded(last, padded=padded))


def _with_shared_suffix(first: PageTime, last: PageTime) -> PageTime:
    later = first.minutes + _NOON if first.minutes < _NOON else first.minutes
    # "1 - 6pm" is the afternoon, "8 - 6pm" begins in the morning.
    minutes = later if last.minutes >= _NOON and later < last.minutes else first.minutes
    return PageTime(first.start, first.end, minutes, first.separator, "", first.padded, last.suffix)


def _padded(time: PageTime, *, padded: bool) -> PageTime:
    return PageTime(time.start, time.end, time.minutes, time.separator, time.suffix, padded, time.shared_suffix)


def _page_time(match: re.Match[str], number: int) -> PageTime | None:
    hour, minute = int(match[f"h{number}"]), int(match[f"m{number}"] or 0)
    suffix = match[f"x{number}"] or ""
    half = _SUFFIX.match(suffix)
    if minute >= _HOUR or hour * _HOUR + minute > (_NOON + _HOUR if half else _MIDNIGHT):
        return None
    minutes = hour * _HOUR + minute
    if half:
        minutes = minutes % _NOON + (_NOON if half["letter"] in "pP" else 0)
    last = next(match.end(name) for name in _ends(number) if match[name])
    separator = match[f"s{number}"] or ""
    return PageTime(match.start(f"h{number}"), last, minutes, separator, suffix, match[f"h{number}"][0] == "0")


def _ends(number: int) -> tuple[str, str, str]:
    return f"x{number}", f"m{number}", f"h{number}"
