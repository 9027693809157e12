"""Backup and restore: while others write, of a damaged file, killed in the middle, and on a full disk."""

from __future__ import annotations

import os
import signal
import sys
import threading
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from tests.programs import need
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.child import run
from webordinary.engines.embedded.backup import DATABASE, Progress, back_up, restore
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.snapshot import examine, find_damage
from webordinary.errors import Misconfigured
from webordinary.testing.clock import ManualClock
from webordinary.worker.chores.digest import gather

ROOT = Path(__file__).parents[2]
PAGE = 4096
_MEGABYTES = 64


def fill(data: Path, megabytes: int = _MEGABYTES, each: int = 1_000) -> Database:
    """Make a database of some size, with rows of that many letters and a mail beside it."""
    database = Database(data / DATABASE)
    with database.write() as cursor:
        rows = ((f"key {number}", "x" * each) for number in range(megabytes * 1_000_000 // each))
        cursor.executemany("INSERT INTO meta VALUES (?, ?)", rows)
    database.close()
    # Into the file itself, where bytes can be flipped.
    with apsw.Connection(str(data / DATABASE)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (data / "mail").mkdir()
    (data / "mail" / "first").write_bytes(b"We open at nine.")
    return database


def damage(path: Path) -> None:
    """Flip bits at the beginning of many pages, as a dying disk does."""
    pages = path.stat().st_size // PAGE
    with path.open("r+b") as file:
        for number in range(2, pages, max(1, pages // 50)):
            file.seek(number * PAGE)
            old = file.read(64)
            file.seek(number * PAGE)
            file.write(bytes(each ^ 0xFF for each in old))


def rows_of(path: Path) -> int:
    connection = apsw.Connection(str(path))
    try:
        return int(str(connection.execute("SELECT count(*) FROM meta").get))
    finally:
        connection.close()


@pytest.mark.thorough
def test_a_backup_ends_although_somebody_writes_at_every_step(tmp_path: Path) -> None:
    database = fill(tmp_path / "data")
    before = rows_of(tmp_path / "data" / DATABASE)
    reports: list[Progress] = []

    def write_beside(progress: Progress) -> None:
        reports.append(progress)
        with database.write() as cursor:
            cursor.execute("INSERT INTO meta VALUES (?, 'written meanwhile')", (f"late {len(reports)}",))

    back_up(tmp_path / "data", tmp_path / "backup", write_beside)

    copied = [each for each in reports if each.of]
    assert [each.done for each in copied] == sorted({each.done for each in copied})
    assert copied[-1].done == copied[-1].of
    assert rows_of(tmp_path / "backup" / DATABASE) == before
    assert rows_of(tmp_path / "data" / DATABASE) == before + len(reports)


@pytest.mark.thorough
def test_the_log_that_grew_beside_a_backup_is_cut_again(tmp_path: Path) -> None:
    database = fill(tmp_path / "data", 1)
    log = tmp_path / "data" / f"{DATABASE}-wal"
    longest = 0

    def write_much(_: Progress) -> None:
        nonlocal longest
        with database.write() as cursor:
            cursor.execute("INSERT INTO meta VALUES (?, ?)", (f"late {longest}", "x" * 90_000_000))
        longest = max(longest, log.stat().st_size)

    back_up(tmp_path / "data", tmp_path / "backup", write_much)
    for number in range(3):
        with database.write() as cursor:
            cursor.execute("INSERT INTO meta VALUES (?, 'after it')", (f"after {number}",))
    assert longest > 90_000_000
    assert log.stat().st_size <= 64 * 1024 * 1024


def test_a_damaged_database_is_no_successful_backup(tmp_path: Path) -> None:
    fill(tmp_path / "data", 4)
    damage(tmp_path / "data" / DATABASE)
    with pytest.raises(Misconfigured, match=r"damaged.*earlier backup"):
        back_up(tmp_path / "data", tmp_path / "backup")
    assert [path.name for path in (tmp_path / "backup").iterdir()] == []


def test_a_damaged_backup_is_not_restored(tmp_path: Path) -> None:
    fill(tmp_path / "data", 4)
    back_up(tmp_path / "data", tmp_path / "backup")
    damage(tmp_path / "backup" / DATABASE)
    with pytest.raises(Misconfigured, match="damaged"):
        restore(tmp_path / "backup", tmp_path / "restored", ManualClock().now())
    assert list((tmp_path / "restored").iterdir()) == []


def test_a_row_that_no_index_knows_is_damage_too(tmp_path: Path) -> None:
    database = fill(tmp_path / "data", 1)
    with database.write() as cursor:
        cursor.execute(
            "INSERT INTO outbox (key, kind, recipient, words, facts, due_at, added_at, message_id)"
            " VALUES ('a', '', '', '', '{}', 0, 0, 'known@example')"
        )
    database.close()
    file = tmp_path / "data" / DATABASE
    # Still an id, but in the table another one than in the index.
    file.write_bytes(file.read_bytes().replace(b"known@example", b"knowm@example", 1))
    assert "outbox" in str(find_damage(file))


def test_a_look_at_the_database_finds_damage_and_has_an_end(tmp_path: Path) -> None:
    fill(tmp_path / "data", 4)
    path = tmp_path / "data" / DATABASE
    whole = examine(path, timedelta(minutes=1))
    assert whole.damage is None
    assert whole.is_complete
    assert not examine(path, timedelta(0)).is_complete
    damage(path)
    assert examine(path, timedelta(minutes=1)).damage is not None


_KILLED_IN_THE_MIDDLE = """
import os, signal, sys
from pathlib import Path
from webordinary.engines.embedded.backup import back_up
def die(progress):
    if progress.doing == sys.argv[3]:
        os.kill(os.getpid(), signal.SIGKILL)
back_up(Path(sys.argv[1]), Path(sys.argv[2]), die)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("moment", ["copying the database", "checking the copy", "copying the mails"])
def test_a_killed_backup_leaves_nothing_that_looks_like_one_and_can_be_made_again(tmp_path: Path, moment: str) -> None:
    fill(tmp_path / "data", 8)
    argv = [sys.executable, "-c", _KILLED_IN_THE_MIDDLE, str(tmp_path / "data"), str(tmp_path / "backup"), moment]
    killed = run(argv, cwd=tmp_path, env=dict(os.environ))
    assert killed.code == -signal.SIGKILL
    assert not (tmp_path / "backup" / DATABASE).exists()
    with pytest.raises(Misconfigured, match="not a backup"):
        restore(tmp_path / "backup", tmp_path / "restored", ManualClock().now())

    back_up(tmp_path / "data", tmp_path / "backup")
    restore(tmp_path / "backup", tmp_path / "restored", ManualClock().now())
    assert sorted(path.name for path in (tmp_path / "backup").iterdir()) == ["mail", DATABASE]


_FULL_DISK = """
import shutil
from pathlib import Path
from tests.embedded.test_backup import fill
from webordinary.engines.embedded import backup
from webordinary.errors import TryAgain
data, target = Path("/mnt/data"), Path("/mnt/full/backup")
fill(data, 2)
(data / "mail" / "photo").write_bytes(bytes(8_000_000))
for reserve in (backup.RESERVE, 0):
    backup.RESERVE = reserve
    try:
        backup.back_up(data, target)
    except TryAgain as refused:
        print("refused:", refused)
    print("left:", (target / "webordinary.db").exists(), sorted(path.name for path in target.glob(".*")))
shutil.rmtree(target)
(data / "mail" / "photo").unlink()
backup.back_up(data, target)
print("made:", (target / "webordinary.db").is_file())
"""


def test_a_backup_on_a_full_disk_says_so_and_leaves_nothing_half(tmp_path: Path) -> None:
    need("bwrap")
    walls = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/mnt"]
    argv = [*walls, "--size", "14000000", "--tmpfs", "/mnt/full", sys.executable, "-c", _FULL_DISK]
    env = {"PATH": os.defpath, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    ended = run(argv, cwd=tmp_path, env=env)
    assert ended.succeeded, ended.stderr.decode()
    before, left, full, left_then, made = ended.stdout.decode().splitlines()
    assert "MB: free some space" in before
    assert full == "refused: the disk under /mnt/full/backup is full: free some space, nothing was lost"
    assert left == left_then == "left: False []"
    assert made == "made: True"


def test_the_daily_digest_tells_of_a_damaged_database(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    fill(tmp_path, 4)
    assert "damaged" not in gather(ports.engine, ports.now.wall_at - timedelta(days=1), ports.now.wall_at)
    damage(tmp_path / DATABASE)
    told = gather(ports.engine, ports.now.wall_at - timedelta(days=1), ports.now.wall_at)
    assert list(told) == ["damaged"]


@pytest.mark.long
def test_a_backup_of_more_than_a_gigabyte_ends_while_somebody_writes_each_second(tmp_path: Path) -> None:
    data, target = tmp_path / "data", tmp_path / "monday"
    data.mkdir()
    database = fill(data, 1_400, each=50_000)
    assert (data / DATABASE).stat().st_size > 1_400_000_000
    before, ended = rows_of(data / DATABASE), threading.Event()
    written: list[int] = []

    def write() -> None:
        while not ended.wait(1):
            with database.write() as cursor:
                cursor.execute("INSERT INTO meta VALUES (?, 'written meanwhile')", (f"meanwhile {len(written)}",))
            written.append(len(written))
        database.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        back_up(data, target)
    finally:
        ended.set()
        writer.join()
    assert written
    assert before <= rows_of(target / DATABASE) <= before + len(written)
    assert find_damage(target / DATABASE) is None
