"""What survives a power cut: whatever somebody was told, and nothing that would contradict it."""

from __future__ import annotations

import errno
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import apsw
import pytest

from tests.contracts.test_lanes import DONE, take
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.open import DATABASE
from webordinary.errors import TryAgain
from webordinary.mail.inbox import Envelope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.rigs.ports import Ports

MAIL = Envelope(door="smtp", recipients=("edit@example.com",), mail_from="scott@example.org", transport_key="once")


class Disk:
    """A disk of which only what was synced is left when the power fails."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.left = folder, folder / "left"
        self.left.mkdir()
        self.meanwhile: Callable[[], object] = lambda: None
        self._sync = os.fdatasync
        monkeypatch.setattr(os, "fdatasync", self._keep)

    def _keep(self, descriptor: int) -> None:
        self.meanwhile()
        self._sync(descriptor)
        for file in self.folder.glob(f"{DATABASE}*"):
            shutil.copyfile(file, self.left / file.name)

    def after_a_power_cut(self, sql: str) -> list[tuple[object, ...]]:
        # It is of another machine, so to say: whoever opens the file finds out from the log alone how far it goes.
        (self.left / f"{DATABASE}-shm").unlink(missing_ok=True)
        connection = apsw.Connection(str(self.left / DATABASE))
        try:
            return list(connection.execute(sql))
        finally:
            connection.close()


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(tmp_path, monkeypatch)


@pytest.fixture
def ports(disk: Disk) -> Ports:
    return open_embedded_ports(disk.folder)


def test_a_job_that_was_accepted_started_or_finished_is_on_the_disk(disk: Disk, ports: Ports) -> None:
    job = ports.queue()
    assert disk.after_a_power_cut("SELECT id, state FROM jobs") == [(job, "queued")]
    claim, started = take(ports)
    assert disk.after_a_power_cut("SELECT id, state FROM jobs") == [(job, "running")]
    ports.engine.attempts.finish(claim, started, DONE, ports.now)
    assert disk.after_a_power_cut("SELECT id, state FROM jobs") == [(job, "done")]


def test_a_mail_that_was_accepted_is_on_the_disk(disk: Disk, ports: Ports) -> None:
    kept = ports.engine.inbox.keep(b"Dear all", MAIL, ports.now)
    assert disk.after_a_power_cut("SELECT id FROM mails") == [(kept.mail,)]


def test_a_mail_that_comes_twice_is_accepted_again_only_when_the_first_is_on_the_disk(disk: Disk, ports: Ports) -> None:
    second: list[str] = []

    def repeat() -> None:
        disk.meanwhile = lambda: None
        second.append(ports.engine.inbox.keep(b"Dear all", MAIL, ports.now).mail)
        assert disk.after_a_power_cut("SELECT id FROM mails") == [(second[0],)]

    # It comes again while the disk is still busy with the first.
    disk.meanwhile = repeat
    kept = ports.engine.inbox.keep(b"Dear all", MAIL, ports.now)
    assert second == [kept.mail]


def test_others_write_while_the_disk_is_busy(disk: Disk, ports: Ports) -> None:
    was_blocked: list[bool] = []
    disk.meanwhile = lambda: was_blocked.append(Database(disk.folder / DATABASE).is_blocked())
    ports.queue()
    assert was_blocked == [False]


def test_a_worker_is_woken_while_the_disk_is_busy(disk: Disk, ports: Ports) -> None:
    ports.engine.claims.wait_for_work("w1", ports.now)
    rang: list[bool] = []
    listener = ports.engine.signals.listen("w1")
    disk.meanwhile = lambda: rang.append(listener.wait(ports.limits.look))
    ports.queue()
    listener.close()
    assert rang == [True]


def fail(times: int) -> Callable[[], None]:
    left = iter(range(times))

    def meanwhile() -> None:
        if next(left, None) is not None:
            raise OSError(errno.EIO, "the disk did not take it")

    return meanwhile


def sizes(files: Iterable[Path]) -> list[int]:
    return [file.stat().st_size for file in files]


def test_what_the_disk_did_not_take_is_written_once_more_into_the_file_itself(disk: Disk, ports: Ports) -> None:
    disk.meanwhile = fail(times=1)
    job = ports.queue()
    assert sizes([disk.folder / f"{DATABASE}-wal"]) == [0]
    (disk.folder / "left" / DATABASE).write_bytes((disk.folder / DATABASE).read_bytes())
    assert disk.after_a_power_cut("SELECT id FROM jobs") == [(job,)]


def test_nobody_is_promised_what_cannot_be_written_at_all(disk: Disk, ports: Ports) -> None:
    reader = apsw.Connection(str(disk.folder / DATABASE))
    reader.execute("BEGIN; SELECT count(*) FROM meta").fetchall()
    database = Database(disk.folder / DATABASE)
    disk.meanwhile = fail(times=1)
    with database.write_unsynced() as cursor:
        cursor.connection.set_busy_handler(None)
        cursor.execute("INSERT INTO meta VALUES ('a', 'b')")
    with pytest.raises(TryAgain):
        database.sync()
    # A sync that goes well afterwards says nothing about what went wrong before.
    with pytest.raises(TryAgain):
        database.sync()
    reader.close()
    database.sync()
    assert sizes([disk.folder / f"{DATABASE}-wal"]) == [0]
    assert ports.queue()


class Kernel:
    """Tells of a page that it could not write as Linux does.

    Each descriptor that was open then is told once. A new one is told only if nobody else was.
    """

    def __init__(self, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._log, self._sync = log, os.fdatasync
        self._to_tell: set[int] = set()
        self._is_told = True
        monkeypatch.setattr(os, "fdatasync", self._tell)

    def lose_a_page(self) -> None:
        links = {int(link.name): link for link in Path("/proc/self/fd").iterdir()}
        self._to_tell = {number for number, link in links.items() if os.path.realpath(link) == str(self._log)}
        self._is_told = False

    def _tell(self, descriptor: int) -> None:
        if descriptor in self._to_tell or not self._is_told:
            self._to_tell.discard(descriptor)
            self._is_told = True
            raise OSError(errno.EIO, "the disk did not take it")
        self._sync(descriptor)


def test_each_process_learns_of_a_page_that_the_disk_did_not_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = Kernel(tmp_path / f"{DATABASE}-wal", monkeypatch)
    first, second = Database(tmp_path / DATABASE), Database(tmp_path / DATABASE)
    reader = apsw.Connection(str(tmp_path / DATABASE))
    reader.execute("BEGIN; SELECT count(*) FROM meta").fetchall()
    for name, database in (("a", first), ("b", second)):
        with database.write_unsynced() as cursor:
            cursor.connection.set_busy_handler(None)
            cursor.execute("INSERT INTO meta VALUES (?, 'x')", (name,))
    kernel.lose_a_page()
    for database in (first, second):
        with pytest.raises(TryAgain):
            database.sync()
    reader.close()
    second.sync()
    assert sizes([tmp_path / f"{DATABASE}-wal"]) == [0]


def test_a_log_that_somebody_has_removed_is_made_up_for_in_the_file_itself(disk: Disk) -> None:
    database = Database(disk.folder / DATABASE)
    fill(database, 1)
    (disk.folder / f"{DATABASE}-wal").unlink()
    with database.write() as cursor:
        cursor.execute("INSERT INTO meta VALUES ('b', 'kept')")
    (disk.left / DATABASE).write_bytes((disk.folder / DATABASE).read_bytes())
    assert disk.after_a_power_cut("SELECT value FROM meta WHERE key = 'b'") == [("kept",)]


class Watched(apsw.Connection):
    """A connection that writes down how each checkpoint ended: pages of the log, pages in the file, or busy."""

    ended: ClassVar[list[tuple[int, int] | None]] = []

    def wal_checkpoint(self, dbname: str | None = None, mode: int = apsw.SQLITE_CHECKPOINT_PASSIVE) -> tuple[int, int]:
        self.ended.append(None)
        pages = super().wal_checkpoint(dbname, mode)
        self.ended[-1] = pages
        return pages


@pytest.fixture
def checkpoints(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int] | None]:
    monkeypatch.setattr("webordinary.engines.embedded.database._CHECKPOINT_PAGES", 64)
    monkeypatch.setattr(apsw, "Connection", Watched)
    monkeypatch.setattr(Watched, "ended", [])
    return Watched.ended


def fill(database: Database, times: int) -> None:
    """Write ten to twelve pages of the log, so many times."""
    for _ in range(times):
        with database.write_unsynced() as cursor:
            cursor.execute("INSERT OR REPLACE INTO meta VALUES ('a', hex(randomblob(18000)))")


def test_a_few_checkpoints_among_busy_writers_keep_the_log_short(
    tmp_path: Path, checkpoints: list[tuple[int, int] | None]
) -> None:
    database = Database(tmp_path / DATABASE)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: fill(database, 100), range(2)))
    assert any(ended is not None and ended[0] == ended[1] for ended in checkpoints)
    assert len(checkpoints) <= 2 * 100 * 12 / 64
    # Each page has a head of its own; without any checkpoint the log would have 2,000 of them.
    assert (tmp_path / f"{DATABASE}-wal").stat().st_size < 1000 * 4120


def test_a_long_reader_costs_the_writers_few_checkpoints(
    tmp_path: Path, checkpoints: list[tuple[int, int] | None]
) -> None:
    database = Database(tmp_path / DATABASE)
    reader = apsw.Connection(str(tmp_path / DATABASE))
    reader.execute("BEGIN; SELECT count(*) FROM meta").fetchall()
    fill(database, 100)
    assert None in checkpoints
    assert len(checkpoints) <= 100 * 12 / 64
    reader.close()
    checkpoints.clear()
    fill(database, 20)
    assert len(checkpoints) >= 2
    assert None not in checkpoints


class BadDisk(apsw.VFS):
    """A disk on which the log cannot be synced for a while, or which has no room for the file itself."""

    def __init__(self) -> None:
        self.is_bad = self.is_full = False
        self.base = apsw.vfs_names()[0]
        super().__init__("bad-disk", self.base, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's own
        return BadFile(self, name, flags)


class BadFile(apsw.VFSFile):
    def __init__(self, disk: BadDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        self._is_log = bool(flags[0] & apsw.SQLITE_OPEN_WAL)
        super().__init__(disk.base, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's own
        if self._disk.is_full and not self._is_log:
            raise apsw.FullError("there is no room")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's own
        if self._is_log and self._disk.is_bad:
            problem = apsw.IOError("the disk did not take it")
            problem.extendedresult = apsw.SQLITE_IOERR_FSYNC  # type: ignore[attr-defined]  # the stubs forget it
            raise problem
        super().xSync(flags)


@pytest.fixture
def bad_disk() -> Iterator[BadDisk]:
    disk = BadDisk()
    yield disk
    disk.unregister()
    assert apsw.vfs_names()[0] == disk.base


def test_a_checkpoint_that_could_not_sync_the_log_fails_no_commit_and_is_made_up_for(
    tmp_path: Path, bad_disk: BadDisk, checkpoints: list[tuple[int, int] | None]
) -> None:
    database = Database(tmp_path / DATABASE)
    # The first commit of a log syncs its head, and may fail honestly.
    fill(database, 1)
    bad_disk.is_bad = True
    fill(database, 20)
    assert None in checkpoints
    bad_disk.is_bad = False
    # The kernel has told SQLite, and tells nobody else.
    database.sync()
    assert sizes([tmp_path / f"{DATABASE}-wal"]) == [0]
    database.close()


def test_a_checkpoint_on_a_full_disk_fails_no_commit_and_loses_none(
    tmp_path: Path, bad_disk: BadDisk, checkpoints: list[tuple[int, int] | None]
) -> None:
    database = Database(tmp_path / DATABASE)
    bad_disk.is_full = True
    fill(database, 20)
    with database.write() as cursor:
        cursor.execute("INSERT INTO meta VALUES ('b', 'kept')")
    assert None in checkpoints
    bad_disk.is_full = False
    fill(database, 20)
    assert checkpoints[-1] is not None
    with database.read() as cursor:
        assert cursor.execute("SELECT value FROM meta WHERE key = 'b'").fetchall() == [("kept",)]
    database.close()
