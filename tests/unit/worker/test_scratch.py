from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from webordinary.worker.change.scratch import open_scratch

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def test_what_a_killed_worker_left_is_removed_and_what_another_one_needs_stays(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    scratch = open_scratch(tmp_path / "scratch", NOW)
    for name, age in (("old", timedelta(days=2)), ("young", timedelta(hours=1))):
        (scratch / name).mkdir()
        (scratch / name / "file").touch()
        at = (NOW - age).timestamp()
        os.utime(scratch / name, (at, at))
    (scratch / "link").symlink_to(outside)
    old = (NOW - timedelta(days=2)).timestamp()
    os.utime(scratch / "link", (old, old), follow_symlinks=False)

    open_scratch(scratch, NOW)

    assert [left.name for left in scratch.iterdir()] == ["young"]
    assert outside.is_dir()
