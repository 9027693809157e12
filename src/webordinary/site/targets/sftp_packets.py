"""Packets of SFTP version 3, which every server speaks (draft-ietf-secsh-filexfer-02)."""

from __future__ import annotations

import os
import stat
import struct
from dataclasses import dataclass

from webordinary.errors import TryAgain
from webordinary.site.targets.host_files import EntryKind, HostEntry

INIT, VERSION, STATUS, HANDLE, DATA, NAME, ATTRS, EXTENDED_REPLY = 1, 2, 101, 102, 103, 104, 105, 201
OPEN, CLOSE, READ, WRITE, LSTAT, OPENDIR, READDIR, REMOVE = 3, 4, 5, 6, 7, 11, 12, 13
MKDIR, RMDIR, RENAME, READLINK, SYMLINK, EXTENDED = 14, 15, 18, 19, 20, 200
OK, END, NO_SUCH_FILE, DENIED = 0, 1, 2, 3
FOR_READING, NEW = 0x01, 0x02 | 0x08 | 0x10
_HAS_SIZE, _HAS_OWNER, _HAS_MODE, _HAS_TIMES, _HAS_MORE = 0x1, 0x2, 0x4, 0x8, 0x80000000
_LARGEST = 1 << 20
_KINDS = {stat.S_IFREG: EntryKind.FILE, stat.S_IFDIR: EntryKind.FOLDER, stat.S_IFLNK: EntryKind.LINK}


def number(value: int) -> bytes:
    """Return a number of four bytes."""
    return struct.pack(">I", value)


def long_number(value: int) -> bytes:
    """Return a number of eight bytes."""
    return struct.pack(">Q", value)


def text(value: str | bytes) -> bytes:
    """Return bytes with their length before them; names travel as they are on the disk."""
    raw = os.fsencode(value) if isinstance(value, str) else value
    return number(len(raw)) + raw


def mode(value: int) -> bytes:
    """Return attributes that say only with which rights something is made."""
    return number(_HAS_MODE) + number(value)


def packet(kind: int, body: bytes) -> bytes:
    """Return a whole packet."""
    return number(len(body) + 1) + bytes([kind]) + body


@dataclass
class Packet:
    """What the server has said, read from its beginning to its end; a number outside of it is nobody's packet."""

    kind: int
    body: bytes
    at: int = 0

    def number(self) -> int:
        return int(struct.unpack(">I", self._take(4))[0])

    def long_number(self) -> int:
        return int(struct.unpack(">Q", self._take(8))[0])

    def text(self) -> bytes:
        return self._take(self.number())

    def attributes(self) -> HostEntry:
        """Read what a name stands for."""
        flags = self.number()
        size = self.long_number() if flags & _HAS_SIZE else 0
        if flags & _HAS_OWNER:
            self._take(8)
        kind = _KINDS.get(stat.S_IFMT(self.number()), EntryKind.OTHER) if flags & _HAS_MODE else EntryKind.OTHER
        stamp = str([self.number(), self.number()][1]) if flags & _HAS_TIMES else ""
        for _ in range(self.number() if flags & _HAS_MORE else 0):
            self.text()
            self.text()
        return HostEntry(kind, size, stamp)

    def _take(self, count: int) -> bytes:
        if count > len(self.body) - self.at:
            raise TryAgain("the server's answer ends before it should; it will be tried again")
        self.at += count
        return self.body[self.at - count : self.at]


class Unpacking:
    """Puts together what arrives in pieces."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def add(self, data: bytes) -> list[Packet]:
        """Return the packets that are whole now."""
        self._kept += data
        found = []
        while len(self._kept) > 4:  # noqa: PLR2004 - the length itself
            length = int.from_bytes(self._kept[:4], "big")
            if not 0 < length <= _LARGEST:
                # A greeting of the account's shell, or somebody who speaks something else.
                raise ValueError("the server does not speak SFTP")
            if len(self._kept) < length + 4:
                break
            found.append(Packet(self._kept[4], bytes(self._kept[5 : length + 4])))
            del self._kept[: length + 4]
        return found
