"""Numbers and prices in texts; a price has a currency, a number has none."""

from __future__ import annotations

import re

from webordinary.languages import any_of
from webordinary.site.facts.fact import Fact, Kind, detailed, plain
from webordinary.site.facts.moments import may_be_time, times_of
from webordinary.site.facts.number_words import NUMBERS

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
_WORD = "|".join(sorted(NUMBERS, key=len, reverse=True))
PRICE = re.compile(
    rf"(?<![\w.,])(?=[\w€$£¥])(?:(?:{_CURRENCY.format('a')})\s?(?P<amount>{_AMOUNT})(?!\w)"
    rf"|(?:(?P<amount2>{_AMOUNT})|(?P<word>{_WORD}))\s?(?:{_CURRENCY.format('b')})"
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
    amount = str(NUMBERS[word]) if word else _plain(match["amount"] or match["amount2"])
    cents = match["cents"] or match["cents2"] or match["cents3"]
    amount = _plain(f"{amount}.{cents}") if cents and "." not in amount else amount
    return detailed(Kind.PRICE, f"{amount} {currency}", amount)


def read_percent(match: re.Match[str]) -> Fact:
    amount = _plain(match["amount"])
    return detailed(Kind.NUMBER, f"{amount} %", amount)


def read_number(match: re.Match[str]) -> Fact:
    """Return a number; it may be a time whose sign went without saying, and never the time of "5 rolls"."""
    written, form = match["value"], _plain(match["value"])
    times: tuple[str, ...] = ()
    if clock := _AS_TIME.fullmatch(written):
        times = times_of(int(clock[1]), int(clock[2]))
    elif len(form) <= len("24") and may_be_time(match.string, match.start("value"), match.end("value")):
        times = times_of(int(form), 0)
    day = _AS_DATE.fullmatch(written)
    return plain(Kind.NUMBER, form, *times, *([f"{day[2]}-{int(day[1]):02}"] if day else []))


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
