"""Raw bytes become a message; no mail, however broken or hostile, makes this raise."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from webordinary.errors import Refused
from webordinary.mail.address import read_author, read_recipients
from webordinary.mail.automatic import automatic_reason
from webordinary.mail.charset import clean_line, clean_text, decode_words
from webordinary.mail.fields import read_ids
from webordinary.mail.html_text import Allowance, html_to_text
from webordinary.mail.message import Attachment, Message
from webordinary.mail.mime import SIZE_LIMIT, HeaderBlock, Part, read_header_block, split_mail

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message as Headers

REFERENCES_KEPT = 20
ATTACHMENTS_LIMIT = 20
RECIPIENTS_LIMIT = 200
# Nobody writes a longer instruction.
TEXT_LIMIT = 1_000_000
_SUBJECT_LIMIT = 1_000
# In the longest encoding this is just under what a file system takes.
_NAME_LIMIT = 60

_SIGNATURES = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"},
)
_UNSAFE_IN_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')


def parse_message(raw: bytes, *, envelope_from: str | None = None) -> Message:
    """Return what the mail says; whatever is wrong with it is told in `defects`."""
    try:
        return _read(raw, envelope_from)
    except Exception as error:  # noqa: BLE001 - the mail is already accepted: it must be recorded, whatever is in it
        return _unreadable(type(error).__name__)


def _read(raw: bytes, envelope_from: str | None) -> Message:
    block = read_header_block(memoryview(raw))
    text, attachments, defects = _read_body(raw, block)
    headers = block.headers
    author, problem = read_author(_values(headers, "From"))
    if block.excess:
        # A second From could stand in what was not read.
        author, problem = None, block.excess
    ids = read_ids(_first(headers, "Message-ID"))
    return Message(
        message_id=ids[0] if ids else None,
        from_address=author.address if author else None,
        from_name=author.name if author else "",
        from_problem=problem,
        recipients=read_recipients(_values(headers, "To") + _values(headers, "Cc"), most=RECIPIENTS_LIMIT),
        subject=clean_line(decode_words(_first(headers, "Subject")))[:_SUBJECT_LIMIT],
        written_at=_read_date(_first(headers, "Date")),
        references=_read_references(headers),
        text=text,
        attachments=attachments,
        automatic=automatic_reason(headers, envelope_from),
        defects=defects,
    )


def _unreadable(why: str) -> Message:
    defect = f"The mail could not be read ({why})."
    return Message(None, None, "", defect, (), "", None, (), "", (), None, (defect,))


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


def _read_references(headers: Headers) -> tuple[str, ...]:
    values = _values(headers, "References") + _values(headers, "In-Reply-To")
    ids = dict.fromkeys(found for value in values for found in read_ids(value))
    return tuple(ids)[-REFERENCES_KEPT:]


def _read_body(raw: bytes, block: HeaderBlock) -> tuple[str, tuple[Attachment, ...], tuple[str, ...]]:
    """Return the text, the files and what was wrong; a mail over a limit has neither text nor files."""
    excess = _too_large(raw) or block.excess
    if excess:
        return "", (), (excess,)
    try:
        root = split_mail(memoryview(raw), block)
    except Refused as limit:
        return "", (), (str(limit),)
    body = _Body(root, [defect for part in root.leaves() for defect in part.defects])
    return body.text(), tuple(body.attachments()), tuple(body.defects)


def _too_large(raw: bytes) -> str | None:
    if len(raw) <= SIZE_LIMIT:
        return None
    return f"The mail is larger than {SIZE_LIMIT // 1024 // 1024} MB; send its files in several mails."


@dataclass(slots=True)
class _Body:
    """One mail's parts, told apart into what the person wrote and the files that came along."""

    root: Part
    defects: list[str]
    allowance: Allowance = field(default_factory=lambda: Allowance(TEXT_LIMIT))

    def text(self) -> str:
        text = self._text_of(self.root)
        if self.allowance.is_spent or len(text) > TEXT_LIMIT:
            self.defects.append("The text is too long; only its beginning was read.")
        return text[:TEXT_LIMIT]

    def _text_of(self, part: Part) -> str:
        if part.children and part.content_type == "multipart/alternative":
            return self._best_alternative(part)
        if part.children:
            texts = (self._text_of(child) for child in part.children)
            return "\n".join(text for text in texts if text.strip())
        if not self._is_words(part):
            return ""
        text = clean_text(part.text())
        return html_to_text(text, self.allowance) if part.content_type == "text/html" else text

    def _best_alternative(self, part: Part) -> str:
        """Return the plain version where there is one with words in it, else the last one with words."""
        plain = [child for child in part.children if child.content_type == "text/plain"]
        others = [child for child in reversed(part.children) if child.content_type != "text/plain"]
        return next((text for child in plain + others if (text := self._text_of(child)).strip()), "")

    def _is_words(self, part: Part) -> bool:
        if part.content_type not in {"text/plain", "text/html"}:
            return False
        return part is self.root or (part.disposition != "attachment" and not part.file_name)

    def attachments(self) -> list[Attachment]:
        files = [part for part in self.root.leaves() if not self._is_words(part)]
        files = [part for part in files if part.content_type not in _SIGNATURES]
        if len(files) > ATTACHMENTS_LIMIT:
            self.defects.append(f"Only the first {ATTACHMENTS_LIMIT} of {len(files)} attachments were kept.")
        return list(_attachments(files[:ATTACHMENTS_LIMIT]))


def _attachments(parts: list[Part]) -> Iterator[Attachment]:
    taken: set[str] = set()
    for number, part in enumerate(parts, 1):
        name = _safe_name(part.file_name) or f"attachment-{number}.{_extension(part.content_type)}"
        while name.lower() in taken:
            name = f"{number}-{name}"
        taken.add(name.lower())
        yield Attachment(name, part.content_type, part.content())


def _safe_name(name: str) -> str:
    """Return a name that stays inside any folder it is written to, with its ending kept."""
    name = _UNSAFE_IN_NAMES.sub("-", name).strip(" .-")
    stem, dot, ending = name.rpartition(".")
    return name if len(name) <= _NAME_LIMIT else stem[: _NAME_LIMIT - 20] + dot + ending[:19]


def _extension(content_type: str) -> str:
    if content_type == "message/rfc822":
        return "eml"
    return re.sub(r"[^a-z0-9]", "", content_type.partition("/")[2])[:12] or "bin"
