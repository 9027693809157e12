"""Agents that we know by their program: how each is started so that it obeys nobody's settings but ours.

A repository may bring settings for agents: commands that run with each session, servers for tools, instructions. Who
may write to the repository would then decide what runs in the sandbox and what the model is told.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.workspace.installation import TEMPORARY
from webordinary.workspace.leaving import fresh_folder, remove_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# In a word of a command: a port of the loopback on which the program may listen, and nobody else does.
PORT = "{port}"


@dataclass(frozen=True, slots=True)
class Manners:
    """What is added to the command and the surroundings of an agent that we know."""

    # Words for the command, and the option by which somebody may have said the same already.
    words: tuple[tuple[str, ...], ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    # Settings that it reads from a file which a variable names.
    settings: Mapping[str, object] = field(default_factory=dict)
    settings_variable: str = ""


_OPENCODE = Manners(
    # It talks to its own server; by itself it takes a port that not every sandbox lets it have.
    words=(("--pure",), ("--port", PORT)),
    environment={
        # Neither opencode.json nor .opencode nor AGENTS.md of a repository, and no plugin that is not its own.
        "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
        "OPENCODE_PURE": "1",
        # CLAUDE.md and .claude are settings and skills for it as well.
        "OPENCODE_DISABLE_CLAUDE_CODE": "1",
        "OPENCODE_DISABLE_EXTERNAL_SKILLS": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
    },
    # A formatter and a language server are programs of the repository's own choice.
    settings={
        "autoupdate": False,
        "share": "disabled",
        "formatter": False,
        "lsp": False,
        # A model would be asked for a title that nobody reads.
        "agent": {"title": {"disable": True}},
    },
    settings_variable="OPENCODE_CONFIG",
)
# What agents look for in the folders of a repository. Not each of them can be told to leave it: opencode runs what lies
# in .opencode/plugin, and reads the AGENTS.md beside each page, whatever it is told.
PUT_AWAY = (
    *("opencode.json", "opencode.jsonc", ".opencode", "AGENTS.md", "AGENTS.override.md", ".agents", "CONTEXT.md"),
    *(
        "CLAUDE.md",
        "CLAUDE.local.md",
        ".claude",
        ".mcp.json",
        ".codex",
        "GEMINI.md",
        ".gemini",
        ".goosehints",
        ".goose",
    ),
    *(".cursor", ".cursorrules", ".windsurf", ".windsurfrules", ".clinerules", ".qwen", "QWEN.md", ".kiro"),
)
_NOT_LOOKED_INTO = frozenset({".git", "node_modules", *PUT_AWAY})
KNOWN: Mapping[str, Manners] = {"opencode": _OPENCODE}


def find_manners(command: Sequence[str]) -> Manners | None:
    """Return how this agent is started, if it is one that we know."""
    return KNOWN.get(Path(command[0]).name)


def with_manners(command: Sequence[str]) -> tuple[str, ...]:
    """Return the command with what we add to it; what somebody has said already is left as it is."""
    manners = find_manners(command) or Manners()
    said = {word.partition("=")[0] for word in command}
    return (*command, *(word for words in manners.words if words[0] not in said for word in words))


def surroundings(command: Sequence[str], home: Path) -> dict[str, str]:
    """Lay out the settings for this agent in its home, and return the variables that it is started with."""
    manners = find_manners(command)
    if manners is None:
        return {}
    path = home / TEMPORARY / "settings.json"
    path.write_text(json.dumps(manners.settings), encoding="utf-8")
    return {**manners.environment, manners.settings_variable: str(path)}


def free_port(besides: int) -> int:
    """Return a port of the loopback that nobody has, and that is not this one."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as found:
            port = int(found.getsockname()[1])
        if port != besides:
            return port


@contextmanager
def put_away(checkout: Path, home: Path) -> Iterator[None]:
    """Take what a repository tells agents out of its folders until the block ends; git has it if we do not get there.

    What the agent has put in its place is gone then: such files change by the agency's hands.
    """
    with fresh_folder(home.parent, "away-") as away:
        taken = {away / str(number): path for number, path in enumerate(_told_to_agents(checkout.resolve()))}
        for place, path in taken.items():
            shutil.move(path, place)
        try:
            yield
        finally:
            for place, path in taken.items():
                # A file that could not be put back is gone in the change, which then is the agency's to judge.
                with suppress(OSError):
                    _put_back(place, path)


def _told_to_agents(checkout: Path) -> list[Path]:
    found = []
    for folder, folders, files in os.walk(checkout):
        found += [Path(folder) / name for name in (*folders, *files) if name in PUT_AWAY]
        folders[:] = [name for name in folders if name not in _NOT_LOOKED_INTO]
    return found


def _put_back(place: Path, path: Path) -> None:
    # A folder that the agent has removed stays so, and one that is a link now would lead us elsewhere.
    if path.parent.resolve() != path.parent or not path.parent.is_dir():
        return
    if path.is_symlink() or path.exists():
        remove_tree(path)
    shutil.move(place, path)
