"""Items of a list or a menu: taken out as a whole, or added as their neighbours are written."""

# ruff: noqa: RUF001 - pages write long dashes, and so do the patterns

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.agent.scripted.edit_price import PRICE, is_price, styled
from webordinary.agent.scripted.edit_words import wording
from webordinary.agent.scripted.instruction import AddItem, InstructionOutcome, RemoveItem, listed, shortened
from webordinary.agent.scripted.landing import markdown_text
from webordinary.agent.scripted.markup import Splice, newline_of, spliced, tokenize, written
from webordinary.agent.scripted.passages import passages
from webordinary.agent.scripted.records import records_on

if TYPE_CHECKING:
    from webordinary.agent.scripted.markup import MarkupToken
    from webordinary.agent.scripted.pages import Site, SourcePage
    from webordinary.agent.scripted.passage import Passage

_ITEMS = frozenset({"li", "tr"})
_LIST_MARK = re.compile(r"\s*(?:[-*+]|\d+\.)\s+")
_BETWEEN = re.compile(r"[\s.:–—|·-]*(?:[€$£]\s?)?\Z")
_COMMAND = re.compile(r"\{[{%#]|<%")
_MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class _Item:
    """One item of a list: what is read in it, and where it begins and ends in its page."""

    page: SourcePage
    passage: Passage
    name: str
    span: tuple[int, int]


def remove_item(site: Site, wish: RemoveItem) -> InstructionOutcome:
    """Take the one item out of its list whose name begins with these words."""
    pages = _pages_for(site, wish.page)
    pattern = wording(_singular(wish.item), loosely=True)
    items = [item for page in pages for item in _items_on(page)]
    meant = [item for item in items if pattern.match(item.name)] or [
        item for item in items if pattern.search(item.name)
    ]
    names = list(dict.fromkeys(item.name for item in meant))
    if not names:
        return _remove_record(site, wish, pattern)
    if len(names) > 1:
        question = f"Which one do you mean: {listed([shortened(name, 60) for name in names[:_MOST_NAMED]], last='or')}?"
        return InstructionOutcome(question, question=question)
    changed = [page for page in pages if site.change(page, [_cut(page, item) for item in meant if item.page == page])]
    labels = listed([page.label for page in changed])
    return InstructionOutcome(f"Took {shortened(names[0], 60)} off {labels}.", tuple(page.path for page in changed))


def _remove_record(site: Site, wish: RemoveItem, pattern: re.Pattern[str]) -> InstructionOutcome:
    """Take it out of a file of figures: a page that is named shows what stands there, and is no file itself."""
    records = [record for page in site.pages for record in records_on(page)]
    meant = [record for record in records if pattern.fullmatch(record.name)]
    if len(meant) != 1:
        return InstructionOutcome("", understood=False, unfound=wish.item)
    (record,) = meant
    site.change(record.page, [record.cut()])
    return InstructionOutcome(f"Took {shortened(record.name, 60)} off the site.", (record.page.path,))


def _add_record(site: Site, wish: AddItem) -> InstructionOutcome:
    """Write it behind the last one of a list of figures that is named, or that is the only one."""
    records = [record for page in site.pages for record in records_on(page) if record.price]
    if any(wording(wish.item, loosely=True).fullmatch(record.name) for record in records):
        return InstructionOutcome(f"“{shortened(wish.item)}” already stands on the site.")
    wanted = wish.list.lower().split()
    lists = list(dict.fromkeys((record.page.path, record.list) for record in records))
    named = [each for each in lists if each[1].lower() in wanted] or lists
    last = (
        [record for record in records if (record.page.path, record.list) == named[0]][-1] if len(named) == 1 else None
    )
    splice = last.beside(wish) if last else None
    if last is None or splice is None:
        return InstructionOutcome("", understood=False)
    site.change(last.page, [splice])
    return InstructionOutcome(f"Added {wish.item} to the site.", (last.page.path,))


def list_named(site: Site, wish: AddItem, answer: str) -> AddItem | None:
    """Return the wish with the list that an answer names; None when it names no single one, or nobody asked for it."""
    priced, told = _priced(site, wish), replace(wish, list=answer)
    return told if len(_lists_for(priced, wish)) > 1 and len(_lists_for(priced, told)) == 1 else None


def _priced(site: Site, wish: AddItem) -> list[_Item]:
    return [item for page in _pages_for(site, wish.page) for item in _items_on(page) if _price_in(item.passage.text)]


