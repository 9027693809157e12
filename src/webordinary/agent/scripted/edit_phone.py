"""The phone number of the site, in its text and in the links that dial it."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.agent.scripted.instruction import InstructionOutcome, Phone, listed
from webordinary.agent.scripted.markup import Splice, attributes, tokenize, written
from webordinary.agent.scripted.passages import passages
from webordinary.languages import any_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.agent.scripted.pages import Site, SourcePage

_NUMBER = re.compile(r"(?<![\w+.,])(?:\+|\(\+?)?\d(?:[\d \u00a0()/.–-]{4,24})\d(?!\w)")
_CALL = re.compile(rf"\b(?:{any_of(lambda each: each.agent.call)})\b|☎|📞", re.IGNORECASE)
_FAX = re.compile(r"\bfax\b[^\d]{0,12}$", re.IGNORECASE)
_FEWEST_DIGITS = 6
_FEWEST_WITH_AREA = 8


@dataclass(frozen=True, slots=True)
class _Shown:
    page: SourcePage
    text: str
    span: tuple[int, int]
    quote: str = ""
    is_link: bool = False


def set_phone(site: Site, wish: Phone) -> InstructionOutcome:
    """Show another number wherever the old one is shown or dialled."""
    if len(_digits(wish.number)) < _FEWEST_DIGITS:
        question = f"“{wish.number}” is short for a phone number. What is the whole number?"
        return InstructionOutcome(question, question=question)
    shown = [each for page in site.pages for each in (*_links(page), *_texts(page))]
    # Where none is dialled and none is called one, a number with its area stands for itself.
    shown = shown or [each for page in site.pages for each in _texts(page, is_dialled=_with_area)]
    known = [each for each in shown if wish.old is None or _is_same(each.text, wish.old)]
    numbers = _different([each.text for each in known])
    if len(numbers) != 1:
        return _which(numbers, wish)
    meant = [each for each in known if _is_same(each.text, numbers[0])]
    return _replaced(site, meant, wish.number)


def _replaced(site: Site, meant: list[_Shown], number: str) -> InstructionOutcome:
    dialled = _dialled(meant, number)
    changed: list[SourcePage] = []
    for page in {each.page.path: each.page for each in meant}.values():
        splices = [
            Splice(*each.span, f"tel:{dialled}" if each.is_link else written(number, each.quote))
            for each in meant
            if each.page.path == page.path
        ]
        if site.change(page, splices):
            changed.append(page)
    if not changed:
        return InstructionOutcome(f"The phone number on the site already is {number}.")
    labels = listed([page.label for page in changed])
    return InstructionOutcome(f"Set the phone number to {number} on {labels}.", tuple(page.path for page in changed))


def _links(page: SourcePage) -> list[_Shown]:
    return [
        _Shown(page, each.value[4:], (each.start, each.end), each.quote, is_link=True)
        for token in tokenize(page.shown)
        if token.name == "a" and not token.closing
        for each in attributes(page.shown, token)
        if each.name == "href" and each.value.lower().startswith("tel:")
    ]


def _with_area(number: str) -> bool:
    return number.lstrip("(").startswith(("0", "+")) and len(_digits(number)) >= _FEWEST_WITH_AREA


def _texts(page: SourcePage, is_dialled: Callable[[str], bool] = lambda _: False) -> list[_Shown]:
    dialled = [each.text for each in _links(page)]
    found: list[_Shown] = []
    for passage in passages(page):
        calls = bool(_CALL.search(passage.text))
        for match in _NUMBER.finditer(passage.text):
            span = passage.words.span(*match.span())
            is_one = calls or is_dialled(match[0]) or any(_is_same(match[0], number) for number in dialled)
            if not is_one or len(_digits(match[0])) < _FEWEST_DIGITS or "<" in page.text[slice(*span)]:
                continue
            if not _FAX.search(passage.text[: match.start()]):
                found.append(_Shown(page, match[0], span, passage.quote))
    return found


def _digits(number: str) -> str:
    return re.sub(r"\D", "", number)


def _is_same(one: str, other: str) -> bool:
    first, second = sorted((_digits(one), _digits(other)), key=len)
    # "+49 30 123" and "030 123" are one number: the zero stands for the country.
    return first == second or (len(first) >= _FEWEST_DIGITS and second.endswith(first.lstrip("0")))


def _different(numbers: list[str]) -> list[str]:
    found: list[str] = []
    for number in numbers:
        if not any(_is_same(number, each) for each in found):
            found.append(number)
    return found


def _dialled(meant: list[_Shown], number: str) -> str:
    if "+" in number:
        return "+" + _digits(number)
    country = next((code for each in meant if each.is_link and (code := _country(each.text, meant))), "")
    local = _digits(number)
    return country + local[1:] if country and local.startswith("0") else local


def _country(dialled: str, meant: list[_Shown]) -> str:
    """Return the code that the old link put in place of the zero, so that the new link does the same."""
    whole = _digits(dialled)
    for each in meant:
        local = _digits(each.text)
        if dialled.startswith("+") and local.startswith("0") and whole.endswith(local[1:]):
            return "+" + whole[: len(whole) - len(local) + 1]
    return ""


def _which(numbers: list[str], wish: Phone) -> InstructionOutcome:
    if numbers:
        known = listed(numbers)
        question = f"There are several phone numbers on the site ({known}). Which one becomes {wish.number}?"
        question += " Please write: change the phone number from … to …"
    else:
        question = "I could not find this phone number on the site. Where should the new one stand?"
    return InstructionOutcome(question, question=question, unfound="" if numbers else wish.old or "")
