"""Where a program's own files lie, and where its runtime writes: the sandbox shows these and nothing beside them.

Places of a program's own: what its runtime writes beside its work lies in its home, and goes with it.
The machine's temporary folder is everybody's. Behind Landlock nobody may write there, and with a uid of its own alone
a program would leave its files there for the next one.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


TEMPORARY = ".tmp"
# Most programs ask for the first. Windows' names are read by runtimes that come from there, Bun unpacks its libraries
# where it is told to, and Claude Code takes /tmp itself whatever the others say.
_ASKED_FOR = ("TMPDIR", "TMP", "TEMP", "BUN_TMPDIR", "CLAUDE_CODE_TMPDIR", "CLAUDE_TMPDIR")
# Sockets and locks of a session; a runtime that finds the folder open to others does not use it.
_SESSION = "XDG_RUNTIME_DIR"


def private_places(home: Path) -> dict[str, str]:
    """Make a temporary folder in a program's home; return the variables that lead there, and HOME itself.

    Called before the home is given to the program: only what is there by then becomes its own.
    """
    temporary = home / TEMPORARY
    session = temporary / "session"
    for folder in (temporary, session):
        folder.mkdir(mode=0o700, exist_ok=True)
    return {"HOME": str(home), _SESSION: str(session), **dict.fromkeys(_ASKED_FOR, str(temporary))}


_ALREADY_SHOWN = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_LONGEST_PATH = 1000
# Not the whole folder: somebody may keep a virtual environment and the data of WebOrdinary in the same one.
_PARTS = ("bin", "lib", "lib64", "libexec", "include", "pyvenv.cfg")


def find_installation(program: str) -> tuple[Path, ...]:
    """Return what a program outside of the system's folders needs: its Python or Node around it, or itself."""
    found = shutil.which(program) if "/" not in program or program.startswith("/") else None
    if found is None:
        return ()
    places = dict.fromkeys(place for step in _steps(Path(found)) for place in _places(step))
    return tuple(place for place in places if not _is_shown(place))


def _is_shown(place: Path) -> bool:
    return any(place.is_relative_to(shown) for shown in _ALREADY_SHOWN)


def named_files(argv: Sequence[str]) -> tuple[Path, ...]:
    """Return the files that a command names by their whole path, such as a script: its author means them.

    Commands come from the configuration; nothing of a mail ever becomes a word of one.
    """
    named = (Path(word) for word in argv[1:] if word.startswith("/") and len(word) <= _LONGEST_PATH)
    return tuple(path for path in named if path.is_file() and not _is_shown(path))


def _steps(path: Path) -> list[Path]:
    """Follow a program by its links, and a virtual environment to the Python that it was made from."""
    steps = [path]
    while steps[-1].is_symlink():
        step = Path(os.path.normpath(steps[-1].parent / steps[-1].readlink()))
        if step in steps:
            break
        steps.append(step)
    python = path.parent / "python"
    if (path.parent.parent / "pyvenv.cfg").is_file() and python.exists() and path != python:
        steps += _steps(python)
    return steps


def _places(program: Path) -> list[Path]:
    prefix = program.parent.parent
    if program.parent.name == "bin" and _is_installation(prefix):
        return [prefix / part for part in _PARTS if (prefix / part).exists()]
    return [program]


def _is_installation(prefix: Path) -> bool:
    is_python = (prefix / "pyvenv.cfg").is_file() or any(prefix.glob("lib/python3*"))
    return is_python or (prefix / "lib" / "node_modules").is_dir()
