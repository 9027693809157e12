"""Finds where a page looks otherwise, cuts both pictures to that place and frames it."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageChops, ImageDraw

from webordinary.site.screenshots.outline import Box, Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

# Changes closer to each other than this are one for the eye.
_ONE_PLACE = 12
# With more frames than this nobody would see the page any more.
_MOST_FRAMES = 12
_AROUND = 110
_PADDING = 7
_FRAME = 4
_CORNER = 8
_HALO_WIDTH = 2
_COLOUR = (225, 29, 72)
_HALO = (255, 255, 255)


class Seen(NamedTuple):
    """A page as a visitor sees it."""

    picture: Image.Image
    outline: Sequence[Piece] = ()


class Place(NamedTuple):
    """Where one side of a difference is; without a frame where there is nothing, and only its height is known."""

    box: Box
    has_frame: bool = True


def show_difference(before: Seen, after: Seen, least: int, most: int) -> tuple[Image.Image, Image.Image] | None:
    """Return both pictures framed and cut to where they differ; None when a visitor sees no difference.

    Each is at least and at most so high, if there is so much of it.
    """
    if before.picture.size == after.picture.size and before.picture.tobytes() == after.picture.tobytes():
        return None
    olds, news = _by_outline(before, after) or _by_pixels(before.picture, after.picture)
    return _shown(before.picture, olds, least, most), _shown(after.picture, news, least, most)


def cut(picture: Image.Image, most: int) -> Image.Image:
    """Return the top of a picture that is too long for a mail."""
    return picture.crop((0, 0, picture.width, min(picture.height, most)))


def _by_outline(before: Seen, after: Seen) -> tuple[list[Place], list[Place]] | None:
    olds: list[Place] = []
    news: list[Place] = []
    marks = [piece.mark for piece in before.outline], [piece.mark for piece in after.outline]
    for kind, from_old, to_old, from_new, to_new in SequenceMatcher(None, *marks, autojunk=False).get_opcodes():
        if kind != "equal":
            olds += _places(before.outline, from_old, to_old)
            news += _places(after.outline, from_new, to_new)
    # What is further down than the picture goes cannot be shown.
    has_any = any(place.has_frame and place.box.top < before.picture.height for place in olds)
    has_any = has_any or any(place.has_frame and place.box.top < after.picture.height for place in news)
    return (olds, news) if has_any else None


def _places(outline: Sequence[Piece], start: int, end: int) -> list[Place]:
    if start < end:
        return [Place(box) for box in _joined([piece.box for piece in outline[start:end]])]
    at = outline[start - 1].box.bottom if start else 0
    return [Place(Box(0, at, 0, at), has_frame=False)]


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


def _by_pixels(before: Image.Image, after: Image.Image) -> tuple[list[Place], list[Place]]:
    """Return one place: what lies between the part that is the same from the top and the one from the bottom."""
    shared = min(before.height, after.height)
    box = ImageChops.difference(_band(before, 0, shared), _band(after, 0, shared)).getbbox()
    if box is None:
        return [Place(Box(0, shared, before.width, before.height))], [Place(Box(0, shared, after.width, after.height))]
    upper = _band(before, before.height - shared, before.height), _band(after, after.height - shared, after.height)
    tail = ImageChops.difference(*upper).getbbox() or box
    left, right = min(box[0], tail[0]), max(box[2], tail[2])
    same_below = min(shared - tail[3], shared - box[1])
    return (
        [Place(Box(left, box[1], right, before.height - same_below))],
        [Place(Box(left, box[1], right, after.height - same_below))],
    )


def _band(picture: Image.Image, top: int, bottom: int) -> Image.Image:
    return picture.crop((0, top, picture.width, bottom))


def _shown(picture: Image.Image, places: Sequence[Place], least: int, most: int) -> Image.Image:
    framed = picture.copy()
    boxes = [place.box for place in places if place.has_frame]
    if len(boxes) <= _MOST_FRAMES:
        draw = ImageDraw.Draw(framed)
        for box in boxes:
            _frame(draw, box, picture)
    first = min(place.box.top for place in places)
    last = max(place.box.bottom for place in places)
    top = max(0, min(first - _AROUND, picture.height - least))
    bottom = min(picture.height, max(last + _AROUND, top + least), top + most)
    return framed.crop((0, top, picture.width, bottom))


def _frame(draw: ImageDraw.ImageDraw, box: Box, picture: Image.Image) -> None:
    left, right = max(_HALO_WIDTH, box.left - _PADDING), min(picture.width - 1 - _HALO_WIDTH, box.right + _PADDING)
    top, bottom = max(_HALO_WIDTH, box.top - _PADDING), min(picture.height - 1 - _HALO_WIDTH, box.bottom + _PADDING)
    if right - left < 2 * _CORNER or bottom - top < 2 * _CORNER:
        return
    halo = (left - _HALO_WIDTH, top - _HALO_WIDTH, right + _HALO_WIDTH, bottom + _HALO_WIDTH)
    draw.rounded_rectangle(halo, _CORNER + _HALO_WIDTH, outline=_HALO, width=_FRAME + 2 * _HALO_WIDTH)
    draw.rounded_rectangle((left, top, right, bottom), _CORNER, outline=_COLOUR, width=_FRAME)
