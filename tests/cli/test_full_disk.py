"""A disk that is really full: a small file system in a view of the files of its own."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.programs import need_root
from webordinary.child import run

if TYPE_CHECKING:
    from pathlib import Path

_MOUNT = (
    'mount -t tmpfs -o size=200m,mode=755 tmpfs "$2" && cp -a "$1/." "$2" && exec "$0" -m tests.cli.on_a_full_disk "$2"'
)


@pytest.mark.long
def test_serve_waits_on_a_full_disk_and_goes_on_by_itself_when_there_is_room(
    tmp_path: Path, bakery_as_new: Path
) -> None:
    need_root("unshare")
    disk = tmp_path / "disk"
    disk.mkdir()
    argv = ["unshare", "--mount", "sh", "-c", _MOUNT, sys.executable, str(bakery_as_new), str(disk)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ended = run(argv, cwd=tmp_path, env=env)
    assert ended.succeeded, ended.stdout.decode() + ended.stderr.decode()
