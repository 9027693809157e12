"""What must wait for an ok, also if it was asked for: a new program, frame or form, another site behind a link.

An owner cannot see any of this on the page, and neither can anybody who reads the new texts. What the site already
does somewhere is no news: a new page may have the programs of the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from webordinary.languages import any_of
from webordinary.site.checks.hosts import ADDRESSES, MARKS, host_of, scheme_of
from webordinary.site.checks.run import Finding, Problem
from webordinary.site.checks.terms import keys_of_deeds, terms_of
from webordinary.site.receipt.changes import PagePart, TextChange

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from webordinary.site.read.index import SiteIndex
    from webordinary.site.receipt.changes import Receipt

# What brings a file along that is only looked at; where it comes from counts, and not that it is new.
_BRINGS = frozenset({
    "apple-touch-icon", "file", "icon", "mask-icon", "media", "modulepreload", "prefetch", "preload", "shortcut+icon",
    "stylesheet", "dns-prefetch", "preconnect", "search", "sitemap", "alternate+stylesheet",
})  # fmt: skip
_PROBLEMS = {"script": Problem.NEW_PROGRAM, "frame": Problem.NEW_FRAME, "form": Problem.NEW_FORM}
# Nobody is led anywhere by these: they open a mail, a call or a place on the page.
_HARMLESS_SCHEMES = frozenset({"", "http", "https", "mailto", "sms", "tel"})
_RUNS = frozenset({"javascript", "data", "vbscript", "blob"})
_OF_ONE_PAGE = frozenset({"canonical", "robots", "googlebot", "bingbot", "refresh"})
# With these a text is shown backwards, here and in the answer.
_BACKWARDS = re.compile("[\u202d\u202e]")
_MOST_TOLD = 8
# Attributes that can hide what stands in an element, or turn it round, and what makes a field or a button another one.
_HIDES = frozenset({"hidden", "inert", "popover", "style", "dir", "attributeName", "disabled", "readonly"})
_OF_FORMS = frozenset({"input type", "button type", "input autocomplete"})
_SPEAKS_OF_LOOK = re.compile(any_of(lambda each: each.site.speaks_of_look))


def find_alarms(request: str, old: SiteIndex, new: SiteIndex, receipt: Receipt) -> tuple[Finding, ...]:
    """Return what nobody may decide but a person who was asked; `request` are the owner's own words."""
    if receipt.is_empty:
        return ()
    watch = _Watch(request.lower(), old)
    found = [finding for words in _places(receipt, new) if (finding := watch.judge(words)) is not None]
    found += [finding for source in _new_pictures(receipt, new) if (finding := watch.judge_address(source)) is not None]
    found += _other_looks(request, receipt)
    return tuple(dict.fromkeys(found))[:_MOST_TOLD]


def _other_looks(request: str, receipt: Receipt) -> Iterator[Finding]:
    """Find pages where something may have been hidden, unless the request speaks of how things look."""
    turned = (words.after for page in receipt.pages for words in page.words if _BACKWARDS.search(words.after))
    yield from (Finding(Problem.NEW_LOOK, _BACKWARDS.sub("", text)) for text in turned)
    if _SPEAKS_OF_LOOK.search(request.lower()):
        return
    for page in receipt.pages:
        if any(_is_made_another(key, page.looks) for key in page.looks):
            yield Finding(Problem.NEW_LOOK, page.title or page.path)


def _is_made_another(key: str, looks: Collection[str]) -> bool:
    tag, _, attribute = key.partition(" ")
    # A field that is new as a whole has all of its attributes anew; its words say what it is.
    return attribute in _HIDES or (key in _OF_FORMS and tag not in looks)


def _places(receipt: Receipt, new: SiteIndex) -> Iterator[TextChange]:
    for page in (*receipt.pages, *receipt.beside):
        yield from (words for words in page.words if words.place in {PagePart.DATA, PagePart.DEED, PagePart.LINK})
    for path in receipt.pages_added:
        yield from (TextChange("", deed, PagePart.DEED) for deed in new.pages[path].deeds)
        yield from (TextChange("", text, PagePart.DATA) for text in new.pages[path].data)
        yield from (TextChange("", link, PagePart.LINK) for link in new.pages[path].links)


def _new_pictures(receipt: Receipt, new: SiteIndex) -> Iterator[str]:
    for page in (*receipt.pages, *receipt.beside):
        yield from page.pictures_added
    for path in receipt.pages_added:
        yield from new.pages[path].pictures


