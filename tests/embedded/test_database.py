"""The one file: its schema, its migrations, who may open it, its backup, and a disk that is full."""

from __future__ import annotations

import gc
import os
import stat
import sys
import threading
from datetime import timedelta
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from tests.contracts.test_lanes import DONE, take
from tests.embedded import without_descriptors
from tests.rigs.embedded_ports import open_embedded_ports
from tests.rigs.ports import AT_ONCE
from webordinary.child import run
from webordinary.engines.embedded import database as database_module
from webordinary.engines.embedded.backup import back_up, restore
from webordinary.engines.embedded.database import APPLICATION_ID, Database, migrations, write_durably
from webordinary.errors import LostOwnership, Misconfigured, TryAgain
from webordinary.jobs.job import State
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import Callable


def structure_of(connection: apsw.Connection) -> list[tuple[object, ...]]:
    """Return every table and index as SQLite remembers it, without comments and white space."""
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
    ).fetchall()
    return [(kind, name, "".join(str(sql).split())) for kind, name, sql in rows]


def without_comments(script: str) -> str:
    return "\n".join(line.partition("--")[0] for line in script.splitlines())


def test_the_schema_is_the_sum_of_the_migrations() -> None:
    schema = (resources.files("webordinary.engines.embedded") / "schema.sql").read_text(encoding="utf-8")
    whole, step_by_step = apsw.Connection(":memory:"), apsw.Connection(":memory:")
    whole.execute(without_comments(schema))
    for _, script in migrations():
        step_by_step.execute(without_comments(script))
    assert structure_of(whole) == structure_of(step_by_step)


def test_migrations_are_numbered_without_gaps() -> None:
    assert [number for number, _ in migrations()] == list(range(1, len(migrations()) + 1))


def test_a_file_of_an_older_version_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Database(tmp_path / "w.db").close()
    newest = migrations()[-1][0]
    newer = [*migrations(), (newest + 1, "CREATE TABLE novelty (id TEXT PRIMARY KEY) STRICT;")]
    monkeypatch.setattr(database_module, "migrations", lambda: newer)
    with Database(tmp_path / "w.db").read() as cursor:
        assert cursor.execute("SELECT count(*) FROM novelty").fetchall() == [(0,)]
        assert cursor.execute("PRAGMA user_version").fetchall() == [(newest + 1,)]


def test_lanes_of_a_file_from_before_the_lines_go_on_where_they_were(tmp_path: Path) -> None:
    older = apsw.Connection(str(tmp_path / "webordinary.db"))
    for number, script in migrations()[:10]:
        older.execute(script)
        older.pragma("user_version", number)
    older.pragma("application_id", APPLICATION_ID)
    older.execute(
        "INSERT INTO projects (project) VALUES ('amelia');"
        "INSERT INTO lanes (lane, project, user, fence, owner, lease_until, lease_boot, pending, next_sequence,"
        " running)"
        " VALUES ('amelia#scott', 'amelia', 'scott', 7, 'w0', 1, 'gone', 3, 4, 'a'),"
        " ('amelia#maria', 'amelia', 'maria', 2, 'w0', 1, 'gone', 2, 3, 'x');"
    )
    insert = (
        "INSERT INTO jobs (id, lane, sequence, thread, dedup_key, kind, state, subject, request, token, received_at,"
        " prepare_by, start_by, fence, attempt, cancel, cancel_by, cancel_fence, cancel_not_before)"
        " VALUES (?1, ?2, ?3, ?4, ?1, ?5, ?6, '', ?7, ?1, 0, 0, ?8, ?9, 1, ?10, ?11, ?9, 0)"
    )
    request, later = '{"text": "We open at nine"}', ManualClock().now().seconds + 3600
    for row in (
        ("a", "amelia#scott", 1, "t1", "instruction", "running", request, later, 7, "interrupt", "c"),
        ("b", "amelia#scott", 2, "t1", "instruction", "queued", request, later, 0, None, None),
        ("c", "amelia#scott", 3, "t2", "instruction", "queued", request, later, 0, None, None),
        ("x", "amelia#maria", 1, "t3", "instruction", "committing", request, later, 2, None, None),
        ("v", "amelia#maria", 2, "t4", "verb", "queued", request, later, 0, None, None),
    ):
        older.execute(insert, row)
    older.close()
    ports = open_embedded_ports(tmp_path)
    claim, job = take(ports)
    assert (job.id, job.state, claim.fence) == ("x", State.COMMITTING, 3), "what may be live comes first"
    after = ports.engine.attempts.finish(claim, job, DONE, ports.now, give_way=True)
    assert after.claimed is not None
    assert after.claimed.job is not None
    assert after.claimed.job.id == "c", "the interrupter's thread goes first"
    assert take(ports, "w2")[1].id == "v"
    ports.clock.advance(timedelta(hours=2))
    ports.engine.lanes.sweep(ports.now)
    assert ports.job("b").state == State.FAILED


