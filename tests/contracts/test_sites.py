"""What every engine promises about the site that the public sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.errors import LostOwnership, PublishFailed
from webordinary.site.sites import Switched

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports

LANE = "amelia#scott"
# One line of commits; everything else descends from nothing.
HISTORY = ("a" * 40, "b" * 40, "c" * 40)


def descends(newer: str, older: str) -> bool:
    return newer in HISTORY and older in HISTORY and HISTORY.index(newer) >= HISTORY.index(older)


def build(folder: Path, text: str) -> Path:
    built = folder / f"built-{text}"
    built.mkdir()
    (built / "index.html").write_text(text, encoding="utf-8")
    return built


@pytest.fixture
def sites_with_releases(ports: Ports, tmp_path: Path) -> Ports:
    for commit in HISTORY:
        ports.engine.sites.add_release("amelia", commit, build(tmp_path, commit[0]))
    return ports


def switch(ports: Ports, commit: str, fence: int = 1) -> Switched:
    return ports.engine.sites.switch_live("amelia", commit, lane=LANE, fence=fence, descends=descends)


def test_nothing_is_live_before_the_first_switch(ports: Ports) -> None:
    assert ports.engine.sites.live("amelia") is None


def test_live_moves_forward_and_never_back(sites_with_releases: Ports) -> None:
    ports = sites_with_releases
    assert switch(ports, HISTORY[1]) == Switched.SWITCHED
    assert switch(ports, HISTORY[0]) == Switched.ALREADY_LIVE
    assert ports.engine.sites.live("amelia") == HISTORY[1]
    assert switch(ports, HISTORY[2]) == Switched.SWITCHED
    assert ports.engine.sites.live("amelia") == HISTORY[2]


def test_a_commit_of_another_history_is_refused(sites_with_releases: Ports, tmp_path: Path) -> None:
    ports = sites_with_releases
    switch(ports, HISTORY[1])
    ports.engine.sites.add_release("amelia", "d" * 40, build(tmp_path, "d"))
    with pytest.raises(PublishFailed):
        switch(ports, "d" * 40)
    assert ports.engine.sites.live("amelia") == HISTORY[1]


def test_an_owner_with_an_older_fence_can_switch_nothing(sites_with_releases: Ports) -> None:
    ports = sites_with_releases
    switch(ports, HISTORY[0], fence=5)
    ports.engine.sites.advance_fence("amelia", LANE, 7)
    with pytest.raises(LostOwnership):
        switch(ports, HISTORY[1], fence=6)
    with pytest.raises(LostOwnership):
        ports.engine.sites.advance_fence("amelia", LANE, 6)
    assert ports.engine.sites.live("amelia") == HISTORY[0]
    assert switch(ports, HISTORY[1], fence=7) == Switched.SWITCHED


def test_the_fence_of_one_lane_does_not_hinder_another(sites_with_releases: Ports) -> None:
    ports = sites_with_releases
    ports.engine.sites.advance_fence("amelia", "amelia#maria", 99)
    assert switch(ports, HISTORY[0], fence=1) == Switched.SWITCHED


def test_a_release_that_was_never_added_cannot_be_live(ports: Ports) -> None:
    with pytest.raises(PublishFailed):
        switch(ports, HISTORY[0])


def test_the_releases_that_are_kept_are_known_the_newest_first(sites_with_releases: Ports) -> None:
    sites = sites_with_releases.engine.sites
    kept = sites.releases("amelia")
    assert {release.commit for release in kept} == set(HISTORY)
    assert [release.added_at for release in kept] == sorted((each.added_at for each in kept), reverse=True)
    assert all(release.added_at.tzinfo for release in kept)


def test_adding_a_release_twice_is_harmless_and_old_ones_go(sites_with_releases: Ports, tmp_path: Path) -> None:
    ports = sites_with_releases
    ports.engine.sites.add_release("amelia", HISTORY[0], build(tmp_path, "again"))
    switch(ports, HISTORY[2])
    ports.engine.sites.remove_old("amelia", keep=1)
    assert ports.engine.sites.live("amelia") == HISTORY[2]
