"""Photos made ready for the web: upright, in the colours of the web, small enough, and without a word about where.

Runs only in the process that `prepare` starts: a decoder that hangs or breaks takes nothing else with it.
"""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PIL import AvifImagePlugin, Image, ImageCms, ImageOps, WebPImagePlugin

from webordinary.jobs.job import FileProblem

if TYPE_CHECKING:
    from webordinary.media.limits import MediaLimits

_FORMATS = {
    "image/jpeg": "JPEG",
    "image/png": "PNG",
    "image/gif": "GIF",
    "image/webp": "WEBP",
    "image/heic": "HEIF",
    "image/avif": "AVIF",
}
# Not JPEG: what looks like a second frame there is a preview or a depth map.
_MAY_MOVE = frozenset({"GIF", "PNG", "WEBP", "AVIF"})
_AVIF, _JPEG, _PNG, _WEBP = "image/avif", "image/jpeg", "image/png", "image/webp"
_THREADS = 2
# A drawing with soft edges has fewer; a photo, also a grey one, has more.
_FEW_COLOURS = 64
_SHORTEST_FRAME_MS = 20
_LOOSE_GAP = 3.0
_WORTH_A_SMALLER_ONE = 1.25
_PROFILE_LIMIT = 4_000_000

# Whatever these need must be here before the first file is looked at.
AvifImagePlugin.DEFAULT_MAX_THREADS = _THREADS
__all__ = ["Photo", "Refusal", "WebPImagePlugin", "develop", "open_photo"]


class Refusal(Exception):
    """The file will not be used, for a reason that a person can do something about."""

    def __init__(self, problem: FileProblem, limit: str = "") -> None:
        super().__init__(problem.value)
        self.problem = problem
        self.limit = limit


@dataclass(frozen=True, slots=True)
class Photo:
    """One version of a picture as bytes."""

    content_type: str
    content: bytes
    width: int
    height: int


