"""Reads the body of one mail as a process of its own, which has its own limits and can be killed."""

from __future__ import annotations

import mmap
import os
import resource
import sys

import msgspec

from webordinary.mail.parse import body_of

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
