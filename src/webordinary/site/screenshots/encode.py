"""Makes pictures small enough for a mail, in the two formats that every mail program shows."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUALITIES = (82, 68, 52)
_SIZES = (1.0, 0.75, 0.5)


def encode(picture: Image.Image, width: int, most: int) -> tuple[str, Image.Image, bytes] | None:
    """Return the format, the picture as it was kept and its bytes; None when it does not become small enough."""
    for size in _SIZES:
        kept = _scaled(picture, min(picture.width, round(width * size)))
        for subtype, content in _versions(kept):
            if len(content) <= most:
                return subtype, kept, content
    return None


def _scaled(picture: Image.Image, width: int) -> Image.Image:
    if picture.width == width:
        return picture
    height = max(1, round(picture.height * width / picture.width))
    return picture.resize((width, height), Image.Resampling.LANCZOS)


def _versions(picture: Image.Image) -> Iterator[tuple[str, bytes]]:
    """Return the better of both formats first: few colours are sharp and small as PNG, photos are smaller as JPEG."""
    png = _saved(picture.quantize(256, dither=Image.Dither.NONE), "PNG", optimize=True)
    jpeg = _saved(picture, "JPEG", quality=_QUALITIES[0], subsampling=0, optimize=True)
    yield min((("png", png), ("jpeg", jpeg)), key=lambda version: len(version[1]))
    for quality in _QUALITIES[1:]:
        yield "jpeg", _saved(picture, "JPEG", quality=quality, optimize=True)


def _saved(picture: Image.Image, kind: str, **options: int) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()
