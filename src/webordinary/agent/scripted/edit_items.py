"""Items of a list or a menu: taken out as a whole, or added as their neighbours are written."""

# ruff: noqa: RUF001 - pages write long dashes, and so do the patterns

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.agent.scripted.edit_price import PRICE, is_price, styled
from webordinary.agent.scripted.edit_words import wording
from webordinary.agent.scripted.instruction import AddItem, InstructionOutcome, RemoveItem, listed, shortened
from webordinary.agent.scripted.landing import markdown_text
from webordinary.agent.scripted.markup import Splice, newline_of, spliced, tokenize, written
from webordinary.agent.scripted.passages import passages

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
        return InstructionOutcome("", understood=False, unfound=wish.item)
    if len(names) > 1:
        question = f"Which one do you mean: {listed([shortened(name, 60) for name in names[:_MOST_NAMED]], last='or')}?"
        return InstructionOutcome(question, question=question)
    changed = [page for page in pages if site.change(page, [_cut(page, item) for item in meant if item.page == page])]
    labels = listed([page.label for page in changed])
    return InstructionOutcome(f"Took {shortened(names[0], 60)} off {labels}.", tuple(page.path for page in changed))


def add_item(site: Site, wish: AddItem) -> InstructionOutcome:
    """Add an item with its price below the last one of the list that fits best."""
    priced = [item for page in _pages_for(site, wish.page) for item in _items_on(page) if _price_in(item.passage.text)]
    if any(wording(wish.item, loosely=True).match(item.name) for item in priced):
        return InstructionOutcome(f"“{shortened(wish.item)}” already stands on the site.")
    last = _neighbour(priced, wish)
    if last is None:
        return InstructionOutcome("", understood=False)
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


def _neighbour(items: list[_Item], wish: AddItem) -> _Item | None:
    """Return the last item of the list that is named, or of things called alike, or of the last list."""
    wanted = {word for word in wish.list.lower().split() if len(word) > 3}  # noqa: PLR2004 - "the" and "our" name nothing
    named = [item for item in items if wanted & set(item.passage.heading.lower().split())]
    kind = wish.item.lower().split()[-1:]
    alike = [item for item in items if kind and kind[0] in item.name.lower().split()]
    heading = (named or alike or items)[-1].passage.heading if items else ""
    same = [item for item in items if item.passage.heading == heading]
    return same[-1] if same else None


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
