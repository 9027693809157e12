"""Facts in texts: prices, times, dates, phone numbers, accounts, addresses and links, whatever the language.

A fact that was asked for has to be on the site afterwards, and one that changed without being asked for waits.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from webordinary.languages import any_of, known
from webordinary.site.facts.amounts import (
    DATE,
    NUMBER,
    PERCENT,
    PRICE,
    SPOKEN,
    STAMP,
    TIME,
    read_date,
    read_number,
    read_percent,
    read_price,
    read_spoken,
    read_stamp,
    read_time,
)
from webordinary.site.facts.fact import Fact, FactKind, Known, detailed, exact, numbers_in, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    Read: TypeAlias = Callable[[re.Match[str]], Fact | None]


_NAME = r"[^\W\d_][\w'\u2019-]{0,40}"
_CAPITAL = r"[A-ZÀ-ÖØ-Þ][\w'\u2019-]{0,40}"
# Names of streets begin with a capital: without that, "at 9 on our street" would be an address.
_ADDRESS = re.compile(
    rf"\b(?:{any_of(lambda each: each.site.addresses)})".replace("{name}", _NAME).replace("{capital}", _CAPITAL)
)
_SHORT = tuple((re.compile(long), short) for each in known() for long, short in each.site.streets_short)


def find_addresses(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each address begins and ends, and its one form."""
    for match in _ADDRESS.finditer(text):
        yield match.start(), match.end(), _form(match[0])


def _form(address: str) -> str:
    form = address.lower()
    for pattern, short in _SHORT:
        form = pattern.sub(short, form)
    return " ".join(re.sub(r"[^\w\s]", " ", form).split())


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
        return plain(FactKind.PHONE, f"tel {digits.lstrip('0')}")
    digits = digits.removeprefix("00") if not text.startswith("+") else digits
    code = digits[: 1 if digits[:1] in _ONE else 2 if digits[:2] in _TWO else 3]
    rest = digits[len(code) :].lstrip("0")
    return detailed(FactKind.PHONE, f"+{code} {rest}", f"tel {rest}")


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


__all__ = ["LONGEST_REMEMBERED", "Fact", "FactKind", "Known", "facts_of_link", "find_facts", "forms_of", "numbers_in"]

