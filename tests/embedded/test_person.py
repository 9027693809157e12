"""A person is forgotten in every file of an installation: database, log, mails, previews and git objects."""

from __future__ import annotations

import zlib
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import apsw
import pytest

from tests.contracts.test_people import AMELIA, SCOTT, live_through
from tests.rigs.embedded_ports import AMELIA as BAKERY
from tests.rigs.embedded_ports import open_embedded_ports
from tests.unit.workspace.remote_repository import Remote
from webordinary.engines.embedded.open import DATABASE
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.engines.installation import Installation
from webordinary.errors import Refused, TryAgain
from webordinary.serve.person import PersonalData
from webordinary.workspace.access import Access
from webordinary.workspace.checkout import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.rigs.ports import Ports
    from webordinary.workspace.checkout import Checkout

MARZIPAN = b"marzipan"


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    ports = open_embedded_ports(tmp_path)
    project = replace(BAKERY, repository=Remote(tmp_path / "repositories").url, editors=())
    ports.engine = replace(ports.engine, projects=ConfiguredProjects((project,)))
    (tmp_path / "repositories" / "remote.git").rename(tmp_path / "repositories" / "amelia.git")
    project = replace(project, repository=str(tmp_path / "repositories" / "amelia.git"))
    ports.engine = replace(ports.engine, projects=ConfiguredProjects((project,)))
    return ports


def data_of(ports: Ports, folder: Path) -> PersonalData:
    from webordinary.config import load_config  # noqa: PLC0415 - only here

    path = folder / "webordinary.toml"
    path.write_text('domain = "edit.example.com"\ndata = "."\n[outgoing]\nurl = "maildir:out"\n', encoding="utf-8")
    return PersonalData(Installation(load_config(path, {}), ports.engine, ports.clock), SCOTT)


def open_checkout(ports: Ports, folder: Path, thread: str) -> Checkout:
    [project] = ports.engine.projects.all()
    return Workspace(folder / "workspace").open_checkout("amelia", Access(project.repository), "main", "scott", thread)


def work_in_git(ports: Ports, folder: Path, thread: str) -> None:
    """Leave what a job leaves: a branch here and at the remote, a working tree, work set aside, and a preview."""
    with open_checkout(ports, folder, thread) as checkout:
        (checkout.path / "draft.html").write_bytes(MARZIPAN)
        checkout.commit("marzipan, please", author_name="Scott", author_email=SCOTT)
        began = checkout.tip
        assert checkout.push_thread(lane="amelia#scott", fence=1, job="job-1")
        (checkout.path / "more.html").write_bytes(b"more " + MARZIPAN)
        checkout.commit("more marzipan", author_name="Scott", author_email=SCOTT)
        checkout.leave_aside("job-1", began)
    built = folder / "built"
    built.mkdir(exist_ok=True)
    (built / "index.html").write_bytes(MARZIPAN)
    ports.engine.sites.show_preview("amelia", thread, built)
    (built / "index.html").unlink()


def leaks(folder: Path, *words: bytes) -> Iterator[str]:
    """Search every file as it lies on the disk, and every git object as git reads it."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            content = path.read_bytes().lower()
            if path.parent.parent.name == "objects" and path.suffix == "":
                with suppress(zlib.error):
                    content += zlib.decompress(path.read_bytes()).lower()
            yield from (f"{path.relative_to(folder)}: {word!r}" for word in words if word in content)
    for repository in {path.parent for path in folder.rglob("HEAD") if (path.parent / "objects").is_dir()}:
        listed = Remote.run(repository, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
        for line in listed.splitlines():
            name, kind = line.split()
            content = Remote.run(repository, "cat-file", kind, name).encode().lower() if kind != "tree" else b""
            yield from (f"{repository.name} {kind} {name}: {word!r}" for word in words if word in content)


def test_nothing_of_a_forgotten_person_is_left_in_any_file(ports: Ports, tmp_path: Path) -> None:
    for number in range(3):
        live_through(ports, SCOTT, f"my secret wish is marzipan {number}", f"t{number}", b"his photo of marzipan")
    hers = live_through(ports, AMELIA, "please bake rye bread", "t9", b"her photo")
    work_in_git(ports, tmp_path, "t0")
    data = data_of(ports, tmp_path)
    assert {leak.partition(":")[0].partition("/")[0] for leak in leaks(tmp_path, MARZIPAN)} > {"mail", "previews"}
    reader = apsw.Connection(str(tmp_path / DATABASE))
    assert reader.execute("SELECT count(*) FROM jobs").fetchone() == (4,)
    data.forget("operator")
    assert list(leaks(tmp_path, MARZIPAN, SCOTT.encode())) == []
    assert ports.engine.overview.job(hers) is not None
    assert reader.execute("SELECT count(*) FROM jobs").fetchone() == (1,)
    with open_checkout(ports, tmp_path, "t-next") as checkout:
        assert not checkout.differs_from_live()


def test_nobody_is_forgotten_while_a_job_of_the_project_runs(ports: Ports, tmp_path: Path) -> None:
    live_through(ports, SCOTT, "marzipan", "t0", b"photo")
    data = data_of(ports, tmp_path)
    with open_checkout(ports, tmp_path, "t1"), pytest.raises(TryAgain, match="runs"):
        data.forget("operator")
    assert data.find().is_known
    data.forget("operator")
    assert not data.find().is_known


def test_whom_the_configuration_still_names_is_not_forgotten(ports: Ports, tmp_path: Path) -> None:
    ports.engine = replace(ports.engine, projects=ConfiguredProjects((BAKERY,)))
    with pytest.raises(Refused, match="still an editor or approver of amelia"):
        data_of(ports, tmp_path).refuse_if_configured()


@pytest.mark.thorough
def test_commits_of_the_live_branch_stay_and_are_counted(ports: Ports, tmp_path: Path) -> None:
    live_through(ports, SCOTT, "marzipan", "t0", b"photo")
    with open_checkout(ports, tmp_path, "t0") as checkout:
        (checkout.path / "index.html").write_text("open at nine", encoding="utf-8")
        checkout.commit("nine", author_name="Scott", author_email=SCOTT)
        prepared = checkout.squash("nine", author_name="Scott", author_email=SCOTT)
        checkout.push_live(prepared, lane="amelia#scott", fence=1, job="job-1")
    data = data_of(ports, tmp_path)
    assert data.commits_that_stay(data.find()) == {"amelia": 1}
    data.forget("operator")
    [project] = ports.engine.projects.all()
    assert SCOTT in Remote.run(tmp_path, "-C", project.repository, "log", "main")
