"""An owner dies while its site is being built: its build writes nothing into the folder of the next one."""

from __future__ import annotations

import sys
import tempfile
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

# The first build says who it is and waits until the gate opens; every later one is done at once.
_BUILD = """
import os, pathlib, time
folder = pathlib.Path({folder!r})
try:
    (folder / "first").mkdir()
except FileExistsError:
    raise SystemExit
(folder / "first.new").write_text(str(os.getpid()))
(folder / "first.new").rename(folder / "first.pid")
while not (folder / "gate").exists():
    time.sleep(0.02)
"""


@pytest.fixture
def outside() -> Iterator[Path]:
    """Return a folder that a build may write into: where the worker is root, its builds are somebody else."""
    with tempfile.TemporaryDirectory(prefix="orphaned-") as folder:
        path = Path(folder)
        path.chmod(0o777)
        yield path
        (path / "gate").touch()


def test_the_build_of_a_killed_owner_has_ended_before_the_next_one_publishes(rig: EmbeddedRig, outside: Path) -> None:
    script = outside / "build.py"
    script.write_text(_BUILD.format(folder=str(outside)), encoding="utf-8")
    story = Story(rig)
    site = SiteSetup("amelia", BAKERY.editors, build=(sys.executable, str(script)))
    (first,) = story.begin(site, settings={"sandbox": 'mode = "none"'})
    mail = story.writes(SCOTT, "We open at nine now", subject="hours")
    story.waits_until((outside / "first.pid").exists)
    build = identity(int((outside / "first.pid").read_text(encoding="ascii")))
    rig.kill_worker(first)
    rig.start_worker()

    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert not is_alive(build)
