"""Where the Claude Code program is, and whether it is new enough to be kept inside its walls."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from datetime import timedelta
from functools import cache
from pathlib import Path

from webordinary.child import run
from webordinary.errors import Misconfigured

# The first with --restricted as it is used here; older ones run a repository's own hooks.
OLDEST = (2, 1, 300)
_SECONDS = timedelta(seconds=30)
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_INSTALL = 'install it with `pip install "webordinary[claude]"`, or name yours with `agent.program`'


@cache
def find_claude(named: str | None) -> Path:
    """Return the program: the named one, the one that came with the extra, or the one on the path."""
    for place in (named,) if named else (_bundled(), shutil.which("claude")):
        if place is not None and Path(place).is_file():
            _check_version(Path(place))
            return Path(place).resolve()
    raise Misconfigured(f"There is no Claude Code {f'at {named}' if named else 'on this machine'}; {_INSTALL}.")


def _bundled() -> str | None:
    found = importlib.util.find_spec("claude_agent_sdk")
    if found is None or found.origin is None:
        return None
    return str(Path(found.origin).parent / "_bundled" / "claude")


def _check_version(program: Path) -> None:
    env = {"PATH": os.defpath, "HOME": "/nonexistent", "DISABLE_AUTOUPDATER": "1"}
    said = run([str(program), "--version"], cwd=Path("/"), env=env, deadline=_SECONDS)
    text = said.stdout.decode(errors="replace").strip()
    found = _VERSION.search(text)
    if not said.succeeded or found is None:
        raise Misconfigured(f"{program} does not say which version of Claude Code it is; {_INSTALL}.")
    if tuple(map(int, found.groups())) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise Misconfigured(f"Claude Code {found[0]} is too old, {oldest} or newer is needed; {_INSTALL}.")
