"""Keeps an installation that has done its first job, as `tests/test_upgrade.py` upgrades it: with each release.

`python -m tests.earlier NAME FOLDER` packs the folder of a demo (`webordinary demo --once`) that no program has open.
What an installation makes anew by itself is left out: checkouts, previews, what it knows of builds.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import apsw

KEPT = Path(__file__).parent
_MADE_ANEW = ("workspace", "scratch", "known", "previews", "*.db-wal", "*.db-shm", ".demo", "*.sample", "FETCH_HEAD")


def keep(name: str, folder: Path) -> Path:
    kept = KEPT / f"{name}.tar.xz"
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / name
        database = folder / "data" / "webordinary.db"
        _shrink(database)
        shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(*_MADE_ANEW))
        subprocess.run(["git", "-C", copy / "amelia.git", "gc", "--quiet", "--prune=now"], check=True)
        with tarfile.open(kept, "w:xz") as archive:
            archive.add(copy, ".", filter=_of_nobody)
    return kept


def _shrink(database: Path) -> None:
    connection = apsw.Connection(str(database))
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.execute("VACUUM")
    connection.close()


def _of_nobody(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


if __name__ == "__main__":
    print(keep(sys.argv[1], Path(sys.argv[2])))  # noqa: T201 - where it lies now
