"""The configuration of a running program: its projects follow the file, and a broken file changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.config import example_config, load_config, project_block, with_project
from webordinary.config.live import (
    LiveConfig,
    LiveProjects,
    LiveSiteFolders,
    changed_projects,
    changed_sections,
    copy_of,
    keep_copy,
    read_or_copy,
)
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from pathlib import Path


def block(name: str) -> str:
    return project_block(id=name, repository=f"{name}.git", editors=[("scott", "scott@example.org")])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "webordinary.toml"
    path.write_text(with_project(example_config(domain="edit.example.com"), block("amelia")))
    return path


def test_projects_are_those_of_the_file_as_it_is_now(path: Path) -> None:
    live = LiveConfig(load_config(path, {}), {})
    projects, folders = LiveProjects(live), LiveSiteFolders(live)
    assert ([each.id for each in projects.all()], projects.find("flora")) == (["amelia"], None)
    before = live.version
    path.write_text(with_project(path.read_text(), block("flora")))
    assert [each.id for each in projects.all()] == ["amelia", "flora"]
    assert projects.find("flora") is not None
    assert (list(folders), len(folders)) == (["amelia", "flora"], 2)
    assert folders["flora"] == live.config.data / "sites" / "flora"
    assert live.version != before


def test_a_broken_or_missing_file_changes_nothing_until_it_is_right_again(path: Path) -> None:
    live = LiveConfig(load_config(path, {}), {})
    text = path.read_text()
    for broken in ("domain = ", None):
        path.unlink() if broken is None else path.write_text(broken)
        assert [each.id for each in live.config.projects] == ["amelia"]
        assert live.problem is not None
    path.write_text(text)
    assert (live.config, live.problem) == (load_config(path, {}), None)


def test_what_has_changed_is_named(path: Path) -> None:
    before = load_config(path, {})
    text = (
        path.read_text()
        .replace("scott@example.org", "maria@example.org")
        .replace("[workers]", "[workers]\nbeat = '4 s'")
    )
    path.write_text(with_project(text, block("flora")))
    after = load_config(path, {})
    assert changed_projects(before, after) == ["flora is new", "amelia has changed"]
    assert changed_projects(after, before) == ["amelia has changed", "flora is gone"]
    assert (changed_sections(before, after), changed_sections(after, after)) == (["workers"], [])


def test_a_worker_starts_with_the_copy_while_the_file_is_broken(path: Path) -> None:
    config = load_config(path, {})
    config.data.mkdir()
    copy = copy_of(config)
    keep_copy(config)
    assert copy.stat().st_mode & 0o077 == 0
    path.write_text("domain = ")
    assert read_or_copy(path, copy, {}) == config
    copy.unlink()
    with pytest.raises(Misconfigured):
        read_or_copy(path, copy, {})
