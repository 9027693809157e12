"""What of a page's style hides words from the person: only what they could see is theirs."""

from __future__ import annotations

import colorsys
import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from itertools import islice

Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
UNSEEN: Colour = (-1, -1, -1)

_CLOSE = 16
_FAINT = 0.05
_FULL = 255
_HEX = re.compile(r"#([0-9a-f]{3,8})\Z")
_BARE_HEX = re.compile(r"[0-9a-fA-F]{6}\Z")
_FUNCTION = re.compile(r"(rgb|hsl)a?\(([^()]{1,80})\)\Z")
_PART = re.compile(r"-?\d{1,6}(?:\.\d{0,9})?|-?\.\d{1,9}")
_SHORT_DIGITS, _LONG_DIGITS = (3, 4), (6, 8)
# The names of what is nearly white or black: any other colour can be read on either.
_NAMED: dict[str, Colour] = {
    "white": WHITE,
    "black": (0, 0, 0),
    "snow": (255, 250, 250),
    "whitesmoke": (245, 245, 245),
    "ghostwhite": (248, 248, 255),
    "floralwhite": (255, 250, 240),
    "ivory": (255, 255, 240),
    "azure": (240, 255, 255),
    "aliceblue": (240, 248, 255),
    "mintcream": (245, 255, 250),
    "honeydew": (240, 255, 240),
    "seashell": (255, 245, 238),
}


def read_colour(value: str) -> Colour | None:
    """Return a colour as red, green and blue, or None when it is not clear which one it is."""
    value = value.strip().lower().removesuffix("!important").strip()
    if value in {"transparent", "inherit", ""}:
        return UNSEEN if value == "transparent" else None
    if found := _HEX.match(value):
        return _hex_colour(found[1])
    if found := _FUNCTION.match(value):
        return _computed(found[1], found[2])
    return _NAMED.get(value)


def read_attribute(value: str) -> Colour | None:
    """Return the colour that an attribute of old names, where the sign before the digits may be missing."""
    value = value.strip()
    return read_colour(f"#{value}" if _BARE_HEX.match(value) else value)


def is_same_colour(words: Colour | None, behind: Colour | None) -> bool:
    """Tell whether words cannot be told from what is behind them."""
    if words is None:
        return False
    if words == UNSEEN:
        return True
    return behind is not None and all(abs(one - other) <= _CLOSE for one, other in zip(words, behind, strict=True))


def _hex_colour(digits: str) -> Colour | None:
    if len(digits) in _SHORT_DIGITS:
        digits = "".join(2 * digit for digit in digits)
    if len(digits) not in _LONG_DIGITS:
        return None
    if len(digits) == max(_LONG_DIGITS) and int(digits[6:], 16) <= _FAINT * _FULL:
        return UNSEEN
    return (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16))


def _computed(kind: str, inside: str) -> Colour | None:
    """Return what `rgb()` and `hsl()` mean, whether their parts stand behind commas, spaces or a slash."""
    parts = [part for part in re.split(r"[\s,/]+", inside.strip()) if part]
    found = [_PART.match(part) for part in parts]
    if len(parts) not in (3, 4) or not all(found):
        return None
    numbers = [float(each[0]) for each in found if each]
    if len(numbers) > len(WHITE) and numbers[3] <= _FAINT * (100 if parts[3].endswith("%") else 1):
        return UNSEEN
    if kind == "hsl":
        shares = colorsys.hls_to_rgb(numbers[0] % 360 / 360, _share(numbers[2]), _share(numbers[1]))
        return (round(shares[0] * _FULL), round(shares[1] * _FULL), round(shares[2] * _FULL))
    scale = _FULL / 100 if parts[0].endswith("%") else 1
    red, green, blue = (min(_FULL, max(0, round(number * scale))) for number in numbers[:3])
    return (red, green, blue)


def _share(percent: float) -> float:
    return min(1.0, max(0.0, percent / 100))


_LONGEST_STYLE = 2_000
# A style sheet that names more is no mail of a person.
_MOST_HIDDEN_NAMES = 200
_MOST_BRACES = 4_000
_OFF_SCREEN = -400.0
_BEYOND = 4_000.0
_TINY_POINTS = 1.5
_TINY_SHARE = 0.11

