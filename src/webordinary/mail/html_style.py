"""What of a page's style hides words from the person: only what they could see is theirs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape

_LONGEST_STYLE = 2_000
# A style sheet that names more is no mail of a person.
_MOST_HIDDEN_NAMES = 200
_OFF_SCREEN = -400.0
_TINY_POINTS = 1.5
_TINY_SHARE = 0.11
_FAINT = 0.05
_CLOSE = 12

_NUMBER = re.compile(r"(-?\d{0,9}(?:\.\d{0,9})?)(px|pt|r?em|ex|%|vw|vh|in|cm|mm)?(?:!important)?\Z")
_HEX = re.compile(r"#([0-9a-f]{3,8})(?:!important)?\Z")
_RGB = re.compile(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,([\d.]{1,9})%?)?\)(?:!important)?\Z")
_SIMPLE_SELECTOR = re.compile(r"[a-z0-9]{0,20}([.#][a-z0-9_-]{1,100})\Z")
_NAMED = {"white": (255, 255, 255), "black": (0, 0, 0), "snow": (255, 250, 250), "whitesmoke": (245, 245, 245)}

Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
UNSEEN: Colour = (-1, -1, -1)


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


def read_style(style: str) -> Style:
    """Return what a style attribute means for what a person sees."""
    return _read_style(style[:_LONGEST_STYLE])


@lru_cache(maxsize=512)
def _read_style(style: str) -> Style:
    said = _declarations(style)
    behind = said.get("background-color") or said.get("background", "")
    return Style(
        is_hidden=_is_hidden(said),
        is_tiny=_is_tiny(said["font-size"]) if "font-size" in said else None,
        colour=read_colour(said.get("color", "")),
        background=read_colour(behind),
        has_picture_behind="url(" in behind or "gradient" in behind or "url(" in said.get("background-image", ""),
        keeps_lines=said.get("white-space", "").startswith("pre"),
        is_close=said.get("margin", "").startswith("0") or said.get("margin-bottom", "").startswith("0"),
    )


def _declarations(style: str) -> dict[str, str]:
    compact = "".join(style.split()).lower()
    pairs = (each.partition(":") for each in compact.split(";"))
    return {name: value for name, _, value in pairs if value}


def _is_hidden(said: dict[str, str]) -> bool:
    return (
        said.get("display", "").startswith("none")
        or said.get("visibility", "").startswith(("hidden", "collapse"))
        or said.get("mso-hide", "").startswith("all")
        or _is_at_most(said.get("opacity", ""), _FAINT)
        or _is_shut(said)
        or _is_off_screen(said)
    )


def _is_shut(said: dict[str, str]) -> bool:
    """Tell whether the element has no room in which its words could stand."""
    if any(_is_at_most(said.get(name, ""), 0) for name in ("max-height", "max-width")):
        return True
    if said.get("transform", "").startswith(("scale(0", "scale(.0")) or said.get("clip-path", "").startswith("inset("):
        return True
    clipped = said.get("clip", "").startswith(("rect(0", "rect(1px,1px"))
    cut = said.get("overflow", "").startswith("hidden")
    return clipped or (cut and any(_is_at_most(said.get(name, ""), 1) for name in ("height", "width")))


def _is_off_screen(said: dict[str, str]) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    if said.get("position", "").startswith(("absolute", "fixed", "relative")):
        names += ["left", "top", "right", "bottom"]
    return any(_is_at_most(said.get(name, ""), _OFF_SCREEN) for name in names)


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


def read_colour(value: str) -> Colour | None:
    """Return a colour as red, green and blue, or None when it is not clear which one it is."""
    value = value.lower().removesuffix("!important")
    if value in {"transparent", "inherit", ""}:
        return UNSEEN if value == "transparent" else None
    if found := _HEX.match(value):
        return _hex_colour(found[1])
    if found := _RGB.match(value):
        if found[4] is not None and _is_at_most(found[4], 0):
            return UNSEEN
        return (int(found[1]), int(found[2]), int(found[3]))
    return _NAMED.get(value)


def _hex_colour(digits: str) -> Colour | None:
    if len(digits) in {3, 4}:
        digits = "".join(2 * digit for digit in digits)
    if len(digits) not in {6, 8}:
        return None
    return (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16))


def is_same_colour(words: Colour | None, behind: Colour | None) -> bool:
    """Tell whether words cannot be told from what is behind them."""
    if words is None:
        return False
    if words == UNSEEN:
        return True
    return behind is not None and all(abs(one - other) <= _CLOSE for one, other in zip(words, behind, strict=True))


@dataclass(slots=True)
class HiddenNames:
    """The classes and ids that the page's own style sheets hide for every reader."""

    names: set[str] = field(default_factory=set)

    def learn(self, sheet: str) -> None:
        """Read a style sheet; rules inside of @media hold only on some screens and are left alone."""
        depth, start = 0, 0
        selector = ""
        for brace in re.finditer(r"[{}]", sheet):
            if brace[0] == "{":
                selector = sheet[start : brace.start()] if depth == 0 else ""
                depth += 1
            else:
                if depth == 1 and selector:
                    self._learn_rule(selector, sheet[start : brace.start()])
                depth = max(0, depth - 1)
            start = brace.end()

    def _learn_rule(self, selector: str, body: str) -> None:
        selector = selector.rpartition("-->")[2].rpartition("*/")[2].rpartition("<!--")[2].strip().lower()
        if selector.startswith("@") or len(selector) > _LONGEST_STYLE:
            return
        style = read_style(unescape(body[:_LONGEST_STYLE]))
        if not (style.is_hidden or style.is_tiny):
            return
        for each in selector.split(","):
            found = _SIMPLE_SELECTOR.match(each.strip())
            if found and len(self.names) < _MOST_HIDDEN_NAMES:
                self.names.add(found[1])

    def hides(self, attributes: dict[str, str]) -> bool:
        if not self.names:
            return False
        own = [f".{name}" for name in attributes.get("class", "").lower().split()]
        return not self.names.isdisjoint([*own, f"#{attributes.get('id', '').lower()}"])
