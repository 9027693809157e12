from __future__ import annotations

import os
import shutil
import sys
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.unit.workspace.remote_repository import PAGE, Remote
from webordinary.child import run
from webordinary.errors import JobFailed
from webordinary.workspace.access import Access
from webordinary.workspace.checkout import Checkout, Workspace
from webordinary.workspace.git import GitFailed
from webordinary.workspace.leaving import fresh_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Place:
    """A lane with one thread that has committed work which nobody else has, and one that has been published."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "workspace"
        self.remote = Remote(folder / "far")
        with self.open("published") as checkout:
            write(checkout, "about.html", "published")
            prepared = checkout.squash("Published", author_name="scott", author_email="scott@amelia.invalid")
            checkout.push_live(prepared, lane="amelia#scott", fence=1, job="j-1")
        with self.open("kept") as checkout:
            write(checkout, "index.html", "kept")
            self.kept = checkout.tip
        with self.open("left") as checkout:
            began = checkout.tip
            write(checkout, "index.html", "left aside")
            self.left = checkout.tip
            checkout.leave_aside("j-2", began)

    @property
    def mirror(self) -> Path:
        return self.root / "projects" / "amelia" / "mirror.git"

    @property
    def lane(self) -> Path:
        return self.root / "lanes" / "amelia" / "scott"

    def open(self, thread: str) -> Checkout:
        return Workspace(self.root).open_checkout(
            "amelia", Access(self.remote.url), "main", "scott", thread, patience=timedelta(0)
        )

    def damage(self, name: str) -> None:
        """Let the disk forget what an object holds."""
        path = self.mirror / "objects" / name[:2] / name[2:]
        path.chmod(0o600)
        path.write_bytes(b"torn")


def write(checkout: Checkout, name: str, text: str) -> None:
    (checkout.path / name).write_text(text, encoding="utf-8")
    checkout.commit(text, author_name="scott", author_email="scott@amelia.invalid")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def _torn_index(place: Place) -> None:
    (place.mirror / "worktrees" / "scott" / "index").write_bytes(b"torn")


def _a_file_in_its_place(place: Place) -> None:
    shutil.rmtree(place.lane)
    place.lane.touch()


def _stale_locks(place: Place) -> None:
    for name in ("worktrees/scott/index.lock", "worktrees/scott/HEAD.lock", "packed-refs.lock", "config.lock"):
        (place.mirror / name).touch()
    for name in ("refs/heads/thread-kept.lock", "refs/remotes/origin/main.lock"):
        (place.mirror / name).touch()


DAMAGES: dict[str, Callable[[Place], object]] = {
    "the link to the repository is gone": lambda place: (place.lane / ".git").unlink(),
    "the link leads elsewhere": lambda place: (place.lane / ".git").write_text("gitdir: /etc\n", encoding="ascii"),
    "the folder is gone": lambda place: shutil.rmtree(place.lane),
    "the folder is a file": _a_file_in_its_place,
    "the repository of the folder is gone": lambda place: shutil.rmtree(place.mirror / "worktrees"),
    "its head is empty": lambda place: (place.mirror / "worktrees" / "scott" / "HEAD").write_bytes(b""),
    "its index is torn": _torn_index,
    "locks were left behind": _stale_locks,
    "the mirror has no head": lambda place: (place.mirror / "HEAD").unlink(),
    "the mirror's settings are torn": lambda place: (place.mirror / "config").write_text("[core", encoding="ascii"),
    "the mirror believes in a commit that is not there": lambda place: (
        place.mirror / "refs" / "remotes" / "origin" / "main"
    ).write_text(f"{'1' * 40}\n", encoding="ascii"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_broken_checkout_heals_itself_and_loses_nothing(place: Place, damage: str) -> None:
    DAMAGES[damage](place)
    with place.open("kept") as checkout:
        assert checkout.tip == place.kept
        assert (checkout.path / "index.html").read_text(encoding="utf-8") == "kept"
        write(checkout, "index.html", "and goes on")
    with place.open("new") as checkout:
        assert (checkout.path / "index.html").read_text(encoding="utf-8") == PAGE
        assert (checkout.path / "about.html").read_text(encoding="utf-8") == "published"
        assert checkout.describe(place.left) == "changed index.html"


def test_a_mirror_with_a_torn_object_heals_and_keeps_what_can_be_read(place: Place) -> None:
    place.damage(place.remote.commit("main:index.html"))
    with pytest.raises(GitFailed), place.open("other") as checkout:  # noqa: PT012 - all of it is one job
        (checkout.path / "index.html").unlink()
        checkout.discard_changes()
    with place.open("kept") as checkout:
        assert checkout.tip == place.kept
        assert checkout.describe(place.left) == "changed index.html"
    with place.open("new") as checkout:
        assert (checkout.path / "index.html").read_text(encoding="utf-8") == PAGE


def test_what_cannot_be_read_is_lost_alone(place: Place) -> None:
    with place.open("torn") as checkout:
        write(checkout, "index.html", "torn")
        torn = checkout.tip
    with place.open("kept"):
        pass
    place.damage(torn)
    with place.open("torn") as checkout:
        assert (checkout.path / "index.html").read_text(encoding="utf-8") == PAGE
    with place.open("kept") as checkout:
        assert checkout.tip == place.kept


def test_pipes_and_sockets_of_one_thread_do_not_stay_for_the_next(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with place.open("kept") as checkout:
        (checkout.path / "index.html").unlink()
        for name in ("index.html", "new.html"):
            os.mkfifo(checkout.path / name)
        with pytest.raises(JobFailed, match="cannot be kept"):
            checkout.commit("A pipe", author_name="scott", author_email="")
        assert checkout.set_aside("A pipe") is None
    with place.open("next") as checkout:
        assert not (checkout.path / "new.html").exists()
        assert (checkout.path / "index.html").is_file()
    with place.open("kept") as checkout:
        assert checkout.tip == place.kept


@pytest.mark.thorough
def test_more_levels_than_anybody_can_climb_down_do_not_break_the_lane(tmp_path: Path) -> None:
    place = Place(tmp_path)
    dig = "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')"
    with place.open("kept") as checkout:
        assert run((sys.executable, "-I", "-c", dig), cwd=checkout.path, env={}).succeeded
    with place.open("kept") as checkout:
        assert checkout.tip == place.kept
        assert not (checkout.path / "d").exists()
    with fresh_folder(tmp_path) as home:
        assert run((sys.executable, "-I", "-c", dig), cwd=home, env={}).succeeded
    assert not home.exists()