_DECORATIONS = ("text-decoration", "text-decoration-line", "-webkit-text-decoration", "-webkit-text-decoration-line")
_NUMBER = re.compile(r"(-?\d{0,9}(?:\.\d{0,9})?)(px|pt|r?em|ex|%|vw|vh|in|cm|mm)?(?:!important)?\Z")
_SIMPLE_SELECTOR = re.compile(r"[a-z0-9]{0,20}([.#][a-z0-9_-]{1,100})?\Z")
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?")
_IN_BRACKETS = re.compile(r"\([^()]{1,200}\)")
_FONT_SIZE = re.compile(
    r"(?:normal|italic|oblique|bold|bolder|lighter)*(\d{0,4}(?:\.\d{1,4})?(?:px|pt|r?em|%)?)(?=[/a-z'\"])"
)
_MOVED = re.compile(r"translate(?:x|y|3d)?\((-?\d{1,9}(?:\.\d{0,9})?[a-z%]*)(?:,(-?\d{1,9}(?:\.\d{0,9})?[a-z%]*))?")


@dataclass(frozen=True, slots=True)
class Style:
    """What one element's own style says; None where it says nothing."""

    is_hidden: bool = False
    is_tiny: bool | None = None
    colour: Colour | None = None
    background: Colour | None = None
    has_picture_behind: bool = False
    keeps_lines: bool = False
    is_close: bool = False
    is_struck: bool = False


def read_style(style: str) -> Style:
    """Return what a style attribute means for what a person sees."""
    return _read_style(style[:_LONGEST_STYLE])


@lru_cache(maxsize=512)
def _read_style(style: str) -> Style:
    said = _declarations(style)
    behind = said.get("background-color") or said.get("background", "")
    return Style(
        is_hidden=_is_hidden(said),
        is_tiny=_size_is_tiny(said),
        colour=read_colour(said.get("-webkit-text-fill-color") or said.get("color", "")),
        background=read_colour(behind),
        has_picture_behind="url(" in behind or "gradient" in behind or "url(" in said.get("background-image", ""),
        keeps_lines=said.get("white-space", "").startswith("pre"),
        is_close=said.get("margin", "").startswith("0") or said.get("margin-bottom", "").startswith("0"),
        is_struck=any("line-through" in said.get(name, "") for name in _DECORATIONS),
    )


def _declarations(style: str) -> dict[str, str]:
    style = _ESCAPE.sub(lambda found: chr(int(found[1], 16) % 0x110000), _without_comments(style))
    # Inside of brackets a space may stand for a comma.
    style = _IN_BRACKETS.sub(lambda found: f"({','.join(found[0][1:-1].replace(',', ' ').split())})", style)
    compact = "".join(style.split()).lower()
    pairs = (each.partition(":") for each in compact.split(";"))
    return {name: value for name, _, value in pairs if value}


def _without_comments(sheet: str) -> str:
    """Return a sheet without its comments; one that never ends hides the rest."""
    kept: list[str] = []
    end = 0
    while (start := sheet.find("/*", end)) >= 0:
        kept.append(sheet[end:start])
        closed = sheet.find("*/", start + 2)
        end = closed + 2 if closed >= 0 else len(sheet)
    return "".join([*kept, sheet[end:]])


def _is_hidden(said: dict[str, str]) -> bool:
    return (
        said.get("display", "").startswith("none")
        or said.get("visibility", "").startswith(("hidden", "collapse"))
        or said.get("mso-hide", "").startswith("all")
        or said.get("content-visibility", "").startswith("hidden")
        or _is_at_most(said.get("opacity", ""), _FAINT)
        or said.get("filter", "").startswith(("opacity(0)", "opacity(0%"))
        or _is_shut(said)
        or _is_off_screen(said)
    )


def _is_shut(said: dict[str, str]) -> bool:
    """Tell whether the element has no room in which its words could stand."""
    if any(_is_at_most(said.get(name, ""), 0) for name in ("max-height", "max-width")):
        return True
    if said.get("transform", "").startswith(("scale(0)", "scale(0,", "scale(0.0", "scale(.0")):
        return True
    if said.get("clip-path", "").startswith(("inset(", "circle(0", "ellipse(0", "polygon(0,0,0,0")):
        return True
    clipped = said.get("clip", "").startswith(("rect(0", "rect(1px,1px"))
    cut = said.get("overflow", "").startswith("hidden")
    return clipped or (cut and any(_is_at_most(said.get(name, ""), 1) for name in ("height", "width")))


