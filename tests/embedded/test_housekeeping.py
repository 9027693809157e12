"""What a worker tidies up on its machine beside its work."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_what_waits import propose
from tests.embedded.test_forgetting import grow_old
from tests.rigs.embedded_ports import AMELIA, open_embedded_ports
from tests.unit.workspace.remote_repository import Remote
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.jobs.retention import Lifetimes
from webordinary.worker.chores.housekeeping import Housekeeping
from webordinary.worker.chores.prune import Prune
from webordinary.workspace.access import Access
from webordinary.workspace.checkout import Workspace
from webordinary.workspace.lock import take_lock

if TYPE_CHECKING:
    from tests.rigs.ports import Ports


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    ports = open_embedded_ports(tmp_path)
    remote = Remote(tmp_path / "far")
    project = replace(AMELIA, repository=remote.url)
    ports.engine = replace(ports.engine, projects=ConfiguredProjects((project,)))
    return ports


def housekeeping_of(ports: Ports, folder: Path) -> Housekeeping:
    return Housekeeping(ports.engine, ports.clock, Lifetimes(), folder)


def show(ports: Ports, folder: Path, thread: str, age: timedelta) -> None:
    built = folder / "built"
    built.mkdir(exist_ok=True)
    (built / "index.html").write_text(thread, encoding="utf-8")
    ports.engine.sites.show_preview("amelia", thread, built)
    made = (ports.now.wall_at - age).timestamp()
    os.utime(folder / "previews" / "amelia" / thread, (made, made), follow_symlinks=False)


def test_an_old_preview_goes_unless_it_waits_for_an_ok(ports: Ports, tmp_path: Path) -> None:
    propose(ports, thread="waits")
    for thread, days in (("old", 40), ("young", 10), ("waits", 40)):
        show(ports, tmp_path, thread, timedelta(days=days))
    housekeeping_of(ports, tmp_path).tidy_up()
    assert {each.thread for each in ports.engine.sites.previews("amelia")} == {"young", "waits"}
    left = {path.name.partition(".")[0] for path in (tmp_path / "previews" / "amelia" / ".shown").glob("[!l]*")}
    assert left == {"young", "waits"}


def test_old_files_branches_and_scratch_go_in_one_round(ports: Ports, tmp_path: Path) -> None:
    [project] = ports.engine.projects.all()
    workspace = Workspace(tmp_path / "workspace")
    for thread in ("one", "two"):
        with workspace.open_checkout("amelia", Access(project.repository), "main", "scott", thread) as checkout:
            (checkout.path / "index.html").write_text(thread, encoding="utf-8")
            checkout.commit(thread, author_name="Scott", author_email="scott@example.org")
    ports.engine.inbox.keep_file(b"a photo")
    left = tmp_path / "scratch" / "left"
    left.mkdir(parents=True)
    # Files and commits are of today: the clock of the test goes on.
    ports.clock.jump(timedelta(days=2 * 365))
    grow_old(tmp_path, ports)
    os.utime(left, (0, 0))
    housekeeping_of(ports, tmp_path).tidy_up()
    heads = Path(tmp_path / "workspace/projects/amelia/mirror.git/refs/heads")
    assert [path.name for path in heads.iterdir()] == ["thread-two"]
    assert list((tmp_path / "mail").glob("??/*")) == []
    assert not left.exists()


def test_one_worker_of_a_machine_tidies_up_at_a_time(ports: Ports, tmp_path: Path) -> None:
    show(ports, tmp_path, "old", timedelta(days=40))
    lock = take_lock(tmp_path / "housekeeping.lock", patience=timedelta(0))
    assert lock is not None
    with lock:
        housekeeping_of(ports, tmp_path).tidy_up()
        assert len(ports.engine.sites.previews("amelia")) == 1
    housekeeping_of(ports, tmp_path).tidy_up()
    assert ports.engine.sites.previews("amelia") == ()


def test_a_repository_that_is_away_keeps_nothing_else_from_being_tidied(ports: Ports, tmp_path: Path) -> None:
    gone = replace(AMELIA, repository=str(tmp_path / "nowhere.git"))
    (tmp_path / "workspace" / "projects" / "amelia" / "mirror.git").mkdir(parents=True)
    (tmp_path / "workspace" / "projects" / "amelia" / "mirror.git" / "HEAD").touch()
    ports.engine = replace(ports.engine, projects=ConfiguredProjects((gone,)))
    show(ports, tmp_path, "old", timedelta(days=40))
    housekeeping_of(ports, tmp_path).tidy_up()
    assert ports.engine.sites.previews("amelia") == ()


def test_pruning_goes_on_from_round_to_round_and_then_rests(ports: Ports) -> None:
    for number in range(150):
        ports.engine.inbox.take_key(str(number), "mail-1", ports.now)
    ports.clock.advance(timedelta(days=500))
    prune = Prune(ports.engine, ports.clock, Lifetimes())
    left = []
    for _ in range(30):
        prune.look()
        left.append(sum(ports.engine.inbox.key_holder(str(number)) is not None for number in range(150)))
    assert sorted(set(left), reverse=True) == [150, 50, 0]
    ports.engine.inbox.take_key("old", "mail-1", replace(ports.now, wall_at=ports.now.wall_at - timedelta(days=500)))
    prune.look()
    assert ports.engine.inbox.key_holder("old") is not None
    ports.clock.advance(timedelta(hours=2))
    for _ in range(30):
        prune.look()
    assert ports.engine.inbox.key_holder("old") is None


def test_one_of_many_machines_tends_only_what_it_has_worked_on(ports: Ports, tmp_path: Path) -> None:
    """With a hundred thousand projects nobody reads all of them, not even by the hour."""
    show(ports, tmp_path, "old", timedelta(days=40))
    one_of_many = replace(housekeeping_of(ports, tmp_path), is_one_of_many=True)
    one_of_many.tidy_up()
    assert len(ports.engine.sites.previews("amelia")) == 1

    [project] = ports.engine.projects.all()
    workspace = Workspace(tmp_path / "workspace")
    with workspace.open_checkout("amelia", Access(project.repository), "main", "scott", "one"):
        pass
    one_of_many.tidy_up()
    assert ports.engine.sites.previews("amelia") == ()
