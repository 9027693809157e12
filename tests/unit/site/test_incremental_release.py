"""A release writes only what changed, and no release can change another one."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.programs import need
from webordinary.child import run
from webordinary.errors import PublishFailed
from webordinary.site.targets.folder import FolderSites, live_link

if TYPE_CHECKING:
    from pathlib import Path

FILES = 40
# The second release does not fit on the disk any more; what is live stays, and a smaller one goes on.
FULL_DISK = """
from pathlib import Path
from webordinary.errors import TryAgain
from webordinary.site.targets.folder import FolderSites

built, sites = Path("/mnt/full/built"), FolderSites(Path("/mnt/full/previews"), {"amelia": Path("/mnt/full/site")})
built.mkdir()

def publish(commit, size):
    for number in range(3):
        (built / f"{number}.html").write_bytes(commit.encode() * (size // 2))
    sites.add_release("amelia", commit, built)
    sites.switch_live("amelia", commit, lane="a#b", fence=1, descends=lambda new, old: new > old)

publish("c1", 50_000)
try:
    publish("c2", 230_000)
except TryAgain as told:
    print("refused:", told)
print("live:", sites.live("amelia"), len(Path("/mnt/full/site/live/0.html").read_bytes()))
print("kept:", sorted(path.name for path in Path("/mnt/full/site/releases").iterdir()))
publish("c3", 50_000)
print("live:", sites.live("amelia"))
"""


class Place:
    """A site of many files, of which one or the other changes."""

    def __init__(self, folder: Path) -> None:
        self.built = folder / "built"
        self.target = folder / "amelia"
        self.sites = FolderSites(folder / "previews", {"amelia": self.target})
        for number in range(FILES):
            self.write(f"section-{number % 4}/{number}.html", f"page {number}")

    def write(self, name: str, text: str) -> None:
        path = self.built / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def publish(self, commit: str) -> Path:
        self.sites.add_release("amelia", commit, self.built)
        self.sites.switch_live("amelia", commit, lane="amelia#scott", fence=1, descends=lambda new, old: new > old)
        return self.target / "releases" / commit


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def files(release: Path) -> dict[str, os.stat_result]:
    return {str(path.relative_to(release)): path.lstat() for path in release.rglob("*") if not path.is_dir()}


def test_only_what_changed_is_written_and_the_rest_is_shared_with_what_was_live(place: Place) -> None:
    first = files(place.publish("c1"))
    place.write("section-1/1.html", "other words")
    place.write("section-9/new.html", "a new page")
    (place.built / "section-2/2.html").unlink()
    second = files(place.publish("c2"))

    written = {name for name, status in second.items() if status.st_nlink == 1}
    assert written == {"section-1/1.html", "section-9/new.html"}
    assert second.keys() == (first.keys() | {"section-9/new.html"}) - {"section-2/2.html"}
    assert (live_link(place.target) / "section-1/1.html").read_text() == "other words"
    assert (place.target / "releases/c1/section-1/1.html").read_text() == "page 1"


def test_a_file_of_the_same_size_with_another_text_is_not_shared(place: Place) -> None:
    place.write("index.html", "open at 8")
    place.publish("c1")
    place.write("index.html", "open at 9")
    assert (place.publish("c2") / "index.html").read_text() == "open at 9"
    assert (place.target / "releases/c1/index.html").read_text() == "open at 8"


def test_nothing_that_is_published_can_be_written_into_or_is_the_builds_own_file(place: Place) -> None:
    release = place.publish("c1")
    place.write("section-0/0.html", "changed behind our back")
    assert {status.st_mode & 0o777 for status in files(release).values()} == {0o444}
    assert (release / "section-0/0.html").read_text() == "page 0"


def test_a_release_outlives_the_one_whose_files_it_shares(place: Place) -> None:
    for commit in ("c1", "c2", "c3"):
        place.write("section-0/0.html", commit)
        place.publish(commit)
    place.sites.remove_old("amelia", keep=1)
    assert not (place.target / "releases/c1").exists()
    assert (live_link(place.target) / "section-1/1.html").read_text() == "page 1"


def test_a_link_in_the_release_before_is_neither_followed_nor_shared(place: Place, tmp_path: Path) -> None:
    place.write("one.html", "the same")
    (place.built / "two.html").symlink_to("one.html")
    place.publish("c1")
    (place.built / "two.html").unlink()
    place.write("two.html", "the same")
    release = place.publish("c2")
    assert not (release / "two.html").is_symlink()
    outside = tmp_path / "outside.html"
    outside.write_text("page 5")
    (release / "section-1/5.html").unlink()
    (release / "section-1/5.html").symlink_to(outside)
    assert (place.publish("c3") / "section-1/5.html").lstat().st_nlink == 1


def test_a_preview_shares_what_is_live_and_changes_none_of_it(place: Place) -> None:
    release = place.publish("c1")
    place.write("section-0/0.html", "a draft")
    place.sites.show_preview("amelia", "0f1e2d", place.built)
    assert (release / "section-0/0.html").read_text() == "page 0"
    assert (release / "section-1/1.html").lstat().st_nlink == 2


def test_links_to_the_machine_are_refused_and_leave_nothing_behind(place: Place) -> None:
    place.publish("c1")
    (place.built / "section-0/passwords.txt").symlink_to("/etc/passwd")
    with pytest.raises(PublishFailed, match=r"section-0/passwords\.txt .* leads out"):
        place.publish("c2")
    with pytest.raises(PublishFailed, match="leads out"):
        place.sites.show_preview("amelia", "0f1e2d", place.built)
    assert place.sites.live("amelia") == "c1"
    assert [path.name for path in (place.target / "releases").iterdir()] == ["c1"]


def test_a_full_disk_switches_nothing_and_is_over_when_there_is_room(tmp_path: Path) -> None:
    need("bwrap")
    walls = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    argv = [*walls, "--tmpfs", "/mnt", "--size", "1000000", "--tmpfs", "/mnt/full"]
    env = {"PATH": os.defpath, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ended = run([*argv, sys.executable, "-c", FULL_DISK], cwd=tmp_path, env=env)
    assert ended.succeeded, ended.stderr.decode()
    refused, live, kept, after = ended.stdout.decode().splitlines()
    assert refused.startswith("refused: the disk of /mnt/full/site cannot be used now (No space left on device)")
    assert (live, kept, after) == ("live: c1 50000", "kept: ['c1']", "live: c3")
