"""Phone numbers as whole numbers, with their country where one stands."""

from __future__ import annotations

import re

from webordinary.languages import any_of
from webordinary.site.facts.fact import Fact, Kind, detailed, plain

_SHORTEST, _LONGEST = 5, 15
# Countries whose code has one digit or two; all others have three.
_ONE = frozenset("17")
_TWO_DIGITS = (
    "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90"
    " 91 92 93 94 95 98"
)
_TWO = frozenset(_TWO_DIGITS.split())
_NAMES = any_of(lambda each: each.site.phone_labels)
PHONE = re.compile(
    # Two times with a dash between them are none.
    r"(?=[\d+(a-z])(?:(?<![\w.,:])(?!\d\d\.\d\d\s?-\s?\d\d\.\d\d(?!\d))(?:\+|00|\(?0)\d(?:[ ()/.-]{0,3}\d){4,17}(?!\w)"
    r"|(?<![\w.,:-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])"
    r"|(?<![\w.,:-])(?:[6-9]\d\d(?: \d{3}){2}|[6-9]\d\d(?: \d\d){3}|[89]\d \d{3} \d\d \d\d)(?![\w:-]|[.,]\d|\s?[%€$£])"
    rf"|\b(?:{_NAMES})\b[\s.:)/-]{{0,4}}(?P<value>\d(?:[ ()/.-]{{0,3}}\d){{4,14}})(?![\w:]|[.,]\d|\s?[%€$£]))"
)


def read_phone(written: str) -> Fact | None:
    """Return a phone number, or nothing when these are too few digits for one, or too many."""
    text = written.strip()
    is_foreign = text.startswith(("+", "00"))
    digits = re.sub(r"\D", "", text.replace("(0)", "") if is_foreign else text)
    if not _SHORTEST <= len(digits) <= _LONGEST:
        return None
    if not is_foreign:
        return plain(Kind.PHONE, f"tel {digits.lstrip('0')}")
    digits = digits.removeprefix("00") if not text.startswith("+") else digits
    code = digits[: 1 if digits[:1] in _ONE else 2 if digits[:2] in _TWO else 3]
    rest = digits[len(code) :].lstrip("0")
    return detailed(Kind.PHONE, f"+{code} {rest}", f"tel {rest}")
