"""Opening hours on the pages set to other times, in the page's own way of writing them.

A range of times counts as opening hours where its paragraph or row names a weekday or speaks of opening, or
where the heading above speaks of opening. Without days the wish is for the working days: ranges that name
only other days stay as they are. With days it is for the ranges that name none but those days. After a lunch
break the last range of a day carries the closing time.
"""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.agent.scripted.instruction import ClosedDays, InstructionOutcome, OpeningHours, listed
from webordinary.agent.scripted.markup import Splice
from webordinary.agent.scripted.passages import passages
from webordinary.agent.scripted.weekdays import WORKING_DAYS, DayMention, days_beside, find_days
from webordinary.languages import any_of

if TYPE_CHECKING:
    from webordinary.agent.scripted.pages import Site, SourcePage
    from webordinary.agent.scripted.passage import Passage


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


_ABOUT_HOURS = re.compile(rf"\b(?:{any_of(lambda each: each.agent.about_hours)})\b", re.IGNORECASE)
_CLOSED = re.compile(rf"\b(?:{any_of(lambda each: each.agent.closed)})\b", re.IGNORECASE)
_ABOUT_EVENTS = re.compile(rf"\b(?:{any_of(lambda each: each.agent.about_events)})\b", re.IGNORECASE)
_LEADS_TO_A_RANGE = re.compile(r"[\s:,.()|–-]*(?:(?:from|von|de|ab|at|are)\s+)?")


@dataclass(frozen=True, slots=True)
class _Found:
    page: SourcePage
    passage: Passage
    range: PageRange
    days: frozenset[int]
    is_first: bool = True
    is_last: bool = True


@dataclass(frozen=True, slots=True)
class _Change:
    page: SourcePage
    splices: tuple[Splice, ...]
    before: str
    after: str


def set_hours(site: Site, wish: OpeningHours) -> InstructionOutcome:
    """Set the opening or the closing time wherever the site states them."""
    found = [each for page in site.pages for each in _hours_on(page)]
    meant = [each for each in found if _is_meant(each.days, wish.days, found)]
    changes = [change for each in meant if (change := _changed(each, wish))]
    backwards = [change.after for change in changes if not change.splices]
    if backwards:
        question = f"That would make “{backwards[0]}”. At which times do you open and close?"
        return InstructionOutcome(question, question=question)
    changes = changes or ([] if meant else _opened(site, found, wish))
    paths = _written(site, changes)
    if paths:
        return InstructionOutcome(_told(site, changes, paths, wish), tuple(paths))
    return _nothing_changed(found, meant, wish)


def _opened(site: Site, found: list[_Found], wish: OpeningHours) -> list[_Change]:
    """Put the times in place of "closed" where exactly these days are said to be so, as other days have them."""
    like = next((each for each in found if each.range.first and each.range.last), None)
    if like is None or not wish.days or wish.opens is None or wish.closes is None:
        return []
    opens = wish.opens.as_opening()
    edits = [(like.range.first, opens), (like.range.last, wish.closes.as_closing(opens))]
    times = _after(
        like.passage.text, like, [(time, minutes) for time, minutes in edits if time and minutes is not None]
    )
    changes = []
    for page in site.pages:
        for passage in passages(page):
            words = list(_CLOSED.finditer(passage.text))
            days = find_days(passage.text)
            if len(words) == len(days) == 1 and days[0].days == wish.days and not find_ranges(passage.text):
                span = passage.words.span(*words[0].span())
                changes.append(_Change(page, (Splice(*span, times),), words[0][0], times))
    return changes


def close_days(site: Site, wish: ClosedDays) -> InstructionOutcome:
    """Say that it is closed in place of the times of these days, where they have a line or a place of their own."""
    found = [each for page in site.pages for each in _hours_on(page)]
    meant = [each for each in found if each.days and each.days <= wish.days]
    if not meant:
        return _nothing_changed(found, meant, OpeningHours(None, None, wish.days))
    changes = [
        _Change(each.page, (_closed(each, wish.word),), _line(each), wish.word) for each in meant if each.is_first
    ]
    paths = _written(site, changes)
    labels = listed([page.label for page in site.pages if page.path in paths])
    turned = listed(list(dict.fromkeys(f"“{change.before}”" for change in changes)))
    return InstructionOutcome(f"Changed {turned} to {wish.word} on {labels}.", tuple(paths))


def _closed(found: _Found, word: str) -> Splice:
    text, span = found.passage.text, found.range
    fills_a_cell = text[: span.start].endswith("\t") or not text[: span.start].strip()
    return Splice(*found.passage.words.span(span.start, span.end), word.capitalize() if fills_a_cell else word)


def _line(found: _Found) -> str:
    return " ".join(found.passage.text[found.range.start : found.range.end].split())


