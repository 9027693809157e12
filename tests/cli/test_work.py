from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING

import pytest

from webordinary.child import identity
from webordinary.clock import SystemClock
from webordinary.worker.life import STALLED_AFTER

if TYPE_CHECKING:
    from tests.cli.program import Program


@pytest.mark.thorough
def test_workers_that_run_are_well_and_workers_that_ended_are_missed(bakery: Program) -> None:
    assert "No worker runs" in bakery.run("work", "--healthy", code=1)
    with bakery.start("work", "--count", "2") as workers:
        for _ in range(2):
            workers.line_with("is ready")

        assert "are well" in bakery.run("work", "--healthy")
        workers.end(signal.SIGTERM)
    assert "No worker runs" in bakery.run("work", "--healthy", code=1)


def test_a_worker_whose_loop_stands_still_is_ill(bakery: Program) -> None:
    now = SystemClock().now()
    folder = bakery.folder / "data" / "alive"
    folder.mkdir(parents=True)
    long_ago = now.boot - STALLED_AFTER.total_seconds()
    (folder / "worker-1a2b").write_text(f"{identity(os.getpid())} {now.boot_id} {long_ago!r}")

    said = bakery.run("work", "--healthy", code=1)

    assert "worker-1a2b has not turned its loop" in said


def test_workers_without_a_store_are_ill(bakery: Program) -> None:
    database = bakery.folder / "data" / "webordinary.db"
    database.unlink(missing_ok=True)
    database.mkdir(parents=True)

    assert "store cannot be reached" in bakery.run("work", "--healthy", code=1)


@pytest.mark.thorough
def test_with_json_logs_every_line_is_json_and_holds_nobodys_words(bakery: Program) -> None:
    path = bakery.folder / "webordinary.toml"
    path.write_text(path.read_text() + '\n[logs]\nformat = "json"\n')
    with bakery.start("work", "--count", "1") as workers:
        workers.line_with("worker started")
        bakery.run("ask", "amelia", "scott", "We open at nine now, said the strawberry.")
        workers.line_with("job done")
        workers.end(signal.SIGTERM)
    lines = [json.loads(line) for line in workers.lines]
    (done,) = [line for line in lines if line["event"] == "job done"]
    assert (done["lane"], done["outcome"], done["level"]) == ("amelia#scott", "published", "info")
    assert "strawberry" not in workers.said
