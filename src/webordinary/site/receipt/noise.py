"""Noise: what two builds of the same commit differ in, such as the time at which they were made."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from webordinary.site.facts.find import find_facts, forms_of
from webordinary.site.receipt.changes import PagePart

if TYPE_CHECKING:
    from webordinary.site.read.elements import Page
    from webordinary.site.read.index import SiteIndex
    from webordinary.site.receipt.changes import PageChange, Receipt, TextChange

# A sentence word by word; None stands for what each build makes anew.
Stamp: TypeAlias = tuple[str | None, ...]
_MOST_STAMPS = 200


def may_be_noise(receipt: Receipt, request: str) -> bool:
    """Tell whether it is worth building what is live once more, to see what differs by itself.

    What a request names in words or in figures is no noise: most changes need no second build.
    """
    asked = {form for fact in find_facts(request) for form in forms_of(fact)}
    places = [words for page in receipt.pages for words in page.words]
    return _is_made_by_machines(receipt) or any(_may_be_a_stamp(words, asked) for words in places)


def quieten(site: SiteIndex, noise: Receipt) -> SiteIndex:
    """Return the site with what every build writes anew left open, wherever the same sentence stands."""
    stamps = _stamps(noise)
    if not stamps:
        return site
    return replace(site, pages={path: _quietened(page, stamps) for path, page in site.pages.items()})


def as_shown(receipt: Receipt, old: SiteIndex, new: SiteIndex, noise: Receipt) -> Receipt:
    """Return the receipt with what every build writes anew as it stands on the pages: so it is told, and not judged."""
    stamps = _stamps(noise)
    if not stamps:
        return receipt
    pages = (_shown(page, *(_real_words(site, page.path, stamps) for site in (old, new))) for page in receipt.pages)
    return replace(receipt, pages=tuple(pages))


def _shown(page: PageChange, before: dict[str, str], after: dict[str, str]) -> PageChange:
    words = (
        replace(each, before=before.get(each.before, each.before), after=after.get(each.after, each.after))
        for each in page.words
    )
    return replace(page, words=tuple(words))


def _real_words(site: SiteIndex, path: str, stamps: set[Stamp]) -> dict[str, str]:
    return {_opened(text, stamps): text for text in site.pages[path].words}


def _quietened(page: Page, stamps: set[Stamp]) -> Page:
    return replace(
        page,
        title=_opened(page.title, stamps),
        texts=tuple(_opened(text, stamps) for text in page.texts),
        description=_opened(page.description, stamps),
        alts=tuple(_opened(text, stamps) for text in page.alts),
    )


def _stamps(noise: Receipt) -> set[Stamp]:
    found = (stamp for page in noise.pages for words in page.words if (stamp := _stamp(words)) is not None)
    # More than this no build writes; each of them is held against every sentence of the site.
    return set(islice(dict.fromkeys(found), _MOST_STAMPS))


def _opened(text: str, stamps: set[Stamp]) -> str:
    words = text.split()
    for stamp in stamps:
        if len(stamp) == len(words) and _fits(words, stamp):
            return " ".join("…" if known is None else word for word, known in zip(words, stamp, strict=True))
    return text


def _fits(words: list[str], stamp: Stamp) -> bool:
    """Tell whether most words are those of the stamp, and figures stand where it has them."""
    pairs = list(zip(words, stamp, strict=True))
    same = sum(word == known for word, known in pairs)
    return same * 2 > sum(known is not None for known in stamp) and all(
        _has_figure(word) for word, known in pairs if known is None
    )


def _stamp(words: TextChange) -> Stamp | None:
    """Return the sentence with its figures left open; one that is nothing but figures could be a price."""
    before, after = words.before.split(), words.after.split()
    if len(before) != len(after):
        return None
    stamp = tuple(old if old == new else None for old, new in zip(before, after, strict=True))
    is_safe = any(stamp) and all(_has_figure(old) for old, known in zip(before, stamp, strict=True) if known is None)
    return stamp if is_safe else None


def _is_made_by_machines(receipt: Receipt) -> bool:
    """Tell whether nobody would see any of it at once."""
    is_seen = any(
        page.pictures_added or page.pictures_gone or any(words.place != PagePart.DATA for words in page.words)
        for page in receipt.pages
    )
    return not (is_seen or receipt.pages_added or receipt.pages_gone or receipt.files_added or receipt.files_gone)


def _may_be_a_stamp(words: TextChange, asked: set[str]) -> bool:
    """Tell whether only words with figures in them differ, and nobody has asked for one of these figures."""
    before, after = words.before.split(), words.after.split()
    if len(before) != len(after):
        return False
    differ = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    if not all(_has_figure(old) and _has_figure(new) for old, new in differ):
        return False
    return not any(forms_of(fact) & asked for _, new in differ for fact in find_facts(new))


def _has_figure(word: str) -> bool:
    return any(letter.isdigit() for letter in word)
