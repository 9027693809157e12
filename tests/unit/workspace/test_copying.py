"""A folder is copied while somebody else works in it: nothing outside of it can come along."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from webordinary.errors import Interrupted
from webordinary.routing.project import Size
from webordinary.workspace import copying
from webordinary.workspace.copying import copy_tree, mark_of
from webordinary.workspace.extent import Overgrown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SIZE = Size(files=10, megabytes=1, largest=1)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    (site / "menu").mkdir(parents=True)
    (site / ".git").mkdir()
    (site / ".git" / "config").write_text("x")
    (site / "index.html").write_text("home")
    (site / "menu" / "build").write_text("#!/bin/sh")
    (site / "menu" / "build").chmod(0o750)
    (site / "link").symlink_to("/etc")
    os.mkfifo(site / "pipe")
    return site


def test_files_folders_and_links_are_copied_and_the_repository_and_pipes_are_not(site: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy_tree(site, copy, SIZE)
    assert sorted(str(path.relative_to(copy)) for path in copy.rglob("*")) == [
        "index.html",
        "link",
        "menu",
        "menu/build",
    ]
    assert (copy / "link").readlink().as_posix() == "/etc"
    assert os.access(copy / "menu" / "build", os.X_OK)


def test_a_folder_that_becomes_a_link_meanwhile_is_not_gone_into(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    find = copying.entries_in

    def swapping(folder: Path, size: Size) -> Iterator[copying.TreeEntry]:
        for entry in find(folder, size):
            yield entry
            if entry.name == "menu":
                (site / "menu").rename(site / "away")
                (site / "menu").symlink_to(outside)

    monkeypatch.setattr(copying, "entries_in", swapping)
    copy_tree(site, tmp_path / "copy", SIZE)
    assert list((tmp_path / "copy" / "menu").iterdir()) == []
    assert not list((tmp_path / "copy").rglob("secret"))


def test_a_link_that_becomes_a_folder_meanwhile_is_not_written_through(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (site / "link").unlink()
    (site / "link").symlink_to(outside)
    find = copying.entries_in

    def swapping(folder: Path, size: Size) -> Iterator[copying.TreeEntry]:
        for entry in find(folder, size):
            yield entry
            if entry.name == "link":
                (site / "link").unlink()
                (site / "link").mkdir()
                (site / "link" / "planted").write_text("x")

    monkeypatch.setattr(copying, "entries_in", swapping)
    copy_tree(site, tmp_path / "copy", SIZE)
    assert list(outside.iterdir()) == []


def test_nobody_waits_for_a_folder_that_becomes_a_pipe_meanwhile(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = copying.entries_in

    def swapping(folder: Path, size: Size) -> Iterator[copying.TreeEntry]:
        for entry in find(folder, size):
            yield entry
            if entry.name == "menu":
                (site / "menu").rename(site / "away")
                os.mkfifo(site / "menu")

    monkeypatch.setattr(copying, "entries_in", swapping)
    # Whoever waits for a writer of that pipe waits for ever.
    copies = threading.Thread(target=copy_tree, args=(site, tmp_path / "copy", SIZE), daemon=True)
    copies.start()
    copies.join(20)
    assert not copies.is_alive()
    assert list((tmp_path / "copy" / "menu").iterdir()) == []


def test_folders_count_as_files_do_and_a_mark_of_too_much_is_not_made(site: Path, tmp_path: Path) -> None:
    for number in range(SIZE.files):
        (site / f"empty-{number}").mkdir()
    with pytest.raises(Overgrown, match="more than 10 files"):
        copy_tree(site, tmp_path / "copy", SIZE)
    with pytest.raises(Overgrown, match="more than 10 files"):
        mark_of(site, SIZE)


def test_a_copy_that_nobody_waits_for_any_more_is_left(site: Path, tmp_path: Path) -> None:
    def check() -> None:
        raise Interrupted("it is over")

    with pytest.raises(Interrupted):
        copy_tree(site, tmp_path / "copy", SIZE, check)
    assert list((tmp_path / "copy").iterdir()) == []


def test_more_than_a_site_may_have_is_not_copied(site: Path, tmp_path: Path) -> None:
    with pytest.raises(Overgrown, match="more than 1 files"):
        copy_tree(site, tmp_path / "few", Size(files=1, megabytes=1, largest=1))
    with (site / "holes").open("wb") as file:
        file.truncate(2_000_000_000)
    with pytest.raises(Overgrown, match="more than 1 MB"):
        copy_tree(site, tmp_path / "copy", SIZE)
    deep = site / "/".join(["d"] * 120)
    deep.mkdir(parents=True)
    (site / "holes").unlink()
    with pytest.raises(Overgrown, match="folders in each other"):
        copy_tree(site, tmp_path / "deep", Size(files=1000, megabytes=1, largest=1))


def test_the_mark_is_another_one_when_anything_has_changed(site: Path) -> None:
    before = mark_of(site, SIZE)
    assert mark_of(site, SIZE) == before
    (site / "index.html").write_text("hime")
    assert mark_of(site, SIZE) != before
