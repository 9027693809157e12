"""Facts in texts: numbers, prices, times, dates, phone numbers, addresses and links, in one form whatever the language.

A fact that was asked for has to be on the site afterwards, and one that changed without being asked for is told.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from webordinary.site.addresses import find_addresses
from webordinary.site.number_words import HALF_PAST, HALVES, MONTHS, NUMBERS, QUARTER_PAST, QUARTER_TO, QUARTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import TypeAlias

    Form: TypeAlias = Callable[[re.Match[str]], str | None]


class Kind(StrEnum):
    """What a fact is about."""

    LINK = "link"
    MAIL = "mail"
    PHONE = "phone"
    ADDRESS = "address"
    DATE = "date"
    TIME = "time"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: what it is, its one form, and how it was written."""

    kind: Kind
    form: str
    written: str


_NOON = 12
_HOURS, _MINUTES = 24, 60
_DIGITS = 2
_MONTHS_A_YEAR, _LONGEST_MONTH = 12, 31
_SHORTEST_PHONE, _LONGEST_PHONE = 6, 15
_LONGEST_REMEMBERED, _LONGEST_PIECE = 2_000, 20_000
_month = "|".join(sorted(MONTHS, key=len, reverse=True))
_word = "|".join(sorted(NUMBERS, key=len, reverse=True))

