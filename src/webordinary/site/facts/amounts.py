"""Numbers, prices, dates and times in texts, in figures and in the words of every language."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from webordinary.languages import NOTHING, any_of, known, listed
from webordinary.site.facts.any_word import any_word
from webordinary.site.facts.fact import Fact, FactKind, detailed, exact, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.languages import SiteWords


_UNIT_WORDS = 10
_HUNDRED, _THOUSAND = 100, 1_000


def _numbers(words: SiteWords) -> Iterator[tuple[str, int]]:
    """Yield the numbers of a language, those that are made of two words too."""
    few = words.few.split()
    tens = dict(enumerate(words.tens.split(), start=2))
    yield from ((word, number) for number, word in enumerate(few))
    yield from ((word, ten * _UNIT_WORDS) for ten, word in tens.items())
    for number in range(1, _UNIT_WORDS):
        unit = words.one if number == 1 else few[number]
        for ten, word in tens.items():
            yield words.compound.format(ten=word, unit=unit), ten * _UNIT_WORDS + number
        for said, times in ((words.hundreds, _HUNDRED), (words.thousands, _THOUSAND)):
            if said != NOTHING:
                yield said.format(unit=unit), number * times
    yield from words.more_numbers


_ALL = {word: number for each in known() for word, number in _numbers(each.site)}
_NOONS = dict.fromkeys(listed(lambda each: each.site.noons), 12)
_MIDNIGHTS = dict.fromkeys(listed(lambda each: each.site.midnights), 0)
# Articles are not counted: "one", "un" and "uno" stand in too many sentences that name no number.
_TOO_COMMON = listed(lambda each: each.site.too_common)
# What would be a number in too many sentences, and is one where an hour or a price stands.
_IN_CONTEXT = {word: _ALL[word] for word in listed(lambda each: each.site.in_context)}
NUMBERS: Final = {word: number for word, number in {**_ALL, **_NOONS, **_MIDNIGHTS}.items() if word not in _TOO_COMMON}
MONTHS: Final = {
    name: number
    for each in known()
    for number, names in enumerate(each.when.months, start=1)
    for name in names.split("|")
}
# Behind these a number is an hour, whatever follows.
STRICTLY_BEFORE_TIMES: Final = listed(lambda each: each.site.before_times, " ")
# What may follow an hour: of any other word the number says how many there are.
NEVER_COUNTED: Final = listed(lambda each: each.site.after_times, " ")
DAYS: Final = " ".join(
    " ".join((*(name.partition("|")[0] for name in each.when.weekdays), each.site.occasions)) for each in known()
)


@cache
def is_half_to(said: str, hour: str) -> bool:
    """Tell whether half an hour is said of the hour to come: "halb neun" is before nine, "half nine" behind it."""
    return any(said in each.site.half_to_before.split("|") and hour in dict(_numbers(each.site)) for each in known())


_NOON, _HOURS, _MINUTES = 12, 24, 60
_MONTHS_A_YEAR, _LONGEST_MONTH = 12, 31
_month = any_word(MONTHS)
_word = any_word(NUMBERS)
_PROVEN = NUMBERS | _IN_CONTEXT
_proven = any_word(_PROVEN)
_behind = "|".join(
    f"(?<={before} )" for each in known() if each.site.in_context != NOTHING for before in each.when.at.split("|")
)

# Patterns with all words of all languages are texts: compiling them takes longer than the rest of an import.
STAMP = re.compile(r"(?<![\w.])(?P<value>\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?)")
_OF = any_of(lambda each: each.when.of, lambda each: each.when.of_year)
_ORDINAL = any_of(lambda each: each.when.ordinal)
DATE = (
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
_HALF_BEFORE = any_of(lambda each: each.site.half_past_before, lambda each: each.site.half_to_before)
_QUARTER_TO_BEFORE = any_of(lambda each: each.site.quarter_to_before)
_QUARTER_BEFORE = f"{any_of(lambda each: each.site.quarter_past_before)}|{_QUARTER_TO_BEFORE}"
SPOKEN = (
    rf"(?<![\w-])(?=\w)(?:(?P<hour>{_proven}|\d{{1,2}})\s*(?:{_CLOCK})?\s+"
    rf"(?:(?P<half_past>{any_of(lambda each: each.site.half_past)})"
    rf"|(?P<quarter_past>{any_of(lambda each: each.site.quarter_past)})"
    rf"|(?P<quarter_to>{any_of(lambda each: each.site.quarter_to)}))"
    rf"|(?P<half>{_HALF_BEFORE})\s+(?P<of>{_word})|(?P<quarter>{_QUARTER_BEFORE})\s+(?P<near>{_word})"
    rf"|(?:{_behind})(?P<at>{'|'.join(_IN_CONTEXT)})|(?P<word>{_word})(?P<clock>\s+(?:{_CLOCK})\b)?)(?:\s+{_HALF.format('said')})?(?!\w)"
)
_FOLLOWS = re.compile(r"[\s]+([^\W\d_]{3,})")
_BEFORE = re.compile(r"([^\W\d_]+)\s*$")


def read_stamp(match: re.Match[str]) -> Fact:
    """Return a moment that a program wrote, which is not for people."""
    return detailed(FactKind.DATE, match[0][:10], match[0][5:10])


def read_date(match: re.Match[str]) -> Fact | None:
    if match["iso"]:
        return detailed(FactKind.DATE, match["iso"], match["iso"][5:])
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
        return plain(FactKind.DATE, bare, bare)
    return detailed(FactKind.DATE, f"{'20' if len(year) < len('2026') else ''}{year}-{bare}", bare)


def read_time(match: re.Match[str]) -> Fact | None:
    hour, minute = match["hour"] or match["hour2"], int(match["minute"] or match["minute3"] or 0)
    if int(hour) > _HOURS or minute >= _MINUTES:
        return None
    half = _half(match, "half") or _half(match, "half2")
    is_exact = hour.startswith("0")
    return exact(FactKind.TIME, *times_of(int(hour), minute, half, is_exact=is_exact))


def read_spoken(match: re.Match[str]) -> Fact | None:
    """Return a number in words, or a time in words."""
    half = _half(match, "said")
    if match["hour"]:
        hour = _PROVEN[match["hour"]] if match["hour"] in _PROVEN else int(match["hour"])
        minute = 30 if match["half_past"] else 15 if match["quarter_past"] else 45
        return _spoken_time(hour - 1 if match["quarter_to"] else hour, minute, half)
    if match["half"]:
        hour = NUMBERS[match["of"]]
        return _spoken_time(hour - is_half_to(match["half"], match["of"]), 30, half)
    if match["quarter"]:
        to = match["quarter"] in _QUARTER_TO_BEFORE.split("|")
        return _spoken_time(NUMBERS[match["near"]] - to, 45 if to else 15, half)
    number = _PROVEN[match["at"] or match["word"]]
    if half or match["clock"]:
        return _spoken_time(number, 0, half) if number <= _HOURS else None
    is_time = may_be_time(match.string, match.start(), match.end())
    return plain(FactKind.NUMBER, str(number), *(times_of(number, 0) if is_time else ()))


def _spoken_time(hour: int, minute: int, half: str) -> Fact | None:
    return exact(FactKind.TIME, *times_of(hour % _HOURS, minute, half)) if hour <= _HOURS else None


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


_SIGNS = {
    "EUR": f"€|eur|{any_of(lambda each: each.site.euros)}",
    "USD": rf"us\$|\$|usd|{any_of(lambda each: each.site.dollars)}",
    "GBP": f"£|gbp|{any_of(lambda each: each.site.pounds)}",
    "CHF": rf"chf|sfr\.?|{any_of(lambda each: each.site.francs)}|fr\.",
    "JPY": "¥|jpy|yen",
    "SEK": "sek",
    "NOK": "nok",
    "DKK": "dkk",
    "PLN": "zł|pln",
    "CZK": "kč|czk",
}
_CURRENCY = "|".join(f"(?P<{name}_{{0}}>{signs})" for name, signs in _SIGNS.items())
_AMOUNT = r"\d{1,3}(?:[.,' ]\d{3})+(?:[.,](?:\d{1,2}|-))?|\d+(?:[.,](?:\d{1,2}(?!\d)|-))?"
PRICE = (
    rf"(?<![\w.,])(?=[\w€$£¥])(?:(?:{_CURRENCY.format('a')})\s?(?P<amount>{_AMOUNT})(?!\w)"
    rf"|(?:(?P<amount2>{_AMOUNT})|(?P<word>{_proven}))\s?(?:{_CURRENCY.format('b')})"
    r"(?:(?<=€)(?P<cents>\d\d)|(?<=euro) (?P<cents2>\d\d)|(?<=euros) (?P<cents3>\d\d))?(?!\w))"
)
_NUMBER = r"\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,3})?"
_UNITS = "g|kg|mg|ml|cl|dl|l|mm|cm|m|km|qm|min|x|er|ers|°c?"
NUMBER = re.compile(rf"(?<![\w.,])(?P<value>{_NUMBER})(?=(?:{_UNITS})(?!\w)|(?!\w))")
PERCENT = re.compile(
    rf"(?<![\w.,])(?P<value>(?P<amount>{_NUMBER})\s?(?:%|{any_of(lambda each: each.site.percent)}))(?!\w)"
)
_AS_TIME = re.compile(r"(\d{1,2})\.([0-5]\d)")
_AS_DATE = re.compile(r"(0?[1-9]|[12]\d|3[01])[.](0[1-9]|1[0-2])")


def read_price(match: re.Match[str]) -> Fact:
    currency = next(name[:3] for name, sign in match.groupdict().items() if sign and name[3:] in {"_a", "_b"})
    word = match["word"]
    amount = str(_PROVEN[word]) if word else _plain(match["amount"] or match["amount2"])
    cents = match["cents"] or match["cents2"] or match["cents3"]
    amount = _plain(f"{amount}.{cents}") if cents and "." not in amount else amount
    return detailed(FactKind.PRICE, f"{amount} {currency}", amount)


def read_percent(match: re.Match[str]) -> Fact:
    amount = _plain(match["amount"])
    return detailed(FactKind.NUMBER, f"{amount} %", amount)


def read_number(match: re.Match[str]) -> Fact:
    """Return a number; it may be a time whose sign went without saying, and never the time of "5 rolls"."""
    written, form = match["value"], _plain(match["value"])
    times: tuple[str, ...] = ()
    if clock := _AS_TIME.fullmatch(written):
        times = times_of(int(clock[1]), int(clock[2]))
    elif len(form) <= len("24") and may_be_time(match.string, match.start("value"), match.end("value")):
        times = times_of(int(form), 0)
    day = _AS_DATE.fullmatch(written)
    return plain(FactKind.NUMBER, form, *times, *([f"{day[2]}-{int(day[1]):02}"] if day else []))


def _plain(written: str) -> str:
    """Return a number with a point before its fraction and nothing else."""
    if written.isdecimal():
        return written.lstrip("0") or "0"
    text = re.sub(r"[ '\u00a0\u202f]|[.,]-", "", written)
    last = max(text.rfind("."), text.rfind(","))
    whole, part = (text[:last], text[last + 1 :]) if last >= 0 else (text, "")
    if len(part) == 3 and whole != "0":  # noqa: PLR2004 - three digits behind a mark are thousands
        whole, part = whole + part, ""
    whole = re.sub(r"[.,]", "", whole).lstrip("0") or "0"
    part = part.rstrip("0")
    return f"{whole}.{part}" if part else whole