def test_the_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Database(tmp_path / "w.db").close()
    with apsw.Connection(str(tmp_path / "w.db")) as connection:
        connection.pragma("user_version", 9999)
    with pytest.raises(Misconfigured, match="newer WebOrdinary"):
        Database(tmp_path / "w.db")


def test_somebody_elses_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "w.db"))
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    before = (tmp_path / "w.db").read_bytes()
    with pytest.raises(Misconfigured, match="not a WebOrdinary database"):
        Database(tmp_path / "w.db")
    assert (tmp_path / "w.db").read_bytes()[100:] == before[100:]


def test_a_file_that_is_no_database_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "w.db").write_bytes(b"this is a shopping list, not a database" * 50)
    with pytest.raises(Misconfigured, match="restore a backup"):
        Database(tmp_path / "w.db")


@pytest.mark.parametrize(
    "promise",
    [
        without_descriptors.the_file_is_tried_again_and_not_given_up,
        without_descriptors.what_was_accepted_is_accepted_although_nobody_could_be_rung,
        without_descriptors.a_mail_is_put_off_and_nothing_has_to_be_corrected,
        without_descriptors.the_supervisor_goes_on_and_starts_the_next_worker,
    ],
)
def test_without_a_free_descriptor(promise: Callable[[Path], None], tmp_path: Path) -> None:
    """In a process of its own: threads of other tests need descriptors too."""
    argv = [sys.executable, "-m", "tests.embedded.without_descriptors", promise.__name__, str(tmp_path)]
    finished = run(argv, cwd=Path(__file__).parent.parent.parent, env=dict(os.environ))
    assert finished.succeeded, finished.stderr.decode()


def test_an_engine_that_nobody_holds_has_no_file_open(tmp_path: Path) -> None:
    """Without the collector of cycles: it comes when it likes, and until then a process runs out of descriptors."""

    def open_files() -> list[str]:
        links = (str(descriptor.resolve()) for descriptor in Path("/proc/self/fd").iterdir())
        return [link for link in links if link.startswith(str(tmp_path))]

    gc.disable()
    try:
        ports = open_embedded_ports(tmp_path)
        ports.queue()
        assert open_files()
        del ports
        assert open_files() == []
    finally:
        gc.enable()


def test_the_file_is_safe_against_power_cuts(tmp_path: Path) -> None:
    with Database(tmp_path / "w.db").read() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
        assert cursor.execute("PRAGMA application_id").fetchall() == [(APPLICATION_ID,)]


