"""What one element of a page says or does by its attributes, sorted by who would notice it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its title, its texts in their order, its pictures and where its links lead.

    `description` is for search engines and `alts` stand for the pictures; `others` are words outside of the texts, such
    as hints in fields; `data` is what the page tells to programs, and `deeds` are what it does: its programs, frames,
    forms and styles. Everything else is its look, written in `look` by the numbers of its `styles`.
    """

    title: str = ""
    texts: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    description: str = ""
    alts: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    look: str = ""
    others: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    # Nothing of it was read: it was made, or torn, in a way that nobody can read in bounded time.
    is_broken: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """Everything that somebody has written."""
        return (self.title, *self.texts, self.description, *self.alts, *self.others)


# The menu often stands in the head: it is asked about first.
REGIONS = ("footer", "nav", "header")
_LOOKED_AT = 1_000_000
_TAG = re.compile(r"<[^<>]*+>")


def region_of(page: Path, text: str) -> str:
    """Return the part of a built page in which a text stands, and nothing when it stands elsewhere."""
    if not text or page.is_symlink() or not page.is_file():
        return ""
    with page.open("rb") as file:
        html = file.read(_LOOKED_AT).decode(errors="replace")
    return next((region for region in REGIONS if text in _words_in(html, region)), "")


def _words_in(html: str, region: str) -> str:
    folded = html.lower() if len(html.lower()) == len(html) else html
    start = folded.find(f"<{region}")
    end = folded.rfind(f"</{region}")
    inside = html[start:end] if 0 <= start < end else ""
    return " ".join(unescape(_TAG.sub(" ", inside)).split())


