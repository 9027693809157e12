"""Backup and restore on the command line."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.embedded.test_backup import damage

if TYPE_CHECKING:
    from tests.cli.program import Program


@pytest.mark.thorough
def test_a_backup_is_made_while_everything_runs_and_brings_the_queue_back(bakery: Program) -> None:
    bakery.run("ask", "amelia", "scott", "We open at nine now.")
    (before,) = bakery.read("show", "jobs")
    with bakery.start("serve") as server:
        server.line_with("is ready")
        bakery.run("backup", "monday")
        server.end()
    kept = bakery.folder / "monday" / "repositories"
    assert [each.name for each in kept.iterdir()] == [
        each.name for each in (bakery.folder / "data" / "repositories").iterdir()
    ]
    shutil.rmtree(bakery.folder / "data")
    assert "every fence" in bakery.run("restore", "monday")
    (after,) = bakery.read("show", "jobs")
    assert after["id"] == before["id"]
    with bakery.start("serve") as server:
        # The doors are open first: whoever writes meanwhile is not turned away.
        server.line_with("Listening for mail")
        assert "is shown" not in server.said
        server.line_with("is shown as its live branch is")
        server.end()


def test_a_backup_never_overwrites_and_neither_does_a_restore(bakery: Program) -> None:
    bakery.run("ask", "amelia", "scott", "We open at nine now.")
    said = bakery.run("backup", "monday")
    assert "sites, previews, workspace and scratch" in said
    assert "webordinary.toml" in said
    assert "Checking the copy." in said
    assert "holds a backup already" in bakery.run("backup", "monday", code=2)
    assert "already has a database" in bakery.run("restore", "monday", code=2)
    assert "not a backup" in bakery.run("restore", "tuesday", code=2)


def test_of_a_damaged_database_there_is_no_backup_and_the_doctor_says_so(bakery: Program) -> None:
    bakery.run("ask", "amelia", "scott", "We open at nine now.")
    damage(bakery.folder / "data" / "webordinary.db")
    assert "damaged" in bakery.run("backup", "monday", code=2)
    assert not (bakery.folder / "monday" / "webordinary.db").exists()
    (database,) = [line for line in bakery.run("doctor", code=1).splitlines() if line.startswith("fail database")]
    assert "restore a backup" in database


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_on_aws_another_way_to_keep_copies_is_named(aws_bakery: Program, command: str) -> None:
    assert "point-in-time recovery" in aws_bakery.run(command, "monday", code=2)
    assert not (aws_bakery.folder / "monday").exists()
