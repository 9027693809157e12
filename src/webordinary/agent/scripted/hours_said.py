"""What a sentence says about regular opening hours, or nothing when it could mean something else."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import re
from dataclasses import replace

from webordinary.agent.scripted.instruction import ClosedDays, OpeningHours
from webordinary.agent.scripted.time_of_day import ClockTime, TimeMention, find_times
from webordinary.agent.scripted.weekdays import DayMention, days_beside, find_days
from webordinary.languages import any_of, known, listed

_TRIGGER = re.compile(any_of(lambda each: each.agent.hours), re.IGNORECASE)
_OPENING = any_of(lambda each: each.agent.opens)
_CLOSING = any_of(lambda each: each.agent.closes)
_VERB = re.compile(rf"\b(?:(?P<opens>{_OPENING})|(?P<closes>{_CLOSING}))(?!\w)", re.IGNORECASE)
_VERB_JUST_BEFORE = re.compile(r"(?:open|opens|close|closes|times?|hours?|:)\s?$", re.IGNORECASE)
_CLOSED = re.compile(rf"\b(?:{any_of(lambda each: each.agent.closed)})\b", re.IGNORECASE)
_ALWAYS_CLOSED = re.compile(
    rf"(?:(?:{any_of(lambda each: each.agent.we_are)})\s)?"
    rf"(?P<word>{any_of(lambda each: each.agent.closed)})\s(?:now\s)?"
    rf"(?P<days>{any_of(lambda each: each.agent.closed_days)})(?:\s(?:now|from\snow\son))?",
    re.IGNORECASE,
)
_THEN_CLOSED = re.compile(
    rf"(?P<days>{any_of(lambda each: each.agent.closed_days)}),?\s(?:{any_of(lambda each: each.agent.we_are)})\s"
    rf"(?P<word>{any_of(lambda each: each.agent.closed)})(?:\s(?:now|from\snow\son))?",
    re.IGNORECASE,
)
# Single dates, doubts and negations are no regular hours; changing the page for them would be wrong.
_IN_DOUBT = re.compile(rf"\b(?:{any_of(lambda each: each.agent.in_doubt)})\b|n['’]t\b", re.IGNORECASE)
_WEEKDAYS = "|".join(name for each in known() for names in each.when.weekdays for name in names.split("|")[:1])
_DAY_OR_TERM = rf"(?:next\s)?(?:{_WEEKDAYS}|{any_of(lambda each: each.agent.from_terms)})"
_GOES_ON = any_of(lambda each: each.agent.through_days, lambda each: each.letters.and_)
_BEGINNING = re.compile(
    rf"\b(?:{any_of(lambda each: each.agent.from_day)})\s(?:the\s|dem\s)?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s)?)?{_DAY_OR_TERM}(?:\s\d{{1,2}}(?:st|nd|rd|th)?)?(?:\son(?:wards?)?)?\b"
    rf"(?!\s?(?:[-–—&]|(?:{_GOES_ON})\b))",
    re.IGNORECASE,
)
_INSTEAD = re.compile(rf"\b(?:{any_of(lambda each: each.agent.instead)})\s", re.IGNORECASE)
_REASON = re.compile(rf",?\s(?:{any_of(lambda each: each.agent.because)})\b.*$", re.IGNORECASE)
_MOVED = re.compile(r"(?:change|move|shift|switch|update)\b.{0,60}\bfrom\b", re.IGNORECASE)
_ONE_END = re.compile(r"\b(?P<opening>opening|open)\s(?:time|hour)\b|\bclosing\s(?:time|hour)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|\d+|\ue000")
# Words that belong to other wishes: a sentence with one of them is taken apart before anything is done.
_OTHER_WISH = listed(lambda each: each.agent.other_wishes, " ")
_SMALL_WORDS = listed(lambda each: each.agent.around_hours, " ")
_MOST_WORDS_BEFORE = 5
_MOST_WORDS_AFTER = 1


def names_opening_hours(sentence: str) -> bool:
    """Say whether a sentence is about opening hours at all, as the line above a list of them is."""
    return bool(_TRIGGER.search(sentence))


def is_in_doubt(sentence: str) -> bool:
    """Say whether a sentence speaks of single dates, or doubts or denies what it says."""
    return bool(_IN_DOUBT.search(_without_old_times(_BEGINNING.sub(" ", sentence))))


def hours_said(sentence: str, *, in_a_list: bool = False) -> tuple[OpeningHours, ...]:
    """Return the opening hours that a sentence sets, one value for each group of days."""
    speaks_of_it = in_a_list or bool(_TRIGGER.search(sentence))
    if not speaks_of_it and not find_days(sentence):
        return ()
    beginning = _BEGINNING.search(sentence)
    text = _REASON.sub("", sentence)
    text = _without_old_times(_BEGINNING.sub(" ", text))
    times, days = _counted(text, find_times(text), in_a_list=in_a_list), find_days(text)
    if not speaks_of_it and not all(time.last for time in times):
        return ()
    # "Saturday 9:00 - 13:00" alone is clear enough, but not when anything else stands beside it.
    most = _MOST_WORDS_BEFORE if speaks_of_it else 0
    if not times or _CLOSED.search(text) or not _is_only_about_hours(text, times, days, most):
        return ()
    if _MOVED.match(text):
        return _moved(text, times, days)
    found = _grouped(text, times, days)
    return tuple(replace(each, beginning=beginning[0]) for each in found) if beginning else found


def closed_said(sentence: str) -> tuple[ClosedDays, ...]:
    """Return the days on which it is always closed: "on Mondays", not "on Monday", which may be the next one."""
    text = _BEGINNING.sub(" ", sentence).strip(" ,")
    match = _ALWAYS_CLOSED.fullmatch(text) or _THEN_CLOSED.fullmatch(text)
    days = find_days(match["days"]) if match else []
    if match is None or not days:
        return ()
    return (ClosedDays(frozenset().union(*(each.days for each in days)), match["word"].lower()),)


def _without_old_times(text: str) -> str:
    match = _INSTEAD.search(text)
    if not match:
        return text
    old = [each for each in find_times(text) if match.start() <= each.start <= match.end()]
    return text[: match.start()] + text[old[0].end :] if old else text


def _counted(text: str, times: list[TimeMention], *, in_a_list: bool) -> list[TimeMention]:
    return [
        each
        for each in times
        if each.last or each.prep or not each.plain or in_a_list or _VERB_JUST_BEFORE.search(text[: each.start])
    ]


def _is_only_about_hours(text: str, times: list[TimeMention], days: list[DayMention], most: int) -> bool:
    known = sorted([(each.start, each.end) for each in times] + [(each.start, each.end) for each in days])
    last = max(each.end for each in times)
    before, after = 0, 0
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if any(start <= match.start() < end for start, end in known) or word in _SMALL_WORDS:
            continue
        if word.isdigit() or word == "\ue000" or word in _OTHER_WISH:
            return False
        before, after = (before + 1, after) if match.start() < last else (before, after + 1)
    return before <= most and after <= min(most, _MOST_WORDS_AFTER)


def _moved(text: str, times: list[TimeMention], days: list[DayMention]) -> tuple[OpeningHours, ...]:
    """Read "change the opening time from 8 to 9": the second time is the wish, not the end of a range."""
    if len(times) == 2 and times[0].last and times[1].last:  # noqa: PLR2004 - from and to
        return _grouped(text, times[1:], days)
    end = _ONE_END.search(text)
    if len(times) != 1 or not times[0].last or not end:
        return ()
    new = times[0].last
    said = days[0].days if days else frozenset[int]()
    return (OpeningHours(new, None, said) if end["opening"] else OpeningHours(None, new, said),)


def _grouped(text: str, times: list[TimeMention], days: list[DayMention]) -> tuple[OpeningHours, ...]:
    spans = [(each.start, each.end) for each in times]
    groups: dict[frozenset[int], OpeningHours] = {}
    named = days_beside(spans, days)
    if frozenset().union(*named) != frozenset().union(*(each.days for each in days)):
        return ()
    for time, on in zip(times, named, strict=True):
        group = groups.get(on, OpeningHours(None, None, on))
        opens, closes = _ends(text, time)
        if (opens and group.opens) or (closes and group.closes):
            return ()
        groups[on] = replace(group, opens=opens or group.opens, closes=closes or group.closes)
    return tuple(groups.values())


def _ends(text: str, time: TimeMention) -> tuple[ClockTime | None, ClockTime | None]:
    if time.last:
        return time.first, time.last
    if time.is_an_end or _last_verb(text, time) == "closes":
        return None, time.first
    return time.first, None


def _last_verb(text: str, time: TimeMention) -> str | None:
    before = [match.lastgroup for match in _VERB.finditer(text, 0, time.start)]
    after = [match.lastgroup for match in _VERB.finditer(text, time.end)]
    return before[-1] if before else after[0] if after else None
