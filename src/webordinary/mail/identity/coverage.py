"""What of a mail a signature covers, and so what nobody could have changed on its way.

Whether headers that nobody signed say of a signed body only what the body itself shows is read from its structure.
Content-Type and its fellows decide which bytes are words, and some providers do not sign them: who has a copy of a
mail could hand the same bytes in under another boundary, and the text of an attachment would become an order.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.mail.mime.charset import decode_base64, decode_text
from webordinary.mail.mime.parts import PART_HEADER_BLOCK_LIMIT, part_of, pieces_between, read_header_block
from webordinary.mail.parse import read_references

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime
    from email.message import Message as Headers

    from webordinary.mail.identity.signed_form import SignedForm
    from webordinary.mail.mime.parts import MimePart


_TYPE, _ENCODING, _DISPOSITION = "content-type", "content-transfer-encoding", "content-disposition"
_SHAPING = (_TYPE, _ENCODING, _DISPOSITION)
_LONGEST_TEXT = 4_000_000
_LONGEST_PREAMBLE = 1_000
_MOST_PARTS = 200
_FEWEST_LETTERS = 8
_TEXT_SHARE = 0.8
# What a part begins with: the line that divides parts, and right below it a header of the part.
_DIVIDER = re.compile(
    rb"(?:\A|\n)--([!-~](?:[ -~]{0,198}[!-~])?)[ \t]{0,200}\r?\n(?=content-[a-z-]{1,40}[ \t]*:)", re.IGNORECASE
)
_PREAMBLE = re.compile(rb"\bMIME\b|multi-?part", re.IGNORECASE)
_BASE64 = re.compile(rb"\s{0,40}(?:[A-Za-z0-9+/]{1,998}\r?\n)*[A-Za-z0-9+/]{0,998}={0,2}\s{0,40}")
_CONTROLS = bytes(set(range(32)) - set(b"\t\r\n\f\x1b")) + b"\x7f"
# Programs escape what is no ASCII, the equals sign itself, a space at the end of a line, and a dot or an F before it.
_ESCAPE = re.compile(
    rb"=(?:3D|[89A-F][0-9A-F]|(?:20|09)(?=\r?\n|=|\Z)|[ \t]{0,40}(?:\r?\n|\Z))|(?<=\n)=(?:2E|46)", re.IGNORECASE
)
_PAGE = re.compile(
    r"\s{0,400}<(?:!doctype|html|head|body|meta|style|div|p|span|table|br|font|b|i|u|h[1-6]|ul|ol|a|img|center|pre|!--)\b",
    re.IGNORECASE,
)
_ASCII = bytes(range(32, 127))


def structure_problem(headers: Headers, body: memoryview, signed: Collection[str]) -> str | None:
    """Return what an unsigned header says otherwise than the signed body shows, or None."""
    loose = {name for name in _SHAPING if name not in signed}
    if any(len(headers.get_all(name, [])) > 1 for name in loose):
        return "headers that shape the text stand there twice and are not signed"
    problem = _of_type(part_of(headers, body), loose)
    return f"{problem}, and the header that says so is not signed" if problem else None


def _of_type(root: MimePart, loose: set[str]) -> str | None:
    if root.content_type.startswith("multipart/"):
        return _of_parts(root) if _TYPE in loose else None
    if _TYPE in loose and _has_parts(root.body):
        return "its text has parts, which its type denies"
    return _of_text(root, loose)


def _of_parts(root: MimePart) -> str | None:
    """Compare the boundary and the kind of a mail with the first divider and the parts in its body."""
    divider = _DIVIDER.search(root.body)
    boundary = divider[1].decode("ascii") if divider else ""
    if divider is None or root.parameters.get("boundary", "") != boundary:
        return "its boundary is not the one that its text shows"
    preamble = bytes(root.body[: divider.start()]).strip()
    if preamble and (len(preamble) > _LONGEST_PREAMBLE or not _PREAMBLE.search(preamble)):
        return "words stand before its first part"
    if (root.content_type == "multipart/alternative") != _shows_alternatives(root.body, boundary):
        return "its parts are of another kind"
    return None


def _shows_alternatives(body: memoryview, boundary: str) -> bool:
    """Tell whether the parts are versions of one text: a plain one first, then others, and no files."""
    parts = []
    for piece in pieces_between(body, boundary):
        block = read_header_block(piece, limit=PART_HEADER_BLOCK_LIMIT)
        parts.append(part_of(block.headers, piece[block.length :]))
        if len(parts) > _MOST_PARTS:
            return False
    kinds = [part.content_type for part in parts]
    are_texts = all(kind.startswith(("text/", "multipart/")) for kind in kinds)
    have_files = any(part.file_name or part.disposition == "attachment" for part in parts)
    return (
        len(kinds) > 1 and kinds[0] == "text/plain" and are_texts and not have_files and len(set(kinds)) == len(kinds)
    )


def _has_parts(body: memoryview) -> bool:
    divider = _DIVIDER.search(body)
    return divider is not None and re.search(rb"\n--" + re.escape(divider[1]) + rb"--", body) is not None


def _of_text(root: MimePart, loose: set[str]) -> str | None:
    if _ENCODING in loose and (problem := _of_encoding(root)):
        return problem
    if _DISPOSITION in loose and (
        root.disposition not in {"", "inline"} or "filename" in str(root.headers.get(_DISPOSITION, "")).lower()
    ):
        return "it is called a file"
    return _of_kind(root) if _TYPE in loose else None


def _of_encoding(root: MimePart) -> str | None:
    encoding = str(root.headers.get(_ENCODING, "")).strip().lower()
    body = bytes(root.body)
    is_base64 = _shows_base64(body, fewest=1 if encoding == "base64" else _FEWEST_LETTERS)
    is_quoted = b"=" in body and _escapes_only(body)
    if encoding == "base64":
        return None if is_base64 or not body.strip() else "its text is not base64"
    if encoding == "quoted-printable":
        return None if is_quoted or b"=" not in body else "its text is not quoted-printable"
    return "its text is encoded" if is_base64 or is_quoted else None


def _shows_base64(body: bytes, *, fewest: int) -> bool:
    """Tell whether the body is nothing but base64, and what it stands for is a text."""
    letters = len(re.sub(rb"\s+", b"", body))
    if letters < fewest or letters % 4 or _BASE64.fullmatch(body) is None:
        return False
    content = decode_base64(body)
    if content.translate(None, _CONTROLS) != content:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return sum(byte < 128 for byte in content) >= _TEXT_SHARE * len(content)  # noqa: PLR2004 - where ASCII ends
    return True


def _escapes_only(body: bytes) -> bool:
    """Tell whether every equals sign is an escape that programs write."""
    return body.isascii() and b"=" not in _ESCAPE.sub(b"", body)


def _of_kind(root: MimePart) -> str | None:
    if root.content_type not in {"text/plain", "text/html"}:
        return f"it is called {root.content_type[:60]}"
    if root.parameters.get("delsp", "").lower() == "yes":
        return "its spaces are said to be none"
    content = root.content()[:_LONGEST_TEXT]
    charset = root.parameters.get("charset")
    if not _is_read_alike(content, charset):
        return f"its letters are said to be {(charset or 'others')[:40]}"
    is_page = _PAGE.match(decode_text(content[:_LONGEST_PREAMBLE], charset)) is not None
    return None if is_page == (root.content_type == "text/html") else "it is a page or not, and is called otherwise"


def _is_read_alike(content: bytes, charset: str | None) -> bool:
    """Tell whether a charset reads the bytes as they would be read without it; old letters it may name as it likes."""
    read = decode_text(content, charset)
    try:
        plain = content.decode("utf-8")
    except UnicodeDecodeError:
        return decode_text(_ASCII, charset) == _ASCII.decode("ascii")
    # The Japanese one tells itself by its escapes.
    return read == plain or (b"\x1b" in content and (charset or "").lower().startswith("iso-2022"))


_ANSWERING = ("References", "In-Reply-To")


@dataclass(frozen=True, slots=True)
class Coverage:
    """The names of headers that are signed as often as they stand there, or as missing; without names all of them."""

    names: frozenset[str] | None

    def has(self, name: str) -> bool:
        return self.names is None or name.lower() in self.names

    def structure_problem(self, headers: Headers, body: memoryview) -> str | None:
        """Return why the words of the mail may be others than those that were signed, or None."""
        return None if self.names is None else structure_problem(headers, body, self.names)

    def answers(self, headers: Headers) -> tuple[str, ...]:
        """Return the ids of the mails that this one surely answers."""
        return read_references(headers, [name for name in _ANSWERING if self.has(name)])


NOTHING = Coverage(frozenset())
# Nobody on the way could have changed anything, because there was nobody on the way.
EVERYTHING = Coverage(None)


def coverage_of(form: SignedForm, names: Iterable[bytes]) -> Coverage:
    """Return what a signature over these names covers; one that stands there more often than it is signed is open."""
    present = Counter(name.lower() for name, _ in form.headers)
    signed = Counter(names)
    return Coverage(frozenset(name.decode("ascii", "replace") for name in signed if signed[name] >= present[name]))


def request_mark(form: SignedForm, subject: str, written_at: datetime | None) -> str:
    """Name a request by its signed text, Subject and Date, the same in every copy of a mail that is believed."""
    digest = hashlib.sha256(form.body_hash(relaxed=True))
    digest.update(f"{written_at.isoformat() if written_at else ''}\0{subject}".encode())
    return digest.hexdigest()
