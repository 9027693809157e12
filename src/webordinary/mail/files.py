"""The files that come with a mail, under names that stay inside any folder and apart from each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.mail.message import Attachment
from webordinary.mail.mime.file_names import safe_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.mail.mime.parts import Part


def name_files(parts: Sequence[Part], *, read: int) -> Iterator[Attachment]:
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
