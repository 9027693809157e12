"""The files that come with a mail, under names that stay inside any folder and apart from each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.mail.message import Attachment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.mail.mime import Part

# In the longest encoding this is just under what a file system takes.
_NAME_LIMIT = 60
_UNSAFE_IN_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')


def name_files(parts: list[Part]) -> Iterator[Attachment]:
    """Yield each part as a file with a name of its own."""
    taken: set[str] = set()
    for number, part in enumerate(parts, 1):
        name = _safe_name(part.file_name) or f"attachment-{number}.{_extension(part.content_type)}"
        while name.lower() in taken:
            name = f"{number}-{name}"
        taken.add(name.lower())
        yield Attachment(name, part.content_type, part.content(), part.content_id, part.disposition)


def _safe_name(name: str) -> str:
    """Return a name that stays inside any folder it is written to, with its ending kept."""
    name = _UNSAFE_IN_NAMES.sub("-", name).strip(" .-")
    stem, dot, ending = name.rpartition(".")
    return name if len(name) <= _NAME_LIMIT else stem[: _NAME_LIMIT - 20] + dot + ending[:19]


def _extension(content_type: str) -> str:
    if content_type == "message/rfc822":
        return "eml"
    return re.sub(r"[^a-z0-9]", "", content_type.partition("/")[2])[:12] or "bin"
