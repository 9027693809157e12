"""What an agent may leave in a checkout: as much as a change has, and nothing that git or a worker would choke on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.unit.workspace.test_checkout import Amelia, commit, write
from webordinary.workspace.extent import Overgrown

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.workspace.checkout import Checkout


@pytest.fixture
def amelia(tmp_path: Path) -> Amelia:
    return Amelia(tmp_path)


def sparse(path: Path, size: int = 900_000_000) -> None:
    with path.open("wb") as file:
        file.truncate(size)


def make_deep(folder: Path) -> None:
    """Make folders whose path no program can say at once."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(90):
        os.mkdir("d" * 50, dir_fd=here)
        inner = os.open("d" * 50, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("page.html", os.O_CREAT, dir_fd=here))
    os.close(here)


def room_taken(folder: Path) -> int:
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*") if not path.is_dir())


def refused(checkout: Checkout) -> str:
    with pytest.raises(Overgrown) as problem:
        commit(checkout, "A flood")
    assert str(problem.value).isprintable()
    return problem.value.excess.reason


def test_a_large_file_is_refused_before_git_reads_it_and_leaves_no_trace(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "new")
        sparse(checkout.path / "film.mp4")
        assert refused(checkout) == "one_file\tfilm.mp4\t200"
        assert checkout.set_aside("Not published") is None
        assert not (checkout.path / "film.mp4").exists()
    assert room_taken(amelia.root) < 10_000_000


def test_a_file_that_grew_counts_as_a_new_one_does(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        sparse(checkout.path / "index.html")
        assert refused(checkout) == "one_file\tindex.html\t200"


def test_many_large_files_count_together(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        for number in range(4):
            sparse(checkout.path / f"{number}.jpg", 150_000_000)
        assert refused(checkout) == "all_bytes\t500"


def test_more_files_than_a_change_has_are_refused(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        (checkout.path / "0.txt").touch()
        for number in range(1, 5_001):
            os.link(checkout.path / "0.txt", checkout.path / f"{number}.txt")
        assert refused(checkout) == "all_files\t5000"


@pytest.mark.parametrize(
    ("name", "told"),
    [(b"caf\xe9.html", r"caf\xe9.html"), (b"a\nb.html", r"a\x0ab.html"), (b"a\tb.html", r"a\x09b.html")],
)
def test_a_name_that_cannot_be_told_is_refused(amelia: Amelia, name: bytes, told: str) -> None:
    with amelia.open() as checkout:
        os.close(os.open(os.fsencode(checkout.path) + b"/" + name, os.O_CREAT))
        assert refused(checkout) == f"strange_name\t{told}"


def test_folders_that_git_cannot_enter_are_refused_and_removed(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "new")
        make_deep(checkout.path)
        assert refused(checkout).startswith("too_deep\t")
        checkout.set_aside("Not published")
        assert sorted(path.name for path in checkout.path.iterdir()) == [".git", "about.html", "index.html"]


def test_folders_that_a_build_left_do_not_keep_the_next_one_out(amelia: Amelia) -> None:
    with amelia.open() as checkout:
        write(checkout, "index.html", "new")
        assert commit(checkout, "New")
        make_deep(checkout.path)
        checkout.discard_changes()
        assert sorted(path.name for path in checkout.path.iterdir()) == [".git", "about.html", "index.html"]
        make_deep(checkout.path)
    with amelia.open() as checkout:
        assert sorted(path.name for path in checkout.path.iterdir()) == [".git", "about.html", "index.html"]


def test_what_was_taken_back_from_a_strange_name_can_be_kept(amelia: Amelia) -> None:
    """A repository may have such a file from elsewhere; whoever removes it does the right thing."""
    name = os.fsdecode(b"caf\xe9.html")
    amelia.remote.push({name: "old"})
    with amelia.open() as checkout:
        (checkout.path / name).unlink()
        assert commit(checkout, "Without it")
        assert [change.path for change in checkout.changes_for_live()] == [name]
