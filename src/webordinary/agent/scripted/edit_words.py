"""Words of the site replaced by others, or taken away."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.agent.scripted.instruction import (
    HouseNumber,
    InstructionOutcome,
    MailAddress,
    OtherDay,
    RemoveText,
    Replace,
    listed,
    shortened,
)
from webordinary.agent.scripted.markup import Splice, attributes, tokenize, written
from webordinary.agent.scripted.passages import passages, pieces

if TYPE_CHECKING:
    from webordinary.agent.scripted.pages import Site, SourcePage
    from webordinary.agent.scripted.passage import Passage

_LONGEST_WORDING = 2_000
_MOST_NAMES = 12
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_ADDRESS = re.compile(r"[^\s@<>\"']{1,64}@[^\s@<>\"']{1,190}")
_LINK = re.compile(r"https?://[^\s<>\"']{1,1000}")
_LIKE = {"'": "['’‘]", "’": "['’‘]", "‘": "['’‘]", '"': '["“”„]', "-": "[-–—]", "–": "[-–—]", "—": "[-–—]"}
_WHOLE_ELEMENTS = frozenset({"p", "li", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", ""})
_MAIL_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,5}")
_LIST_MARK = re.compile(r"^\s*(?:[-*+>]|#{1,6}|\d+\.)\s+")


def replace_words(site: Site, wish: Replace) -> InstructionOutcome:
    """Put the new words wherever the old ones are read; the first reading that fits the site counts."""
    pages = _pages_for(site, wish.page)
    if pages is None:
        return unknown_page(site, wish.page or "")
    for old, new in wish.readings:
        for loosely in (False, True):
            swap = Swap(wording(old, loosely=loosely), old, new, quoted=wish.quoted) if _is_wording(old) else None
            forms = swap.forms(pages) if swap else []
            changed = _replace_on(site, pages, swap) if swap else None
            if changed:
                told = listed([f"“{shortened(form)}”" for form in forms or [new]])
                return InstructionOutcome(
                    f"Replaced “{shortened(old)}” with {told} on {listed(changed[1])}.", changed[0]
                )
    old, new = wish.readings[0]
    return _nothing_replaced(pages, old, new, quoted=wish.quoted)


def set_mail_address(site: Site, wish: MailAddress) -> InstructionOutcome:
    """Put the new address wherever the only one of the site stands; of several one has to be named."""
    shown = dict.fromkeys(found[0].lower() for page in site.pages for found in _MAIL_ADDRESS.finditer(page.text))
    others = [address for address in shown if address != wish.address.lower()]
    if len(others) == 1:
        return replace_words(site, Replace(((others[0], wish.address),)))
    if not others:
        return not_found(wish.address) if not shown else InstructionOutcome(f"{wish.address} already stands there.")
    question = f"Which address should {wish.address} replace: {listed(others, last='or')}?"
    return InstructionOutcome(question, question=question)


def set_house_number(site: Site, wish: HouseNumber) -> InstructionOutcome:
    """Put the new number behind the street wherever that stands; of several houses there one has to be named."""
    street = wording(wish.street, loosely=True).pattern
    houses = re.compile(rf"(?:{street})\s(?P<number>\d{{1,4}}(?:\s?[a-z])?)(?!\w)", re.IGNORECASE)
    found = [match for page in site.pages for passage in passages(page) for match in houses.finditer(passage.text)]
    forms = dict.fromkeys(match[0] for match in found)
    if len({match["number"].lower() for match in found}) != 1:
        question = f"I could not find one address in {wish.street} on the site. Which words there should change?"
        return InstructionOutcome(question, question=question, unfound="" if found else wish.street)
    outcomes = [
        replace_words(site, Replace(((form, f"{form[: -len(found[0]['number'])]}{wish.number}"),))) for form in forms
    ]
    changed = dict.fromkeys(path for outcome in outcomes for path in outcome.changed)
    return InstructionOutcome("\n".join(outcome.text for outcome in outcomes), tuple(changed))


def set_day(site: Site, wish: OtherDay) -> InstructionOutcome:
    """Put another day before the month, in the one text that names the thing with its old day."""
    named = wording(wish.item, loosely=True)
    dated = re.compile(rf"(?<!\d)(?P<day>{wish.old})(?=(?:st|nd|rd|th|\.)?\s{re.escape(wish.month)}\b)", re.IGNORECASE)
    found = [
        (page, passage, days[0])
        for page in site.pages
        for passage in passages(page)
        if named.search(passage.text) and len(days := list(dated.finditer(passage.text))) == 1
    ]
    if len(found) != 1:
        question = f"I could not find {wish.item} on {wish.old} {wish.month} in one place. Which words should change?"
        return InstructionOutcome(question, question=question, unfound="" if found else wish.item)
    ((page, passage, day),) = found
    site.change(page, [Splice(*passage.words.span(*day.span("day")), wish.day)])
    return InstructionOutcome(f"Put {wish.item} on {wish.day} {wish.month} on {page.label}.", (page.path,))


def remove_words(site: Site, wish: RemoveText) -> InstructionOutcome:
    """Take words off the pages, with the whole element when nothing else was in it."""
    pages = _pages_for(site, wish.page)
    if pages is None:
        return unknown_page(site, wish.page or "")
    for loosely in (False, True) if _is_wording(wish.text) else ():
        pattern = wording(wish.text, loosely=loosely)
        changed = [page for page in pages if site.change(page, _removals(page, pattern))]
        if changed:
            labels = listed([page.label for page in changed])
            return InstructionOutcome(
                f"Removed “{shortened(wish.text)}” from {labels}.", tuple(page.path for page in changed)
            )
    return not_found(wish.text)


def wording(text: str, *, loosely: bool) -> re.Pattern[str]:
    """Return a pattern for words that stand alone; loosely means any case and any kind of mark."""
    words = text[:_LONGEST_WORDING].split()
    if loosely:
        escaped = ["".join(_LIKE.get(letter, re.escape(letter)) for letter in word) for word in words]
    else:
        escaped = [re.escape(word) for word in words]
    whole = r"\s+".join(escaped)
    return re.compile(_left_edge(text) + whole + _right_edge(text), re.IGNORECASE if loosely else 0)


def unknown_page(site: Site, phrase: str) -> InstructionOutcome:
    """Ask which page was meant."""
    names = listed([page.name for page in site.pages if page.is_page and not page.name.isdigit()][:_MOST_NAMES])
    question = f"Which page do you mean by “{shortened(phrase)}”? I know these: {names}."
    return InstructionOutcome(question, question=question)


def not_found(text: str) -> InstructionOutcome:
    """Ask where the words are that nobody could find."""
    question = f"I could not find “{shortened(text)}” on the site. How exactly is it written there?"
    return InstructionOutcome(question, question=question, unfound=text)


def _pages_for(site: Site, phrase: str | None) -> list[SourcePage] | None:
    if phrase is None:
        return site.pages
    page = site.page_called(phrase)
    return [page] if page else None


@dataclass(frozen=True, slots=True)
class Swap:
    """What is looked for and what takes its place: in quotation marks it is written letter by letter."""

    pattern: re.Pattern[str]
    old: str
    new: str
    quoted: bool

    def written_for(self, matched: str) -> str:
        return self.new if self.quoted else _cased(self.new, matched)

    def forms(self, pages: list[SourcePage]) -> list[str]:
        """Return in which ways the new words will be written, to tell exactly those."""
        texts = (piece.text for page in pages for piece in pieces(page))
        return list(
            dict.fromkeys(self.written_for(match[0]) for text in texts for match in self.pattern.finditer(text))
        )


def _replace_on(site: Site, pages: list[SourcePage], swap: Swap) -> tuple[tuple[str, ...], list[str]] | None:
    found = [(page, _replacements(page, swap)) for page in pages]
    if _are(_COLOUR, swap.old, swap.new):
        found += [(page, _colours(page, swap.pattern, swap.new)) for page in site.styles]
    changed = [page for page, splices in found if site.change(page, splices)]
    if not changed:
        return None
    return tuple(page.path for page in changed), [_place(page) for page in changed]


def _is_wording(text: str) -> bool:
    # A person who asks to remove "." hardly means every full stop of the site.
    return len(text) <= _LONGEST_WORDING and any(letter.isalnum() or letter in "€$£&@" for letter in text)


def _place(page: SourcePage) -> str:
    return page.path if page.path.endswith(".css") else page.label


def _replacements(page: SourcePage, swap: Swap) -> list[Splice]:
    splices = [splice for piece in pieces(page) for splice in piece.replaced(swap.pattern, swap.written_for)]
    if _are(_ADDRESS, swap.old, swap.new) or _are(_LINK, swap.old, swap.new):
        splices += _in_links(page.shown, swap.pattern, swap.new)
    return splices


def _in_links(raw: str, pattern: re.Pattern[str], new: str) -> list[Splice]:
    values = [
        each
        for token in tokenize(raw)
        if token.kind == "tag" and not token.closing
        for each in attributes(raw, token)
        if each.name in {"href", "src"}
    ]
    return [
        Splice(each.start, each.end, written(pattern.sub(lambda _: new, each.value), each.quote))
        for each in values
        if pattern.search(each.value)
    ]


def _colours(page: SourcePage, pattern: re.Pattern[str], new: str) -> list[Splice]:
    # A style sheet is no text: only one colour for another is safe to put into it.
    return [Splice(*match.span(), new) for match in pattern.finditer(page.text)]


def _are(kind: re.Pattern[str], old: str, new: str) -> bool:
    return bool(kind.fullmatch(old) and kind.fullmatch(new))


def _cased(new: str, matched: str) -> str:
    # "change rye loaf to spelt loaf" also means the "Rye loaf" that begins a line.
    if matched[:1].isupper() and new[:1].islower() and not matched.isupper():
        return new[:1].upper() + new[1:]
    return new


def _nothing_replaced(pages: list[SourcePage], old: str, new: str, *, quoted: bool) -> InstructionOutcome:
    if not quoted:
        return InstructionOutcome(f"I could not find “{shortened(old)}” on the site", understood=False, unfound=old)
    present = wording(new, loosely=False) if new.strip() else None
    if present and any(present.search(piece.text) for page in pages for piece in pieces(page)):
        return InstructionOutcome(f"“{shortened(new)}” already stands on the site, and “{shortened(old)}” does not.")
    return not_found(old)


def _removals(page: SourcePage, pattern: re.Pattern[str]) -> list[Splice]:
    whole = [
        _without_line(page.text, *passage.outer)
        for passage in passages(page)
        if passage.outer and passage.tag in _WHOLE_ELEMENTS and not passage.quote
        if pattern.fullmatch(_LIST_MARK.sub("", passage.text).strip())
    ]
    if whole:
        return whole
    return [splice for piece in pieces(page) if not piece.quote for splice in _cut(page, piece, pattern)]


def _cut(page: SourcePage, piece: Passage, pattern: re.Pattern[str]) -> list[Splice]:
    if piece.whole is not None:
        return piece.replaced(pattern, lambda _: "")
    return [_without_space(page.text, *piece.words.span(*match.span())) for match in pattern.finditer(piece.text)]


def _without_line(raw: str, start: int, end: int) -> Splice:
    line = raw.rfind("\n", 0, start) + 1
    if raw[line:start].strip():
        return Splice(start, end, "")
    follows = re.compile(r"[ \t]*\r?\n").match(raw, end)
    return Splice(line, follows.end(), "") if follows else Splice(start, end, "")


def _without_space(raw: str, start: int, end: int) -> Splice:
    if raw[start - 1 : start] == " " and (raw[end : end + 1] in {" ", "<", ""}):
        return Splice(start - 1, end, "")
    if raw[end : end + 1] == " " and raw[start - 1 : start] in {">", "\n", ""}:
        return Splice(start, end + 1, "")
    return Splice(start, end, "")


def _left_edge(text: str) -> str:
    first = text.strip()[:1]
    if first.isdigit():
        return r"(?<!\w)(?<!\d[.,:])"
    return r"(?<!\w)" if first.isalpha() else ""


def _right_edge(text: str) -> str:
    last = text.strip()[-1:]
    # "5" must not be found in "5.20", nor "rye" in "ryegrass".
    if last.isdigit():
        return r"(?!\w|[.,:]\d)"
    return r"(?!\w)" if last.isalpha() else ""
