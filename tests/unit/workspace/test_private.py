"""A temporary folder of its own for each run, on every rung of the sandbox."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from webordinary.agent.agent import Task
from webordinary.agent.command import CommandAgent
from webordinary.workspace.installation import TEMPORARY, private_places
from webordinary.workspace.sandbox import LADDER

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCRIPT = """
file=$(mktemp) && cp /bin/true "$file" && chmod +x "$file" && "$file" && echo "$file"
stat -c %a "$TMPDIR" "$XDG_RUNTIME_DIR"
for place in "$TMP" "$TEMP" "$BUN_TMPDIR" "$CLAUDE_CODE_TMPDIR"; do [ "$place" = "$TMPDIR" ] || echo "$place"; done
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return a folder that others may enter: pytest's own are closed, as a home folder is."""
    with tempfile.TemporaryDirectory(prefix="private-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize("rung", LADDER)
def test_a_program_makes_and_runs_files_in_a_temporary_folder_of_its_own(rung: str, open_folder: Path) -> None:
    sandbox = need_sandbox(rung, open_folder)
    checkout, home = open_folder / "site", open_folder / "home"
    checkout.mkdir()
    home.mkdir()
    agent = CommandAgent(("sh", "-c", _SCRIPT), lambda: sandbox)

    said = agent.run(Task(checkout, home, "We open at nine now"), lambda _: None, lambda _: None).summary.split()

    assert said[1:] == ["700", "700"]
    # In its home, which is gone with the run.
    assert Path(said[0]).parent == home / TEMPORARY
    assert Path(said[0]).is_file()


def test_it_may_be_asked_for_twice(tmp_path: Path) -> None:
    assert private_places(tmp_path) == private_places(tmp_path)
    assert private_places(tmp_path)["HOME"] == str(tmp_path)
