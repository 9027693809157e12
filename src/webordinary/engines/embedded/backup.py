"""Backup and restore: a consistent copy while everything runs, and a restore after which no old fence is valid."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.engines.embedded.database import Database, one
from webordinary.engines.embedded.faults import disk_errors
from webordinary.engines.embedded.reply_keys import FILE as KEY
from webordinary.engines.embedded.rows import write_entry
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.clock import Moment

DATABASE = "webordinary.db"
MAIL = "mail"
REPOSITORIES = "repositories"


def back_up(data: Path, target: Path) -> None:
    """Copy the database first and the mails after it: every mail that a row names is then in the copy."""
    if (target / DATABASE).exists():
        raise Misconfigured(f"{target} holds a backup already: name an empty folder")
    database = Database(data / DATABASE)
    with disk_errors(target):
        target.mkdir(parents=True, exist_ok=True)
        database.back_up(target / DATABASE)
        _copy_files(data, target)
    database.close()


def restore(source: Path, data: Path, now: Moment) -> int:
    """Put a backup in place of nothing, raise every fence, and return how many lanes there are."""
    if not (source / DATABASE).is_file():
        raise Misconfigured(f"{source} is not a backup: it has no {DATABASE}")
    if (data / DATABASE).exists():
        raise Misconfigured(f"{data} already has a database: move it away first, nothing is overwritten")
    Database(source / DATABASE).close()
    with disk_errors(data):
        data.mkdir(parents=True, exist_ok=True)
        _copy_files(source, data)
        draft = data / f".{DATABASE}.restoring"
        shutil.copyfile(source / DATABASE, draft)
        draft.chmod(0o600)
    database = Database(draft)
    lanes = raise_fences(database, now)
    database.close()
    for ending in ("-wal", "-shm"):
        draft.with_name(draft.name + ending).unlink(missing_ok=True)
    draft.rename(data / DATABASE)
    return lanes


def _copy_files(source: Path, target: Path) -> None:
    """Copy the mails, the key of the reply addresses, and the repositories of sites that live nowhere else."""
    if (source / KEY).is_file():
        # With its permissions: nobody else may read it.
        shutil.copy2(source / KEY, target / KEY)
    if (source / MAIL).is_dir():
        shutil.copytree(source / MAIL, target / MAIL, dirs_exist_ok=True)
    for repository in sorted((source / REPOSITORIES).glob("*")):
        copy = target / REPOSITORIES / repository.name
        # First what points, then what is pointed at: objects are only ever added, so the copy holds together.
        shutil.copytree(repository, copy, dirs_exist_ok=True, ignore=lambda _, names: {"objects"} & set(names))
        shutil.copytree(repository / "objects", copy / "objects", dirs_exist_ok=True)


def raise_fences(database: Database, now: Moment) -> int:
    """Begin a new generation: whoever still holds a claim from before the restore can change nothing."""
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
