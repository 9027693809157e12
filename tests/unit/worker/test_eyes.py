"""What an agent may bring about by looking, whatever it does to its files meanwhile."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from webordinary.routing.project import Size
from webordinary.site.read.index import SiteIndex, index_site
from webordinary.site.release.build import SiteBroken
from webordinary.site.screenshots.camera import Camera
from webordinary.worker.change.eyes import SiteEyes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Deadline:
    deadline: timedelta = timedelta(minutes=1)


@dataclass(frozen=True)
class Workshop:
    """Builds plain sites, and lets somebody do something behind each build."""

    scratch: Path
    live: Path
    after: Callable[[], None]
    limits: Deadline = field(default_factory=Deadline)

    def live_site(self, *_: object) -> Workshop:
        return self

    def index(self) -> SiteIndex:
        return index_site(self.live, lambda: None)

    def release(self) -> None:
        return None

    def builder_for(self, *_: object) -> Callable[[Path, Path], Path]:
        def build(source: Path, into: Path) -> Path:
            shutil.copytree(source, into)
            self.after()
            return into

        return build


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name in ("site", "live", "scratch"):
        (tmp_path / name).mkdir()
    for name in ("site", "live"):
        (tmp_path / name / "index.html").write_text("<title>Amelia</title><p>Open</p>")
    return tmp_path / "site"


def eyes_on(site: Path, after: Callable[[], None], camera: Camera | None = None) -> SiteEyes:
    workshop = Workshop(site.parent / "scratch", site.parent / "live", after)
    rules = SimpleNamespace(size=Size())
    run = SimpleNamespace(
        checkout=SimpleNamespace(path=site),
        project=SimpleNamespace(rules=rules),
        job=SimpleNamespace(id="j1"),
        pulse=SimpleNamespace(watch=lambda _: None),
    )
    return SiteEyes(cast("Any", workshop), camera, cast("Any", run), left=5)


def test_a_look_is_one_build_also_of_files_that_change_all_the_time(site: Path) -> None:
    builds = []

    def write() -> None:
        builds.append("built")
        (site / f"new-{len(builds)}.html").write_text("new")

    eyes = eyes_on(site, write)
    assert "Open" in eyes.see("text", {"page": "index.html"}).text
    assert len(builds) == 1
    assert "new-1.html" in eyes.see("text", {"page": "none.html"}).text
    assert len(builds) == 2


def test_a_build_that_broke_leaves_nothing_behind(site: Path) -> None:
    def breaks() -> None:
        raise SiteBroken("the site's build ended with an error")

    eyes = eyes_on(site, breaks)
    assert eyes.see("text", {"page": "index.html"}).is_error
    assert eyes.see("text", {"page": "index.html"}).is_error
    assert not list((site.parent / "scratch").rglob("index.html"))


def test_the_names_of_all_pages_are_no_longer_than_other_answers(site: Path) -> None:
    for number in range(60):
        (site / f"{number:02}-{'x' * 200}").mkdir()
        (site / f"{number:02}-{'x' * 200}" / f"{'y' * 200}.html").write_text("<p>x</p>")
    seen = eyes_on(site, lambda: None).see("text", {"page": "none.html"})
    assert seen.is_error
    assert len(seen.text) <= 20_100


def test_a_mender_that_cannot_be_shown_its_change_works_without_a_picture(site: Path) -> None:
    def breaks() -> None:
        raise OSError("the disk is full")

    assert eyes_on(site, breaks, object.__new__(Camera)).changed() is None
