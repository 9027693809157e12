"""What a file is, by its content; its name and what the mail says only tell apart what bytes cannot."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

PHOTOS = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/avif"})
SVG = "image/svg+xml"
PROGRAM = "application/x-executable"
OUTLOOK_PACKET = "application/ms-tnef"
UNKNOWN = "application/octet-stream"
TEXT = "text/plain"

_SIGNS = (
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"8BPS", "image/vnd.adobe.photoshop"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"{\\rtf", "application/rtf"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (0, b"wOFF", "font/woff"),
    (0, b"wOF2", "font/woff2"),
    (0, b"OTTO", "font/otf"),
    (0, b"\x00\x01\x00\x00\x00", "font/ttf"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"OggS", "application/ogg"),
    (8, b"WAVE", "audio/wav"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"\x78\x9f\x3e\x22", OUTLOOK_PACKET),
    (0, b"\x7fELF", PROGRAM),
    (0, b"MZ", PROGRAM),
    (0, b"\xcf\xfa\xed\xfe", PROGRAM),
    (0, b"\xca\xfe\xba\xbe", PROGRAM),
    (0, b"#!/", PROGRAM),
)
# These are also how a text about Otto may begin.
_PERHAPS_WORDS = frozenset({b"8BPS", b"wOFF", b"wOF2", b"OTTO", b"ID3", b"OggS", b"MZ", b"WAVE", b"WEBP"})
_AVIF = frozenset({b"avif", b"avis"})
_HEIC = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
_MOST_BRANDS = 64
_OFFICE = (
    (b"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (b"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (b"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
)
_OPEN_DOCUMENT = re.compile(rb"mimetype(application/[a-z0-9.+-]{1,80})")
# Enough to see how it begins; the names inside a zip stand at its end.
_BEGINNING = 4096
_END = 64 * 1024

_TEXT_TYPES = {
    "csv": "text/csv",
    "css": "text/css",
    "htm": "text/html",
    "html": "text/html",
    "ics": "text/calendar",
    "json": "application/json",
    "md": "text/markdown",
    "tsv": "text/tab-separated-values",
    "txt": TEXT,
    "vcf": "text/vcard",
    "xml": "application/xml",
    "eml": "message/rfc822",
}
_ENDINGS = {
    "application/pdf": ("pdf",),
    "application/rtf": ("rtf",),
    "application/zip": ("zip",),
    "application/gzip": ("gz", "tgz", "svgz"),
    "application/x-7z-compressed": ("7z",),
    "application/vnd.rar": ("rar",),
    "application/x-ole-storage": ("doc", "xls", "ppt", "msg", "pub"),
    _OFFICE[0][1]: ("docx", "docm", "dotx"),
    _OFFICE[1][1]: ("xlsx", "xlsm", "xltx"),
    _OFFICE[2][1]: ("pptx", "pptm", "ppsx"),
    "application/vnd.oasis.opendocument.text": ("odt",),
    "application/vnd.oasis.opendocument.spreadsheet": ("ods",),
    "application/vnd.oasis.opendocument.presentation": ("odp",),
    "application/epub+zip": ("epub",),
    "image/tiff": ("tif", "tiff"),
    "image/vnd.adobe.photoshop": ("psd", "psb"),
    SVG: ("svg",),
    "font/woff": ("woff",),
    "font/woff2": ("woff2",),
    "font/otf": ("otf",),
    "font/ttf": ("ttf",),
    "audio/mpeg": ("mp3",),
    "audio/wav": ("wav",),
    "application/ogg": ("ogg", "oga", "ogv", "opus"),
    "video/webm": ("webm", "mkv"),
    "video/mp4": ("mp4", "m4v", "mov", "m4a", "3gp"),
}
_PLAIN_ENDINGS = frozenset({*_TEXT_TYPES, "log", "srt", "vtt", "yaml", "yml", "toml", "ini"})
# A browser or a shell would run these by their name alone.
_RUN_BY_NAME = frozenset(
    {"bat", "cgi", "cmd", "com", "exe", "hta", "htm", "html", "jar", "js", "lnk", "mjs", "msi", "php", "pif", "pl"}
    | {"ps1", "py", "rb", "scr", "sh", "shtml", "svg", "svgz", "vbs", "wasm", "xhtml", "xml"}
)


def recognise(content: bytes, name: str, root: str | None = None) -> str:
    """Return the type of the content; `root` is the outermost element if it is well-formed XML."""
    for place, sign, kind in _SIGNS:
        if content.startswith(sign, place) and not (sign in _PERHAPS_WORDS and is_text(content)):
            return kind
    if content[4:8] == b"ftyp":
        return _by_brands(content)
    if content.startswith(b"PK\x03\x04"):
        return _zip_type(content)
    if root == "svg":
        return SVG
    if not is_text(content):
        return UNKNOWN
    return _TEXT_TYPES.get(ending_of(name), TEXT)


def is_text(content: bytes) -> bool:
    """Tell whether the bytes are text in an encoding that is in use."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    if b"\x00" in content:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        # An older encoding: no control signs, and letters more often than not.
        odd = len(re.findall(rb"[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]", content[:_END]))
        high = len(re.findall(rb"[\x80-\xff]", content[:_END]))
        return odd == 0 and high * 3 < len(content[:_END])
    return True


def with_fitting_ending(name: str, content_type: str) -> str:
    """Return the name with an ending that says what the content is, added where it says something else."""
    ending = ending_of(name)
    fitting = _ENDINGS.get(content_type)
    if fitting is not None:
        return name if ending in fitting else f"{name}.{fitting[0]}"
    if content_type == UNKNOWN:
        return f"{name}.bin" if ending in _RUN_BY_NAME or not ending else name
    return name if ending in _PLAIN_ENDINGS else f"{name}.txt"


def is_sent_as_picture(name: str, declared: str) -> bool:
    """Tell whether somebody who sent this meant a picture, whatever it is."""
    pictures = {"jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif", "svg"}
    return ending_of(name) in pictures or declared.lower().startswith("image/")


def ending_of(name: str) -> str:
    return PurePosixPath(name).suffix[1:].lower()


def _by_brands(content: bytes) -> str:
    """Tell pictures from videos by the brands that the file says it is compatible with."""
    length = min(int.from_bytes(content[:4]), 16 + 4 * _MOST_BRANDS)
    brands = {content[8:12], *(content[at : at + 4] for at in range(16, length, 4))}
    if brands & _AVIF:
        return "image/avif"
    return "image/heic" if brands & _HEIC else "video/mp4"


def _zip_type(content: bytes) -> str:
    """Tell office documents from other archives by the names in the archive, which is never unpacked."""
    written = _OPEN_DOCUMENT.search(content[:_BEGINNING])
    if written and (kind := written[1].decode("ascii")) in _ENDINGS:
        return kind
    names = content[-_END:]
    if b"[Content_Types].xml" in names:
        return next((kind for folder, kind in _OFFICE if folder in names), "application/zip")
    return "application/zip"
