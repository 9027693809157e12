"""Runs a command as if some programs were not installed: `python -m tests.without "bwrap chromium" pytest …`.

Its path is one folder with a link to every other program of this machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

# One program under several names.
ALIASES = {
    "chromium": ("chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "chromium-headless-shell")
}


def main(hidden: str, *command: str) -> int:
    """Run the command and return how it ended."""
    names = set(hidden.split())
    names |= {alias for name in names for alias in ALIASES.get(name, ())}
    with tempfile.TemporaryDirectory(prefix="without-") as folder:
        # Whoever a test starts as somebody else finds its programs here too.
        Path(folder).chmod(0o755)
        link_programs(Path(folder), names)
        env = {**os.environ, "PATH": folder, "WEBORDINARY_WITHOUT": " ".join(sorted(names))}
        return subprocess.run(command, env=env, check=False).returncode


def link_programs(folder: Path, hidden: set[str]) -> None:
    """Link each program that the path leads to, the first of each name, and none of the hidden ones."""
    for place in os.environ.get("PATH", os.defpath).split(os.pathsep):
        for program in sorted(Path(place).iterdir()) if Path(place).is_dir() else ():
            link = folder / program.name
            if program.name not in hidden and not link.is_symlink() and os.access(program, os.X_OK):
                link.symlink_to(program)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
