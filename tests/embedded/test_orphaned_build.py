"""An owner dies while its site is being built: its build writes nothing into the folder of the next one."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webordinary.child import identity, is_alive
from webordinary.jobs.job import Outcome
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT, Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.rigs.embedded import EmbeddedRig

# Ours may lie in somebody's home folder, which a uid of its own cannot enter.
_PYTHON = shutil.which("python3", path=os.defpath) or sys.executable
# The first build says who it is and waits until the gate opens; every later one is done at once.
_BUILD = """
import os, pathlib
folder = pathlib.Path({folder!r})
try:
    (folder / "first").mkdir()
except FileExistsError:
    raise SystemExit
(folder / "first.new").write_text(str(os.getpid()))
(folder / "first.new").rename(folder / "first.pid")
open(folder / "gate").close()
"""


@pytest.fixture
def shared() -> Iterator[Path]:
    """Return a folder in which also somebody else may write: started by root, a build is not root."""
    with tempfile.TemporaryDirectory(prefix="build-") as folder:
        Path(folder).chmod(0o777)
        gate = Path(folder) / "gate"
        os.mkfifo(gate)
        gate.chmod(0o666)
        yield Path(folder)
        # Whoever still waits at the gate may go on; without anybody there is nothing to open.
        with suppress(OSError):
            os.close(os.open(gate, os.O_WRONLY | os.O_NONBLOCK))


@pytest.mark.thorough
def test_the_build_of_a_killed_owner_has_ended_before_the_next_one_publishes(rig: EmbeddedRig, shared: Path) -> None:
    story = Story(rig)
    site = SiteSetup("amelia", BAKERY.editors, build=(_PYTHON, "-I", "-c", _BUILD.format(folder=str(shared))))
    (first,) = story.begin(site, settings={"sandbox": 'mode = "none"'})
    mail = story.writes(SCOTT, "We open at nine now", subject="hours")
    story.waits_until((shared / "first.pid").exists)
    build = identity(int((shared / "first.pid").read_text(encoding="ascii")))
    rig.kill_worker(first)
    rig.start_worker()

    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert not is_alive(build)
