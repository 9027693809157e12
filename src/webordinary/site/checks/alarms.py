"""What must wait for an ok, whoever asked: another program, frame or form on a page, another site behind a link.

An owner cannot see any of this on the page, and neither can anybody who reads the new texts. What the site already
does somewhere is no news: a new page may have the programs of the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webordinary.languages import any_of
from webordinary.site.checks.run import Finding, Problem
from webordinary.site.receipt.changes import PagePart, TextChange

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from webordinary.site.read.elements import Page
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
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_OF_ONE_PAGE = frozenset({"canonical", "robots", "googlebot", "bingbot", "refresh"})
# With these a text is shown backwards, here and in the answer.
_BACKWARDS = re.compile("[\u202d\u202e]")
_MARKS = re.compile(r" #(?P<all>\w+)\.\w+\.(?P<code>\w+)$")
_ADDRESSES = re.compile(r"(?:https?:)?//[^\s\"'<>]+", re.IGNORECASE)
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

    @cached_property
    def _deeds(self) -> frozenset[str]:
        pages = (*self.old.pages.values(), *self.old.assets.values())
        return frozenset(deed for page in pages for deed in page.deeds)

    @cached_property
    def _names_of_data(self) -> frozenset[str]:
        data = (text for page in self.old.pages.values() for text in page.data)
        return frozenset(text.partition(": ")[0] for text in data)

    @cached_property
    def _codes(self) -> frozenset[str]:
        """What the programs in its pages do, whatever they say: some builds write the texts of a page into them."""
        return frozenset(marks["code"] for deed in self._deeds if (marks := _MARKS.search(deed)))

    @cached_property
    def _hosts(self) -> frozenset[str]:
        return frozenset(host for page in self.old.pages.values() for host in _hosts_of(page))

    @cached_property
    def _own_hosts(self) -> frozenset[str]:
        return frozenset(host_of(deed.partition(" ")[2]) for deed in self._deeds if deed.startswith("canonical "))

    def judge(self, words: TextChange) -> Finding | None:
        if words.place is PagePart.LINK:
            return self.judge_address(words.after)
        if words.place is PagePart.DATA:
            return self._judge_data(words)
        kind, _, rest = (words.after or words.before).partition(" ")
        if not words.after:
            return _judge_gone(kind, words.before)
        # What other pages do, a page may do too, but for what each says of itself: "noindex" is right for an imprint.
        if words.after in self._deeds and kind not in _OF_ONE_PAGE:
            return None
        if kind in _BRINGS:
            is_other = kind == "stylesheet" and words.before
            return Finding(Problem.NEW_LOOK, words.after) if is_other else self.judge_address(rest.partition(" ")[0])
        return self._judge_deed(kind, rest, words)

    def _judge_data(self, words: TextChange) -> Finding | None:
        """Judge what is told to programs: by where its addresses lead, and whether anybody told it before."""
        for address in _ADDRESSES.findall(words.after):
            if (found := self.judge_address(address)) is not None:
                return replace(found, about=words.after)
        name = words.after.partition(": ")[0]
        is_new = bool(words.after) and not words.before and ": " in words.after and self._names_of_data
        return Finding(Problem.NEW_DATA, words.after) if is_new and name not in self._names_of_data else None

    def _judge_deed(self, kind: str, rest: str, words: TextChange) -> Finding | None:
        target = rest.partition(" ")[0]
        if kind == "hides":
            return Finding(Problem.NEW_LOOK, rest)
        if kind in {"script", "code"}:
            return self._judge_script(target, words.after)
        if kind == "canonical" and not words.before and host_of(target) in {"", *self._own_hosts}:
            return None
        if kind == "robots" and not words.before and "no" not in rest.lower():
            return None
        told = _MARKS.sub("", words.after)
        if kind.startswith("on"):
            return Finding(Problem.NEW_PROGRAM, told)
        return Finding(_PROBLEMS.get(kind, Problem.NEW_FORM if kind == "ping" else Problem.NEW_ORDER), told)

    def _judge_script(self, target: str, deed: str) -> Finding | None:
        if not _MARKS.search(deed) and not host_of(target) and _scheme(target) not in _RUNS:
            # A file of the site: what it says is told, and only the agency changes programs.
            return None
        marks = _MARKS.search(deed)
        if marks is not None and marks["code"] in self._codes:
            return None
        return Finding(Problem.NEW_PROGRAM, _MARKS.sub("", deed))

    def judge_address(self, address: str) -> Finding | None:
        scheme = _scheme(address)
        if scheme in _RUNS and not address.lower().startswith("data:image/"):
            return Finding(Problem.NEW_PROGRAM, address)
        if scheme not in _HARMLESS_SCHEMES | _RUNS:
            return Finding(Problem.NEW_HOST, address) if address.lower() not in self.said else None
        host = host_of(address)
        is_open = scheme == "http" and f"http://{host}" not in self._hosts and f"https://{host}" in self._hosts
        if not host or ((host in self._hosts or self._names(host)) and not is_open):
            return None
        return Finding(Problem.NEW_HOST, address)

    def _names(self, host: str) -> bool:
        """Tell whether the owner has written this very host, and no other one that ends or begins with it."""
        return re.search(rf"(?<![\w.@-])(?:www\.)?{re.escape(host)}(?![\w-]|\.\w|@)", self.said) is not None


def _judge_gone(kind: str, deed: str) -> Finding | None:
    """Judge what a page does no longer: a frame, a picture or a hint may go, its programs and styles may not."""
    if kind in {"script", "stylesheet", "form"}:
        return Finding(Problem.DEED_GONE, _MARKS.sub("", deed))
    is_harmless = kind in _BRINGS or kind in _PROBLEMS or kind in {"code", "hides", "ping"} or kind.startswith("on")
    return None if is_harmless else Finding(Problem.NEW_ORDER, deed)


def _hosts_of(page: Page) -> Iterator[str]:
    targets: Iterable[str] = (deed.split(" ")[1] for deed in page.deeds if " " in deed)
    data = (address for text in page.data for address in _ADDRESSES.findall(text))
    for address in (*page.links, *page.pictures, *targets, *data):
        if host := host_of(address):
            # With its way too: who was led there safely is to be led there safely.
            yield from (host, f"{_scheme(address)}://{host}")


def host_of(address: str) -> str:
    """Return the host that browsers go to, without `www.`; empty for what stays on the site."""
    plain = address.strip().replace("\\", "/")
    if _scheme(plain) not in {"", "http", "https"}:
        return ""
    if _scheme(plain):
        plain = f"//{plain.partition(':')[2]}"
    if plain.startswith("//"):
        plain = f"//{plain.lstrip('/')}"
    try:
        host = urlsplit(plain).hostname
    except ValueError:
        # Browsers may read what we cannot: it stands for itself.
        return plain.lower()
    return (host or "").removesuffix(".").removeprefix("www.")


def _scheme(address: str) -> str:
    found = _SCHEME.match(address)
    return found[1].lower() if found else ""
