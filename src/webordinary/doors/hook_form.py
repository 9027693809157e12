"""Reads the forms in which providers wrap a mail, and touches no byte of it: its signature would not survive that."""

from __future__ import annotations

import re
from binascii import a2b_qp
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_FIELDS = 500
_LONGEST_HEAD = 8 * 1024
_LONGEST_TEXT = 16 * 1024
_BOUNDARY = re.compile(r';[ \t]*boundary=(?:"([^"\\\x00-\x1f]{1,200})"|([^\s";,]{1,200}))', re.IGNORECASE)
_NAME = re.compile(rb'(?im)^content-disposition:[ \t]*form-data\b[^\r\n]*?;[ \t]*name="([^"\r\n]{1,200})"')


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form by name; nothing large is decoded before somebody asks for it."""

    fields: Mapping[str, bytes]
    is_encoded: bool = False

    def text(self, name: str) -> str | None:
        """Return a field that is a word or two; the rest of a longer one is nobody's."""
        found = self.fields.get(name)
        return None if found is None else self._plain(found[:_LONGEST_TEXT]).decode("utf-8", "replace")

    def content(self, name: str) -> bytes:
        """Return the whole of a field, empty when it is not there."""
        return self._plain(self.fields.get(name, b""))

    def _plain(self, value: bytes) -> bytes:
        return _decoded(value) if self.is_encoded else value


def read_form(content_type: str, body: bytes) -> Form:
    """Part a form into its fields; where a name is repeated, the first of them counts."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        return Form(_urlencoded(body), is_encoded=True)
    boundary = _BOUNDARY.search(content_type)
    if kind != "multipart/form-data" or boundary is None:
        raise Misconfigured("this is not a form with a mail in it")
    return Form(_multipart(body, b"--" + (boundary[1] or boundary[2]).encode("latin-1")))


def _urlencoded(body: bytes) -> dict[str, bytes]:
    if body.count(b"&") >= _MOST_FIELDS:
        raise Misconfigured("the form has too many fields")
    fields: dict[str, bytes] = {}
    for field in body.split(b"&"):
        name, _, value = field.partition(b"=")
        fields.setdefault(_decoded(name[:_LONGEST_TEXT]).decode("utf-8", "replace"), value)
    return fields


def _decoded(text: bytes) -> bytes:
    """Undo the encoding of forms as that of mails, which differs in one sign: the usual way makes too many objects."""
    return a2b_qp(text.replace(b"+", b" ").replace(b"=", b"=3D").replace(b"%", b"="))


def _multipart(body: bytes, delimiter: bytes) -> dict[str, bytes]:
    fields: dict[str, bytes] = {}
    at = 0 if body.startswith(delimiter) else _find(body, b"\r\n" + delimiter, 0) + 2
    for _ in range(_MOST_FIELDS):
        at += len(delimiter)
        if body.startswith(b"--", at):
            return fields
        end = _find(body, b"\r\n" + delimiter, at)
        head = _find(body, b"\r\n\r\n", at, min(end + 2, at + _LONGEST_HEAD))
        name = _NAME.search(body[at:head])
        if name is not None:
            fields.setdefault(name[1].decode("utf-8", "replace"), body[head + 4 : end])
        at = end + 2
    raise Misconfigured("the form has too many fields")


def _find(body: bytes, what: bytes, start: int, end: int | None = None) -> int:
    found = body.find(what, start, end)
    if found < 0:
        raise Misconfigured("the form is broken off or not well formed")
    return found
