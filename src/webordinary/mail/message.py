"""A mail as the product sees it, read once from its raw bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a mail; its name is safe inside a folder, its type is what the mail claims."""

    name: str
    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Message:
    """What a mail says; `from_problem` tells why `from_address` is None, ids stand without angle brackets."""

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