LONGEST_REMEMBERED, _LONGEST_PIECE = 2_000, 20_000
_LINK = re.compile(r"(?:https?://|www\.)[^\s<>\"')\]]+")
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_SCHEME = re.compile(r"\s*([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_PHONES = frozenset({"tel", "sms", "callto", "fax", "whatsapp"})


def find_facts(text: str) -> tuple[Fact, ...]:
    """Return the facts of a text, each as often as it stands there."""
    # Only sentences are remembered: twenty thousand of them are no matter, as many books would be.
    if len(text) <= LONGEST_REMEMBERED:
        return _find_again(text)
    return _find_in_pieces(text)


# One change asks for the facts of the same long text several times; more than two are not kept.
@lru_cache(maxsize=2)
def _find_in_pieces(text: str) -> tuple[Fact, ...]:
    return tuple(fact.moved(at) for at, piece in _pieces(text) for fact in _find(piece))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Cut a long text between two words: a pattern lets nobody else work while it looks."""
    start = 0
    while start < len(text):
        end = start + _LONGEST_PIECE
        space = text.rfind(" ", start + 1, end) if end < len(text) else -1
        end = space if space > 0 else end
        yield start, text[start:end]
        start = end


def facts_of_link(link: str) -> tuple[Fact, ...]:
    """Return what a link leads to: a host with its path, a phone, a mailbox; nothing for a page of the same site."""
    found = _SCHEME.match(link)
    scheme = found[1].lower() if found else ""
    if scheme in {"http", "https"} or link.startswith("//"):
        return (_link_fact(link.strip()),)
    if not found:
        return ()
    rest = unquote(link[found.end() :])
    if scheme in _PHONES and (phone := read_phone(rest.partition("?")[0].partition(";")[0])) is not None:
        return (phone.found(rest, 0),)
    kinds = {FactKind.MAIL, FactKind.ACCOUNT, FactKind.CODE, FactKind.PHONE, FactKind.LINK}
    return tuple(fact for fact in find_facts(rest) if fact.kind in kinds)


def _find(text: str) -> tuple[Fact, ...]:
    folded = _folded(text)
    # The words as they were written, where folding has kept them in their places.
    written = text if len(text) == len(folded) else folded
    sheet = _Sheet(folded, written)
    sheet.take(_LINK, lambda match: _link_fact(written[match.start() : match.end()]))
    sheet.take(_MAIL, lambda match: exact(FactKind.MAIL, match[0]))
    sheet.take_found(FactKind.ACCOUNT, find_accounts(sheet.left(written)))
    sheet.take_found(FactKind.CODE, find_codes(sheet.left(written)))
    sheet.take_found(FactKind.ADDRESS, find_addresses(sheet.left(written)))
    for pattern, read in _readers():
        sheet.take(pattern, read)
    return tuple(_in_one_style(sorted(sheet.found, key=lambda fact: fact.at)))


_find_again = lru_cache(maxsize=20_000)(_find)


class _Sheet:
    """A text out of which facts are taken one kind after the other, so that no part of one is read as another."""

    def __init__(self, folded: str, written: str) -> None:
        self.text, self.written = folded, written
        self.found: list[Fact] = []

    def take(self, pattern: re.Pattern[str], read: Read) -> None:
        group = "value" if "value" in pattern.groupindex else 0

        def note(match: re.Match[str]) -> str:
            part = group if match[group] is not None else 0
            fact = read(match)
            if fact is None:
                return match[0]
            start, end = match.span(part)
            self._note(fact, start, end)
            before, after = match[0][: start - match.start()], match[0][end - match.start() :]
            return before + " " * (end - start) + after

        self.text = pattern.sub(note, self.text)

    def take_found(self, kind: FactKind, found: Iterable[tuple[int, int, str]]) -> None:
        for start, end, form in found:
            self._note(exact(kind, form), start, end)
            self.text = self.text[:start] + " " * (end - start) + self.text[end:]

    def left(self, written: str) -> str:
        """Return the text as it was written, without what was taken."""
        return written if not self.found else "".join(map(_left, written, self.text))

    def _note(self, fact: Fact, start: int, end: int) -> None:
        written = self.written[start:end]
        start += len(written) - len(written.lstrip())
        self.found.append(fact.found(written.strip(), start))


def _left(written: str, folded: str) -> str:
    return " " if folded == " " else written


def _in_one_style(facts: list[Fact]) -> list[Fact]:
    """Who writes 18:00 in a sentence means the morning with 9:00."""
    is_late = any(fact.is_late() for fact in facts)
    return [fact.in_the_morning() if is_late else fact for fact in facts]


def _folded(text: str) -> str:
    """Return lower case with plain dashes and spaces, of the same length, so that places stay where they are."""
    plain = "".join("-" if unicodedata.category(letter) == "Pd" else letter for letter in text)
    return plain.replace("\u00a0", " ").replace("\u202f", " ").lower()


def _link_fact(written: str) -> Fact:
    """Return a link with its host, of which it does not matter how large its letters are."""
    bare = re.sub(r"^(?:https?:)?//", "", written.rstrip(".,;:!?"), flags=re.IGNORECASE)
    host, slash, path = bare.partition("/")
    return exact(FactKind.LINK, f"{host.lower().removeprefix('www.')}{slash}{path}".rstrip("/"))


@cache
def _readers() -> tuple[tuple[re.Pattern[str], Read], ...]:
    return (
        (STAMP, read_stamp),
        (re.compile(DATE), read_date),
        (re.compile(PRICE), read_price),
        (PHONE, lambda match: read_phone(match["value"] or match[0])),
        (PERCENT, read_percent),
        (re.compile(SPOKEN), read_spoken),
        (TIME, read_time),
        (NUMBER, read_number),
    )


def forms_of(fact: Fact) -> frozenset[str]:
    """Return every form in which the same fact may stand on a page, with its details and without."""
    return fact.forms | {form for form in (fact.form, fact.bare) if form}
