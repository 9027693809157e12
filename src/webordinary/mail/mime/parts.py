"""The parts of a mail, found in its raw bytes in one pass and within limits that no honest mail reaches.

Python's own mail parser needs a stack as deep as the mail and quadratic time for some headers and pages, so
the splitting is done here: a hostile mail costs what an honest one of its size costs.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field, replace
from email.message import Message as Headers
from typing import TYPE_CHECKING

from webordinary.errors import Refused
from webordinary.mail.mime.charset import decode_base64, decode_text, guess_charset, is_plain_after_all
from webordinary.mail.mime.fields import read_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE_LIMIT = 25 * 1024 * 1024
PARTS_LIMIT = 200
DEPTH_LIMIT = 20
HEADER_LIMIT = 64 * 1024
HEADER_BLOCK_LIMIT = 256 * 1024
# A part inside a mail has a handful of headers: room for one of the largest and for some more beside it.
PART_HEADER_BLOCK_LIMIT = HEADER_LIMIT + 16 * 1024
_PARAMETERS_LIMIT = 4096
_BOUNDARY_LIMIT = 200

_ONE_TEXT = "The parts of the mail could not be told apart, so it is read as one text."
_WRONG_BOUNDARY = "The mail does not name the line that divides its parts; the one at its beginning was taken."
# A line of its own at the start, followed by a header of a part, or by the empty line of a part without any.
_LIKE_A_BOUNDARY = re.compile(rb"\s{0,20}--([!-~]{1,200})[ \t]*\r?\n(?=content-|mime-|\r?\n)", re.IGNORECASE)
_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:")


@dataclass(frozen=True, slots=True)
class MimePart:
    """One part: either other parts in order, or a body that is still encoded."""

    headers: Headers
    content_type: str
    parameters: dict[str, str]
    disposition: str
    file_name: str
    body: memoryview
    children: tuple[MimePart, ...] = ()
    defects: tuple[str, ...] = ()

    @property
    def content_id(self) -> str:
        return str(self.headers.get("Content-ID", "")).strip().strip("<>")[:_BOUNDARY_LIMIT]

    @property
    def _encoding(self) -> str:
        return str(self.headers.get("Content-Transfer-Encoding", "")).strip().lower()

    def content(self) -> bytes:
        """Return the bytes that the body stands for."""
        encoding = self._encoding
        if encoding == "base64":
            return decode_base64(bytes(self.body))
        return binascii.a2b_qp(self.body) if encoding == "quoted-printable" else bytes(self.body)

    def text(self, *, most: int) -> str:
        """Return the text that the body stands for, from at most that many bytes."""
        content = self.content()
        if self._encoding == "base64" and is_plain_after_all(bytes(self.body), content, self.parameters.get("charset")):
            content = bytes(self.body)
        if len(content) > most:
            content = content[: content.rfind(b"\n", 0, most) + 1 or most]
        return decode_text(content, self.parameters.get("charset"), guess_charset)

    def walk(self) -> Iterator[MimePart]:
        """Yield this part and all parts inside of it, in their order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def leaves(self) -> Iterator[MimePart]:
        """Yield the parts that contain no other parts, in their order."""
        return (part for part in self.walk() if not part.children)


@dataclass(frozen=True, slots=True)
class HeaderBlock:
    """The headers before a body; `excess` says which limit they broke, and then they are incomplete."""

    headers: Headers
    length: int
    excess: str | None = None


def read_header_block(raw: memoryview, *, limit: int = HEADER_BLOCK_LIMIT) -> HeaderBlock:
    """Return the headers at the start of `raw`; they end at an empty line or at one that is no header."""
    fields: list[tuple[str, list[bytes]]] = []
    length, ended = 0, len(raw) <= limit
    for line in bytes(raw[:limit]).splitlines(keepends=True):
        words = line.rstrip(b"\r\n")
        name = _FIELD.match(words)
        if name:
            fields.append((name[1].decode("ascii"), [words[name.end() :]]))
        elif words[:1] in {b" ", b"\t"} and fields:
            fields[-1][1].append(words)
        elif length > 0 or not words.startswith(b"From "):  # the envelope line of a mailbox file is skipped
            # A line that the limit cut short says nothing: headers, a second From among them, may follow.
            ended = ended or length + len(line) < limit
            length += 0 if words else len(line)
            break
        length += len(line)
    excess = None if ended else f"The headers are larger than {limit // 1024} KB."
    return _header_block(fields, length, excess)


