"""Folders of programs that are not ours: each run begins with an empty one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.workspace.leaving import named_folder

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_of_a_name_is_new_each_time_and_has_nothing_of_who_was_killed_in_it(tmp_path: Path) -> None:
    left = tmp_path / "home-1"
    left.mkdir()
    (left / "old").mkdir(mode=0o000)
    with named_folder(tmp_path, "home-1") as folder:
        assert (folder, list(folder.iterdir())) == (left, [])
    assert not left.exists()
    left.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    with named_folder(tmp_path, "home-1") as folder:
        assert not folder.is_symlink()
    assert (tmp_path / "elsewhere").is_dir()
