"""One file looked at: what it is, what becomes of it, and the versions that were made of it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.jobs.job import FileKind, FileProblem
from webordinary.media import recognise
from webordinary.media.photo import Photo, Refusal, develop, open_photo
from webordinary.media.signature import is_pixel, is_small
from webordinary.media.svg import find_problem, root_of

if TYPE_CHECKING:
    from webordinary.media.limits import MediaLimits

_LONGEST_DRAWING = 2_000_000
_BEGINNING = 4096
_MARKS_AND_BLANKS = b"\xef\xbb\xbf\xff\xfe \t\r\n\x00"


@dataclass(frozen=True, slots=True)
class Treated:
    """What became of one file."""

    fate: FileKind
    content_type: str
    photos: tuple[Photo, ...] = ()
    problem: FileProblem = FileProblem.NONE
    limit: str = ""


def treat(content: bytes, name: str, declared: str, limits: MediaLimits, *, in_signature: bool) -> Treated:
    """Look at one file; whatever is wrong with it is told, not raised."""
    kind = recognise.UNKNOWN
    try:
        kind = _kind_of(content, name)
        if kind not in recognise.PHOTOS:
            return _document(content, kind, name, declared)
        with warnings.catch_warnings():
            # Decoders warn about nonsense beside the picture, which is thrown away anyway.
            warnings.simplefilter("ignore")
            return _photo(content, kind, limits, in_signature=in_signature)
    except Refusal as refusal:
        return Treated(FileKind.REFUSED, kind, problem=refusal.problem, limit=refusal.limit)
    except MemoryError:
        return Treated(FileKind.REFUSED, kind, problem=FileProblem.TOO_MANY_PIXELS)
    except Exception:  # noqa: BLE001 - decoders raise whatever they like: the file is unreadable, and only it
        return Treated(FileKind.REFUSED, kind, problem=FileProblem.UNREADABLE)


def _kind_of(content: bytes, name: str) -> str:
    looks_like_xml = content[:_BEGINNING].lstrip(_MARKS_AND_BLANKS).startswith(b"<")
    return recognise.recognise(content, name, root_of(content) if looks_like_xml else None)


def _photo(content: bytes, kind: str, limits: MediaLimits, *, in_signature: bool) -> Treated:
    with open_photo(content, kind, limits) as image:
        if is_pixel(image.size) or (in_signature and is_small(image.size, len(content))):
            return Treated(FileKind.SKIPPED, kind)
        return Treated(FileKind.PHOTO, kind, tuple(develop(image, limits)))


def _document(content: bytes, kind: str, name: str, declared: str) -> Treated:
    if not content:
        raise Refusal(FileProblem.EMPTY)
    if kind == recognise.PROGRAM:
        raise Refusal(FileProblem.PROGRAM)
    if kind == recognise.OUTLOOK_PACKET:
        raise Refusal(FileProblem.OUTLOOK_PACKET)
    if kind == recognise.SVG:
        return _drawing(content)
    if kind in {recognise.UNKNOWN, recognise.TEXT} and recognise.is_sent_as_picture(name, declared):
        raise Refusal(FileProblem.UNREADABLE)
    return Treated(FileKind.DOCUMENT, kind)


def _drawing(content: bytes) -> Treated:
    if len(content) > _LONGEST_DRAWING:
        raise Refusal(FileProblem.TOO_LARGE, f"{_LONGEST_DRAWING // 1_000_000} MB")
    if problem := find_problem(content):
        raise Refusal(problem)
    return Treated(FileKind.PHOTO, recognise.SVG, (Photo(recognise.SVG, content, 0, 0),))