def _hours_on(page: SourcePage) -> list[_Found]:
    found: list[_Found] = []
    for passage in passages(page):
        ranges = find_ranges(passage.text)
        if not ranges or not _is_about_hours(passage):
            continue
        days = find_days(passage.text)
        ranges = [each for each in ranges if each.is_styled or _follows_a_word(passage.text, each, days)]
        named = days_beside([(each.start, each.end) for each in ranges], days)
        found += _grouped(page, passage, list(zip(ranges, named, strict=True)))
    return found


def _grouped(page: SourcePage, passage: Passage, ranges: list[tuple[PageRange, frozenset[int]]]) -> list[_Found]:
    found: list[_Found] = []
    for each, days in ranges:
        earlier = found[-1] if found and found[-1].days == days else None
        if earlier and _goes_on(earlier.range, each):
            found[-1] = replace(earlier, is_last=False)
            found.append(_Found(page, passage, each, days, is_first=False))
        elif not earlier or not (earlier.range.last and each.last):
            # What lies inside the hours before it is something else, the kitchen's for example.
            found.append(_Found(page, passage, each, days))
    return found


def _goes_on(earlier: PageRange, later: PageRange) -> bool:
    return bool(earlier.last and later.first and later.last and earlier.last.minutes <= later.first.minutes)


def _is_about_hours(passage: Passage) -> bool:
    if _ABOUT_HOURS.search(passage.text):
        return True
    if _ABOUT_EVENTS.search(passage.text) or _ABOUT_EVENTS.search(passage.heading):
        return False
    return bool(find_days(passage.text) or _ABOUT_HOURS.search(passage.heading))


def _follows_a_word(text: str, found: PageRange, days: list[DayMention]) -> bool:
    # "8-18" alone may be ages or pages; it is a time right behind a day or a word such as "open".
    ends = [each.end for each in days] + [match.end() for match in _ABOUT_HOURS.finditer(text)]
    return any(end <= found.start and _LEADS_TO_A_RANGE.fullmatch(text, end, found.start) for end in ends)


def _is_meant(days: frozenset[int], wished: frozenset[int], found: list[_Found]) -> bool:
    if not wished:
        return not days or bool(days & WORKING_DAYS)
    if days:
        return days <= wished
    # Hours without any day on the whole site are those of the working days.
    return wished >= WORKING_DAYS and not any(each.days for each in found)


def _changed(found: _Found, wish: OpeningHours) -> _Change | None:
    first, last = found.range.first, found.range.last
    opens = wish.opens.as_opening() if wish.opens and found.is_first and first else None
    start = opens if opens is not None else first.minutes if first else None
    closes = wish.closes.as_closing(start) if wish.closes and found.is_last and last else None
    ends = [(first, opens), (last, closes)]
    edits = [(time, minutes) for time, minutes in ends if time and minutes is not None and minutes != time.minutes]
    if not edits:
        return None
    text = found.passage.text
    before, after = text[found.range.start : found.range.end], _after(text, found, edits)
    end = closes if closes is not None else last.minutes if last else None
    if start is not None and end is not None and start >= end and not found.range.passes_midnight:
        return _Change(found.page, (), before, after)
    splices = [
        Splice(*found.passage.words.span(time.start, time.end), restyled(time, minutes)) for time, minutes in edits
    ]
    return _Change(found.page, tuple(splices), before, after)


def _after(text: str, found: _Found, edits: list[tuple[PageTime, int]]) -> str:
    position, pieces = found.range.start, ""
    for time, minutes in edits:
        pieces += text[position : time.start] + restyled(time, minutes)
        position = time.end
    return " ".join((pieces + text[position : found.range.end]).split())


def _written(site: Site, changes: list[_Change]) -> list[str]:
    pages = {change.page.path: change.page for change in changes}
    return [
        path
        for path, page in pages.items()
        if site.change(page, [splice for change in changes if change.page.path == path for splice in change.splices])
    ]


def _told(site: Site, changes: list[_Change], paths: list[str], wish: OpeningHours) -> str:
    pairs = dict.fromkeys((" ".join(change.before.split()), change.after) for change in changes)
    turned = listed([f"“{before}” to “{after}”" for before, after in pairs])
    labels = listed([page.label for page in site.pages if page.path in paths])
    at_once = f" This holds at once; I cannot wait for a date ({wish.beginning})." if wish.beginning else ""
    return f"Changed the opening hours from {turned} on {labels}.{at_once}"


def _nothing_changed(found: list[_Found], meant: list[_Found], wish: OpeningHours) -> InstructionOutcome:
    if meant:
        return InstructionOutcome("The opening hours on the site already say so.")
    shared = [each for each in found if each.days & wish.days]
    if shared:
        line = " ".join(shared[0].passage.text.split())
        question = f"“{line}” is one line for several days. How should it read? Please write: replace “…” with “…”."
    else:
        question = "I could not find these opening hours on the site. Which words there should change?"
    return InstructionOutcome(question, question=question)
