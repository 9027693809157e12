"""A form with a file, as browsers send it: read piece by piece within limits, the file straight to the disk."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.parser import HeaderParser
from enum import Enum, auto
from pathlib import Path
from typing import IO, TYPE_CHECKING

from webordinary.errors import Refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from email.message import Message
    from tempfile import _TemporaryFileWrapper

    from starlette.requests import Request

FILE = "file"
LARGEST_FILE = 100 * 1024 * 1024
_LARGEST_REST = 100_000
_MOST_PARTS = 100
_LONGEST_HEAD = 4_000
_LONGEST_BOUNDARY = 100
_SECONDS = 600


@dataclass(slots=True)
class SentFile:
    """A form that was sent with a file; the file is there until the answer is made."""

    fields: dict[str, str] = field(default_factory=dict)
    # None where somebody chose none.
    path: Path | None = None


def boundary_of(headers: Mapping[str, str]) -> str | None:
    """Return what parts the pieces of the form; None for a form without files."""
    read = HeaderParser().parsestr(f"Content-Type: {headers.get('content-type', '')}")
    found = read.get_boundary() if read.get_content_type() == "multipart/form-data" else None
    return found if found and len(found) <= _LONGEST_BOUNDARY and found.isascii() else None


@asynccontextmanager
async def received(request: Request, boundary: str, folder: Path) -> AsyncIterator[SentFile]:
    """Read the form into a folder for the time of the block; Refused if it is too large, too slow or no form."""
    with _private_file(folder) as file:
        reader = FormReader(boundary, file)
        try:
            async with asyncio.timeout(_SECONDS):
                async for piece in request.stream():
                    reader.feed(piece)
        except TimeoutError:
            raise Refused("That took too long; put the file onto the machine, and type its path.") from None
        reader.close()
        yield SentFile(reader.fields, Path(file.name) if reader.written else None)


def _private_file(folder: Path) -> _TemporaryFileWrapper[bytes]:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Only its owner may read a file that is made this way.
    return tempfile.NamedTemporaryFile(dir=folder, prefix=".sent-")


class _Place(Enum):
    """Where in the form the reader is."""

    CONTENT = auto()
    BEHIND_MARK = auto()
    HEAD = auto()
    BEHIND_ALL = auto()


class FormReader:
    """Takes pieces of any length; small fields are kept, and the one file is written."""

    def __init__(self, boundary: str, file: IO[bytes]) -> None:
        self.fields: dict[str, str] = {}
        self.written = 0
        self._mark = b"\r\n--" + boundary.encode()
        self._file = file
        self._rest = b"\r\n"
        self._place = _Place.CONTENT
        self._name: str | None = None
        self._is_file = False
        self._content = bytearray()
        self._small = 0
        self._parts = 0

    def feed(self, piece: bytes) -> None:
        """Take a piece; Refused as soon as a limit is passed."""
        self._rest += piece
        while self._step():
            pass

    def close(self) -> None:
        """Hear that no more comes."""
        if self._place is not _Place.BEHIND_ALL:
            raise Refused("The form did not arrive whole; send it again.")
        self._file.flush()

    def _step(self) -> bool:
        """Read on; whether there is more to read in what has come."""
        match self._place:
            case _Place.CONTENT:
                return self._read_content()
            case _Place.BEHIND_MARK:
                return self._read_mark()
            case _Place.HEAD:
                return self._read_head()
            case _Place.BEHIND_ALL:
                self._rest = b""
                return False

    def _read_content(self) -> bool:
        found = self._rest.find(self._mark)
        end = found if found >= 0 else max(len(self._rest) - len(self._mark) + 1, 0)
        self._take(self._rest[:end])
        self._rest = self._rest[end:]
        if found < 0:
            return False
        self._rest = self._rest[len(self._mark) :]
        self._end_part()
        self._place = _Place.BEHIND_MARK
        return True

    def _read_mark(self) -> bool:
        sign, rest = self._rest[:2], self._rest[2:]
        if len(sign) < len(b"--"):
            return False
        if sign not in {b"--", b"\r\n"}:
            raise Refused("That is no form; send it from the page.")
        self._rest = rest
        self._place = _Place.BEHIND_ALL if sign == b"--" else _Place.HEAD
        return True

    def _read_head(self) -> bool:
        head, end, rest = self._rest.partition(b"\r\n\r\n")
        if len(head) > _LONGEST_HEAD:
            raise Refused("That is no form; send it from the page.")
        if not end:
            return False
        self._rest = rest
        self._begin_part(HeaderParser().parsestr(head.decode("utf-8", "replace")))
        self._place = _Place.CONTENT
        return True

    def _begin_part(self, head: Message) -> None:
        self._parts += 1
        name = head.get_param("name", header="content-disposition")
        self._name = name if isinstance(name, str) else ""
        self._is_file = head.get_param("filename", header="content-disposition") is not None
        is_another = self._is_file and (self._name != FILE or self.written > 0)
        if self._parts > _MOST_PARTS or is_another:
            raise Refused("That is more than one file, or no form of ours; send it from the page.")

    def _take(self, content: bytes) -> None:
        if self._name is None:
            # Before the first part.
            return
        if self._is_file:
            self.written += len(content)
            if self.written > LARGEST_FILE:
                limit = LARGEST_FILE // 1024 // 1024
                raise Refused(f"The file is larger than {limit} MB; put it onto the machine, and type its path.")
            self._file.write(content)
            return
        self._small += len(content)
        if self._small > _LARGEST_REST:
            raise Refused("What was typed is too long; send less.")
        self._content += content

    def _end_part(self) -> None:
        if self._name and not self._is_file:
            self.fields[self._name] = self._content.decode("utf-8", "replace")
        self._content.clear()
