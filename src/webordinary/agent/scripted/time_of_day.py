"""Times of day as an owner says them, in digits or words, in every language."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.languages import any_of, known

if TYPE_CHECKING:
    from webordinary.languages import Language

NOON = 12 * 60
MIDNIGHT = 24 * 60
_HOUR = 60
_HALF_HOUR, _QUARTER = 30, 15
# Nobody says "we open at two" about the night; bakers do say "we open at five".
_LATEST_AFTERNOON_GUESS = 4

_HOURS = {
    each.code: {word: number for number, word in enumerate(each.agent.hour_words.split(), start=1)} for each in known()
}
_MINUTES = {
    "half past": 30, "half": 30, "quarter past": 15, "quarter to": -15,
    "halb": -30, "viertel nach": 15, "viertel vor": -15,
    "thirty": 30, "fifteen": 15, "forty-five": 45, "forty five": 45, "dreißig": 30, "fünfzehn": 15,
    "et demie": 30, "et quart": 15, "trente": 30, "quinze": 15, "y media": 30, "y cuarto": 15,
}  # fmt: skip


def _either(language: str) -> str:
    # Longest first, so that "dix-huit" is not read as "dix".
    return "|".join(sorted(_HOURS[language], key=len, reverse=True))


_READ_BY_THEMSELVES = frozenset({"en", "de", "fr", "es"})
_MORNINGS = any_of(lambda each: each.agent.morning)
_OCLOCK = any_of(lambda each: each.site.oclock)
_NOONS = any_of(lambda each: each.site.noons)
_MIDNIGHTS = any_of(lambda each: each.site.midnights)
_LATER = any_of(lambda each: each.agent.part_of_day)


def _others() -> str:
    """Return the hours in words of every other language: "half negen", "kwart over negen", "nove e mezza"."""
    return "".join(_spoken(each) for each in known() if each.code not in _READ_BY_THEMSELVES)


def _spoken(language: Language) -> str:
    code, site = language.code, language.site
    lead = f"{site.half_to_before}|{site.half_past_before}|{site.quarter_past_before}|{site.quarter_to_before}"
    more = f"{site.half_past}|{site.quarter_past}|{site.quarter_to}"
    unsure = set(site.in_context.split("|"))
    sure = "|".join(word for word in _either(code).split("|") if word not in unsure)
    behind = "|".join(f"(?<={before} )" for before in language.when.at.split("|"))
    hours = rf"(?P<{code}>{sure}|(?:{behind})(?:{site.in_context}))(?:\s(?:{site.oclock}))?"
    return rf"|(?:(?P<{code}_lead>{lead})\s)?{hours}(?:\s(?P<{code}_more>{more}))?"


_TIME = re.compile(
    r"(?<![\w.,:€$£+])"
    rf"(?:(?P<prep>{any_of(lambda each: each.agent.before_time)})\s(?:about\s|around\s)?)?"
    r"(?:"
    r"(?P<hour>\d{1,2})(?:(?:[:.]|\s?h\s?|\suhr\s)(?P<minute>\d{2}))?"
    rf"(?:\s?(?P<half>[ap])\.?\s?m(?!\w)\.?|\s?(?P<unit>{_OCLOCK}|hrs|o['’]?clock)(?!\w))?"
    rf"|(?:(?P<en_lead>half past|half|quarter past|quarter to)\s)?(?P<en>{_either('en')})"
    r"(?:\s(?P<en_more>thirty|fifteen|forty[- ]five))?(?:\so['’]?clock)?"
    r"(?:\s?(?P<en_half>[ap])\.?m(?!\w)\.?)?"
    rf"|(?:(?P<de_lead>halb|viertel nach|viertel vor)\s)?(?P<de>{_either('de')}|ein(?=\suhr))"
    r"(?:\suhr(?:\s(?P<de_more>dreißig|fünfzehn))?)?"
    rf"|(?P<fr>{_either('fr')})\sheures?(?:\s(?P<fr_more>et demie|et quart|trente|quinze))?"
    rf"|(?P<es>(?!once)(?:{_either('es')})|(?<=las\s)once)(?:\s(?P<es_more>y media|y cuarto))?"
    rf"{_others()}"
    rf"|(?P<noon>{_NOONS}|mittags)|(?P<midnight>{_MIDNIGHTS}|medianoche)"
    r")"
    rf"(?:\s(?:in\sthe\s|at\s|am\s|de\sla\s|du\s|de\sl['’])?(?P<part>{_MORNINGS}|{_LATER}))?"
    r"(?![\w€$£%]|[.,:]\d|\s[€$£%])",
    re.IGNORECASE,
)
_DASH = re.compile(r"\s?[-–—]\s?")
_UNTIL = re.compile(any_of(lambda each: each.agent.until_time), re.IGNORECASE)
_THROUGH = re.compile(any_of(lambda each: each.agent.through_time), re.IGNORECASE)
_MORNING = re.compile(_MORNINGS, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day in minutes; it is certain when nobody could take it for the other half of the day."""

    minutes: int
    certain: bool = False

    def as_opening(self) -> int:
        """Return the minutes that this means as a time to open."""
        if self.certain or not _HOUR <= self.minutes < (_LATEST_AFTERNOON_GUESS + 1) * _HOUR:
            return self.minutes
        return self.minutes + NOON

    def as_closing(self, opens: int | None) -> int:
        """Return the minutes that this means as a time to close after opening at that time."""
        guess = not self.certain and self.minutes < NOON
        return self.minutes + NOON if guess and (opens is None or self.minutes <= opens) else self.minutes


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time or a range of times in a sentence, with the preposition before it."""

    start: int
    end: int
    first: ClockTime
    last: ClockTime | None = None
    prep: str = ""
    plain: bool = False

    @property
    def is_an_end(self) -> bool:
        return bool(_UNTIL.fullmatch(self.prep))


def find_times(text: str) -> list[TimeMention]:
    """Return the times of a sentence in order, two that make a range as one mention."""
    mentions: list[TimeMention] = []
    for match in _TIME.finditer(text):
        time = _clock_time(match)
        if time is None:
            continue
        mention = TimeMention(match.start(), match.end(), time, None, match["prep"] or "", _is_plain(match))
        if mentions and _makes_a_range(text, mentions[-1], mention):
            first = mentions[-1]
            mentions[-1] = TimeMention(first.start, mention.end, first.first, time, first.prep)
        else:
            mentions.append(mention)
    return mentions


def _is_plain(match: re.Match[str]) -> bool:
    # "9" or "nine" alone may count anything; "9:00", "9 am" and "nine o'clock" are times by their looks.
    if match["hour"]:
        return not (match["minute"] or match["half"] or match["unit"] or match["part"])
    return not (match["noon"] or match["midnight"] or match["fr"] or match["part"])


def _makes_a_range(text: str, first: TimeMention, second: TimeMention) -> bool:
    if first.last is not None:
        return False
    gap = text[first.end : second.start]
    if second.prep:
        return gap == " " and bool(_THROUGH.fullmatch(second.prep))
    return bool(_DASH.fullmatch(gap))


def _clock_time(match: re.Match[str]) -> ClockTime | None:
    if match["noon"]:
        return ClockTime(NOON, certain=True)
    if match["midnight"]:
        return ClockTime(MIDNIGHT, certain=True)
    time = _from_digits(match) if match["hour"] else _from_words(match)
    if time is None or not match["part"]:
        return time
    late = not _MORNING.fullmatch(match["part"]) and time.minutes < NOON
    return ClockTime(time.minutes + NOON if late else time.minutes, certain=True)


def _from_digits(match: re.Match[str]) -> ClockTime | None:
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if hour * _HOUR + minute > MIDNIGHT or minute >= _HOUR:
        return None
    sure = hour == 0 or hour * _HOUR >= NOON + _HOUR or match["hour"].startswith("0")
    return _in_half(hour * _HOUR + minute, match["half"], sure=sure)


def _from_words(match: re.Match[str]) -> ClockTime | None:
    for language, hours in _HOURS.items():
        word = match[language]
        if word is None:
            continue
        more = match.groupdict().get(f"{language}_more")
        lead = match.groupdict().get(f"{language}_lead")
        minutes = hours.get(word.lower(), 1) * _HOUR
        minutes += _minutes(language, (more or lead or "").lower())
        return _in_half(minutes, match["en_half"], sure=minutes >= NOON + _HOUR)
    return None


def _minutes(code: str, said: str) -> int:
    """Return how far from the full hour that is."""
    if not said or code in _READ_BY_THEMSELVES:
        return _MINUTES.get(said, 0)
    site = next(each.site for each in known() if each.code == code)
    ways = {
        f"{site.half_to_before}": -_HALF_HOUR,
        f"{site.half_past_before}|{site.half_past}": _HALF_HOUR,
        f"{site.quarter_past_before}|{site.quarter_past}": _QUARTER,
        f"{site.quarter_to_before}|{site.quarter_to}": -_QUARTER,
    }
    return next((minutes for words, minutes in ways.items() if re.fullmatch(words, said)), 0)


def _in_half(minutes: int, half: str | None, *, sure: bool) -> ClockTime | None:
    if half is None:
        return ClockTime(minutes, certain=sure)
    if minutes >= NOON + _HOUR:
        return None
    return ClockTime(minutes % NOON + (NOON if half.lower() == "p" else 0), certain=True)