def open_photo(content: bytes, content_type: str, limits: MediaLimits) -> Image.Image:
    """Read how large the picture is and refuse it if that is too much; nothing is decoded yet."""
    if content_type == "image/heic":
        _know_heic()
    if content_type == _WEBP:
        # Its decoder holds the whole picture several times, and takes the room before it tells the size.
        limits = replace(limits, pixels=limits.pixels // 2)
        _refuse_pixels(*_webp_size(content), limits)
    # Pillow complains above its number and refuses only above twice of it; frames can still grow later.
    Image.MAX_IMAGE_PIXELS = limits.pixels // 2
    try:
        image = Image.open(io.BytesIO(content), formats=[_FORMATS[content_type]])
    except Image.DecompressionBombError:
        raise Refusal(FileProblem.TOO_MANY_PIXELS, _megapixels(limits)) from None
    _refuse_pixels(*image.size, limits)
    return image


def develop(image: Image.Image, limits: MediaLimits) -> list[Photo]:
    """Return the versions for a web page, the plain one last; whatever moves becomes one animated WebP."""
    if image.format in _MAY_MOVE and getattr(image, "is_animated", False):
        return [_moving(image, limits)]
    is_drawn = image.format in {"PNG", "GIF"}
    image = _with_own_colours(image)
    few_colours = is_drawn and image.getcolors(_FEW_COLOURS) is not None
    still = _upright(_web_sized(image, limits.long_side))
    plain = _PNG if few_colours or still.mode == "RGBA" else _JPEG
    sizes = [*_shorter(still, limits), still]
    return [_saved(each, content_type) for content_type in (_AVIF, plain) for each in sizes]


def _shorter(still: Image.Image, limits: MediaLimits) -> list[Image.Image]:
    """Return the picture for small screens, unless it is hardly larger than that itself."""
    if max(still.size) < limits.short_form * _WORTH_A_SMALLER_ONE:
        return []
    small = still.copy()
    small.thumbnail((limits.short_form, limits.short_form), Image.Resampling.LANCZOS)
    return [small]


def _know_heic() -> None:
    # Loading it takes longer than a small photo, and most mails have none of these.
    import pillow_heif  # noqa: PLC0415 - see above

    pillow_heif.options.DECODE_THREADS = _THREADS
    pillow_heif.register_heif_opener(thumbnails=False)


def _webp_size(content: bytes) -> tuple[int, int]:
    """Read the size from the header, in each of its three forms."""
    chunk, body = content[12:16], content[20:30]
    if chunk == b"VP8X":
        return 1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")
    if chunk == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    return int.from_bytes(body[6:8], "little") & 0x3FFF, int.from_bytes(body[8:10], "little") & 0x3FFF


def _refuse_pixels(width: int, height: int, limits: MediaLimits) -> None:
    if width * height > limits.pixels:
        raise Refusal(FileProblem.TOO_MANY_PIXELS, _megapixels(limits))


def _megapixels(limits: MediaLimits) -> str:
    return f"{limits.pixels // 1_000_000} MP"


def _with_own_colours(image: Image.Image) -> Image.Image:
    """Turn palettes into colours, because between two of a palette there is no third, and deep grey into grey."""
    if image.mode in {"I;16", "I"}:
        return image.convert("I").point(lambda value: value / 256).convert("L")
    if image.mode in {"P", "PA"} or "transparency" in image.info:
        return image.convert("RGBA")
    return image.convert("L") if image.mode == "1" else image


def _web_sized(image: Image.Image, long_side: int) -> Image.Image:
    """Decode and make smaller, never larger; a JPEG is decoded small at once, which saves most of the memory."""
    if max(image.size) > long_side:
        image.thumbnail((long_side, long_side), Image.Resampling.LANCZOS, reducing_gap=_LOOSE_GAP)
    return image


def _upright(image: Image.Image) -> Image.Image:
    """Turn the picture as it was held, bring it to sRGB, and forget everything else that came with it."""
    try:
        image = ImageOps.exif_transpose(image)
    except (ValueError, TypeError, KeyError, SyntaxError, struct.error, ZeroDivisionError, OSError):
        # Nonsense beside the picture does not make the picture unreadable.
        image.load()
    image = _in_srgb(image)
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    return _bare(image)


def _bare(image: Image.Image) -> Image.Image:
    """Return the pixels alone: encoders write down comments and profiles that a picture still knows."""
    return Image.frombytes(image.mode, image.size, image.tobytes())


def _in_srgb(image: Image.Image) -> Image.Image:
    has_alpha = image.mode in {"RGBA", "LA", "La", "RGBa", "PA"}
    target = "RGBA" if has_alpha else "RGB"
    profile = image.info.get("icc_profile")
    if image.mode in {"LA", "La", "RGBa"}:
        image = image.convert("RGBA")
    if profile and len(profile) <= _PROFILE_LIMIT:
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode=target)
        except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
            converted = None
        if converted is not None:
            return converted
    return image.convert(target)


def _saved(image: Image.Image, content_type: str) -> Photo:
    file = io.BytesIO()
    match content_type:
        case "image/avif":
            image.save(file, "AVIF", quality=60, speed=6, max_threads=_THREADS)
        case "image/png":
            image.save(file, "PNG")
        case _:
            image.save(file, "JPEG", quality=82, optimize=True, progressive=True)
    return Photo(content_type, file.getvalue(), *image.size)


def _moving(image: Image.Image, limits: MediaLimits) -> Photo:
    """Return all frames as one animated WebP, at half the long side: they are looked at together."""
    frames: list[Image.Image] = []
    durations: list[int] = []
    loops = image.info.get("loop", 1 if image.format == "GIF" else 0)
    for number in range(limits.frames + 1):
        try:
            image.seek(number)
        except EOFError:
            break
        if number == limits.frames:
            raise Refusal(FileProblem.TOO_MANY_FRAMES, str(limits.frames))
        _refuse_pixels(*image.size, limits)
        frame = image.convert("RGBA")
        frame.thumbnail((limits.long_side // 2, limits.long_side // 2), reducing_gap=_LOOSE_GAP)
        frames.append(frame)
        durations.append(max(_SHORTEST_FRAME_MS, int(image.info.get("duration", 100) or 100)))
        if frame.width * frame.height * len(frames) > limits.animation_pixels:
            raise Refusal(FileProblem.TOO_MANY_FRAMES, str(limits.frames))
    return _as_webp(frames, durations, int(loops))


def _as_webp(frames: list[Image.Image], durations: list[int], loops: int) -> Photo:
    first, *others = [_bare(frame) for frame in frames]
    file = io.BytesIO()
    first.save(file, "WEBP", save_all=True, append_images=others, duration=durations, loop=loops, quality=75, method=3)
    return Photo(_WEBP, file.getvalue(), *first.size)
