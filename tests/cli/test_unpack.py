from __future__ import annotations

import stat
import zipfile
from typing import TYPE_CHECKING

import pytest

from webordinary.errors import Refused
from webordinary.workspace import adopt as repository
from webordinary.workspace.adopt import copy_folder, unpack_zip

if TYPE_CHECKING:
    from pathlib import Path


def zip_of(path: Path, **files: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/"), text)
    return path


def names_in(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def test_a_zip_is_unpacked_as_it_is(tmp_path: Path, target: Path) -> None:
    site = unpack_zip(zip_of(tmp_path / "site.zip", index="hello", pictures__map="map"), target)

    assert site == target
    assert names_in(site) == {"index", "pictures/map"}


def test_the_only_folder_of_a_zip_is_the_site(tmp_path: Path, target: Path) -> None:
    site = unpack_zip(zip_of(tmp_path / "site.zip", bakery__index="hello", bakery__menu="menu"), target)

    assert names_in(site) == {"index", "menu"}


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/../../evil", "..\\evil", "C:/evil", "a/\x1bevil"])
def test_a_zip_cannot_write_outside_of_its_folder(tmp_path: Path, target: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        archive.writestr(name, "evil")

    with pytest.raises(Refused, match="outside of the site"):
        unpack_zip(tmp_path / "site.zip", target)

    assert names_in(tmp_path) == {"site.zip"}


def test_a_link_in_a_zip_is_refused(tmp_path: Path, target: Path) -> None:
    link = zipfile.ZipInfo("passwords")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")

    with pytest.raises(Refused, match="link"):
        unpack_zip(tmp_path / "site.zip", target)


def test_a_zip_that_unpacks_to_too_much_is_stopped_on_the_way(
    tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "LARGEST_SITE", 1024 * 1024)
    bomb = zip_of(tmp_path / "bomb.zip", a="0" * 1024 * 700, b="0" * 1024 * 700)

    with pytest.raises(Refused, match="more than 1 MB"):
        unpack_zip(bomb, target)


def test_a_zip_with_too_many_files_is_refused(tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "MOST_FILES", 2)

    with pytest.raises(Refused, match="more than 2 files"):
        unpack_zip(zip_of(tmp_path / "many.zip", a="1", b="2", c="3"), target)


def test_what_is_no_zip_is_refused_in_plain_words(tmp_path: Path, target: Path) -> None:
    (tmp_path / "site.zip").write_text("not a zip")

    with pytest.raises(Refused, match="not a zip file"):
        unpack_zip(tmp_path / "site.zip", target)


def test_what_systems_and_tools_leave_behind_is_left_out(tmp_path: Path, target: Path) -> None:
    zipped = zip_of(tmp_path / "a.zip", index="hello", node_modules__x="x")
    with zipfile.ZipFile(zipped, "a") as archive:
        archive.writestr("__MACOSX/index", "x")
        archive.writestr(".git/hooks/post-checkout", "evil")

    assert names_in(unpack_zip(zipped, target)) == {"index"}


def test_a_folder_is_copied_without_its_repository(tmp_path: Path, target: Path) -> None:
    site = tmp_path / "site"
    (site / ".git").mkdir(parents=True)
    (site / ".git" / "config").write_text("secret")
    (site / "pages").mkdir()
    (site / "pages" / "index.html").write_text("hello")

    copy_folder(site, target)

    assert names_in(target) == {"pages/index.html"}


def test_a_link_out_of_a_folder_is_refused(tmp_path: Path, target: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "secret").write_text("secret")
    (site / "page").symlink_to(tmp_path / "secret")

    with pytest.raises(Refused, match="leads out"):
        copy_folder(site, target)


def test_a_link_to_a_folder_is_refused(tmp_path: Path, target: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "secrets").mkdir()
    (site / "pages").symlink_to(tmp_path / "secrets")

    with pytest.raises(Refused, match="link to a folder"):
        copy_folder(site, target)
