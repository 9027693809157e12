"""Reads mails within a time and a memory of our own choosing, whatever is in them."""

from __future__ import annotations

import mmap
import os
import resource
import sys
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webordinary.child import run
from webordinary.errors import TryAgain
from webordinary.mail.mime.body import Body
from webordinary.mail.parse import body_of, parse_with

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.child import Finished
    from webordinary.mail.message import Message


CPU_SECONDS = 2
MEMORY = 300 * 1024 * 1024
TOO_MUCH_MEMORY = 3


def main(given: int, told: int, memory: int) -> int:
    """Read the mail behind one descriptor and write what it says behind the other."""
    # The kernel counts, so that neither a busy machine nor a hostile mail makes it too early or too late.
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        body = msgspec.msgpack.encode(body_of(mmap.mmap(given, 0, access=mmap.ACCESS_READ)))
        with os.fdopen(told, "wb") as out:
            out.write(body)
    except MemoryError:
        return TOO_MUCH_MEMORY
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))


# Reading costs a few microseconds a byte at the very worst, so a small mail needs no process of its own.
SMALL = 128 * 1024
# The process counts its own seconds; this ends one that gets none, because the machine is busy or stopped.
_PATIENCE = timedelta(seconds=20)
READER = ("-S", "-P", "-m", "webordinary.mail.mime.bounded")
_TOO_HARD = (
    f"The mail takes more than {CPU_SECONDS} seconds or {MEMORY // 1024 // 1024} MB to read, as no ordinary mail does;"
    " please send it again as plain text, with fewer files."
)


def read_mail(raw: bytes, *, envelope_from: str | None = None, reader: Sequence[str] = READER) -> Message:
    """Return what the mail says; one that takes too much to read keeps its headers and says so in `excess`."""
    if len(raw) <= SMALL:
        return parse_with(body_of, raw, envelope_from)
    body = read_apart(raw, reader=reader)
    return parse_with(lambda _: body, raw, envelope_from)


def read_apart(
    raw: bytes, *, reader: Sequence[str] = READER, memory: int = MEMORY, patience: timedelta = _PATIENCE
) -> Body:
    """Read the body in a process of its own; TryAgain when the machine gives it no time."""
    with _memory(raw) as given, _memory() as told:
        argv = [sys.executable, *reader, str(given), str(told), str(memory)]
        finished = run(argv, cwd=Path("/"), env=_environment(), deadline=patience, keep_open=(given, told))
        if finished.succeeded:
            return msgspec.msgpack.decode(_content(told), type=Body)
    return _gave_up(finished)


def _gave_up(finished: Finished) -> Body:
    if finished.timed_out:
        raise TryAgain("The machine is too busy to read a mail; it is read later.")
    return Body(defects=(_TOO_HARD,), excess=_TOO_HARD)


def _environment() -> dict[str, str]:
    # The reader finds what we have, and nothing of our own settings, secrets among them.
    return {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONDONTWRITEBYTECODE": "1"}


@contextmanager
def _memory(content: bytes = b"") -> Iterator[int]:
    """Lend a file that exists only in memory, for handing millions of bytes to a process and back."""
    descriptor = os.memfd_create("mail")
    try:
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.write(content)
        yield descriptor
    finally:
        os.close(descriptor)


def _content(descriptor: int) -> bytes:
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0)