def test_two_processes_may_make_the_file_at_the_same_moment(tmp_path: Path) -> None:
    problems: list[Exception] = []

    def open_it() -> None:
        try:
            Database(tmp_path / "w.db").close()
        except Exception as problem:  # noqa: BLE001 - the test names it
            problems.append(problem)

    threads = [threading.Thread(target=open_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []


def test_a_backup_while_others_write_is_whole(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path / "data")
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            ports.queue()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        back_up(tmp_path / "data", tmp_path / "backup")
    finally:
        stop.set()
        writer.join()
    copy = open_embedded_ports(tmp_path / "backup")
    pending = [view.pending for view in copy.engine.overview.lanes(copy.now)]
    assert pending == [len(copy.engine.overview.jobs(limit=10**6))] or pending == []


def test_a_restore_makes_every_older_claim_worthless(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path / "data")
    ports.engine.inbox.keep_file(b"a photo")
    ports.queue()
    back_up(tmp_path / "data", tmp_path / "backup")
    claim, job = take(ports)
    restore(tmp_path / "backup", tmp_path / "restored", ManualClock().now())
    again = open_embedded_ports(tmp_path / "restored")
    with pytest.raises(LostOwnership):
        again.engine.attempts.finish(claim, job, DONE, again.now)
    newer, same = take(again)
    assert same.id == job.id
    assert newer.fence >> 32 > claim.fence >> 32
    again.engine.lanes.accept(ports.new_job(lane="amelia#maria"), again.now, ready=AT_ONCE)
    assert take(again, "w2")[0].fence >> 32 == newer.fence >> 32
    assert again.engine.inbox.read_file(ports.engine.inbox.keep_file(b"a photo")) == b"a photo"


def test_a_backup_that_is_restored_a_second_time_repeats_no_fence(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path / "data")
    ports.queue()
    back_up(tmp_path / "data", tmp_path / "backup")
    clock = ManualClock()
    restore(tmp_path / "backup", tmp_path / "first", clock.now())
    clock.advance(timedelta(minutes=1))
    restore(tmp_path / "backup", tmp_path / "second", clock.now())
    first, second = (take(open_embedded_ports(tmp_path / name))[0] for name in ("first", "second"))
    assert first.fence >> 32 < second.fence >> 32
    assert second.fence < 2**63


def test_a_job_that_ran_when_the_backup_was_made_is_taken_over(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path / "data")
    ports.queue()
    _, job = take(ports)
    back_up(tmp_path / "data", tmp_path / "backup")
    restore(tmp_path / "backup", tmp_path / "restored", ManualClock().now())
    again = open_embedded_ports(tmp_path / "restored")
    assert take(again, "w2")[1].id == job.id


def test_a_restore_overwrites_nothing(tmp_path: Path) -> None:
    open_embedded_ports(tmp_path / "data")
    back_up(tmp_path / "data", tmp_path / "backup")
    with pytest.raises(Misconfigured, match="already has a database"):
        restore(tmp_path / "backup", tmp_path / "data", ManualClock().now())
    with pytest.raises(Misconfigured, match="holds a backup already"):
        back_up(tmp_path / "data", tmp_path / "backup")
    with pytest.raises(Misconfigured, match="not a backup"):
        restore(tmp_path / "nothing", tmp_path / "elsewhere", ManualClock().now())


def test_on_a_full_disk_accepting_stops_first_and_finishing_goes_on(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    ports.queue()
    claim, job = take(ports)
    tight = open_embedded_ports(tmp_path, reserve=2**60)
    with pytest.raises(TryAgain, match="disk"):
        tight.engine.lanes.accept(ports.new_job(), ports.now)
    with pytest.raises(TryAgain, match="disk"):
        tight.engine.inbox.keep_file(b"a mail")
    tight.engine.attempts.finish(claim, job, DONE, ports.now)
    assert ports.job(job.id).state == DONE.state


def test_a_database_that_cannot_grow_is_try_again_and_loses_nothing(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    database = Database(tmp_path / "webordinary.db")
    with database.read() as cursor:
        pages = int(str(cursor.execute("PRAGMA page_count").fetchall()[0][0]))

    def write_too_much() -> None:
        with database.write() as cursor:
            cursor.execute(f"PRAGMA max_page_count = {pages}")
            cursor.execute("INSERT INTO meta VALUES ('big', ?)", ("x" * 10_000_000,))

    with pytest.raises(TryAgain, match="full"):
        write_too_much()
    job = ports.queue()
    assert take(ports)[1].id == job


def test_a_stopped_holder_of_the_write_lock_is_noticed(tmp_path: Path) -> None:
    database = Database(tmp_path / "w.db")
    assert not database.is_blocked()
    holder = apsw.Connection(str(tmp_path / "w.db"))
    holder.execute("BEGIN IMMEDIATE")
    assert database.is_blocked()
    holder.execute("ROLLBACK")
    assert not database.is_blocked()


def test_a_transaction_that_raises_leaves_nothing_behind(tmp_path: Path) -> None:
    database = Database(tmp_path / "w.db")

    def stumble() -> None:
        with database.write() as cursor:
            cursor.execute("INSERT INTO meta VALUES ('half', 'done')")
            raise KeyError

    with pytest.raises(KeyError):
        stumble()
    with database.read() as cursor:
        assert cursor.execute("SELECT count(*) FROM meta").fetchall() == [(0,)]
    assert not database.is_blocked()


def test_patience_is_prolonged_by_a_pause_only_while_it_lasts(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    job = ports.queue()
    ports.engine.lanes.pause("amelia", "trouble", ports.now)
    ports.clock.advance(timedelta(hours=5))
    ports.engine.lanes.resume("amelia", "agency", ports.now)
    ports.clock.advance(ports.limits.patience - timedelta(hours=1))
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(job).state.is_live
    ports.clock.advance(timedelta(hours=1))
    ports.engine.lanes.sweep(ports.now)
    assert not ports.job(job).state.is_live


def test_nobody_else_on_the_machine_can_read_mails_or_rows(tmp_path: Path) -> None:
    database = Database(tmp_path / "data" / "webordinary.db")
    write_durably(tmp_path / "data" / "mail" / "ab" / "mail", b"Dear all")
    database.close()
    back_up(tmp_path / "data", tmp_path / "copy")

    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
