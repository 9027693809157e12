"""A second opinion about two sites: every difference that a visitor or a browser could notice, read by another parser.

It shares nothing with the product: what stands in no answer and waits for nobody, it finds by itself.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import html5lib

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from xml.etree.ElementTree import Element

    from tests.checks.case import Files

_PAGES = (".html", ".htm", ".xhtml")
# They follow from the pages, and nobody reads them.
_FOR_PROGRAMS = (".xml", ".map", ".rss", ".atom")
_UNSEEN = frozenset({"script", "style", "noscript", "iframe", "noembed", "noframes"})
_INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "dfn", "em", "font", "i", "kbd", "label", "mark", "q", "s",
    "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
})  # fmt: skip
_NAMES_A_FILE = frozenset({"src", "href", "poster", "data", "srcset", "action", "formaction", "background"})
_SAID = frozenset({"alt", "title", "placeholder", "aria-label", "value", "label", "aria-description", "summary"})
_IN_HEADS = frozenset({"head", "title", "script", "style", "link", "template"})
_NEVER = frozenset({"nonce", "integrity", "crossorigin"})
_RUNS = frozenset({"script", "iframe", "object", "embed", "base", "frame", "applet"})
_WORD = re.compile(r"\w[\w.,:@/+'’-]*\w|\w|[€$£%]")


class Sort(StrEnum):
    """What a difference is, by what has to become of it."""

    # To be read in the answer, word by word.
    WORDS = "words"
    # An address: to be read in the answer, at least its host and its file.
    ADDRESS = "address"
    # Details for programs, and names of files: something about it has to be told.
    DATA = "data"
    LOOK = "look"
    FILE = "file"
    # What runs, or leads the page elsewhere.
    ACTIVE = "active"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as it was."""

    sort: Sort
    page: str
    about: str


@dataclass
class _Sheet:
    """What one page shows, says and does."""

    blocks: list[str] = field(default_factory=list)
    marks: Counter[tuple[Sort, str]] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)


def differences(was: Files, now: Files, again: Files) -> list[Difference]:
    """Return everything that differs, but for what differs in a second build of the same source too."""
    found: list[Difference] = []
    for path in sorted({*was, *now}):
        if was.get(path) == now.get(path):
            continue
        if path.lower().endswith(_PAGES) and path in was and path in now:
            old, new, noise = (_read(site, path) for site in (was, now, again))
            found += _in_page(path, old, new, noise)
        else:
            found += _of_file(path, was, now, again)
    return found


def shown(html: bytes) -> str:
    """Return what a visitor reads on a page."""
    return "\n".join(_read({"page": html}, "page").blocks)


def _of_file(path: str, was: Files, now: Files, again: Files) -> Iterator[Difference]:
    is_same_elsewhere = now.get(path, was.get(path)) in (was if path in now else now).values()
    is_noise = was.get(path) != again.get(path)
    if not (is_same_elsewhere or is_noise or path.lower().endswith(_FOR_PROGRAMS)):
        yield Difference(Sort.FILE, path, posixpath.basename(path))


def _in_page(path: str, old: _Sheet, new: _Sheet, noise: _Sheet) -> Iterator[Difference]:
    gone, come = _without_noise(old, new, noise)
    made_anew = {_shape(word) for word in _differing_words(old.blocks, noise.blocks) if _shape(word) != word}
    words = (word for word in _differing_words(gone, come) if _shape(word) not in made_anew)
    yield from (Difference(Sort.WORDS, path, word) for word in words)
    moving = {(sort, _shape(about)) for sort, about in (old.marks - noise.marks) + (noise.marks - old.marks)}
    for sort, about in (old.marks - new.marks) + (new.marks - old.marks):
        # An element that came or went with its words takes its look along.
        came_with_words = sort is Sort.LOOK and old.tags[about.split(" ")[0]] != new.tags[about.split(" ")[0]]
        if (sort, _shape(about)) not in moving and not came_with_words:
            yield Difference(sort, path, about)


def _without_noise(old: _Sheet, new: _Sheet, noise: _Sheet) -> tuple[list[str], list[str]]:
    before, after, again = Counter(old.blocks), Counter(new.blocks), Counter(noise.blocks)
    moving = {_shape(block) for block in before - again}
    kept = [block for block in old.blocks if _shape(block) not in moving]
    return kept, [block for block in new.blocks if _shape(block) not in moving] if after != before else kept


def _shape(text: str) -> str:
    """Return a text with its figures left open."""
    return re.sub(r"[0-9a-f]*\d[0-9a-f]*", "0", text)