def _is_off_screen(said: dict[str, str]) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    if said.get("position", "").startswith(("absolute", "fixed", "relative")):
        names += ["left", "top", "right", "bottom"]
    moved = _MOVED.search(said.get("transform", ""))
    places = [said.get(name, "") for name in names] + [each or "" for each in (moved.groups() if moved else ())]
    return any(_is_away(place) for place in places)


def _is_away(place: str) -> bool:
    found = _NUMBER.match(place)
    number = _number(place)
    if number is None or found is None:
        return False
    # A hundredth of the screen is some ten points.
    return number * (10 if found[2] in {"vw", "vh", "%", "em", "rem"} else 1) <= _OFF_SCREEN or number >= _BEYOND


def _size_is_tiny(said: dict[str, str]) -> bool | None:
    if "font-size" in said:
        return _is_tiny(said["font-size"])
    found = _FONT_SIZE.match(said.get("font", ""))
    return _is_tiny(found[1]) if found and found[1] else None


def _is_tiny(size: str) -> bool:
    found = _NUMBER.match(size)
    number = _number(size)
    if number is None or found is None:
        return False
    if found[2] in {"em", "rem", "ex"}:
        return number <= _TINY_SHARE
    return number <= (100 * _TINY_SHARE if found[2] == "%" else _TINY_POINTS)


def _is_at_most(value: str, most: float) -> bool:
    number = _number(value)
    return number is not None and number <= most


def _number(value: str) -> float | None:
    found = _NUMBER.match(value)
    if found is None or not found[1].strip("-."):
        return None
    return float(found[1])


@dataclass(slots=True)
class HiddenNames:
    """What the page's own style sheets say for every reader: which names they hide, and which colours they give."""

    names: set[str] = field(default_factory=set)
    coloured: dict[str, Style] = field(default_factory=dict)

    def learn(self, sheet: str) -> None:
        """Read a style sheet; rules inside of @media hold only on some screens and are left alone."""
        sheet = _FOR_ALL.sub("", _without_comments(sheet.replace("<!--", "").replace("-->", "")))
        depth, start = 0, 0
        selector = ""
        for brace in islice(re.finditer(r"[{}]", sheet), _MOST_BRACES):
            if brace[0] == "{":
                selector = sheet[start : brace.start()] if depth == 0 else ""
                depth += 1
            else:
                if depth == 1 and selector:
                    self._learn_rule(selector, sheet[start : brace.start()])
                depth = max(0, depth - 1)
            start = brace.end()

    def _learn_rule(self, selector: str, body: str) -> None:
        selector = selector.strip().lower()
        if selector.startswith("@") or len(selector) > _LONGEST_STYLE:
            return
        style = read_style(unescape(body[:_LONGEST_STYLE]))
        for each in selector.split(",") if _says_something(style) else ():
            *within, last = each.split() or [""]
            found = _SIMPLE_SELECTOR.match(last)
            name = (found[1] or found[0]) if found else ""
            if not name or len(self.names) + len(self.coloured) >= _MOST_HIDDEN_NAMES:
                continue
            if style.is_hidden or style.is_tiny:
                # A tag inside of something else may be hidden there alone.
                self.names |= {name} if found and (found[1] or not within) else set()
            elif not within:
                self.coloured[name] = style

    def hides(self, tag: str, attributes: dict[str, str]) -> bool:
        return bool(self.names) and not self.names.isdisjoint(_names_of(tag, attributes))

    def style_of(self, tag: str, attributes: dict[str, str]) -> Style:
        """Return the colours that the sheets give to an element; what names it most exactly counts."""
        if not self.coloured:
            return _NOTHING
        found = (self.coloured[name] for name in _names_of(tag, attributes) if name in self.coloured)
        return next(found, _NOTHING)


_NOTHING = Style()
_FOR_ALL = re.compile(r"@media\s+(?:only\s+)?(?:all|screen)\s*(?=\{)\{", re.IGNORECASE)


def _says_something(style: Style) -> bool:
    is_seen = style.colour or style.background or style.has_picture_behind or style.is_struck
    return bool(style.is_hidden or style.is_tiny or is_seen)


def _names_of(tag: str, attributes: dict[str, str]) -> list[str]:
    own = [f".{name}" for name in attributes.get("class", "").lower().split()]
    return [f"#{attributes.get('id', '').lower()}", *own, tag]
