"""An answer as bytes, threaded so that every mail program shows it under the mail it answers."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from webordinary.errors import Misconfigured, Refused
from webordinary.languages import any_of
from webordinary.mail.address import is_well_formed
from webordinary.mail.automatic import LOOP_HEADER
from webordinary.mail.conversation import bare_id
from webordinary.mail.mime.charset import clean_line, clean_text
from webordinary.mail.words.quoting import marker_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

REFERENCES_SENT = 20
_SUBJECT_LIMIT = 200
_NAME_LIMIT = 100
# What fits into the 75 characters of an encoded word, as bytes before they are encoded.
_BYTES_A_WORD = 45
_LONGEST_PLAIN_LINE = 998

# "Re:" in the languages of the common mail programs, also numbered; forwards keep their prefix.
_REPLY_PREFIX = re.compile(
    rf"(?:{any_of(lambda each: each.programs.answered)})(?:\[\d{{1,3}}\])?\s?[:\uff1a]\s*", re.IGNORECASE
)
_ID = re.compile(r"[!-;=?-~]{1,900}\Z")


class _ReadyPolicy(EmailPolicy):
    """Mail bytes whose headers stand exactly as they were written here.

    Python's own folding encodes long ids, so that replies find no thread, and loses spaces in long names.
    """

    def header_store_parse(self, name: str, value: Any) -> tuple[str, Any]:  # noqa: ANN401 - as in EmailPolicy
        return name, value

    def fold(self, name: str, value: Any) -> str:  # noqa: ANN401 - as in EmailPolicy
        return f"{name}: {value}{self.linesep}"

    def fold_binary(self, name: str, value: Any) -> bytes:  # noqa: ANN401 - as in EmailPolicy
        return self.fold(name, value).encode("ascii")


_POLICY = _ReadyPolicy(linesep="\r\n")
_FOLD = "\r\n "


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture inside a mail; its content id begins no other header and names it in the HTML."""

    cid: str
    alt: str
    subtype: str
    content: bytes
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said to whom, and in which conversation; ids may stand with or without angle brackets."""

    kind: str
    to: str
    subject: str
    text: str
    in_reply_to: str | None
    references: tuple[str, ...]
    message_id: str
    from_name: str
    from_address: str
    written_at: datetime
    language: str = "en"
    html: str = ""
    pictures: tuple[Picture, ...] = ()
    # Whom it is from where the outgoing server lets out only its own; replies still go to `from_address`.
    sender: str | None = None


def compose(answer: Answer) -> bytes:
    """Return the mail, which begins with the marker line that shows us later where their own words end."""
    mail = EmailMessage(policy=_POLICY)
    mail["From"] = _mailbox(answer.from_name, _own_address(answer.sender or answer.from_address))
    mail["Reply-To"] = _mailbox(answer.from_name, _own_address(answer.from_address))
    mail["To"] = _their_address(answer.to)
    mail["Subject"] = _encoded(clean_line(answer.subject)[:_SUBJECT_LIMIT])
    mail["Date"] = format_datetime(answer.written_at)
    _add_ids(mail, answer)
    mail["Auto-Submitted"] = "auto-replied" if answer.in_reply_to else "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    mail[LOOP_HEADER] = _encoded(clean_line(answer.kind) or "answer")
    _add_words(mail, answer)
    return mail.as_bytes()


def _add_words(mail: EmailMessage, answer: Answer) -> None:
    text = f"{marker_line(answer.language)}\n\n{clean_text(answer.text).strip()}\n"
    mail.set_content(text, charset="utf-8", cte=_transfer_encoding(text))
    if not answer.html:
        return
    html = clean_text(answer.html).strip() + "\n"
    mail.add_alternative(html, subtype="html", charset="utf-8", cte="quoted-printable")
    boundary = sha256(answer.message_id.encode(errors="replace")).hexdigest()[:32]
    page = mail.get_payload(1)
    if answer.pictures and isinstance(page, EmailMessage):
        for each in answer.pictures:
            page.add_related(each.content, "image", each.subtype, cid=f"<{each.cid}>", disposition="inline")
        page.set_boundary(f"=_pictures_{boundary}")
    # Always the same for the same mail, so that what is written twice is the same mail.
    mail.set_boundary(f"=_words_{boundary}")


def _add_ids(mail: EmailMessage, answer: Answer) -> None:
    answered = [answer.in_reply_to] if answer.in_reply_to else []
    own = _in_brackets([answer.message_id])
    if not own:
        raise Misconfigured(f"{answer.message_id!r} is no Message-ID; correct `domain` in the configuration.")
    mail["Message-ID"] = own[0]
    if replied := _in_brackets(answered):
        mail["In-Reply-To"] = replied[0]
    if references := _in_brackets([*answer.references, *answered]):
        mail["References"] = _FOLD.join(references[-REFERENCES_SENT:])


def _mailbox(name: str, address: str) -> str:
    name = clean_line(name)[:_NAME_LIMIT].strip()
    if not name:
        return address
    if not _is_plain(name) or "\\" in name:
        # Programs disagree about backslashes in quotation marks.
        return f"{_as_words(name)} <{address}>"
    quoted = name.replace('"', '\\"')
    return f'"{quoted}" <{address}>'


def _is_plain(words: str) -> bool:
    """Tell whether words can stand in a header as they are: what looks encoded would be decoded."""
    return words.isascii() and "=?" not in words


def _encoded(words: str) -> str:
    """Return words for a header: as they are, or as encoded words of whole letters, one on each line."""
    return words if _is_plain(words) else _as_words(words)


def _as_words(words: str) -> str:
    return _FOLD.join(f"=?utf-8?b?{b64encode(piece).decode()}?=" for piece in _pieces(words))


def _pieces(words: str) -> Iterator[bytes]:
    """Yield whole letters, as many as fit into one encoded word."""
    piece = b""
    for letter in words:
        more = letter.encode()
        if len(piece) + len(more) > _BYTES_A_WORD:
            yield piece
            piece = b""
        piece += more
    yield piece


def _in_brackets(ids: Iterable[str]) -> list[str]:
    """Return ids as they stand in headers, each once, leaving out what cannot be written as it is."""
    bare = dict.fromkeys(bare_id(found) for found in ids)
    return [f"<{found}>" for found in bare if _ID.match(found)]


def reply_subject(subject: str) -> str:
    """Return their subject with exactly one `Re:` before it."""
    return f"Re: {bare_subject(subject)}"[:_SUBJECT_LIMIT].strip()


def bare_subject(subject: str) -> str:
    """Return their subject without what programs put before it in a reply."""
    subject = clean_line(subject[: 5 * _SUBJECT_LIMIT])
    while prefix := _REPLY_PREFIX.match(subject):
        subject = subject[prefix.end() :]
    return subject


def _transfer_encoding(text: str) -> str:
    short = all(len(line) <= _LONGEST_PLAIN_LINE for line in text.split("\n"))
    return "7bit" if short and text.isascii() else "quoted-printable"


def _own_address(address: str) -> str:
    if not is_well_formed(address):
        raise Misconfigured(f"{address!r} is no mail address to answer from; correct `domain` in the configuration.")
    return address


def _their_address(address: str) -> str:
    if not is_well_formed(address):
        raise Refused(f"{address!r} is no mail address that could be answered.")
    return address
