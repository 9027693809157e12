"""The one SQLite file: opened safely, brought up to date, and written in short transactions."""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

import apsw

from webordinary.engines.embedded.faults import translate, translated
from webordinary.errors import Misconfigured, Outage, TryAgain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# "WebO": tells our file from any other SQLite file.
APPLICATION_ID = 0x5765624F
# Older ones lose the write-ahead log's last commits under load.
OLDEST_SQLITE = (3, 51, 3)
_PATIENCE_SECONDS = 10.0
_M_TRIM_THRESHOLD = -1
_KEPT_BYTES = 4 * 1024 * 1024
# What stays free for finishing what was accepted; new work is refused before it is touched.
RESERVE = 64 * 1024 * 1024
_LONGEST_TRANSACTION_MS = 1000
_LONGEST_LOG = 64 * 1024 * 1024
# 16 MB: after so many pages the log is copied into the file.
_CHECKPOINT_PAGES = 4096
_CHECKPOINT_PATIENCE_SECONDS = 0.02
_IN_MEMORY = ":memory:"


class Database:
    """One connection for each thread, all with the same promises: a log that is synced, and IMMEDIATE transactions."""

    def __init__(self, path: Path, reserve: int = RESERVE) -> None:
        self.path = path
        self._folder = str(path.parent)
        self._reserve = reserve
        self._local = threading.local()
        self._log = None if str(path) == _IN_MEMORY else path.with_name(f"{path.name}-wal")
        self._doubt = _Doubt()
        # Set by the test kit to fail, stop or kill at a named place; never set in production.
        self.at_commit: Callable[[], None] | None = None
        _require_current_sqlite()
        _keep_freed_memory()
        with translated(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if self._log is not None:
                begin_private(path)
            _bring_up_to_date(self._connection(), path)

    @contextmanager
    def write(self) -> Iterator[apsw.Cursor]:
        """Run one transaction; whatever is true together is written together, and survives a power cut from then on."""
        with self.write_unsynced() as cursor:
            yield cursor
        self.sync()

    def write_unsynced(self) -> _Unsynced:
        """Run one transaction that others see at once; nobody is promised anything before `sync` has returned."""
        return _Unsynced(self)

    def begin(self) -> apsw.Cursor:
        """Keep all others from writing, with the log open before anything is written."""
        cursor = self._connection().cursor()
        cursor.execute("BEGIN IMMEDIATE")
        try:
            if self._log is not None and self._local.log is None:
                # If nothing can be opened now, the sync tries it again.
                with suppress(OSError):
                    self._opened_log(self._log)
        except BaseException:
            cursor.execute("ROLLBACK")
            raise
        return cursor

    def sync(self) -> None:
        """Return when all that was committed so far, by whomever, is on the disk.

        It happens outside of the transaction: others commit meanwhile, and one sync serves all who wait for it.
        """
        if self._log is None:
            return
        with translated(self.path):
            self._connection()
            has_failed = self._doubt.log_has_failed
            try:
                self._opened_log(self._log).sync()
            except OSError:
                # Another thread may make up for its own failure just now, and forget ours.
                has_failed = self._doubt.log_has_failed = True
                self._local.log = None
            if has_failed:
                # Everything is written once more, into the file itself.
                self._connection().wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                self._doubt.log_has_failed = False

    @contextmanager
    def read(self) -> Iterator[apsw.Cursor]:
        """Look at one consistent state without blocking any writer."""
        with translated(self.path):
            cursor = self._connection().cursor()
            cursor.execute("BEGIN")
            try:
                yield cursor
            finally:
                cursor.execute("COMMIT")

    def close(self) -> None:
        """Close this thread's connection."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = self._local.log = None

    def require_space(self) -> None:
        """Refuse new work while the disk is nearly full, so that what was accepted can still be finished."""
        disk = os.statvfs(self._folder)
        if disk.f_bavail * disk.f_frsize < self._reserve:
            raise Outage(f"the disk under {self._folder} is nearly full: free some space, nothing was lost")

    def is_blocked(self) -> bool:
        """Tell whether somebody holds the write lock for longer than any transaction may take."""
        connection = apsw.Connection(str(self.path))
        try:
            connection.set_busy_timeout(_LONGEST_TRANSACTION_MS)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        except apsw.BusyError:
            return True
        finally:
            connection.close()
        return False

    def compact(self) -> None:
        """Write the file anew without its free pages and empty the log: what was deleted is in neither any more."""
        with translated(self.path):
            connection = self._connection()
            # The index of words keeps those of deleted documents until its parts are joined.
            connection.execute("INSERT INTO search_words (search_words) VALUES ('optimize')")
            connection.execute("VACUUM")
            wait = _patient_waiter()
            tries = itertools.count()
            # The log can be emptied as soon as nobody reads from it.
            while one(connection.cursor(), "PRAGMA wal_checkpoint(TRUNCATE)") != (0, 0, 0):
                if not wait(next(tries)):
                    raise TryAgain("somebody reads the database all the time: what was deleted is still in its log")

    def _connection(self) -> apsw.Connection:
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = open_connection(self.path)
            connection.set_wal_hook(_checkpoints(self._doubt))
            self._local.connection, self._local.log = connection, None
        return connection

    def _opened_log(self, path: Path) -> _OpenedLog:
        if self._local.log is None:
            self._local.log = _OpenedLog(path)
        log: _OpenedLog = self._local.log
        return log


@dataclass(slots=True)
class _Doubt:
    """Whether the log may lack a page.

    A kernel that could not write a page takes it for written afterwards: no later sync makes up for it. It is a value
    of its own so that a connection holds no database: the two would keep each other, and their files, open.
    """

    log_has_failed: bool = False


class _Unsynced:
    """One transaction as a block; a class, because a generator costs several times as much."""

    __slots__ = ("_cursor", "_database")

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> apsw.Cursor:
        with translated(self._database.path):
            self._cursor = self._database.begin()
        return self._cursor

    def __exit__(self, _kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        with translated(self._database.path):
            try:
                if error is None:
                    if self._database.at_commit is not None:
                        self._database.at_commit()
                    self._cursor.execute("COMMIT")
            finally:
                # Also of a commit that failed.
                if not self._cursor.connection.get_autocommit():
                    self._cursor.execute("ROLLBACK")
        if isinstance(error, apsw.Error):
            translate(error, self._database.path)


class _OpenedLog:
    """The write-ahead log, open for as long as its thread's connection is, which keeps the file from being replaced.

    Of a page that it could not write the kernel tells each descriptor that was open then. One that is opened later
    hears nothing of it if anybody else has, be it another process or SQLite itself.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def sync(self) -> None:
        """Sync what is in it; an OSError when the disk did not take it all, or when it has no name any more."""
        if os.fstat(self._descriptor).st_nlink == 0:
            raise FileNotFoundError("the log was removed")
        os.fdatasync(self._descriptor)

    def __del__(self) -> None:
        # Without a descriptor it was never opened.
        with suppress(AttributeError):
            os.close(self._descriptor)


def one(cursor: apsw.Cursor, sql: str, values: tuple[Any, ...] | dict[str, Any] = ()) -> tuple[Any, ...] | None:
    """Return the first row, or None."""
    return cursor.execute(sql, values).fetchone()


def rows(cursor: apsw.Cursor, sql: str, values: tuple[Any, ...] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
    """Return all rows."""
    return cursor.execute(sql, values).fetchall()


def changed(cursor: apsw.Cursor, sql: str, values: tuple[Any, ...] | dict[str, Any]) -> int:
    """Run a conditional write and return how many rows it changed."""
    cursor.execute(sql, values)
    return cursor.connection.changes()


def open_connection(path: Path) -> apsw.Connection:
    """Open the file for one thread."""
    connection = apsw.Connection(str(path))
    connection.set_busy_handler(_patient_waiter())
    # Without this SQLite plans each query with ORDER BY anew for every new value, which takes longer than the query.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    connection.pragma("journal_mode", "wal")
    # A commit waits for no disk while it keeps others out; `Database.sync` does so after it.
    connection.pragma("synchronous", "normal")
    # What it grows beyond that, while a backup reads one state for minutes, is given back to the disk.
    connection.pragma("journal_size_limit", _LONGEST_LOG)
    connection.pragma("foreign_keys", True)  # noqa: FBT003 - apsw's own signature
    return connection


def _checkpoints(doubt: _Doubt) -> Callable[[apsw.Connection, str, int], int]:
    """Checkpoint a long log while nobody writes, so that the next commit begins it anew.

    SQLite's own checkpoint lets others write meanwhile. Among busy writers it never catches up with them, and then
    every commit behind the limit makes another one, with two more syncs. A sync that fails is told.
    """
    due = _CHECKPOINT_PAGES

    def after_commit(connection: apsw.Connection, _name: str, pages: int) -> int:
        nonlocal due
        if pages >= due:
            # A backup may read the log for minutes: this must not be tried with every commit of that time.
            due = pages + _CHECKPOINT_PAGES
            connection.set_busy_handler(_patient_waiter(_CHECKPOINT_PATIENCE_SECONDS))
            until = time.monotonic() + _CHECKPOINT_PATIENCE_SECONDS
            try:
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
            except apsw.BusyError:
                # Refused at once, it is somebody else's checkpoint, which waits for those who write: for this one too.
                time.sleep(max(until - time.monotonic(), 0))
            except apsw.Error as problem:
                # The commit has happened; a later commit tries again.
                if getattr(problem, "extendedresult", None) == apsw.SQLITE_IOERR_FSYNC:
                    doubt.log_has_failed = True
            finally:
                connection.set_busy_handler(_patient_waiter())
        elif pages <= due - _CHECKPOINT_PAGES:
            due = _CHECKPOINT_PAGES
        return apsw.SQLITE_OK

    return after_commit


def _patient_waiter(seconds: float = _PATIENCE_SECONDS) -> Callable[[int], bool]:
    """Look again quickly: transactions take less than a millisecond, SQLite's own handler waits far longer."""
    began = [0.0]

    def wait(tries: int) -> bool:
        if tries == 0:
            began[0] = time.monotonic()
        time.sleep(min(0.00005 * (tries + 1), 0.01))
        return time.monotonic() - began[0] < seconds

    return wait


def _require_current_sqlite() -> None:
    found = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if found < OLDEST_SQLITE:
        wanted = ".".join(map(str, OLDEST_SQLITE))
        raise Misconfigured(
            f"SQLite {apsw.sqlite_lib_version()} is too old: install an apsw that brings {wanted} or newer"
        )


def _keep_freed_memory() -> None:
    """Keep a few freed megabytes instead of giving them back to the kernel after each statement.

    SQLite borrows tens of kilobytes for many statements. Whenever they happen to lie at the end of the heap, returning
    them and getting them again takes longer than the statement itself: an eighth of the jobs in a second is lost.
    """
    # Other C libraries than glibc have neither this call nor this habit.
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)


def migrations() -> list[tuple[int, str]]:
    """Return every migration with its number, oldest first."""
    folder = resources.files(__package__) / "migrations"
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    return [(int(name.split("_")[0]), (folder / name).read_text(encoding="utf-8")) for name in files]


def _bring_up_to_date(connection: apsw.Connection, path: Path) -> None:
    known = migrations()
    newest = known[-1][0]
    version = connection.pragma("user_version")
    if version == newest and connection.pragma("application_id") == APPLICATION_ID:
        return
    _refuse_what_is_not_ours(connection, path, newest)
    cursor = connection.cursor()
    cursor.execute("BEGIN IMMEDIATE")
    try:
        version = connection.pragma("user_version")
        for number, script in known:
            if number > version:
                cursor.execute(script)
        cursor.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        cursor.execute(f"PRAGMA user_version = {newest}")
        cursor.execute("COMMIT")
    except BaseException:
        cursor.execute("ROLLBACK")
        raise


def _refuse_what_is_not_ours(connection: apsw.Connection, path: Path, newest: int) -> None:
    empty = one(connection.cursor(), "SELECT count(*) FROM sqlite_schema") == (0,)
    if not empty and connection.pragma("application_id") != APPLICATION_ID:
        raise Misconfigured(f"{path} is not a WebOrdinary database: point `data` at another folder")
    if connection.pragma("user_version") > newest:
        raise Misconfigured(
            f"{path} was written by a newer WebOrdinary: upgrade this installation, or restore a backup"
        )


def begin_private(path: Path) -> None:
    """Make an empty file that nobody else on this machine may read, unless there is one: people's words are in it."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def write_durably(path: Path, content: bytes) -> None:
    """Write a file so that it survives a power cut as soon as this returns, or does not exist at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    draft.unlink(missing_ok=True)
    begin_private(draft)
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Let the names in a folder survive a power cut."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
