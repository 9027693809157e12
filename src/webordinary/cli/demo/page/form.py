"""A form as browsers send it, with files: read within limits."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from email.parser import HeaderParser
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from webordinary.errors import Refused
from webordinary.values import CONTROL

if TYPE_CHECKING:
    from starlette.requests import Request

    from webordinary.cli.demo.phone import MailFile

_LARGEST = 30_000_000
_MOST_PARTS = 40
_SECONDS = 60
_END = b"--"
_MOST_FIELDS = 100
_LONGEST_NAME = 200
_KIND = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,60}", re.ASCII)
_ANY_KIND = "application/octet-stream"


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
        for name, value in _plain_fields(body):
            form.fields.setdefault(name, []).append(value)
        return form
    mark = b"\r\n--" + boundary.encode("latin-1", "replace")
    for part in (b"\r\n" + body).split(mark, _MOST_PARTS + 1)[1 : _MOST_PARTS + 1]:
        if part.startswith(_END):
            break
        _take_part(form, part)
    return form


def one_line(text: str, longest: int = _LONGEST_NAME) -> str:
    """Return a text as one line of a mail can hold it."""
    return " ".join(CONTROL.sub(" ", text).split())[:longest]


def _plain_fields(body: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise Refused("That is no form of this page.") from None


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
        form.files.append((_name_in(file_name), _kind_in(read.get("content-type", "")), content))


def _name_in(given: str) -> str:
    """Return the name of a file without the folders that it claims to lie in."""
    return one_line(re.split(r"[/\\]", given)[-1]) or "file"


def _kind_in(given: str) -> str:
    kind = given.partition(";")[0].strip().lower()
    return kind if _KIND.fullmatch(kind) else _ANY_KIND
