"""Raw bytes become a message; no mail, however broken or hostile, makes this raise."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from webordinary.errors import Refused
from webordinary.mail.address import read_author, read_recipients
from webordinary.mail.automatic import automatic_reason, says_it_is_a_machine
from webordinary.mail.message import Message
from webordinary.mail.mime.body import Body, read_body
from webordinary.mail.mime.charset import clean_line, decode_words
from webordinary.mail.mime.fields import read_ids
from webordinary.mail.mime.parts import SIZE_LIMIT, read_header_block, split_mail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from email.message import Message as Headers
    from mmap import mmap

REFERENCES_KEPT = 20
RECIPIENTS_LIMIT = 200
_SUBJECT_LIMIT = 1_000


def parse_message(raw: bytes, *, envelope_from: str | None = None) -> Message:
    """Return what the mail says, read in this process; `defects` lists whatever is wrong with it."""
    return parse_with(body_of, raw, envelope_from)


def parse_with(read: Callable[[bytes], Body], raw: bytes, envelope_from: str | None) -> Message:
    """Return what the mail says, with its body read by a function that may be stopped."""
    try:
        return _message(raw, read(raw), envelope_from)
    except Exception as error:  # noqa: BLE001 - the mail is already accepted: it must be recorded, whatever is in it
        return _unreadable(type(error).__name__)


def _message(raw: bytes, body: Body, envelope_from: str | None) -> Message:
    block = read_header_block(memoryview(raw))
    headers = block.headers
    author, problem = read_author(_values(headers, "From"))
    if block.excess:
        # A second From could stand in what was not read.
        author, problem = None, block.excess
    ids = read_ids(_first(headers, "Message-ID"))
    subject = clean_line(decode_words(_first(headers, "Subject")))[:_SUBJECT_LIMIT]
    return Message(
        message_id=ids[0] if ids else None,
        from_address=author.address if author else None,
        from_name=author.name if author else "",
        from_problem=problem,
        recipients=read_recipients(_values(headers, "To") + _values(headers, "Cc"), most=RECIPIENTS_LIMIT),
        subject=subject,
        written_at=_read_date(_first(headers, "Date")),
        references=read_references(headers),
        text=body.text,
        attachments=body.attachments,
        automatic=automatic_reason(headers, envelope_from) or says_it_is_a_machine(subject, body.text),
        defects=body.defects,
        forwarded=body.forwarded,
        excess=body.excess,
        unreadable=body.unreadable,
    )


def _unreadable(why: str) -> Message:
    defect = f"The mail could not be read ({why})."
    return Message(None, None, "", defect, (), "", None, (), "", (), None, (defect,), excess=defect)


def _values(headers: Headers, name: str) -> list[str]:
    return [str(value) for value in headers.get_all(name, [])]


def _first(headers: Headers, name: str) -> str:
    return str(headers.get(name, ""))


def _read_date(value: str) -> datetime | None:
    try:
        written_at = parsedate_to_datetime(value[:200])
        return (written_at if written_at.tzinfo else written_at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def read_references(headers: Headers, names: Sequence[str] = ("References", "In-Reply-To")) -> tuple[str, ...]:
    """Return the ids of the mails that these headers name, the last ones of many."""
    values = [value for name in names for value in _values(headers, name)]
    ids = dict.fromkeys(found for value in values for found in read_ids(value))
    return tuple(ids)[-REFERENCES_KEPT:]


def body_of(raw: bytes | mmap) -> Body:
    """Return what the mail holds; one over a limit has neither text nor files."""
    view = memoryview(raw)
    block = read_header_block(view)
    if excess := _too_large(view) or block.excess:
        return Body(defects=(excess,), excess=excess)
    try:
        root = split_mail(view, block)
    except Refused as limit:
        return Body(defects=(str(limit),), excess=str(limit))
    return read_body(root, is_answer=bool(read_references(block.headers)))


def _too_large(raw: memoryview) -> str | None:
    if len(raw) <= SIZE_LIMIT:
        return None
    return f"The mail is larger than {SIZE_LIMIT // 1024 // 1024} MB; send its files in several mails."
