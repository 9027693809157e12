"""Colours as pages write them, as far as that tells whether words can be seen in front of what is behind them."""

from __future__ import annotations

import colorsys
import re

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
