"""Runs a command as if some programs were not installed: `python -m tests.without "bwrap chromium" pytest …`.

In a view of the files of its own, each of them is an empty file that nobody can start; whatever runs inside, a sandbox
too, sees the rest of the machine as it is.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# One program under several names.
ALIASES = {"chromium": ("chromium-browser", "google-chrome-stable", "google-chrome", "chrome")}
_NEW_VIEW, _BIND, _PRIVATE = 0x00020000, 4096, 16384 | 1 << 18
_PLACES = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
_libc = ctypes.CDLL(None, use_errno=True)


def main(hidden: str, *command: str) -> int:
    """Run the command and return how it ended."""
    names = set(hidden.split())
    names |= {alias for name in names for alias in ALIASES.get(name, ())}
    with tempfile.NamedTemporaryFile() as empty:
        hide(find_programs(names), Path(empty.name))
        env = {**os.environ, "WEBORDINARY_WITHOUT": " ".join(sorted(names))}
        return subprocess.run(command, env=env, check=False).returncode


def find_programs(names: set[str]) -> set[Path]:
    """Return where these programs really are, each behind all of its links."""
    places = [*os.environ.get("PATH", os.defpath).split(os.pathsep), *_PLACES]
    found = (Path(place, name) for place in places for name in names)
    return {program.resolve() for program in found if program.is_file()}


def hide(programs: set[Path], empty: Path) -> None:
    """Cover the programs with an empty file, for us and for all that we start."""
    if os.geteuid() != 0:
        sys.exit("Only root can hide programs: run it as root, or on a machine that does not have them.")
    _called(_libc.unshare(_NEW_VIEW))
    _called(_libc.mount(None, b"/", None, _PRIVATE, None))
    empty.chmod(0o444)
    for program in programs:
        _called(_libc.mount(os.fsencode(empty), os.fsencode(program), None, _BIND, None))


def _called(result: int) -> None:
    if result:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
