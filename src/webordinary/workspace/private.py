"""Places of a program's own: what its runtime writes beside its work lies in its home, and goes with it.

The machine's temporary folder is everybody's. Behind Landlock nobody may write there, and with a uid of its own alone
a program would leave its files there for the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

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
