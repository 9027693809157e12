"""Facts in texts: prices, times, dates, phone numbers, accounts, addresses and links, whatever the language.

A fact that was asked for has to be on the site afterwards, and one that changed without being asked for waits.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from webordinary.site.facts.accounts import find_accounts, find_codes
from webordinary.site.facts.addresses import find_addresses
from webordinary.site.facts.amounts import NUMBER, PERCENT, PRICE, read_number, read_percent, read_price
from webordinary.site.facts.fact import Fact, Kind, Known, exact, numbers_in
from webordinary.site.facts.moments import DATE, SPOKEN, STAMP, TIME, read_date, read_spoken, read_stamp, read_time
from webordinary.site.facts.phones import PHONE, read_phone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    Read: TypeAlias = Callable[[re.Match[str]], Fact | None]

__all__ = ["LONGEST_REMEMBERED", "Fact", "Kind", "Known", "facts_of_link", "find_facts", "forms_of", "numbers_in"]

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
    kinds = {Kind.MAIL, Kind.ACCOUNT, Kind.CODE, Kind.PHONE, Kind.LINK}
    return tuple(fact for fact in find_facts(rest) if fact.kind in kinds)


def _find(text: str) -> tuple[Fact, ...]:
    folded = _folded(text)
    # The words as they were written, where folding has kept them in their places.
    written = text if len(text) == len(folded) else folded
    sheet = _Sheet(folded, written)
    sheet.take(_LINK, lambda match: _link_fact(written[match.start() : match.end()]))
    sheet.take(_MAIL, lambda match: exact(Kind.MAIL, match[0]))
    sheet.take_found(Kind.ACCOUNT, find_accounts(sheet.left(written)))
    sheet.take_found(Kind.CODE, find_codes(sheet.left(written)))
    sheet.take_found(Kind.ADDRESS, find_addresses(sheet.left(written)))
    for pattern, read in _READERS:
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

    def take_found(self, kind: Kind, found: Iterable[tuple[int, int, str]]) -> None:
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
    return exact(Kind.LINK, f"{host.lower().removeprefix('www.')}{slash}{path}".rstrip("/"))


_READERS: tuple[tuple[re.Pattern[str], Read], ...] = (
    (STAMP, read_stamp),
    (DATE, read_date),
    (PRICE, read_price),
    (PHONE, lambda match: read_phone(match["value"] or match[0])),
    (PERCENT, read_percent),
    (SPOKEN, read_spoken),
    (TIME, read_time),
    (NUMBER, read_number),
)


def forms_of(fact: Fact) -> frozenset[str]:
    """Return every form in which the same fact may stand on a page, with its details and without."""
    return fact.forms | {form for form in (fact.form, fact.bare) if form}