@dataclass(frozen=True)
class _Watch:
    """Knows what the site did before, and where it led."""

    said: str
    old: SiteIndex

    def _did(self, kind: str, name: str) -> bool:
        """Tell whether a page, a style or a program of the site has done or told this before."""
        key = f"{kind} {name}".rstrip()
        return terms_of(self.old).has(key) or key in self._of_assets

    @cached_property
    def _of_assets(self) -> frozenset[str]:
        deeds = ("deed", "code", "own")
        keys = (key for page in self.old.assets.values() for key in keys_of_deeds(page))
        return frozenset(key for key in keys if key.startswith(deeds))

    def judge(self, words: TextChange) -> Finding | None:
        if words.place is PagePart.LINK:
            return self.judge_address(words.after)
        if words.place is PagePart.DATA:
            return self._judge_data(words)
        kind, _, rest = (words.after or words.before).partition(" ")
        if not words.after:
            return _judge_gone(kind, words.before)
        # What other pages do, a page may do too, but for what each says of itself: "noindex" is right for an imprint.
        if self._did("deed", words.after) and kind not in _OF_ONE_PAGE:
            return None
        if kind in _BRINGS:
            is_other = kind == "stylesheet" and words.before
            return Finding(Problem.NEW_LOOK, words.after) if is_other else self.judge_address(rest.partition(" ")[0])
        return self._judge_deed(kind, rest, words)

    def _judge_data(self, words: TextChange) -> Finding | None:
        """Judge what is told to programs: by where its addresses lead, and whether anybody told it before."""
        for address in ADDRESSES.findall(words.after):
            if (found := self.judge_address(address)) is not None:
                return replace(found, about=words.after)
        name = words.after.partition(": ")[0]
        is_new = not words.before and ": " in words.after and self._did("data", "")
        return Finding(Problem.NEW_DATA, words.after) if is_new and not self._did("data", name) else None

    def _judge_deed(self, kind: str, rest: str, words: TextChange) -> Finding | None:
        target = rest.partition(" ")[0]
        if kind == "hides":
            return Finding(Problem.NEW_LOOK, rest)
        if kind in {"script", "code"}:
            return self._judge_script(target, words.after)
        if kind == "canonical" and not words.before and self._is_own(host_of(target)):
            return None
        if kind == "robots" and not words.before and "no" not in rest.lower():
            return None
        told = MARKS.sub("", words.after)
        if kind.startswith("on"):
            return Finding(Problem.NEW_PROGRAM, told)
        return Finding(_PROBLEMS.get(kind, Problem.NEW_FORM if kind == "ping" else Problem.NEW_ORDER), told)

    def _judge_script(self, target: str, deed: str) -> Finding | None:
        if not MARKS.search(deed) and not host_of(target) and scheme_of(target) not in _RUNS:
            # A file of the site: what it says is told, and only the agency changes programs.
            return None
        marks = MARKS.search(deed)
        if marks is not None and self._did("code", marks["code"]):
            return None
        return Finding(Problem.NEW_PROGRAM, MARKS.sub("", deed))

    def _is_own(self, host: str) -> bool:
        return not host or self._did("own", host)

    def judge_address(self, address: str) -> Finding | None:
        scheme = scheme_of(address)
        if scheme in _RUNS and not address.lower().startswith("data:image/"):
            return Finding(Problem.NEW_PROGRAM, address)
        if scheme not in _HARMLESS_SCHEMES | _RUNS:
            return Finding(Problem.NEW_HOST, address) if address.lower() not in self.said else None
        host = host_of(address)
        if not host:
            return None
        is_open = scheme == "http" and not self._did("site", f"http://{host}") and self._did("site", f"https://{host}")
        if (self._did("site", host) or self._names(host)) and not is_open:
            return None
        return Finding(Problem.NEW_HOST, address)

    def _names(self, host: str) -> bool:
        """Tell whether the owner has written this very host, and no other one that ends or begins with it."""
        return re.search(rf"(?<![\w.@-])(?:www\.)?{re.escape(host)}(?![\w-]|\.\w|@)", self.said) is not None


def _judge_gone(kind: str, deed: str) -> Finding | None:
    """Judge what a page does no longer: a frame, a picture or a hint may go, its programs and styles may not."""
    if kind in {"script", "stylesheet", "form"}:
        return Finding(Problem.DEED_GONE, MARKS.sub("", deed))
    is_harmless = kind in _BRINGS or kind in _PROBLEMS or kind in {"code", "hides", "ping"} or kind.startswith("on")
    return None if is_harmless else Finding(Problem.NEW_ORDER, deed)
