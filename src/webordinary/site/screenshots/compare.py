"""Finds where a page looks otherwise, cuts both pictures to that place and frames it.

Pixels alone cannot tell what changed: one more line moves everything below it, and by fractions of a pixel. So pages
are compared by their outline: texts and pictures in their order, each with the place that it takes on the screen.
"""

from __future__ import annotations

import hashlib
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from PIL import Image, ImageChops, ImageDraw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


_MOST = 4000

# Runs in the page, so what it returns is believed no more than the page itself.
LOOK = """
() => {
  const pieces = new Map();
  const box = (rect) => [rect.left + scrollX, rect.top + scrollY, rect.right + scrollX, rect.bottom + scrollY];
  const add = (element, words, rect) => {
    const [left, top, right, bottom] = box(rect);
    if (right - left < 1 || bottom - top < 1) return;
    const found = pieces.get(element) || { words: '', source: '', left, top, right, bottom };
    found.words += words;
    found.left = Math.min(found.left, left); found.top = Math.min(found.top, top);
    found.right = Math.max(found.right, right); found.bottom = Math.max(found.bottom, bottom);
    pieces.set(element, found);
    return found;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode() && pieces.size < MOST) {
    const node = walker.currentNode;
    if (node.nodeType === Node.TEXT_NODE) {
      if (!node.data.trim()) continue;
      let element = node.parentElement;
      while (element.parentElement && getComputedStyle(element).display === 'inline') element = element.parentElement;
      const range = document.createRange();
      range.selectNodeContents(node);
      const style = getComputedStyle(node.parentElement);
      if (style.visibility === 'hidden') continue;
      const words = `${node.data} ${style.color} ${style.fontWeight} ${style.fontFamily};`;
      add(element, words, range.getBoundingClientRect());
    } else if (node.localName === 'img' || node.localName === 'input') {
      const found = add(node, node.alt || node.placeholder || '', node.getBoundingClientRect());
      if (found && node.currentSrc) found.source = node.currentSrc;
    }
  }
  return JSON.stringify([...pieces.values()]);
}
""".replace("MOST", str(_MOST))


class Box(NamedTuple):
    """A rectangle on a page."""

    left: int
    top: int
    right: int
    bottom: int

    def moved(self, right: int, down: int) -> Box:
        return Box(self.left + right, self.top + down, self.right + right, self.bottom + down)

    def joined(self, other: Box) -> Box:
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class Piece(NamedTuple):
    """One text or picture: what it is, and where."""

    mark: str
    box: Box


class _Told(msgspec.Struct, frozen=True):
    words: str
    source: str
    left: float
    top: float
    right: float
    bottom: float


def read_outline(told: str, read: Callable[[str], bytes]) -> list[Piece]:
    """Return the pieces of a page; `read` returns the content of a picture, which counts and not its name."""
    try:
        found = msgspec.json.decode(told, type=list[_Told])
        return [_piece(each, read) for each in found[:_MOST]]
    except (msgspec.MsgspecError, ValueError, OverflowError):
        return []


def _piece(told: _Told, read: Callable[[str], bytes]) -> Piece:
    mark = " ".join(told.words.split())
    if told.source:
        mark += hashlib.sha256(read(told.source) or told.source.encode()).hexdigest()
    return Piece(mark, Box(int(told.left), int(told.top), int(told.right + 1), int(told.bottom + 1)))


# Changes closer to each other than this are one for the eye.
_ONE_PLACE = 12
# With more frames than this nobody would see the page any more.
_MOST_FRAMES = 12
_AROUND = 110
# How far a frame is from what it goes around, as long as nothing else stands there; its line is part of that.
_PADDING, _FRAME = 9, 3
_BESIDE = 24
_COLOUR = (225, 29, 72)
_HALO = (255, 255, 255)


class Seen(NamedTuple):
    """A page as a visitor sees it."""

    picture: Image.Image
    outline: Sequence[Piece] = ()


class DifferenceSide(NamedTuple):
    """Where one side of a difference is; without a frame where there is nothing, and only its height is known."""

    box: Box
    has_frame: bool = True


class FrameLimits(NamedTuple):
    """How high a picture is at least and at most, and how narrow it may become, if there is so much of it."""

    least: int
    most: int
    narrow: int = 100_000


def show_difference(before: Seen, after: Seen, limits: FrameLimits) -> tuple[Image.Image, Image.Image] | None:
    """Return both pictures framed and cut to where they differ; None when a visitor sees no difference."""
    if before.picture.size == after.picture.size and before.picture.tobytes() == after.picture.tobytes():
        return None
    olds, news = _by_outline(before, after) or _by_pixels(before.picture, after.picture)
    columns = _columns([place.box for place in (*olds, *news) if place.has_frame], after.picture.width, limits.narrow)
    return _shown(before, olds, limits, columns), _shown(after, news, limits, columns)


def cut(picture: Image.Image, most: int) -> Image.Image:
    """Return the top of a picture that is too long for a mail."""
    return picture.crop((0, 0, picture.width, min(picture.height, most)))


