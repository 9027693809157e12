"""Backup and restore: a consistent copy while everything runs, and a restore after which no old fence is valid."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.engines.embedded.database import RESERVE, Database, begin_private, one, sync_folder
from webordinary.engines.embedded.faults import disk_errors
from webordinary.engines.embedded.reply_keys import FILE as KEY
from webordinary.engines.embedded.rows import write_entry
from webordinary.engines.embedded.snapshot import copy_snapshot, find_damage
from webordinary.errors import Misconfigured, TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.clock import Moment

DATABASE = "webordinary.db"
MAIL = "mail"
REPOSITORIES = "repositories"
# Whatever has its final name is whole; these are removed or written anew.
_UNFINISHED = f".{DATABASE}.unfinished"
_RESTORING = f".{DATABASE}.restoring"
_BESIDE = ("", "-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of a long work is done, in bytes; 0 of 0 while that cannot be said."""

    doing: str
    done: int = 0
    of: int = 0


Tell = Callable[[Progress], None]


def back_up(data: Path, target: Path, tell: Tell = lambda _: None) -> None:
    """Copy the database first and the mails after it: every mail that a row names is then in the copy.

    The copy of the database gets its name last, after it was looked through: a folder without it is no backup.
    """
    if (target / DATABASE).exists():
        raise Misconfigured(f"{target} holds a backup already: name an empty folder")
    Database(data / DATABASE).close()
    draft = target / _UNFINISHED
    with disk_errors(target):
        target.mkdir(parents=True, exist_ok=True)
        _require_room(data, target)
    with _removed_if_it_fails(draft), disk_errors(target):
        _copy_database(data / DATABASE, draft, tell)
        _copy_files(data, target, tell)
        sync_folder(target)
        draft.rename(target / DATABASE)
        sync_folder(target)


def restore(source: Path, data: Path, now: Moment, tell: Tell = lambda _: None) -> int:
    """Put a backup in place of nothing, raise every fence, and return how many lanes there are."""
    if not (source / DATABASE).is_file():
        raise Misconfigured(f"{source} is not a backup: it has no {DATABASE}")
    if (data / DATABASE).exists():
        raise Misconfigured(f"{data} already has a database: move it away first, nothing is overwritten")
    draft = data / _RESTORING
    with _removed_if_it_fails(draft):
        with disk_errors(data):
            data.mkdir(parents=True, exist_ok=True)
            tell(Progress("copying the database"))
            shutil.copyfile(source / DATABASE, draft)
            draft.chmod(0o600)
            tell(Progress("checking the database"))
            _refuse_damage(draft, f"the backup {source} is damaged", "restore another one")
            _copy_files(source, data, tell)
        database = Database(draft)
        lanes = raise_fences(database, now)
        database.close()
        for ending in _BESIDE[1:]:
            draft.with_name(draft.name + ending).unlink(missing_ok=True)
        draft.rename(data / DATABASE)
    return lanes


def _copy_database(source: Path, draft: Path, tell: Tell) -> None:
    begin_private(draft)
    copy_snapshot(source, draft, lambda done, of: tell(Progress("copying the database", done, of)))
    tell(Progress("checking the copy"))
    _refuse_damage(draft, f"the database {source} is damaged, and so is this copy of it", "restore an earlier backup")


def _refuse_damage(path: Path, what: str, remedy: str) -> None:
    damage = find_damage(path)
    if damage is not None:
        raise Misconfigured(f"{what} ({damage}): {remedy}")


def _require_room(data: Path, target: Path) -> None:
    """Refuse before the first byte what would leave too little room for everybody else."""
    needed = (data / DATABASE).stat().st_size + RESERVE
    free = shutil.disk_usage(target).free
    if free < needed:
        megabytes = 1024**2
        raise TryAgain(
            f"the copy needs {needed // megabytes} MB and the disk under {target} has {free // megabytes} MB:"
            " free some space, or name a folder on another disk"
        )


@contextmanager
def _removed_if_it_fails(draft: Path) -> Iterator[None]:
    """Begin without what a killed run has left, and leave nothing behind that is not whole."""
    _remove(draft)
    try:
        yield
    except BaseException:
        _remove(draft)
        raise


def _remove(draft: Path) -> None:
    for ending in _BESIDE:
        draft.with_name(draft.name + ending).unlink(missing_ok=True)


def _copy_files(source: Path, target: Path, tell: Tell) -> None:
    """Copy the mails, the key of the reply addresses, and the repositories of sites that live nowhere else."""
    if (source / KEY).is_file():
        # With its permissions: nobody else may read it.
        shutil.copy2(source / KEY, target / KEY)
    if (source / MAIL).is_dir():
        tell(Progress("copying the mails"))
        _copy_tree(source / MAIL, target / MAIL)
    for repository in sorted((source / REPOSITORIES).glob("*")):
        tell(Progress(f"copying the repository {repository.name}"))
        copy = target / REPOSITORIES / repository.name
        # First what points, then what is pointed at: objects are only ever added, so the copy holds together.
        _copy_tree(repository, copy, without="objects")
        _copy_tree(repository / "objects", copy / "objects")


def _copy_tree(source: Path, target: Path, *, without: str | None = None) -> None:
    """Copy a folder whose files come and go; the first that cannot be written ends it."""
    for folder, names, files in os.walk(source):
        names[:] = [name for name in names if name != without]
        copy = target / Path(folder).relative_to(source)
        copy.mkdir(parents=True, exist_ok=True)
        shutil.copystat(folder, copy)
        for name in files:
            # Forgotten, or given its name, while we came to it.
            with suppress(FileNotFoundError):
                shutil.copy2(Path(folder) / name, copy / name)


def raise_fences(database: Database, now: Moment) -> int:
    """Begin a new generation of fences: a claim from before the restore can change nothing."""
    with database.write() as cursor:
        row = one(cursor, "SELECT value FROM meta WHERE key = 'generation'")
        known = int(row[0]) if row else 0
        newest = one(cursor, "SELECT max(fence) FROM lanes")
        given = (newest[0] or 0) >> 32 if newest else 0
        # The clock too, because a backup that is restored twice knows nothing of its first restore.
        generation = max(known + 1, given + 1, int(now.seconds) // 2)
        cursor.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('generation', ?)", (str(generation),))
        cursor.execute("UPDATE lanes SET fence = ?, lease_until = 0", (generation << 32,))
        cursor.execute("DELETE FROM workers")
        facts = {"generation": str(generation)}
        write_entry(cursor, Entry(EventType.FENCES_RAISED, now.wall_at, text="restored from a backup", facts=facts))
        count = one(cursor, "SELECT count(*) FROM lanes")
    return int(count[0]) if count else 0