_PICTURES = (".avif", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp", ".jxl", ".ico", ".bmp")
# Words that are shown, or read aloud, although no text stands there.
_WORDS = frozenset({
    "abbr", "aria-description", "aria-label", "aria-placeholder", "aria-roledescription", "aria-valuetext", "label",
    "placeholder", "standby", "summary", "title",
})  # fmt: skip
# Galleries and style sheets show sentences that stand in attributes of their own.
_TWO_WORDS, _CODE = re.compile(r"[^\W\d_]{2}[,.!?]? [^\W\d_]{2}"), re.compile(r"[{}\[\]<>=]")
_VALUES = frozenset({"button", "input", "option", "param"})
# Where an attribute holds an address: what is behind it.
_ADDRESSES = {
    ("a", "href"): "link", ("a", "xlink:href"): "link", ("area", "href"): "link", ("img", "src"): "picture",
    ("input", "src"): "picture", ("image", "href"): "picture", ("image", "xlink:href"): "picture",
    ("video", "poster"): "picture", ("video", "src"): "media", ("audio", "src"): "media", ("track", "src"): "media",
    ("source", "src"): "media", ("form", "action"): "form", ("button", "formaction"): "form",
    ("input", "formaction"): "form", ("iframe", "src"): "frame", ("frame", "src"): "frame", ("embed", "src"): "frame",
    ("object", "data"): "frame", ("fencedframe", "src"): "frame", ("portal", "src"): "frame", ("a", "ping"): "ping",
    ("area", "ping"): "ping", ("form", "method"): "form", ("form", "enctype"): "form",
    ("template", "shadowrootmode"): "shadow",
}  # fmt: skip
# Of these a page tells something to programs; other links bring its files along, or say what is right for others.
_RELATIONS = frozenset({"alternate", "next", "prev", "author", "license", "me"})
# What tells browsers and search engines what to do with the page.
_ORDERS = frozenset({
    "refresh", "robots", "googlebot", "bingbot", "content-security-policy", "referrer", "content-type", "set-cookie",
    "x-ua-compatible", "default-style", "origin-trial", "permissions-policy",
})  # fmt: skip
_DATA_TYPES = ("application/ld+json", "application/json")
_NEVER_SHOWN = frozenset({"nonce"})
# Libraries that many sites have run what stands in these.
_RUN_BY_LIBRARIES = re.compile(r"(?:data-)?(?:hx|x|v|ng|up)-|[@:_(\[]")
_SIZES = frozenset({"width", "height", "sizes", "loading", "decoding", "fetchpriority"})
_URL = re.compile(r"""url\(\s*+(?:"([^"]*+)"|'([^']*+)'|([^"'()\s]*+))\s*+\)""", re.IGNORECASE)
_CSS_WORDS = re.compile(r"""content\s*+:\s*+("[^"\n]*+"|'[^'\n]*+')""", re.IGNORECASE)
_STRINGS = re.compile(r"""\"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|`(?:[^`\\]|\\.)*+`?""", re.DOTALL)
_HOSTS = re.compile(r"//+([\w.-]+)")
_RUNS_STRINGS = re.compile(r"\b(?:eval|Function|atob|innerHTML|outerHTML|write(?:ln)?|import|serviceWorker|src)\b")
_WORD, _FIGURE = re.compile(r"\w[\w.:+-]*+"), re.compile(r"\d")
_WIDTHS = re.compile(r"[\d.]+[wxh],?")
_LONGEST_VALUE, _LONGEST_EXCERPT = 120, 80
_MOST_FACTS, _DEEPEST, _MOST_SOURCES = 5_000, 50, 500


@dataclass(slots=True)
class PageContents:
    """What the elements of a page have told so far."""

    pictures: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    descriptions: list[str] = field(default_factory=list)
    alts: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    deeds: list[str] = field(default_factory=list)

    def read(self, tag: str, given: Mapping[str, str], *, is_drawn: bool = False) -> str:
        """Take what an element tells, and return what is left of it: its look."""
        kept: list[str] = []
        for name in sorted(given):
            left = self._read_attribute(tag, name, given[name], is_drawn=is_drawn)
            if left is not None:
                kept.append(left)
        return "\n".join((tag, *kept))

    def _read_attribute(self, tag: str, name: str, value: str, *, is_drawn: bool) -> str | None:
        if name in _NEVER_SHOWN:
            return None
        if name.startswith("on") or _RUN_BY_LIBRARIES.match(name):
            self.deeds.append(f"{name} {tag} {excerpt(value)}")
        elif (place := _ADDRESSES.get((tag, name))) is not None:
            self._note_address(place, value, tag if is_drawn else "")
        elif name == "srcdoc":
            self.deeds.append(f"frame inline {excerpt(value)}")
        elif name == "alt":
            self._note(self.alts, value)
        elif name in _WORDS or (name == "value" and tag in _VALUES) or _is_sentence(name, value):
            self._note(self.others, value)
        elif tag == "html" and name == "lang":
            self.data.append(f"lang: {one_line(value)}")
        else:
            return self._look_of(name, value)
        return None

    def _note(self, notes: list[str], text: str) -> None:
        if line := one_line(text):
            notes.append(line)

    def _note_address(self, place: str, value: str, drawn: str) -> None:
        address = short_address(value)
        if place == "link":
            self.links.append(address)
        elif place == "picture" or (place == "media" and drawn):
            if address:
                self.pictures.append(address)
        else:
            self.deeds.append(f"{place} {address}".rstrip())

    def _look_of(self, name: str, value: str) -> str:
        if name == "style":
            return f"style={clipped(self.read_css(value))}"
        if name.endswith("srcset"):
            return f"{name}={self._read_sources(value)}"
        if name == "background" or is_picture_address(value):
            self.pictures.append(short_address(value))
            return name
        return f"{name}={clipped(one_line(value))}"

    def _read_sources(self, value: str) -> str:
        """Take the pictures of a list for several screens, and return for which."""
        widths = []
        parts = value.split()
        if len(parts) > _MOST_SOURCES:
            return mark(value)
        for part in parts:
            if _WIDTHS.fullmatch(part):
                widths.append(part.rstrip(","))
            elif address := part.strip(","):
                self.pictures.append(short_address(address))
        return clipped(",".join(widths))

    def read_css(self, css: str) -> str:
        """Take words and pictures out of a style, and return what is left."""
        for found in _CSS_WORDS.finditer(css):
            self._note(self.others, found[1][1:-1])
        for found in _URL.finditer(css):
            address = found[1] or found[2] or found[3] or ""
            if is_picture_address(address) or address.startswith("data:image"):
                self.pictures.append(short_address(address))
            elif address and not address.startswith("#"):
                self.deeds.append(f"file {short_address(address)}")
        return one_line(_URL.sub("url()", css))

    def read_meta(self, given: Mapping[str, str]) -> None:
        name = given.get("name") or given.get("property") or given.get("http-equiv") or given.get("itemprop")
        content = given.get("content")
        if not name or content is None:
            self.deeds.append(described("meta", given))
        elif name.lower() == "description":
            self._note(self.descriptions, content)
        elif name.lower() in _ORDERS:
            self.deeds.append(f"{name.lower()} {one_line(content)}")
        else:
            self.data.append(f"{name.lower()}: {one_line(content)}")

    def read_link(self, given: Mapping[str, str]) -> None:
        relation, address = given.get("rel", "").lower(), short_address(given.get("href", ""))
        if relation in _RELATIONS:
            self.data.append(one_line(f"{given['rel']} {given.get('hreflang', '')} {address}"))
            return
        rest = {name: value for name, value in given.items() if name not in {"rel", "href"}}
        self.deeds.append(described(f"{'+'.join(relation.split()) or 'link'} {address}", rest))

    def read_script(self, given: Mapping[str, str], text: str) -> None:
        kind = given.get("type", "").lower()
        if kind in _DATA_TYPES:
            self.data += flat(text)
            return
        rest = {name: value for name, value in given.items() if name != "src"}
        source = short_address(given.get("src", "")) if "src" in given else "inline"
        said = described(f"script {source}", rest)
        self.deeds.append(said if "src" in given else f"{said} {excerpt(text)}")


def described(name: str, given: Mapping[str, str]) -> str:
    """Return an element in one line."""
    attributes = (f"{key}={clipped(one_line(given[key]))}" for key in sorted(given) if key not in _NEVER_SHOWN)
    return " ".join((name, *attributes)).strip()


def sizes_of(given: Mapping[str, str]) -> dict[str, str]:
    """Return what follows from which picture it is: another one has other sizes."""
    return {name: value for name, value in given.items() if name in _SIZES}


def is_picture_address(value: str) -> bool:
    """Tell whether this is the address of a picture, wherever it stands: scripts load some of them later."""
    address = value.strip()
    path = address.partition("?")[0].partition("#")[0]
    return path.lower().endswith(_PICTURES) and not any(sign.isspace() for sign in address)


def short_address(value: str) -> str:
    """Return an address as browsers take it; a file that stands in it is told by its mark."""
    address = "".join(value.strip().split("\n")).replace("\t", "").replace(" ", "%20")
    if address[:5].lower() != "data:":
        return address
    return f"{address[:_LONGEST_EXCERPT].partition(',')[0]}#{mark(address)}"


def excerpt(text: str) -> str:
    """Return how a program begins, and three marks: of all of it, without its figures, and of what it does."""
    line = one_line(text)
    begins = line if len(line) <= _LONGEST_EXCERPT else f"{line[:_LONGEST_EXCERPT]}…"
    return f"{begins} #{mark(line)}.{mark(loosened(line))}.{mark(_code_of(line))}"


def _code_of(program: str) -> str:
    """Return what a program does, whatever it says: without its strings, but with the hosts in them."""
    if _RUNS_STRINGS.search(program):
        return program
    hosts = sorted(set(_HOSTS.findall(program)))
    return f"{loosened(_STRINGS.sub('', program))} {hosts}"


def loosened(text: str) -> str:
    """Return a text without the words that builds make anew: those with a figure in them."""
    return _WORD.sub(lambda word: "0" if _FIGURE.search(word[0]) else word[0], text)


def flat(text: str) -> Iterator[str]:
    """Yield data fact by fact, each with its name; what cannot be read is told as it stands."""
    try:
        facts = list(_facts_of(msgspec.json.decode(text.strip()), ""))
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        facts = [clipped(one_line(text))]
    yield from (one_line(fact) for fact in facts if fact)


def _facts_of(value: object, name: str) -> Iterator[str]:
    waiting: list[tuple[str, object, int]] = [(name, value, 0)]
    seen = 0
    while waiting:
        name, value, depth = waiting.pop()
        inner = list(_inner(name, value)) if depth < _DEEPEST and seen < _MOST_FACTS else None
        if inner:
            waiting += [(key, each, depth + 1) for key, each in reversed(inner)]
        else:
            seen += 1
            yield f"{name}: {value if isinstance(value, str) else clipped(msgspec.json.encode(value).decode())}"


def _inner(name: str, value: object) -> Iterable[tuple[str, object]]:
    if isinstance(value, dict):
        return [(f"{name}.{key}" if name else str(key), each) for key, each in value.items()]
    if isinstance(value, list):
        return [(name, each) for each in value]
    return ()


def clipped(value: str) -> str:
    return value if len(value) <= _LONGEST_VALUE else f"{value[:_LONGEST_EXCERPT]}…#{mark(value)}"


def mark(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


def one_line(text: str) -> str:
    return " ".join(text.split())


def _is_sentence(name: str, value: str) -> bool:
    return name.startswith("data-") and _TWO_WORDS.search(value) is not None and _CODE.search(value) is None
