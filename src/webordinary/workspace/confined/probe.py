"""Inside a sandbox: tries what must not work there, and says what did.

Run as a file by itself, with nothing but the standard library: `python -I probe.py QUESTIONS`.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import sys
from contextlib import suppress
from typing import Any

_PATIENCE = 2.0


def _read(asked: dict[str, Any]) -> bool:
    with open(asked["secret"], encoding="utf-8") as file:  # noqa: PTH123 - starts in a few milliseconds
        return bool(file.read())


def _write(asked: dict[str, Any]) -> bool:
    """Leave a file where all programs may write; the caller looks for it."""
    for folder in asked["shared"]:
        with suppress(OSError):
            os.close(os.open(f"{folder}/{asked['mark']}", os.O_CREAT | os.O_WRONLY, 0o666))
    return False


def _empty(asked: dict[str, Any]) -> bool:
    os.truncate(asked["open_file"], 0)
    return True


def _connect(asked: dict[str, Any]) -> bool:
    return any(_reaches(host, port) for host, port in asked["listening"])


def _reaches(host: str, port: int) -> bool:
    with suppress(OSError), socket.socket(socket.AF_INET) as caller:
        caller.settimeout(_PATIENCE)
        caller.connect((host, port))
        return True
    return False


def _signal(asked: dict[str, Any]) -> bool:
    # The one that does nothing; it is allowed exactly when the others are.
    os.kill(asked["worker"], 0)
    return True


def _look(asked: dict[str, Any]) -> bool:
    with open(f"/proc/{asked['worker']}/environ", "rb") as file:  # noqa: PTH123 - starts in a few milliseconds
        return bool(file.read(1))


def _share_memory(asked: dict[str, Any]) -> bool:
    return bool(ctypes.CDLL(None).shmget(asked["memory"], 0, 0) >= 0)


def _replace_repository(asked: dict[str, Any]) -> bool:
    os.rename(".git", asked["mark"])  # noqa: PTH104 - starts in a few milliseconds
    return True


_ATTEMPTS = {
    "read": _read,
    "write": _write,
    "empty": _empty,
    "connect": _connect,
    "signal": _signal,
    "look": _look,
    "memory": _share_memory,
    "repository": _replace_repository,
}


def _work() -> None:
    """Do what every build does; the caller looks who owns the result."""
    os.mkdir("work")  # noqa: PTH102 - starts in a few milliseconds
    with open("work/page", "w", encoding="utf-8") as file:  # noqa: PTH123 - the same
        file.write("work")
    os.rename("work/page", "page")  # noqa: PTH104 - the same


def main() -> None:
    """Try everything and print the names of what worked."""
    asked = json.loads(sys.argv[1])
    try:
        _work()
    except OSError as problem:
        sys.exit(f"a program inside cannot do its work ({problem.strerror})")
    worked = []
    for name, attempt in _ATTEMPTS.items():
        with suppress(OSError):
            if attempt(asked):
                worked.append(name)
    sys.stdout.write(json.dumps(worked))


if __name__ == "__main__":
    main()