class _GuessOnce:
    """Thousands of headers may need a guess, and a program writes all of them in the same charset."""

    def __init__(self) -> None:
        self._known: str | None = None

    def __call__(self, value: bytes) -> str:
        if self._known is None:
            self._known = guess_charset(value)
        return self._known


def _header_block(fields: list[tuple[str, list[bytes]]], length: int, excess: str | None) -> HeaderBlock:
    headers = Headers()
    guess_once = _GuessOnce()
    for name, lines in fields:
        value = b"".join(lines)
        if len(value) > HEADER_LIMIT:
            excess = f"The header {name[:40]} is larger than {HEADER_LIMIT // 1024} KB."
        most = _PARAMETERS_LIMIT if name.lower().startswith("content-") else HEADER_LIMIT
        headers[name] = decode_text(value[:most], None, guess_once).strip()
    return HeaderBlock(headers, length, excess)


@dataclass(slots=True)
class _Splitter:
    """Splits one mail; the count is shared by all its levels."""

    parts: int = field(default=0)

    def split(self, raw: memoryview, block: HeaderBlock, depth: int) -> MimePart:
        self.parts += 1
        if self.parts > PARTS_LIMIT:
            raise Refused(f"The mail has more than {PARTS_LIMIT} parts; send fewer files at once.")
        if depth > DEPTH_LIMIT:
            raise Refused(f"The mail has parts inside parts, more than {DEPTH_LIMIT} levels deep.")
        part = part_of(block.headers, raw[block.length :])
        if not part.content_type.startswith("multipart/"):
            return part
        boundary = _named_boundary(part)
        found = boundary or _visible_boundary(part)
        children = tuple(self._children(part.body, found, depth + 1))
        if children:
            return replace(part, children=children, defects=() if boundary else (_WRONG_BOUNDARY,))
        # A wrong boundary hides every part, but what the person wrote is still in there.
        return replace(part, content_type="text/plain", defects=(_ONE_TEXT,))

    def _children(self, body: memoryview, boundary: str, depth: int) -> Iterator[MimePart]:
        for piece in pieces_between(body, boundary):
            block = read_header_block(piece, limit=PART_HEADER_BLOCK_LIMIT)
            if block.excess:
                raise Refused(block.excess)
            yield self.split(piece, block, depth)


def split_mail(raw: memoryview, block: HeaderBlock) -> MimePart:
    """Return the mail as a tree of parts; Refused when it breaks a limit."""
    return _Splitter().split(raw, block, 1)


def part_of(headers: Headers, body: memoryview) -> MimePart:
    """Return what these headers say of a body, whose own parts are not looked for."""
    value = str(headers.get("Content-Type", ""))
    parameters = read_parameters(value)
    disposed = str(headers.get("Content-Disposition", ""))
    name = read_parameters(disposed).get("filename") or parameters.get("name", "")
    disposition = disposed.partition(";")[0].strip().lower()
    return MimePart(headers, _content_type(value), parameters, disposition, name, body)


def _named_boundary(part: MimePart) -> str:
    """Return the boundary that this part names, if its body has it."""
    named = part.parameters.get("boundary", "")
    line = b"--" + named.encode("utf-8")
    return named if 0 < len(named) <= _BOUNDARY_LIMIT and re.search(re.escape(line), part.body) else ""


def _visible_boundary(part: MimePart) -> str:
    """Return what looks like the boundary at the start of a body, for a program that named another one."""
    found = _LIKE_A_BOUNDARY.match(part.body)
    return found[1].decode("ascii") if found else ""


def _content_type(value: str) -> str:
    content_type = value.partition(";")[0].strip().lower()
    return content_type if content_type.count("/") == 1 else "text/plain"


def pieces_between(body: memoryview, boundary: str) -> Iterator[memoryview]:
    """Yield what stands between the lines of a boundary; a last piece without an end reaches to the end."""
    if not boundary or len(boundary) > _BOUNDARY_LIMIT:
        return
    line = re.escape(b"--" + boundary.encode("utf-8"))
    start = None
    # The look-behind stands after the literal because a pattern that begins with one is searched much faster.
    for found in re.finditer(line + rb"(?<![^\r\n]" + line + rb")(--)?[ \t]*(?:\r\n|\r|\n|\Z)", body):
        if start is not None:
            yield body[start : _before_line_end(body, start, found.start())]
        start = found.end()
        if found[1]:
            return
    if start is not None:
        yield body[start:]


def _before_line_end(body: memoryview, start: int, end: int) -> int:
    """Leave out the line end before a boundary, which belongs to the boundary."""
    if end > start and body[end - 1] == ord("\n"):
        end -= 1
    if end > start and body[end - 1] == ord("\r"):
        end -= 1
    return end