_LINK = re.compile(r"(?:https?://|www\.)[^\s<>\"')\]]+", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w.,])(?:\+|00|\(?0)\d(?:[ ()/.-]{0,3}\d){4,17}(?![\w])")
_DATE = re.compile(
    rf"(?<![\w.])(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s*(?:of\s+|de\s+)?(?P<month>{_month})\b\.?"
    rf"|(?P<month2>{_month})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.,]\d)"
    rf"|(?P<day3>\d{{1,2}})\.(?P<month3>\d{{1,2}})\.(?:\d{{4}}|\d{{2}})?(?![\d:])"
    rf"|(?P<day4>\d{{1,2}})/(?P<month4>\d{{1,2}})/(?:\d{{4}}|\d{{2}})(?!\d))"
)
# A dot between two numbers is a time, unless money stands beside it.
_MONEY = r"(?:€|\$|£|eur|chf|usd|fr\b|sfr)"
_TIME = re.compile(
    # A dash before it stands between two times.
    r"(?<![\w.,:/$€£])(?P<hour>\d{1,2})(?:(?:[:h]\s?(?P<minute>[0-5]\d)|\.(?P<minute3>[0-5]\d)"
    rf"(?!\s*{_MONEY}))(?!\d)(?:\s*(?:uhr|h\b))?|\s*(?:uhr|heures?|h)\b)"
    r"\s*(?P<half>[ap]\.?m\b\.?)?|(?<![\w.,:/])(?P<hour2>\d{1,2})\s*(?P<half2>[ap]\.?m\b\.?)"
)
_SPOKEN = re.compile(
    rf"\b(?:(?P<hour>{_word}|\d{{1,2}})\s*(?:h|heures?)?\s+"
    rf"(?:(?P<half_past>{HALF_PAST})|(?P<quarter_past>{QUARTER_PAST})|(?P<quarter_to>{QUARTER_TO}))|(?P<half>{HALVES})\s+(?P<of>{_word})|(?P<quarter>{QUARTERS})\s+(?P<near>{_word})|(?P<word>{_word}))\b"
)
_NUMBER = re.compile(
    r"(?<![\w.,])\d{1,3}(?:[.,'\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?(?![\w])|(?<![\w.,])\d+(?:[.,]\d{1,3})?(?!\w)"
)


def find_facts(text: str) -> tuple[Fact, ...]:
    """Return the facts of a text, each as often as it stands there."""
    # Only sentences are remembered: twenty thousand of them are no matter, as many books would be.
    if len(text) <= _LONGEST_REMEMBERED:
        return _find_again(text)
    return tuple(fact for piece in _pieces(text) for fact in _find(piece))


def _pieces(text: str) -> Iterator[str]:
    """Cut a long text between two words: a pattern lets nobody else work while it looks."""
    start = 0
    while start < len(text):
        end = start + _LONGEST_PIECE
        space = text.rfind(" ", start + 1, end) if end < len(text) else -1
        end = space if space > 0 else end
        yield text[start:end]
        start = end


def _find(text: str) -> tuple[Fact, ...]:
    folded = _folded(text)
    # The words as they were written, where folding has kept them in their places.
    written = text if len(text) == len(folded) else folded
    found: list[Fact] = []
    for start, end, form in find_addresses(written):
        found.append(Fact(Kind.ADDRESS, form, written[start:end]))
        folded = folded[:start] + " " * (end - start) + folded[end:]
    for kind, pattern, read in _READERS:
        folded = _take(folded, written, pattern, kind, read, found)
    return tuple(found)


_find_again = lru_cache(maxsize=20_000)(_find)


def _take(text: str, written: str, pattern: re.Pattern[str], kind: Kind, form: Form, found: list[Fact]) -> str:
    """Take the facts of one kind out of the text, so that no part of one is read as another."""

    def note(match: re.Match[str]) -> str:
        read = form(match)
        if read is None:
            return match[0]
        found.append(Fact(kind, read, written[match.start() : match.end()].strip()))
        return " " * len(match[0])

    return pattern.sub(note, text)


def _folded(text: str) -> str:
    """Return lower case with plain dashes and spaces, of the same length, so that places stay where they are."""
    plain = "".join("-" if unicodedata.category(letter) == "Pd" else letter for letter in text)
    return plain.replace("\u00a0", " ").replace("\u202f", " ").lower()


def _link(match: re.Match[str]) -> str:
    address = match[0].rstrip(".,;:!?").removeprefix("https://").removeprefix("http://").removeprefix("www.")
    return address.rstrip("/")


def _phone(match: re.Match[str]) -> str | None:
    digits = re.sub(r"\D", "", match[0])
    if not _SHORTEST_PHONE <= len(digits) <= _LONGEST_PHONE:
        return None
    # With or without the country, with or without a zero in brackets: the end is the same.
    return digits[-7:]


def _date(match: re.Match[str]) -> str | None:
    if match["iso"]:
        return match["iso"][5:]
    day = match["day"] or match["day2"] or match["day3"] or match["day4"]
    month = match["month"] or match["month2"]
    number = MONTHS[month] if month else int(match["month3"] or match["month4"])
    if match["month4"] and number > _MONTHS_A_YEAR:
        # Only America writes the month first.
        number, day = int(day), str(number)
    if not 1 <= number <= _MONTHS_A_YEAR or not 1 <= int(day) <= _LONGEST_MONTH:
        return None
    return f"{number:02}-{int(day):02}"


def _time(match: re.Match[str]) -> str | None:
    hour, minute = int(match["hour"] or match["hour2"]), int(match["minute"] or match["minute3"] or 0)
    half = (match["half"] or match["half2"] or "")[:1]
    if half:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    return f"{hour:02}:{minute:02}" if hour <= _HOURS and minute < _MINUTES else None


def _spoken(match: re.Match[str]) -> str:
    if match["hour"]:
        hour = NUMBERS[match["hour"]] if match["hour"] in NUMBERS else int(match["hour"])
        minute = 30 if match["half_past"] else 15 if match["quarter_past"] else 45
        return f"{(hour - 1 if match['quarter_to'] else hour) % _HOURS:02}:{minute}"
    if match["half"]:
        hour = NUMBERS[match["of"]]
        before = match["half"].startswith("halb")
        return f"{(hour - 1 if before else hour) % _HOURS:02}:30"
    if match["quarter"]:
        hour = NUMBERS[match["near"]]
        to = any(word in match["quarter"] for word in ("to", "vor", "moins"))
        return f"{(hour - 1 if to else hour) % _HOURS:02}:{45 if to else 15}"
    return str(NUMBERS[match["word"]])


def _number(match: re.Match[str]) -> str | None:
    text = re.sub(r"[ '\u00a0\u202f]", "", match[0])
    last = max(text.rfind("."), text.rfind(","))
    whole, part = (text[:last], text[last + 1 :]) if last >= 0 else (text, "")
    if len(part) == 3 and whole != "0":  # noqa: PLR2004 - three digits behind a mark are thousands
        whole, part = whole + part, ""
    try:
        value = Decimal(f"{re.sub(r'[.,]', '', whole)}.{part or 0}")
        return f"{value.normalize():f}"
    except ArithmeticError:
        return None


_READERS: tuple[tuple[Kind, re.Pattern[str], Form], ...] = (
    (Kind.LINK, _LINK, _link),
    (Kind.MAIL, _MAIL, lambda match: match[0]),
    (Kind.DATE, _DATE, _date),
    (Kind.PHONE, _PHONE, _phone),
    (Kind.NUMBER, _SPOKEN, _spoken),
    (Kind.TIME, _TIME, _time),
    (Kind.NUMBER, _NUMBER, _number),
)


def is_among(fact: Fact, forms: Collection[str]) -> bool:
    """Tell whether a fact was named: of an address the number of the house is enough."""
    return not (forms_of(fact) | numbers_in(fact)).isdisjoint(forms)


def numbers_in(fact: Fact) -> frozenset[str]:
    """Return the numbers that stand in an address."""
    parts = fact.form.split() if fact.kind == Kind.ADDRESS else ()
    return frozenset(part for part in parts if part[0].isdigit())


def forms_of(fact: Fact) -> frozenset[str]:
    """Return every form in which the same fact may stand on a page: nine may be 9, 9:00 and 21:00."""
    return frozenset(_forms(fact))


def _forms(fact: Fact) -> Iterator[str]:
    yield fact.form
    if ":" in fact.form:
        hour, _, minute = fact.form.partition(":")
        yield f"{(int(hour) + _NOON) % _HOURS:02}:{minute}"
        if minute == "00":
            yield str(int(hour))
            yield str((int(hour) + _NOON) % _HOURS)
        if _NUMBER.fullmatch(fact.written):
            # With nothing but a dot it may as well be a price whose currency went without saying.
            yield f"{Decimal(fact.written).normalize():f}"
    elif fact.kind == Kind.NUMBER and fact.form.isdecimal() and len(fact.form) <= _DIGITS and int(fact.form) <= _HOURS:
        yield f"{int(fact.form):02}:00"
        yield f"{(int(fact.form) + _NOON) % _HOURS:02}:00"
