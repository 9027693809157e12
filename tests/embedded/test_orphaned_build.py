"""An owner dies while its site is being built: its build writes nothing into the folder of the next one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from webordinary.child import identity, is_alive
from webordinary.jobs.job import Outcome
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT, Story

if TYPE_CHECKING:
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


def test_the_build_of_a_killed_owner_has_ended_before_the_next_one_publishes(rig: EmbeddedRig) -> None:
    script = rig.folder / "build.py"
    script.write_text(_BUILD.format(folder=str(rig.folder)), encoding="utf-8")
    story = Story(rig)
    site = SiteSetup("amelia", BAKERY.editors, build=(sys.executable, str(script)))
    (first,) = story.begin(site, settings={"sandbox": 'mode = "none"'})
    mail = story.writes(SCOTT, "We open at nine now", subject="hours")
    story.waits_until((rig.folder / "first.pid").exists)
    build = identity(int((rig.folder / "first.pid").read_text(encoding="ascii")))
    rig.kill_worker(first)
    rig.start_worker()

    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert not is_alive(build)
