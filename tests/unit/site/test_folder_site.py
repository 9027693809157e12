from __future__ import annotations

import fcntl
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from webordinary.errors import LostOwnership, Misconfigured, PublishFailed
from webordinary.site.sites import Switched
from webordinary.site.targets.folder import FolderSites, live_link, preview_link

if TYPE_CHECKING:
    from pathlib import Path

LANE = "amelia#scott"
OTHER = "amelia#mary"


class History:
    """Commits in the order in which they were made, and one that nothing else knows."""

    def __init__(self, *commits: str) -> None:
        self._commits = commits

    def __call__(self, new: str, old: str) -> bool:
        known = {new, old} <= set(self._commits)
        return known and self._commits.index(new) >= self._commits.index(old)


HISTORY = History("c1", "c2", "c3", "c4", "c5")


class Place:
    """One project's site in a temporary folder, and everything that happens to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.target = folder / "sites" / "amelia"
        self.previews = folder / "previews"
        self.sites = FolderSites(self.previews, {"amelia": self.target})

    def build(self, text: str) -> Path:
        built = self.folder / f"built-{text}"
        (built / "images").mkdir(parents=True, exist_ok=True)
        (built / "index.html").write_text(text)
        (built / "images" / "one.txt").write_text(text)
        return built

    def publish(self, commit: str, *, fence: int = 1, lane: str = LANE) -> Switched:
        self.sites.add_release("amelia", commit, self.build(commit))
        return self.sites.switch_live("amelia", commit, lane=lane, fence=fence, descends=HISTORY)

    def releases(self) -> set[str]:
        return {path.name for path in (self.target / "releases").iterdir()}

    def seen(self) -> str:
        return (live_link(self.target) / "index.html").read_text()

    def preview(self, thread: str) -> str:
        return (preview_link(self.previews, "amelia", thread) / "index.html").read_text()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_site_without_a_release_has_nothing_live(place: Place) -> None:
    assert place.sites.live("amelia") is None


def test_a_release_is_seen_only_after_the_switch(place: Place) -> None:
    place.sites.add_release("amelia", "c1", place.build("c1"))
    assert place.sites.live("amelia") is None

    assert place.publish("c1") == Switched.SWITCHED
    assert (place.sites.live("amelia"), place.seen()) == ("c1", "c1")


def test_a_release_no_longer_depends_on_the_folder_it_was_made_from(place: Place) -> None:
    place.publish("c1")
    (place.build("c1") / "index.html").write_text("changed behind our back")
    assert place.seen() == "c1"


def test_a_release_that_is_there_already_stays_as_it_is(place: Place) -> None:
    place.publish("c1")
    place.sites.add_release("amelia", "c1", place.build("something else"))
    assert place.seen() == "c1"
    assert place.releases() == {"c1"}


def test_the_target_may_be_moved_as_a_whole(place: Place) -> None:
    place.publish("c1")
    moved = place.target.rename(place.folder / "elsewhere")
    assert (moved / "live" / "index.html").read_text() == "c1"


def test_nothing_in_a_release_can_be_run(place: Place) -> None:
    program = place.build("c1") / "program"
    program.write_text("#!/bin/sh")
    program.chmod(0o777)
    place.publish("c1")
    assert not os.access(live_link(place.target) / "program", os.X_OK)


def test_a_link_that_stays_inside_leads_to_the_same_file_of_the_release(place: Place) -> None:
    built = place.build("c1")
    (built / "images" / "home.html").symlink_to(built / "index.html")
    place.publish("c1")
    link = live_link(place.target) / "images" / "home.html"
    assert link.resolve() == place.target.resolve() / "releases" / "c1" / "index.html"


@pytest.mark.parametrize("leads_to", ["/etc/passwd", "../../../secret", ".."])
def test_a_link_that_leads_out_of_the_site_is_refused(place: Place, leads_to: str) -> None:
    (place.build("c1") / "out").symlink_to(leads_to)
    with pytest.raises(PublishFailed, match="out in the built site is a link that leads out"):
        place.publish("c1")
    assert place.releases() == set()


def test_a_pipe_in_the_site_is_refused(place: Place) -> None:
    os.mkfifo(place.build("c1") / "pipe")
    with pytest.raises(PublishFailed, match="neither a file nor a folder"):
        place.publish("c1")


def test_the_pointer_moves_forward(place: Place) -> None:
    assert [place.publish(commit) for commit in ("c1", "c2", "c4")] == [Switched.SWITCHED] * 3
    assert place.seen() == "c4"


def test_what_is_already_part_of_the_live_release_does_not_move_the_pointer_back(place: Place) -> None:
    place.publish("c3")
    assert place.publish("c2", lane=OTHER) == Switched.ALREADY_LIVE
    assert place.publish("c3") == Switched.ALREADY_LIVE
    assert place.seen() == "c3"


def test_what_does_not_build_on_the_live_release_is_not_published(place: Place) -> None:
    place.publish("c3")
    with pytest.raises(PublishFailed, match="does not build on what is live"):
        place.publish("stranger")
    assert place.seen() == "c3"


def test_a_release_that_is_missing_does_not_become_live(place: Place) -> None:
    place.publish("c1")
    with pytest.raises(PublishFailed, match="missing"):
        place.sites.switch_live("amelia", "c2", lane=LANE, fence=1, descends=HISTORY)
    assert place.seen() == "c1"


def test_an_owner_that_slept_too_long_cannot_switch(place: Place) -> None:
    place.publish("c1", fence=8)
    with pytest.raises(LostOwnership):
        place.publish("c2", fence=7)
    assert place.seen() == "c1"


def test_an_owner_is_fenced_off_before_the_next_one_looks(place: Place) -> None:
    place.sites.advance_fence("amelia", LANE, 9)
    with pytest.raises(LostOwnership):
        place.publish("c1", fence=8)
    assert place.sites.live("amelia") is None


def test_a_fence_may_be_advanced_again_by_its_owner_but_never_lowered(place: Place) -> None:
    place.sites.advance_fence("amelia", LANE, 9)
    place.sites.advance_fence("amelia", LANE, 9)
    with pytest.raises(LostOwnership):
        place.sites.advance_fence("amelia", LANE, 8)


def test_fences_of_two_lanes_have_nothing_to_do_with_each_other(place: Place) -> None:
    place.publish("c1", fence=1 << 40)
    assert place.publish("c2", fence=1, lane=OTHER) == Switched.SWITCHED


def test_fences_and_the_live_release_outlive_the_process(place: Place) -> None:
    place.publish("c1", fence=5)
    again = FolderSites(place.previews, {"amelia": place.target})
    assert again.live("amelia") == "c1"
    with pytest.raises(LostOwnership):
        again.advance_fence("amelia", LANE, 4)


def test_the_fence_counts_even_if_the_commit_is_live_already(place: Place) -> None:
    place.publish("c1", fence=5)
    with pytest.raises(LostOwnership):
        place.publish("c1", fence=4)


def test_many_who_publish_at_once_end_with_the_newest_commit(place: Place) -> None:
    # Built before: nobody publishes what is being built at that moment.
    built = {commit: place.build(commit) for commit in ("c5", "c4", "c3", "c2", "c1")}

    def publish(commit: str) -> Switched:
        place.sites.add_release("amelia", commit, built[commit])
        return place.sites.switch_live("amelia", commit, lane=LANE, fence=1, descends=HISTORY)

    with ThreadPoolExecutor(10) as people:
        results = list(people.map(publish, [*built] * 10))
    assert set(results) == {Switched.SWITCHED, Switched.ALREADY_LIVE}
    assert place.seen() == "c5"
    assert place.releases() == {"c1", "c2", "c3", "c4", "c5"}


def test_only_the_newest_releases_stay(place: Place) -> None:
    for commit in ("c1", "c2", "c3", "c4", "c5"):
        place.publish(commit)
    place.sites.remove_old("amelia", keep=3)
    assert place.releases() == {"c3", "c4", "c5"}


def test_the_live_release_and_the_one_before_it_are_never_removed(place: Place) -> None:
    for commit in ("c1", "c2", "c3"):
        place.publish(commit)
    place.sites.remove_old("amelia", keep=1)
    assert place.releases() == {"c2", "c3"}


def test_a_release_that_is_about_to_become_live_is_not_removed(place: Place) -> None:
    place.publish("c1")
    place.sites.add_release("amelia", "c2", place.build("c2"))
    place.sites.add_release("amelia", "c3", place.build("c3"))
    place.sites.remove_old("amelia", keep=1)
    switched = place.sites.switch_live("amelia", "c2", lane=LANE, fence=1, descends=HISTORY)
    assert switched == Switched.SWITCHED


def test_nothing_is_removed_while_nothing_is_live(place: Place) -> None:
    place.sites.remove_old("amelia", keep=1)
    place.sites.add_release("amelia", "c1", place.build("c1"))
    place.sites.remove_old("amelia", keep=1)
    assert place.releases() == {"c1"}


def test_what_a_crash_left_behind_is_cleared_away(place: Place) -> None:
    place.publish("c1")
    for name in (".unfinished-x", ".removed-y"):
        (place.target / "releases" / name).mkdir()
    place.sites.remove_old("amelia", keep=5)
    assert place.releases() == {"c1"}


def test_what_somebody_is_still_writing_is_not_cleared_away(place: Place) -> None:
    place.publish("c1")
    written = place.target / "releases" / ".unfinished-x"
    written.mkdir()
    opened = os.open(written, os.O_RDONLY)
    fcntl.flock(opened, fcntl.LOCK_EX)
    try:
        place.sites.remove_old("amelia", keep=5)
        assert written.is_dir()
    finally:
        os.close(opened)


def test_each_thread_has_a_preview_of_its_own(place: Place) -> None:
    place.sites.show_preview("amelia", "a1", place.build("one"))
    place.sites.show_preview("amelia", "b2", place.build("two"))
    assert (place.preview("a1"), place.preview("b2")) == ("one", "two")


def test_a_new_preview_replaces_the_old_one_and_leaves_nothing_of_it(place: Place) -> None:
    for text in ("one", "two", "three"):
        place.sites.show_preview("amelia", "a1", place.build(text))
    shown = [path for path in (place.previews / "amelia" / ".shown").iterdir() if path.is_dir()]
    assert place.preview("a1") == "three"
    assert len(shown) == 1


def test_many_previews_of_one_thread_at_once_leave_one_whole_preview(place: Place) -> None:
    built = [place.build(str(number)) for number in range(10)]
    with ThreadPoolExecutor(10) as people:
        list(people.map(lambda one: place.sites.show_preview("amelia", "a1", one), built * 3))
    shown = [path for path in (place.previews / "amelia" / ".shown").iterdir() if path.is_dir()]
    assert [path.name for path in shown] == [preview_link(place.previews, "amelia", "a1").readlink().name]
    assert place.preview("a1") in {str(number) for number in range(10)}


def test_a_preview_does_not_touch_the_live_site(place: Place) -> None:
    place.publish("c1")
    place.sites.show_preview("amelia", "a1", place.build("draft"))
    assert place.seen() == "c1"


@pytest.mark.parametrize("name", ["..", "a/b", "", ".shown", "a\0"])
def test_a_name_that_could_lead_elsewhere_never_becomes_a_path(place: Place, name: str) -> None:
    built = place.build("c1")
    with pytest.raises(PublishFailed):
        place.sites.show_preview("amelia", name, built)
    with pytest.raises(PublishFailed):
        place.sites.add_release("amelia", name, built)


def test_a_project_without_a_place_is_named(place: Place) -> None:
    with pytest.raises(Misconfigured, match=r"bertha .* set its site\.to"):
        place.sites.live("bertha")


def test_a_target_that_is_a_file_is_named(place: Place) -> None:
    place.target.parent.mkdir()
    place.target.write_text("in the way")
    with pytest.raises(Misconfigured, match="amelia cannot be used"):
        place.publish("c1")


def test_a_preview_of_what_goes_live_is_its_release_and_no_copy(place: Place) -> None:
    place.publish("c1")
    place.sites.show_preview("amelia", "a1", place.build("draft"))
    release = place.sites.take_release("amelia", "c2", place.build("c2"))
    place.sites.show_preview("amelia", "a1", release)
    assert place.preview("a1") == "c2"
    assert preview_link(place.previews, "amelia", "a1").samefile(release)
    assert [path.name for path in (place.previews / "amelia" / ".shown").iterdir()] == ["lock"]


def test_a_preview_whose_release_is_removed_shows_the_live_site_and_is_as_old_as_before(place: Place) -> None:
    place.publish("c1")
    place.sites.show_preview("amelia", "a1", place.target / "releases" / "c1")
    (was,) = place.sites.previews("amelia")
    place.sites.show_preview("amelia", "b2", place.build("waits"))
    for commit in ("c2", "c3", "c4"):
        place.publish(commit)
    place.sites.remove_old("amelia", keep=1)
    assert place.releases() == {"c3", "c4"}
    assert (place.preview("a1"), place.preview("b2")) == ("c4", "waits")
    assert next(each for each in place.sites.previews("amelia") if each.thread == "a1") == was


def test_a_preview_of_a_release_that_was_removed_meanwhile_shows_the_live_site(place: Place) -> None:
    for commit in ("c1", "c2", "c3"):
        place.publish(commit)
    place.sites.remove_old("amelia", keep=1)
    place.sites.show_preview("amelia", "a1", place.target / "releases" / "c1")
    assert place.preview("a1") == "c3"


def test_a_preview_outlives_its_release_also_when_the_target_is_named_by_another_way(place: Place) -> None:
    place.publish("c1")
    place.sites.show_preview("amelia", "a1", place.target / "releases" / "c1")
    (place.folder / "www").symlink_to(place.folder / "sites")
    place.sites = FolderSites(place.previews, {"amelia": place.folder / "www" / "amelia"})
    for commit in ("c2", "c3"):
        place.publish(commit)
    place.sites.remove_old("amelia", keep=1)
    assert place.preview("a1") == "c3"


def test_a_release_that_never_went_live_stays_for_as_long_as_a_preview_shows_it(place: Place) -> None:
    place.publish("c1")
    place.sites.show_preview("amelia", "a1", place.sites.take_release("amelia", "refused", place.build("refused")))
    for commit in ("c2", "c3", "c4"):
        place.publish(commit)
    place.sites.remove_old("amelia", keep=1)
    assert place.preview("a1") == "refused"
    place.sites.remove_preview("amelia", "a1")
    place.sites.remove_old("amelia", keep=1)
    assert place.releases() == {"c3", "c4"}
