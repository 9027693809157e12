"""Files that come with a mail, under names that are safe in any folder and apart from each other."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from webordinary.mail.message import Attachment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.mail.mime.parts import MimePart


_LONGEST_STEM = 60
# File systems take 255 bytes, and a version's ending and a number may still be added.
_LONGEST_STEM_BYTES = 180
_LONGEST_ENDING = 10
_LONGEST_LOOKED_AT = 2048
_NOT_IN_NAMES = re.compile(r'[<>:"|?*$`;%#{}\[\]]+')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)", re.IGNORECASE)
# Control signs, signs that turn the reading direction, half letters and unassigned ones.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def safe_names(names: Sequence[str], otherwise: Sequence[str] = ()) -> tuple[str, ...]:
    """Return a safe name for each file of a mail; no two of them differ only by their ending or by case.

    `otherwise` are the names for those of which nothing is left.
    """
    taken: set[str] = set()
    safe = []
    for number, name in enumerate(names):
        stem, ending = _split(_visible(name))
        if not stem:
            stem, ending = _split(otherwise[number] if otherwise else f"file-{number + 1}")
        stem = _distinct(stem, taken)
        taken.add(_folded(stem))
        safe.append(stem + ending)
    return tuple(safe)


def stem_of(name: str) -> str:
    return _split(name)[0] or name


def _visible(name: str) -> str:
    """Return the last part of a path without anything that cannot be seen or that a shell would understand."""
    bounded = name if len(name) <= _LONGEST_LOOKED_AT else name[:_LONGEST_LOOKED_AT] + name[-_LONGEST_LOOKED_AT:]
    last = re.split(r"[\\/]", unicodedata.normalize("NFC", bounded))[-1]
    seen = "".join(" " if sign in "\t\r\n" else sign for sign in last if _is_seen(sign))
    return " ".join(_NOT_IN_NAMES.sub("-", seen).split())


def _is_seen(sign: str) -> bool:
    return sign in "\t\r\n" or unicodedata.category(sign) not in _UNSEEN


def _split(name: str) -> tuple[str, str]:
    """Return a safe stem and the ending with its dot, or an empty one."""
    stem, dot, ending = name.strip(" .-~").rpartition(".")
    if not dot or not re.fullmatch(rf"[A-Za-z0-9]{{1,{_LONGEST_ENDING}}}", ending):
        stem, ending = name, ""
    stem = _shortened(stem.strip(" .-~"))
    stem = f"_{stem}" if _RESERVED.match(stem) else stem
    return stem, f".{ending.lower()}" if ending and stem else ""


def _shortened(stem: str) -> str:
    short = stem[:_LONGEST_STEM].encode("utf-8")[:_LONGEST_STEM_BYTES]
    return short.decode("utf-8", "ignore").strip(" .-~")


def _distinct(stem: str, taken: set[str]) -> str:
    number, tried = 1, stem
    while _folded(tried) in taken:
        number += 1
        tried = f"{stem}-{number}"
    return tried


def _folded(stem: str) -> str:
    """Return the stem as a file system that knows no case and no accents apart would compare it."""
    return unicodedata.normalize("NFKC", stem).casefold()


def name_files(parts: Sequence[MimePart], *, read: int) -> Iterator[Attachment]:
    """Yield each part as a file with a name of its own; beyond the first `read` ones only the names."""
    given = [part.file_name for part in parts]
    otherwise = [f"attachment-{number}.{_extension(part.content_type)}" for number, part in enumerate(parts, 1)]
    for number, (part, name) in enumerate(zip(parts, safe_names(given, otherwise), strict=True)):
        content = part.content() if number < read else b""
        yield Attachment(name, part.content_type, content, part.content_id, part.disposition)


def _extension(content_type: str) -> str:
    if content_type == "message/rfc822":
        return "eml"
    return re.sub(r"[^a-z0-9]", "", content_type.partition("/")[2])[:10] or "bin"
