"""Reads one mail after DATA, whatever is sent: in bounded memory, and ended by nothing but CRLF, dot, CRLF."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_LINE = 65_536
# No honest mail has any; a few come from a program that cut off a text too late.
MOST_NULS = 1_000
_END = b"\r\n.\r\n"
_LONE_LF = re.compile(rb"(?<!\r)\n")


async def read_mail(reader: asyncio.StreamReader, refuse: Callable[[int], str | None]) -> tuple[bytes, str | None]:
    """Return the mail, or why a mail of that size was refused; it is read to its end either way.

    The library's own reader makes an object of every line: 25 MB of empty lines would cost a gigabyte.
    """
    # The CRLF of the command is what a mail of a single dot ends with.
    reader._buffer[:0] = b"\r\n"  # type: ignore[attr-defined]  # noqa: SLF001 - nothing public puts bytes back
    kept, size = bytearray(), 0
    refusal, is_over = None, False
    while not is_over:
        piece, is_over = await _read_piece(reader)
        size += len(piece)
        refusal = refusal or refuse(size)
        if refusal is None:
            kept += piece
        else:
            kept.clear()
    return (b"", refusal) if refusal else (_content(kept), None)


async def _read_piece(reader: asyncio.StreamReader) -> tuple[bytes, bool]:
    try:
        return await reader.readuntil(_END), True
    except asyncio.LimitOverrunError as more:
        return await reader.read(more.consumed), False


def _content(kept: bytearray) -> bytes:
    """Take away what only carried the mail: the end, the CRLF before it began, and the dots before dots."""
    del kept[-len(b".\r\n") :]
    plain = kept.replace(b"\r\n.", b"\r\n")
    del plain[: len(b"\r\n")]
    return bytes(plain)


def normalised(raw: bytes) -> bytes:
    """Return the mail with lines as everybody reads them.

    A line feed alone ends a line for some readers and not for others, and between two of them that hides things.
    Here it never ends a mail, and after this it ends a line for all who read the mail.
    """
    if raw.count(b"\r\n") == raw.count(b"\n"):
        return raw
    return _LONE_LF.sub(b"\r\n", raw)


def problem_with(raw: bytes) -> str | None:
    """Say why a mail cannot be taken as it was sent, as an SMTP answer."""
    if raw.count(b"\r\n") != raw.count(b"\r"):
        return "550 5.6.11 a line must end with CR LF; a CR alone is not taken"
    if raw.count(b"\0") > MOST_NULS:
        return f"550 5.6.0 a mail may hold {MOST_NULS} NUL bytes, and this one has more"
    if _has_long_line(raw):
        return f"554 5.6.0 a line is longer than {LONGEST_LINE} bytes"
    return None


def _has_long_line(raw: bytes) -> bool:
    at = 0
    while len(raw) - at > LONGEST_LINE:
        end = raw.rfind(b"\n", at, at + LONGEST_LINE)
        if end < 0:
            return True
        at = end + 1
    return False
