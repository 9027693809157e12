"""The parts of a mail, found in its raw bytes in one pass and within limits that no honest mail reaches.

Python's own mail parser needs a stack as deep as the mail and quadratic time for some headers and pages, so
the splitting is done here: a hostile mail costs what an honest one of its size costs.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field
from email.message import Message as Headers
from typing import TYPE_CHECKING

from webordinary.errors import Refused
from webordinary.mail.charset import decode_base64, decode_text
from webordinary.mail.fields import read_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE_LIMIT = 25 * 1024 * 1024
PARTS_LIMIT = 200
DEPTH_LIMIT = 20
HEADER_LIMIT = 64 * 1024
HEADER_BLOCK_LIMIT = 256 * 1024
# A part inside a mail has a handful of headers; 200 blocks of the full size would take seconds to read.
PART_HEADER_BLOCK_LIMIT = 16 * 1024
_PARAMETERS_LIMIT = 4096
_BOUNDARY_LIMIT = 200

_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:")


@dataclass(frozen=True, slots=True)
class Part:
    """One part: either other parts in order, or a body that is still encoded."""

    headers: Headers
    content_type: str
    parameters: dict[str, str]
    body: memoryview
    children: tuple[Part, ...] = ()
    defects: tuple[str, ...] = ()

    @property
    def disposition(self) -> str:
        return str(self.headers.get("Content-Disposition", "")).partition(";")[0].strip().lower()

    @property
    def file_name(self) -> str:
        """The name of the file that this part claims to be, or an empty string."""
        disposition = read_parameters(str(self.headers.get("Content-Disposition", "")))
        return disposition.get("filename") or self.parameters.get("name", "")

    def content(self) -> bytes:
        """Return the bytes that the body stands for."""
        encoding = str(self.headers.get("Content-Transfer-Encoding", "")).strip().lower()
        if encoding == "base64":
            return decode_base64(bytes(self.body))
        return binascii.a2b_qp(self.body) if encoding == "quoted-printable" else bytes(self.body)

    def text(self) -> str:
        """Return the text that the body stands for."""
        return decode_text(self.content(), self.parameters.get("charset"))

    def leaves(self) -> Iterator[Part]:
        """Yield the parts that contain no other parts, in their order."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()


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


def _header_block(fields: list[tuple[str, list[bytes]]], length: int, excess: str | None) -> HeaderBlock:
    headers = Headers()
    for name, lines in fields:
        value = b"".join(lines)
        if len(value) > HEADER_LIMIT:
            excess = f"The header {name[:40]} is larger than {HEADER_LIMIT // 1024} KB."
        most = _PARAMETERS_LIMIT if name.lower().startswith("content-") else HEADER_LIMIT
        headers[name] = decode_text(value[:most], None).strip()
    return HeaderBlock(headers, length, excess)


@dataclass(slots=True)
class _Splitter:
    """Splits one mail; the count is shared by all its levels."""

    parts: int = field(default=0)

    def split(self, raw: memoryview, block: HeaderBlock, depth: int) -> Part:
        self.parts += 1
        if self.parts > PARTS_LIMIT:
            raise Refused(f"The mail has more than {PARTS_LIMIT} parts; send fewer files at once.")
        if depth > DEPTH_LIMIT:
            raise Refused(f"The mail has parts inside parts, more than {DEPTH_LIMIT} levels deep.")
        value = str(block.headers.get("Content-Type", ""))
        content_type, parameters = _content_type(value), read_parameters(value)
        body = raw[block.length :]
        if not content_type.startswith("multipart/"):
            return Part(block.headers, content_type, parameters, body)
        children = tuple(self._children(body, parameters.get("boundary", ""), depth + 1))
        if children:
            return Part(block.headers, content_type, parameters, body, children)
        # A wrong boundary hides every part, but what the person wrote is still in there.
        defects = ("The parts of the mail could not be told apart, so it is read as one text.",)
        return Part(block.headers, "text/plain", parameters, body, defects=defects)

    def _children(self, body: memoryview, boundary: str, depth: int) -> Iterator[Part]:
        for piece in _pieces(body, boundary):
            block = read_header_block(piece, limit=PART_HEADER_BLOCK_LIMIT)
            if block.excess:
                raise Refused(block.excess)
            yield self.split(piece, block, depth)


def split_mail(raw: memoryview, block: HeaderBlock) -> Part:
    """Return the mail as a tree of parts; Refused when it breaks a limit."""
    return _Splitter().split(raw, block, 1)


def _content_type(value: str) -> str:
    content_type = value.partition(";")[0].strip().lower()
    return content_type if content_type.count("/") == 1 else "text/plain"


def _pieces(body: memoryview, boundary: str) -> Iterator[memoryview]:
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
