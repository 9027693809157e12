"""A mail as the product sees it, read once from its raw bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

# Words that the person crossed out are told as such: they must neither count nor be lost.
STRUCK_OUT, STRUCK_OUT_ENDS = "[struck out: ", "]"
_STRUCK = re.compile(r"\[struck out: [^\]\n]{1,2000}\]")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a mail; its name is safe inside a folder, its type is what the mail says.

    A picture that stands inside the text has its place there, as `picture_mark(name)`.
    """

    name: str
    content_type: str
    content: bytes
    content_id: str = ""
    disposition: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """What a mail says; `from_problem` tells why `from_address` is None, ids stand without angle brackets.

    Lines of `text` that begin with `>` are quoted or forwarded: somebody else's words. `forwarded` is the text of
    mails that came along as files. `excess` says which limit the mail breaks, and `unreadable` what of it nobody
    but the sender's program can read; both are sentences for the person.
    """

    message_id: str | None
    from_address: str | None
    from_name: str
    from_problem: str | None
    recipients: tuple[str, ...]
    subject: str
    written_at: datetime | None
    references: tuple[str, ...]
    text: str
    attachments: tuple[Attachment, ...]
    automatic: str | None
    defects: tuple[str, ...]
    forwarded: str = ""
    excess: str | None = None
    unreadable: tuple[str, ...] = ()


def picture_mark(name: str) -> str:
    """Return the line that keeps the place of a picture in the text."""
    return f"[picture: {name}]"


def without_struck(text: str) -> str:
    """Return the text without what the person has crossed out."""
    return _STRUCK.sub(" ", text)
