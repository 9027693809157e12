"""Pictures as cameras and phones write them, made for the tests: real formats, real EXIF, real GPS."""

from __future__ import annotations

import io
import struct
import zlib
from functools import cache
from typing import Any

import pillow_heif
from PIL import Image, ImageCms, ImageDraw, PngImagePlugin

pillow_heif.register_heif_opener()

RED, GREEN, BLUE, YELLOW = (200, 30, 30), (30, 160, 30), (30, 30, 200), (220, 200, 40)
CAMERA = "Kamerabauer 9"
COMMENT = b"taken by Scott at home"
XMP = (
    b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    b'<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="48,8.0N"/></rdf:RDF></x:xmpmeta>'
)
# What must not be found in anything that is shown to the public.
TRACES = (b"Exif", b"GPS", CAMERA.encode(), COMMENT, b"xmp", b"XMP", b"adobe", b"ICC_PROFILE", b"iCCP")

_ORIENTATION, _MAKE, _GPS = 0x0112, 0x010F, 0x8825


def corners(width: int = 80, height: int = 60) -> Image.Image:
    """Return a picture whose four quarters tell how it is turned: red is at the top on the left."""
    image = Image.new("RGB", (width, height))
    draw = ImageDraw.Draw(image)
    right, lower = width // 2, height // 2
    draw.rectangle((0, 0, right - 1, lower - 1), fill=RED)
    draw.rectangle((right, 0, width, lower - 1), fill=GREEN)
    draw.rectangle((0, lower, right - 1, height), fill=BLUE)
    draw.rectangle((right, lower, width, height), fill=YELLOW)
    return image


def camera_data(*, orientation: int = 1) -> bytes:
    """Return EXIF data with a camera's name, an orientation and the place where the photo was taken."""
    exif = Image.Exif()
    exif[_MAKE] = CAMERA
    exif[_ORIENTATION] = orientation
    gps = exif.get_ifd(_GPS)
    gps.update({1: "N", 2: (48.0, 8.0, 14.0), 3: "E", 4: (11.0, 34.0, 31.0)})
    return exif.tobytes()


@cache
def photo(kind: str = "JPEG", *, orientation: int = 6, size: tuple[int, int] = (80, 60)) -> bytes:
    """Return a photo with everything that a camera writes beside it, turned on its side by default."""
    extra: dict[str, Any] = {"exif": camera_data(orientation=orientation)}
    if kind == "PNG":
        text = PngImagePlugin.PngInfo()
        text.add_text("Comment", COMMENT.decode())
        text.add_itxt("XML:com.adobe.xmp", XMP.decode())
        extra["pnginfo"] = text
    elif kind == "GIF":
        extra = {"comment": COMMENT}
    else:
        extra["xmp"] = XMP
    if kind == "JPEG":
        extra["comment"] = COMMENT
    if kind != "GIF":
        extra["icc_profile"] = srgb_profile()
    if kind in {"WEBP", "AVIF", "HEIF"}:
        extra["quality"] = 90
    return saved(corners(*size), kind, **extra)


def saved(image: Image.Image, kind: str, **extra: Any) -> bytes:  # noqa: ANN401 - the encoder's own options
    file = io.BytesIO()
    image.save(file, kind, **extra)
    return file.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


@cache
def srgb_profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def wide_profile() -> bytes:
    """Return a profile in which red and green have changed places: whoever ignores it shows wrong colours."""
    return _matrix_profile((("gXYZ", b"rXYZ"), ("rXYZ", b"gXYZ")))


def _matrix_profile(renamed: tuple[tuple[str, bytes], ...]) -> bytes:
    profile = bytearray(srgb_profile())
    count = struct.unpack(">I", profile[128:132])[0]
    for number in range(count):
        at = 132 + 12 * number
        name = bytes(profile[at : at + 4]).decode()
        for old, new in renamed:
            if name == old:
                profile[at : at + 4] = new
    return bytes(profile)


def moving(kind: str = "GIF", *, frames: int = 4, size: tuple[int, int] = (40, 30)) -> bytes:
    """Return an animation in which a square walks to the right."""
    pictures = []
    for number in range(frames):
        frame = Image.new("RGB", size, BLUE)
        left = number * size[0] // frames
        ImageDraw.Draw(frame).rectangle((left, 5, left + 8, 13), fill=RED if number % 2 else YELLOW)
        pictures.append(frame)
    extra: dict[str, Any] = {"comment": COMMENT} if kind == "GIF" else {}
    return saved(pictures[0], kind, save_all=True, append_images=pictures[1:], duration=120, loop=0, **extra)


def huge_png(width: int = 30_000, height: int = 30_000, *, in_colour: bool = False) -> bytes:
    """Return a PNG of some kilobytes that claims, and keeps, an enormous size."""
    header = struct.pack(">IIBBBBB", width, height, 8 if in_colour else 1, 6 if in_colour else 0, 0, 0, 0)
    line = b"\x00" * (1 + (4 * width if in_colour else -(-width // 8)))
    packer = zlib.compressobj(1)
    body = b"".join(packer.compress(line * 100) for _ in range(height // 100)) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