def _differing_words(gone: list[str], come: list[str]) -> Iterator[str]:
    before, after = _words(gone), _words(come)
    for kind, from_a, to_a, from_b, to_b in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from before[from_a:to_a]
            yield from after[from_b:to_b]


def _words(blocks: Iterable[str]) -> list[str]:
    return [word for block in blocks for word in _WORD.findall(block)]


def _read(site: Files, path: str) -> _Sheet:
    sheet = _Sheet()
    root = html5lib.parse(site.get(path, b""), treebuilder="etree", namespaceHTMLElements=False)
    _walk(root, path, site, sheet, [], is_seen=True)
    return sheet


def _walk(element: Element, path: str, site: Files, sheet: _Sheet, words: list[str], *, is_seen: bool) -> None:
    tag = element.tag.rpartition("}")[2]
    is_inert = tag == "template" and "shadowrootmode" not in element.attrib
    is_seen = is_seen and tag not in _UNSEEN and not is_inert
    _note(element, tag, path, site, sheet)
    own = words if tag in _INLINE else []
    if is_seen:
        own.append(element.text or "")
    for child in element:
        # The place of a comment has a function for its name.
        if isinstance(child.tag, str):
            if child.tag.rpartition("}")[2] not in _INLINE:
                _end(own, sheet)
            _walk(child, path, site, sheet, own, is_seen=is_seen)
        if is_seen:
            own.append(child.tail or "")
    if own is not words:
        _end(own, sheet)


def _end(words: list[str], sheet: _Sheet) -> None:
    text = " ".join("".join(words).split())
    words.clear()
    if text:
        sheet.blocks.append(text)


def _note(element: Element, tag: str, path: str, site: Files, sheet: _Sheet) -> None:
    sheet.tags[tag] += 1
    attributes = {str(name).rpartition("}")[2]: value or "" for name, value in element.attrib.items()}
    if tag == "meta":
        _note_meta(attributes, sheet)
        return
    if tag in {"script", "style"}:
        text = " ".join((element.text or "").split())
        kind = attributes.get("type", "").lower()
        if text:
            sort = Sort.LOOK if tag == "style" else Sort.DATA if "json" in kind else Sort.ACTIVE
            sheet.marks[sort, text] += 1
    for name, value in attributes.items():
        is_nothing = name in _NEVER or (tag in _IN_HEADS and name in _SAID) or tag in {"head", "title"}
        if not is_nothing and not (tag == "script" and name in {"type", "defer", "async"}):
            sheet.marks[_sort(tag, name), _value(tag, name, value, path, site)] += 1
    if tag in _RUNS:
        sheet.marks[Sort.ACTIVE, f"<{tag}>"] += 1


def _note_meta(attributes: dict[str, str], sheet: _Sheet) -> None:
    is_active = attributes.get("http-equiv", "").lower() == "refresh" or attributes.get("name", "").lower() == "robots"
    sort = Sort.ACTIVE if is_active else Sort.DATA
    said = " ".join(value for name, value in sorted(attributes.items()) if name == "content")
    sheet.marks[sort, said or repr(sorted(attributes.items()))] += 1


def _sort(tag: str, name: str) -> Sort:
    if name.startswith("on") or tag in _RUNS or name in {"action", "formaction", "srcdoc"}:
        return Sort.ACTIVE
    if tag == "link":
        return Sort.DATA if name == "href" else Sort.LOOK
    if name in _SAID:
        return Sort.WORDS
    if name in {"poster", "background"}:
        return Sort.LOOK
    return Sort.ADDRESS if name in _NAMES_A_FILE else Sort.LOOK


def _value(tag: str, name: str, value: str, path: str, site: Files) -> str:
    if name not in _NAMES_A_FILE:
        return value if _sort(tag, name) in {Sort.WORDS, Sort.ACTIVE} else f"{tag} {name}={value}"
    if name == "srcset":
        return ", ".join(_place(part.split()[0], path, site) for part in value.split(",") if part.strip())
    return _place(value, path, site)


def _place(value: str, path: str, site: Files) -> str:
    """Return an address; of a file that only has a new name for the same content, that content."""
    parts = urlsplit(value.strip())
    if parts.scheme or parts.netloc or not parts.path:
        return value.strip()
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(parts.path))).lstrip("/")
    hashed = re.search(r"([^/]*)[.-][0-9A-Za-z_-]{8}\.\w+$", target)
    if hashed is None or target not in site:
        return value.strip()
    return f"{hashed[1]}\t{hashlib.sha256(site[target]).hexdigest()}"