def _by_outline(before: Seen, after: Seen) -> tuple[list[DifferenceSide], list[DifferenceSide]] | None:
    olds: list[DifferenceSide] = []
    news: list[DifferenceSide] = []
    marks = [piece.mark for piece in before.outline], [piece.mark for piece in after.outline]
    for kind, from_old, to_old, from_new, to_new in SequenceMatcher(None, *marks, autojunk=False).get_opcodes():
        if kind != "equal":
            olds += _places(before.outline, from_old, to_old)
            news += _places(after.outline, from_new, to_new)
    # What is further down than the picture goes cannot be shown.
    has_any = any(place.has_frame and place.box.top < before.picture.height for place in olds)
    has_any = has_any or any(place.has_frame and place.box.top < after.picture.height for place in news)
    return (olds, news) if has_any else None


def _places(outline: Sequence[Piece], start: int, end: int) -> list[DifferenceSide]:
    if start < end:
        return [DifferenceSide(box) for box in _joined([piece.box for piece in outline[start:end]])]
    at = outline[start - 1].box.bottom if start else 0
    return [DifferenceSide(Box(0, at, 0, at), has_frame=False)]


def _joined(boxes: Sequence[Box]) -> list[Box]:
    joined: list[Box] = []
    for box in boxes:
        last = joined[-1] if joined else None
        is_near = last and box.top - last.bottom <= _ONE_PLACE and box.bottom >= last.top
        if last and is_near and box.left <= last.right and box.right >= last.left:
            joined[-1] = last.joined(box)
        else:
            joined.append(box)
    return joined


def _by_pixels(before: Image.Image, after: Image.Image) -> tuple[list[DifferenceSide], list[DifferenceSide]]:
    """Return one place: what lies between the part that is the same from the top and the one from the bottom."""
    shared = min(before.height, after.height)
    box = ImageChops.difference(_band(before, 0, shared), _band(after, 0, shared)).getbbox()
    if box is None:
        return [DifferenceSide(Box(0, shared, before.width, before.height))], [
            DifferenceSide(Box(0, shared, after.width, after.height))
        ]
    upper = _band(before, before.height - shared, before.height), _band(after, after.height - shared, after.height)
    tail = ImageChops.difference(*upper).getbbox() or box
    left, right = min(box[0], tail[0]), max(box[2], tail[2])
    same_below = min(shared - tail[3], shared - box[1])
    return (
        [DifferenceSide(Box(left, box[1], right, before.height - same_below))],
        [DifferenceSide(Box(left, box[1], right, after.height - same_below))],
    )


def _band(picture: Image.Image, top: int, bottom: int) -> Image.Image:
    return picture.crop((0, top, picture.width, bottom))


def _columns(boxes: Sequence[Box], width: int, narrow: int) -> tuple[int, int]:
    """Return from where to where a picture is shown: a phone makes the whole width of a computer unreadable.

    It is wider than the page where a frame would not have room beside the text.
    """
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    wide = max(narrow, right - left + 2 * _BESIDE)
    if wide >= width:
        return min(0, left - _PADDING), max(width, right + _PADDING)
    begin = min(max(0, (left + right - wide) // 2), width - wide)
    return min(begin, left - _PADDING), max(begin + wide, right + _PADDING)


def _shown(seen: Seen, places: Sequence[DifferenceSide], limits: FrameLimits, columns: tuple[int, int]) -> Image.Image:
    picture, (left, right) = seen.picture, columns
    framed = [place.box for place in places if place.has_frame]
    first = min(place.box.top for place in places)
    last = min(picture.height, max(place.box.bottom for place in places))
    # A frame has room above the first line of a page, and below the last one.
    above, below = (first - _PADDING, last + _PADDING) if framed else (0, 0)
    top = max(min(0, above), min(first - _AROUND, picture.height - limits.least))
    bottom = min(max(picture.height, below), max(last + _AROUND, top + limits.least), top + limits.most)
    shown = Image.new("RGB", (right - left, bottom - top), picture.getpixel((0, min(max(0, top), picture.height - 1))))
    shown.paste(picture, (-left, -top))
    if len(framed) <= _MOST_FRAMES:
        others = [piece.box for piece in seen.outline if piece.box not in framed]
        draw = ImageDraw.Draw(shown)
        for box in framed:
            _frame(draw, _around(box, others).moved(-left, -top), box.moved(-left, -top))
    return shown


def _around(box: Box, others: Sequence[Box]) -> Box:
    """Return where the frame goes: around its text, and not over that of its neighbours."""
    left, top, right, bottom = box.left - _PADDING, box.top - _PADDING, box.right + _PADDING, box.bottom + _PADDING
    for other in others:
        if other.left < right and other.right > left:
            top = max(top, other.bottom) if other.bottom <= box.top else top
            bottom = min(bottom, other.top) if other.top >= box.bottom else bottom
        if other.top < bottom and other.bottom > top:
            left = max(left, other.right) if other.right <= box.left else left
            right = min(right, other.left) if other.left >= box.right else right
    return Box(left, top, right, bottom)


def _frame(draw: ImageDraw.ImageDraw, outer: Box, inner: Box) -> None:
    """Draw the frame into what lies between: as thick as there is room for it."""
    room = min(
        inner.left - outer.left, inner.top - outer.top, outer.right - inner.right, outer.bottom - inner.bottom, _PADDING
    )
    width = min(_FRAME, room)
    if width <= 0:
        return
    shape = (outer.left, outer.top, outer.right - 1, outer.bottom - 1)
    if room >= _FRAME + 2:
        draw.rounded_rectangle(shape, room, outline=_HALO, width=_FRAME + 2)
        shape = (shape[0] + 1, shape[1] + 1, shape[2] - 1, shape[3] - 1)
    draw.rounded_rectangle(shape, room - 1, outline=_COLOUR, width=width)
