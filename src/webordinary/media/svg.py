"""Vector graphics: kept when they only draw, refused when they could do anything else."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from webordinary.jobs.job import FileProblem

_BETWEEN = " "
_MOST_ELEMENTS = 50_000
_DEEPEST = 200
# Not in here: what can run, load or embed. `a` may only lead to a place in the drawing itself.
_NEVER = frozenset(
    {"script", "handler", "listener", "foreignobject", "iframe", "object", "embed", "applet", "audio", "video"}
    | {"canvas", "link", "meta", "html", "body"}
)
_CHANGES_LATER = frozenset({"animate", "set", "animatemotion", "animatetransform", "animatecolor"})
_POINTS_SOMEWHERE = frozenset({"href", "src", "data", "action", "formaction", "from", "to", "values", "by"})
_HARMLESS_PICTURE = re.compile(r"data:image/(?:png|jpe?g|gif|webp|avif);base64,[a-z0-9+/=]*", re.IGNORECASE)
_HARMLESS_FONT = re.compile(
    r"data:(?:font|application)/[a-z0-9.+-]*(?:font|woff|otf|ttf|opentype|truetype)[a-z0-9.+-]*;"
    r"(?:charset=[a-z0-9-]*;)?base64,[a-z0-9+/=]*",
    re.IGNORECASE,
)
_ADDRESS_IN_STYLE = re.compile(r"url\(\s*(['\"]?)(.*?)\1\s*\)", re.IGNORECASE | re.DOTALL)
# A backslash could spell any of the other words.
_STYLE_THAT_ACTS = re.compile(
    r"@import|@namespace|expression|behavior|-moz-binding|javascript:|image-set|image\(|src\(|cross-fade|\\",
    re.IGNORECASE,
)
_IGNORED_BY_BROWSERS = re.compile(r"[\x00-\x20\x7f-\xa0]+")
_XHTML = "http://www.w3.org/1999/xhtml"


class _Active(Exception):
    """The drawing can do more than draw."""


@dataclass(slots=True)
class _Walk:
    """One walk over a drawing, which ends at the first thing that is more than drawing."""

    root: str = ""
    depth: int = 0
    elements: int = 0
    styles: list[str] = field(default_factory=list)
    in_style: int = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        space, local = _parted(name)
        self.root = self.root or local
        self.depth += 1
        self.elements += 1
        self.in_style += local == "style"
        if self.depth > _DEEPEST or self.elements > _MOST_ELEMENTS or local in _NEVER or space == _XHTML:
            raise _Active
        changed = attributes.get("attributeName", "").lower()
        if local in _CHANGES_LATER and (changed.startswith("on") or _parted(changed)[1].endswith("href")):
            raise _Active
        for attribute, value in attributes.items():
            _look_at(attribute, value)

    def end(self, name: str) -> None:
        self.depth -= 1
        self.in_style -= _parted(name)[1] == "style"

    def text(self, text: str) -> None:
        if self.in_style:
            self.styles.append(text)

    def instruct(self, target: str, _: str) -> None:
        # A style sheet from elsewhere would be named here; drawing programs wrap their notes in packets.
        if target != "xpacket":
            raise _Active

    def entity(self, *_: object) -> None:
        raise _Active


def root_of(content: bytes) -> str | None:
    """Return the name of the outermost element in lower case, or None if the content is no XML."""
    walk = _Walk()

    def first(name: str, _: dict[str, str]) -> None:
        walk.root = _parted(name)[1]
        raise _Active

    parser = expat.ParserCreate(namespace_separator=_BETWEEN)
    parser.StartElementHandler = first
    parser.EntityDeclHandler = walk.entity
    try:
        parser.Parse(content, True)  # noqa: FBT003 - expat's own way to say that this is all
    except _Active:
        return walk.root or ("svg" if b"<svg" in content else None)
    except (expat.ExpatError, ValueError, LookupError):
        return None
    return walk.root or None


def find_problem(content: bytes) -> FileProblem:
    """Return none when nothing in the drawing runs, embeds or loads anything, and else what is wrong with it."""
    walk = _Walk()
    parser = expat.ParserCreate(namespace_separator=_BETWEEN)
    parser.StartElementHandler = walk.start
    parser.EndElementHandler = walk.end
    parser.CharacterDataHandler = walk.text
    parser.ProcessingInstructionHandler = walk.instruct
    parser.EntityDeclHandler = walk.entity
    try:
        parser.Parse(content, True)  # noqa: FBT003 - expat's own way to say that this is all
        _look_at_style("".join(walk.styles))
    except _Active:
        return FileProblem.ACTIVE_SVG
    except (expat.ExpatError, ValueError, LookupError):
        return FileProblem.UNREADABLE
    return FileProblem.NONE if walk.root == "svg" else FileProblem.UNREADABLE


def _parted(name: str) -> tuple[str, str]:
    """Return the namespace and the name without it, also where a prefix was declared nowhere."""
    space, _, local = name.rpartition(_BETWEEN)
    return space, local.rpartition(":")[2].lower()


def _look_at(attribute: str, value: str) -> None:
    space, local = _parted(attribute)
    if local.startswith("on") or local in {"base", "attributionsrc", "ping"}:
        raise _Active
    bare = _IGNORED_BY_BROWSERS.sub("", value)
    if local in _POINTS_SOMEWHERE and ":" in bare and not _HARMLESS_PICTURE.fullmatch(bare):
        raise _Active
    # A drawing program's own notes may name anything: browsers read only what is in no space or in W3C's own.
    is_read = not space or "w3.org" in space
    leads_away = bool(bare) and not bare.startswith("#") and not _HARMLESS_PICTURE.fullmatch(bare)
    if local in {"href", "src"} and leads_away and is_read:
        raise _Active
    if local == "style" or "(" in value or (not space and "\\" in value and not local.startswith(("data-", "aria-"))):
        _look_at_style(value)


def _look_at_style(style: str) -> None:
    if _STYLE_THAT_ACTS.search(style):
        raise _Active
    bare = style.lower().count("url(")
    found = [address.strip() for _, address in _ADDRESS_IN_STYLE.findall(style)]
    if bare != len(found):
        raise _Active
    if not all(_stays_inside(address) for address in found):
        raise _Active


def _stays_inside(address: str) -> bool:
    inside = _HARMLESS_PICTURE.fullmatch(address) or _HARMLESS_FONT.fullmatch(address)
    return address.startswith("#") or inside is not None
