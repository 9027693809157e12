"""The price of something on the site, found beside its name."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.agent.scripted.edit_words import wording
from webordinary.agent.scripted.formats import COVER
from webordinary.agent.scripted.instruction import InstructionOutcome, NewPrice, listed
from webordinary.agent.scripted.markup import Splice
from webordinary.agent.scripted.passages import passages

if TYPE_CHECKING:
    from webordinary.agent.scripted.pages import Site, SourcePage
    from webordinary.agent.scripted.passage import Passage

PRICE = re.compile(
    r"(?<![\w.,:])(?:(?P<before>[€$£]|chf|eur)\s?)?(?P<amount>\d{1,6}(?:(?P<mark>[.,])\d{2})?)(?![\d:%]|[.,]\d)"
    r"(?P<after>\s?(?:€|\$|£|eur\b|chf\b|euros?\b|pounds?\b|dollars?\b))?",
    re.IGNORECASE,
)
# What files of figures call a price.
_PRICE_NAME = re.compile(r"price|cost|preis|prix|precio|amount", re.IGNORECASE)
_LONGEST_NAME = 80
_FARTHEST_PRICE = 3
_NEXT_THING = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "li", "tr", "dt"})


@dataclass(frozen=True, slots=True)
class _Tag:
    """A name with its price, as a price tag in a shop."""

    page: SourcePage
    name: str
    amount: str
    span: tuple[int, int]


def set_price(site: Site, wish: NewPrice) -> InstructionOutcome:
    """Let something cost another price wherever its name stands beside a price."""
    tags = [tag for page in site.pages for tag in _tags_on(page)]
    pattern = wording(wish.item, loosely=True)
    meant = [tag for tag in tags if pattern.fullmatch(tag.name)] or [tag for tag in tags if pattern.search(tag.name)]
    names = list(dict.fromkeys(tag.name for tag in meant))
    if len(names) != 1:
        return _which(wish, meant or _similar(tags, wish.item))
    changed = [page for page in {tag.page.path: tag.page for tag in meant}.values() if _change(site, page, meant, wish)]
    if not changed:
        return InstructionOutcome(f"{names[0]} already costs {meant[0].amount} on the site.")
    new = styled(meant[0].amount, wish.amount)
    labels = listed([page.label for page in changed])
    done = f"Changed the price of {names[0]} from {meant[0].amount} to {new} on {labels}."
    return InstructionOutcome(done, tuple(page.path for page in changed))


def _change(site: Site, page: SourcePage, meant: list[_Tag], wish: NewPrice) -> bool:
    splices = [Splice(*tag.span, styled(tag.amount, wish.amount)) for tag in meant if tag.page.path == page.path]
    return site.change(page, splices)


def _tags_on(page: SourcePage) -> list[_Tag]:
    found: list[_Tag] = []
    name, distance = "", 0
    for passage in passages(page):
        if passage.quote:
            continue
        here = _tags_in(page, passage, "" if passage.tag in _NEXT_THING else name)
        found += here
        distance += 1
        if here:
            name = ""
        elif passage.tag in _NEXT_THING or distance > _FARTHEST_PRICE:
            # A card: its heading is the name, and the price comes some lines below.
            name, distance = _tidy(passage.text), 0
    return found


def _tags_in(page: SourcePage, passage: Passage, name_above: str) -> list[_Tag]:
    found: list[_Tag] = []
    is_named = bool(_PRICE_NAME.fullmatch(passage.key))
    matches = [match for match in PRICE.finditer(passage.text) if is_named or is_price(match)]
    position = 0
    for match in matches:
        name = _tidy(passage.text[position : match.start()])
        if not name and len(matches) == 1:
            name = name_above or _tidy(passage.text[match.end() :])
        position = match.end()
        span = passage.words.span(*match.span("amount"))
        if 0 < len(name) <= _LONGEST_NAME and "<" not in page.text[slice(*span)]:
            found.append(_Tag(page, name, match["amount"], span))
    return found


def is_price(match: re.Match[str]) -> bool:
    """Tell whether an amount is a price by what stands around it."""
    return bool(match["before"] or match["after"] or match["mark"])


def _tidy(text: str) -> str:
    return " ".join(text.replace(COVER, " ").split()).strip(" .,:;–—-|·•*()#")


def styled(old: str, amount: str) -> str:
    """Return an amount with the decimal mark and the number of decimals of the page."""
    whole, _, cents = amount.replace(",", ".").partition(".")
    mark = "," if "," in old else "."
    if cents.strip("0") or "." in old or "," in old:
        return f"{whole}{mark}{cents.ljust(2, '0')}"
    return whole


def _similar(tags: list[_Tag], item: str) -> list[_Tag]:
    words = {word for word in item.lower().split() if len(word) > 2}  # noqa: PLR2004 - "of" and "an" name nothing
    return [tag for tag in tags if words & set(tag.name.lower().split())]


def _which(wish: NewPrice, tags: list[_Tag]) -> InstructionOutcome:
    known = listed(list(dict.fromkeys(f"{tag.name} ({tag.amount})" for tag in tags))[:6], last="or")
    question = f"I could not find one price for “{wish.item}” on the site."
    question += f" Which do you mean: {known}?" if known else " How is it called there?"
    return InstructionOutcome(question, question=question, unfound="" if known else wish.item)