def add_item(site: Site, wish: AddItem) -> InstructionOutcome:
    """Add an item with its price below the last one of the list that fits best."""
    priced = _priced(site, wish)
    if any(wording(wish.item, loosely=True).match(item.name) for item in priced):
        return InstructionOutcome(f"“{shortened(wish.item)}” already stands on the site.")
    lists = _lists_for(priced, wish)
    if len(lists) > 1:
        question = f"To which list should it go: {listed(lists[:_MOST_NAMED], last='or')}?"
        return InstructionOutcome(question, question=question)
    last = next((item for item in reversed(priced) if item.passage.heading in lists), None)
    if last is None:
        return _add_record(site, wish)
    page, (start, end) = last.page, last.span
    fresh = _as_line(last, wish) if page.is_markdown else _as_element(last, wish)
    if fresh is None:
        return InstructionOutcome("", understood=False)
    lead = page.text[page.text.rfind("\n", 0, start) + 1 : start]
    gap = "" if page.is_markdown else newline_of(page.text) + (lead if not lead.strip() else "")
    ended = page.text[start:end].endswith("\n") or not page.is_markdown
    site.change(page, [Splice(end, end, f"{gap}{fresh}" if ended else f"{newline_of(page.text)}{fresh}")])
    return InstructionOutcome(f"Added {wish.item} to {page.label}.", (page.path,))


def _pages_for(site: Site, phrase: str | None) -> list[SourcePage]:
    named = site.page_called(phrase) if phrase else None
    return [named] if named else site.pages


def _items_on(page: SourcePage) -> list[_Item]:
    found = []
    for passage in passages(page):
        is_line = page.is_markdown and _LIST_MARK.match(passage.text)
        if passage.outer and not passage.quote and not passage.whole and (is_line or passage.tag in _ITEMS):
            name = (
                " ".join(_LIST_MARK.sub("", passage.text, count=1).split())
                if is_line
                else " ".join(passage.text.split())
            )
            found.append(_Item(page, passage, name, passage.outer))
    return found


def _singular(words: str) -> str:
    return words[:-1] if words.endswith("s") and not words.endswith("ss") else words


def _cut(page: SourcePage, item: _Item) -> Splice:
    start, end = item.span
    if page.is_markdown:
        return Splice(start, end, "")
    line = page.text.rfind("\n", 0, start) + 1
    follows = re.compile(r"[ \t]*\r?\n").match(page.text, end)
    return Splice(line, follows.end(), "") if follows and not page.text[line:start].strip() else Splice(start, end, "")


def _price_in(text: str) -> re.Match[str] | None:
    return next((match for match in PRICE.finditer(text) if is_price(match)), None)


def _lists_for(items: list[_Item], wish: AddItem) -> list[str]:
    """Return the headings of the lists that may be meant: of the one named, of things called alike, or of all."""
    wanted = {_singular(word) for word in wish.list.lower().split() if len(word) > 3}  # noqa: PLR2004 - "the" and "our" name nothing
    named = [item for item in items if wanted & set(map(_singular, item.passage.heading.lower().split()))]
    kind = wish.item.lower().split()[-1:]
    alike = [item for item in items if kind and kind[0] in item.name.lower().split()]
    return list(dict.fromkeys(item.passage.heading for item in named or alike or items))


def _as_line(last: _Item, wish: AddItem) -> str | None:
    line = last.page.text[slice(*last.span)]
    mark, price = _LIST_MARK.match(line), _price_in(line)
    if mark is None or price is None:
        return None
    between = _BETWEEN.search(line[: price.start("amount")])
    name = markdown_text(_begun(wish.item, last.name)) + (between[0] if between else " ")
    return f"{mark[0]}{name}{styled(price['amount'], wish.amount)}{price['after'] or ''}{newline_of(line)}"


def _as_element(last: _Item, wish: AddItem) -> str | None:
    """Write the item as its neighbour is: its name and its price, without what else is said there."""
    raw = last.page.text[slice(*last.span)]
    tokens = tokenize(raw)
    texts = [token for token in tokens if token.kind == "text" and raw[token.start : token.end].strip()]
    priced = [(token, price) for token in texts if (price := _price_in(raw[token.start : token.end]))]
    if not priced or _COMMAND.search(raw):
        return None
    token, price = priced[0]
    at = token.start
    amount = Splice(at + price.start("amount"), at + price.end("amount"), styled(price["amount"], wish.amount))
    ends = at + price.start() if texts[0] is token else texts[0].end
    name = Splice(*_trimmed(raw, texts[0].start, ends), written(_begun(wish.item, last.name)))
    others = [_without(raw, tokens, each) for each in texts[1:] if each is not token]
    gone = [each for each in others if each is not None]
    return spliced(raw, [name, amount, *gone]) if len(gone) == len(others) else None


def _without(raw: str, tokens: tuple[MarkupToken, ...], text: MarkupToken) -> Splice | None:
    """Take a text away with the element that holds nothing else; None where there is no such element."""
    number = tokens.index(text)
    before, after = tokens[number - 1], tokens[min(number + 1, len(tokens) - 1)]
    if before.kind != "tag" or not after.closing or after.name != before.name:
        return None
    return Splice(len(raw[: before.start].rstrip()), after.end, "")


def _trimmed(raw: str, start: int, end: int) -> tuple[int, int]:
    text = raw[start:end]
    stop = end - len(text) + len(text.rstrip(" \t\r\n–—-:|·.€$£"))
    return start + len(text) - len(text.lstrip()), stop


def _begun(item: str, neighbour: str) -> str:
    """Return the name with a capital letter where its neighbours have one."""
    return item[:1].upper() + item[1:] if neighbour[:1].isupper() else item
