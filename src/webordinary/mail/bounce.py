"""A mail of ours that came back: which one, from whom, and whether it is worth trying that address again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import Refused
from webordinary.mail.mime.charset import clean_line, decode_words
from webordinary.mail.mime.fields import read_ids
from webordinary.mail.mime.parts import read_header_block, split_mail

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message as Headers

    from webordinary.mail.mime.parts import MimePart

_REPORT = "multipart/report"
_STATUS_TYPES = frozenset({"message/delivery-status", "message/global-delivery-status"})
_RETURNED_TYPES = frozenset({"message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"})
_MOST_RECIPIENTS = 20
_LONGEST_REASON = 200
_STATUS = re.compile(r"([245])\.\d{1,3}\.\d{1,3}")


@dataclass(frozen=True, slots=True)
class Returned:
    """One recipient whom a mail of ours did not reach; ids stand without angle brackets."""

    message_id: str
    address: str
    is_for_good: bool
    reason: str


def read_bounce(raw: bytes) -> tuple[Returned, ...]:
    """Read a delivery report; nothing when it is none, or when it does not name the mail that it is about."""
    try:
        root = split_mail(memoryview(raw), read_header_block(memoryview(raw)))
    except Refused:
        return ()
    if root.content_type != _REPORT:
        return ()
    returned = next((part for part in root.leaves() if part.content_type in _RETURNED_TYPES), None)
    message_id = _id_of(returned) if returned else ""
    return tuple(_recipients(root, message_id)) if message_id else ()


def _id_of(part: MimePart) -> str:
    content = part.content()
    # Some servers return the headers without the empty line that ends them.
    block = read_header_block(memoryview(content + b"\r\n\r\n"))
    ids = read_ids(str(block.headers.get("Message-ID", "")))
    return ids[0] if ids else ""


def _recipients(root: MimePart, message_id: str) -> Iterator[Returned]:
    reports = [part for part in root.leaves() if part.content_type in _STATUS_TYPES]
    groups = [group for part in reports for group in _groups(part.content())]
    for group in groups[:_MOST_RECIPIENTS]:
        address = _address(group)
        if address and str(group.get("Action", "")).strip().lower() == "failed":
            yield Returned(message_id, address, _status(group).startswith("5"), _reason(group))


def _groups(content: bytes) -> Iterator[Headers]:
    """Yield the fields of each recipient; those of the whole report come first and name nobody."""
    for block in re.split(rb"\r?\n[ \t]*\r?\n", content.strip())[: _MOST_RECIPIENTS + 1]:
        yield read_header_block(memoryview(block + b"\r\n\r\n")).headers


def _address(group: Headers) -> str:
    """Return the address as we wrote it where the report knows it, else the one that it was delivered to."""
    for name in ("Original-Recipient", "Final-Recipient"):
        kind, separator, address = str(group.get(name, "")).partition(";")
        if separator and kind.strip().lower() in {"rfc822", "utf-8"} and "@" in address:
            return clean_line(address).strip("<> ")
    return ""


def _status(group: Headers) -> str:
    found = _STATUS.search(str(group.get("Status", "")))
    return found[0] if found else ""


def _reason(group: Headers) -> str:
    said = clean_line(decode_words(str(group.get("Diagnostic-Code", ""))[:1000])).partition(";")[2].strip()
    return (said or _status(group) or "it could not be delivered")[:_LONGEST_REASON]
