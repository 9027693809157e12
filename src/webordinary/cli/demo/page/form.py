"""A form as browsers send it, with files: read within limits."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from email.parser import HeaderParser
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from webordinary.errors import Refused

if TYPE_CHECKING:
    from starlette.requests import Request

    from webordinary.cli.demo.phone import MailFile

_LARGEST = 30_000_000
_MOST_PARTS = 40
_SECONDS = 60
_END = b"--"


@dataclass(slots=True)
class SentForm:
    """What somebody filled in."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    files: list[MailFile] = field(default_factory=list)

    def text(self, name: str) -> str:
        return next(iter(self.fields.get(name, [])), "")

    def texts(self, name: str) -> list[str]:
        return self.fields.get(name, [])


async def read_form(request: Request) -> SentForm:
    """Read a form; what is too large or takes too long is refused."""
    body = bytearray()
    try:
        async with asyncio.timeout(_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > _LARGEST:
                    raise Refused("That is too large: 30 MB is the most.")
    except TimeoutError:
        raise Refused("That took too long; try again.") from None
    return parse_form(request.headers.get("content-type", ""), bytes(body))


def parse_form(content_type: str, body: bytes) -> SentForm:
    """Return what a body says: plain fields, and files with their names."""
    head = HeaderParser().parsestr(f"Content-Type: {content_type}")
    boundary = head.get_boundary()
    form = SentForm()
    if not boundary:
        for name, value in parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=100):
            form.fields.setdefault(name, []).append(value)
        return form
    mark = b"\r\n--" + boundary.encode("latin-1", "replace")
    for part in (b"\r\n" + body).split(mark)[1 : _MOST_PARTS + 1]:
        if part.startswith(_END):
            break
        _take_part(form, part)
    return form


def _take_part(form: SentForm, part: bytes) -> None:
    headers, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
    # Browsers write the names of files in UTF-8, whatever a mail program would do.
    read = HeaderParser().parsestr(headers.decode("utf-8", "replace"))
    name = read.get_param("name", header="content-disposition")
    if not isinstance(name, str):
        return
    file_name = read.get_filename()
    if file_name is None:
        form.fields.setdefault(name, []).append(content.decode("utf-8", "replace"))
    elif content:
        given = read.get_content_type() if "content-type" in read else "application/octet-stream"
        form.files.append((file_name.rpartition("/")[2][:200] or "file", given, content))
