"""Where money goes: account numbers with their check digits, and long codes such as the addresses of wallets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# How many letters and figures an IBAN has in each country of its register.
_LENGTHS = (
    "NO15 BE16 FI18 FO18 GL18 DK18 FK18 NL18 MK19 SI19 SK24 AT20 BA20 EE20 KZ20 XK20 LT20 LU20 MN20 CH21 CR22 "
    "HR21 LI21 LV21 BG22 BH22 DE22 GB22 GE22 IE22 ME22 RS22 VA22 AE23 GI23 IL23 IQ23 OM23 SO23 TL23 AD24 CZ24 "
    "ES24 MD24 PK24 RO24 SA24 SE24 TN24 VG24 LY25 PT25 ST25 AO25 CV25 MZ25 IS26 TR26 BI27 DJ27 FR27 GR27 IT27 "
    "MC27 MR27 SM27 AL28 AZ28 BY28 CY28 DO28 GT28 HU28 LB28 NI28 PL28 SV28 BR29 EG29 PS29 QA29 UA29 JO30 KW30 "
    "MU30 YE30 MT31 SC31 LC32 RU33 "
)
_LENGTH_OF = {each[:2]: int(each[2:]) for each in _LENGTHS.split()}
_IBAN = re.compile(r"(?<!\w)[A-Z]{2} ?\d{2}(?:[ -]?[A-Z0-9]){11,29}", re.IGNORECASE)
_BIC = re.compile(r"(?:BIC|SWIFT)(?:[ -]?code)?[\s:/-]{0,3}([A-Z0-9]{8}(?:[A-Z0-9]{3})?)(?!\w)", re.IGNORECASE)
# A name that money is sent to.
_PAYEE = re.compile(
    r"(?:paypal|venmo|revolut|cash ?app|zelle|twint|bizum|lydia|wise|monzo)[\s:/(-]{0,3}([@$][\w.-]{2,40})",
    re.IGNORECASE,
)
# Nobody writes such a word: it is a wallet, a key or another number that is copied and never read.
_LONG = re.compile(r"(?<!\w)(?=\w{0,80}\d)(?=\w{0,80}[A-Za-z])[A-Za-z0-9]{20,120}(?!\w)")
_TAX = re.compile(r"(?<!\w)[A-Z]{2,3} ?\d{8,12}(?!\w)")
_POSTCODE = re.compile(r"(?<!\w)[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?!\w)")


def find_accounts(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each account begins and ends, and its one form: however it is grouped, it is the same."""
    for match in _IBAN.finditer(text):
        form = re.sub(r"[ -]", "", match[0]).upper()
        length = _LENGTH_OF.get(form[:2], 0)
        if length and len(form) >= length:
            end = match.start() + _end_of(match[0], length)
            if not text[end : end + 1].isalnum():
                yield match.start(), end, form[:length]
    for match in _BIC.finditer(text):
        yield match.start(1), match.end(1), match[1].upper()
    yield from ((match.start(1), match.end(1), match[1].lower()) for match in _PAYEE.finditer(text))


def find_codes(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each code begins and ends, and the code as it was written."""
    for pattern in (_LONG, _TAX, _POSTCODE):
        for match in pattern.finditer(text):
            yield match.start(), match.end(), match[0].replace(" ", "")


def _end_of(text: str, length: int) -> int:
    """Return where so many letters and figures end."""
    places = [place for place, sign in enumerate(text) if sign.isalnum()]
    return places[length - 1] + 1


def is_mistyped(account: str) -> bool:
    """Tell whether an IBAN's check digits do not fit; whatever is none has no such digits."""
    if _LENGTH_OF.get(account[:2]) != len(account):
        return False
    moved = account[4:] + account[:4]
    return int("".join(str(int(sign, 36)) for sign in moved)) % 97 != 1
