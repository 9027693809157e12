"""What is special about sites in S3: no folders, no links, no locks."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from webordinary.engines.aws.s3.places import begins_commit, new_release_place, preview_place
from webordinary.engines.aws.s3.uploads import REFRESHED_AFTER
from webordinary.engines.aws.s3.waiting import WaitingProjects
from webordinary.engines.aws.sites import S3Sites
from webordinary.errors import LostOwnership, Misconfigured, PublishFailed
from webordinary.site.sites import Switched
from webordinary.site.web.preview import mark_preview

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.aws.conftest import Place

LANE = "amelia#scott"


def later(new: str, old: str) -> bool:
    return new >= old


def build(folder: Path, text: str) -> Path:
    built = folder / f"built-{text}"
    (built / "images").mkdir(parents=True)
    (built / "index.html").write_text(text, encoding="utf-8")
    (built / "images" / "a photo+1.avif").write_bytes(b"photo")
    return built


def keys(place: Place) -> set[str]:
    return {stored.key for stored in place.buckets.sites.stored("")}


def pages(place: Place) -> list[str]:
    return sorted(key for key in keys(place) if key.endswith("index.html"))


@contextmanager
def asking(place: Place) -> Iterator[list[str]]:
    """Note what S3 is asked for."""
    asked: list[str] = []
    note = lambda model, **_: asked.append(model.name)  # noqa: E731 - the driver compares functions to take them out
    place.clients.s3.meta.events.register("before-call.s3", note)
    yield asked
    place.clients.s3.meta.events.unregister("before-call.s3", note)


@pytest.fixture
def sites(place: Place) -> S3Sites:
    return S3Sites(place.buckets.sites)


def test_every_file_is_uploaded_with_its_own_type(place: Place, sites: S3Sites, tmp_path: Path) -> None:
    sites.add_release("amelia", "c1", build(tmp_path, "c1"))
    (page,) = pages(place)
    head = place.clients.s3.head_object(Bucket=place.buckets.sites.name, Key=page)
    assert head["ContentType"] == "text/html; charset=utf-8"
    photo = page.replace("index.html", "images/a photo+1.avif")
    assert place.clients.s3.head_object(Bucket=place.buckets.sites.name, Key=photo)["ContentType"] == "image/avif"


def test_what_is_live_already_is_copied_inside_the_bucket(place: Place, sites: S3Sites, tmp_path: Path) -> None:
    for commit in ("c1", "c2"):
        built = build(tmp_path, commit)
        (built / "same.html").write_text("the same", encoding="utf-8")
        with asking(place) as asked:
            sites.add_release("amelia", commit, built)
            sites.switch_live("amelia", commit, lane=LANE, fence=1, descends=later)
    # The changed page, the release's name with its manifest, and the pointer travel; the rest is copied.
    assert (asked.count("PutObject"), asked.count("CopyObject")) == (3, 2)
    (copied,) = [key for key in keys(place) if "/c2" in key and key.endswith("same.html")]
    found = place.clients.s3.get_object(Bucket=place.buckets.sites.name, Key=copied)
    assert (found["Body"].read(), found["ContentType"]) == (b"the same", "text/html; charset=utf-8")


def test_what_was_removed_meanwhile_is_uploaded_after_all(place: Place, sites: S3Sites, tmp_path: Path) -> None:
    sites.add_release("amelia", "c1", build(tmp_path, "c1"))
    sites.switch_live("amelia", "c1", lane=LANE, fence=1, descends=later)
    place.buckets.sites.delete([key for key in keys(place) if "a photo" in key])
    sites.add_release("amelia", "c2", build(tmp_path, "c2"))
    assert len([key for key in keys(place) if "a photo" in key]) == 1


def test_a_release_that_is_there_already_stays_as_it_is(place: Place, sites: S3Sites, tmp_path: Path) -> None:
    sites.add_release("amelia", "c1", build(tmp_path, "first"))
    before = keys(place)
    sites.add_release("amelia", "c1", build(tmp_path, "second"))
    assert keys(place) == before


def test_of_many_who_add_the_same_release_one_stays(place: Place, sites: S3Sites, tmp_path: Path) -> None:
    folders = [build(tmp_path, f"try-{number}") for number in range(6)]
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda folder: sites.add_release("amelia", "c1", folder), folders))
    assert len(pages(place)) == 1


def test_an_upload_that_fails_leaves_no_release(sites: S3Sites, tmp_path: Path) -> None:
    built = build(tmp_path, "c1")
    (built / "out").symlink_to("/etc/passwd")
    with pytest.raises(PublishFailed, match="leads out"):
        sites.add_release("amelia", "c1", built)
    with pytest.raises(PublishFailed, match="missing"):
        sites.switch_live("amelia", "c1", lane=LANE, fence=1, descends=later)


def test_a_folder_that_cannot_be_read_is_told_plainly(sites: S3Sites, tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="nowhere"):
        sites.add_release("amelia", "c1", tmp_path / "nowhere")


def test_a_link_inside_the_site_becomes_a_copy(place: Place, sites: S3Sites, tmp_path: Path) -> None:
    built = build(tmp_path, "c1")
    (built / "home.html").symlink_to("index.html")
    (built / "pictures").symlink_to("images")
    sites.add_release("amelia", "c1", built)
    names = {key.partition("/files/")[2].partition("/")[2] for key in keys(place)}
    assert {"home.html", "pictures/a photo+1.avif"} <= names


def test_a_link_that_goes_in_circles_is_refused(sites: S3Sites, tmp_path: Path) -> None:
    built = build(tmp_path, "c1")
    (built / "images" / "again").symlink_to(built / "images")
    with pytest.raises(PublishFailed, match="lies in itself"):
        sites.add_release("amelia", "c1", built)


def test_of_many_who_switch_the_newest_wins(sites: S3Sites, tmp_path: Path) -> None:
    commits = [f"c{number}" for number in range(6)]
    for commit in commits:
        sites.add_release("amelia", commit, build(tmp_path, commit))

    def switch(commit: str) -> Switched:
        return sites.switch_live("amelia", commit, lane=f"amelia#{commit}", fence=1, descends=later)

    with ThreadPoolExecutor(6) as threads:
        results = list(threads.map(switch, commits))
    assert sites.live("amelia") == "c5"
    assert results[-1] == Switched.SWITCHED


def test_a_fence_that_was_raised_meanwhile_stops_the_switch(sites: S3Sites, tmp_path: Path) -> None:
    sites.add_release("amelia", "c1", build(tmp_path, "c1"))

    def raises_the_fence(_new: str, _old: str) -> bool:
        sites.advance_fence("amelia", LANE, 9)
        return True

    sites.switch_live("amelia", "c1", lane=LANE, fence=1, descends=later)
    sites.add_release("amelia", "c2", build(tmp_path, "c2"))
    with pytest.raises(LostOwnership):
        sites.switch_live(
            "amelia", "c2", lane=LANE, fence=2, descends=lambda new, old: new > old and raises_the_fence(new, old)
        )
    assert sites.live("amelia") == "c1"


def test_the_live_release_and_the_one_before_it_are_never_removed(place: Place, sites: S3Sites, tmp_path: Path) -> None:
    for commit in ("c1", "c2"):
        sites.add_release("amelia", commit, build(tmp_path, commit))
        sites.switch_live("amelia", commit, lane=LANE, fence=1, descends=later)
    sites.remove_old("amelia", keep=0)
    assert len(pages(place)) == 2


def test_a_new_preview_replaces_the_old_one_whole(place: Place, sites: S3Sites, tmp_path: Path) -> None:
    old = build(tmp_path, "one")
    (old / "gone.html").write_text("gone", encoding="utf-8")
    sites.show_preview("amelia", "t1", old)
    sites.show_preview("amelia", "t1", build(tmp_path, "two"))
    (page,) = pages(place)
    shown = place.buckets.sites.read(page)
    assert shown is not None
    assert shown.content == mark_preview(b"two")
    assert page == f"{preview_place('amelia', 't1')}index.html"
    assert [each.thread for each in sites.previews("amelia")] == ["t1"]
    sites.remove_preview("amelia", "t1")
    assert (keys(place), list(sites.previews("amelia"))) == (set(), [])


def test_a_preview_and_its_release_share_one_upload(place: Place, sites: S3Sites, tmp_path: Path) -> None:
    """Of what is no page nothing travels twice, and the next preview of the thread asks for its one new page."""
    built = build(tmp_path, "c1")
    with asking(place) as first:
        sites.add_release("amelia", "c1", built)
        sites.show_preview("amelia", "t1", built)
    (built / "index.html").write_text("c2", encoding="utf-8")
    with asking(place) as second:
        sites.show_preview("amelia", "t1", built)

    # A page, a photo and the release's name; then the marked page.
    assert (first.count("PutObject"), first.count("CopyObject")) == (4, 1)
    assert (second.count("PutObject"), second.count("CopyObject")) == (1, 0)
    photo = place.clients.s3.head_object(
        Bucket=place.buckets.sites.name, Key=f"{preview_place('amelia', 't1')}images/a photo+1.avif"
    )
    assert (photo["ContentType"], photo["CacheControl"]) == ("image/avif", "no-cache")


def test_what_may_be_forgotten_is_removed_by_its_age_and_releases_are_not(
    place: Place, sites: S3Sites, tmp_path: Path
) -> None:
    """Each object is written as the product writes it, and held against the rules that the bucket really has."""
    built = build(tmp_path, "c1")
    sites.add_release("amelia", "c1", built)
    sites.switch_live("amelia", "c1", lane=LANE, fence=1, descends=later)
    lasting = keys(place)
    sites.show_preview("amelia", "t1", built)
    WaitingProjects(place.buckets.sites).add("amelia")
    found = place.clients.s3.get_bucket_lifecycle_configuration(Bucket=place.buckets.sites.name)
    ends = [rule["Filter"]["Prefix"] for rule in found["Rules"] if rule["Status"] == "Enabled"]

    assert {key for key in keys(place) if key.startswith(tuple(ends))} == keys(place) - lasting
    assert all(any(key.startswith(end) for key in keys(place)) for end in ends)


def test_a_preview_that_is_shown_again_after_a_month_is_written_anew(
    place: Place, sites: S3Sites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule of the bucket removes objects by their age; none may go while its neighbours are new."""
    sites.show_preview("amelia", "t1", build(tmp_path, "one"))
    monkeypatch.setattr("webordinary.engines.aws.s3.uploads.REFRESHED_AFTER", -REFRESHED_AFTER)
    with asking(place) as asked:
        sites.show_preview("amelia", "t1", tmp_path / "built-one")
    assert asked.count("PutObject") == 2


def test_what_an_earlier_version_uploaded_is_live_and_copied_from(place: Place, sites: S3Sites, tmp_path: Path) -> None:
    old = f"amelia/files/{'0' * 40}-{'f' * 12}/"
    place.buckets.sites.put(f"{old}images/a photo+1.avif", b"photo")
    files = {"images/a photo+1.avif": hashlib.sha256(b"photo").hexdigest()}
    record = json.dumps({"place": old, "turn": "", "files": files}).encode()
    place.buckets.sites.put(f"amelia/releases/{'0' * 40}.json", record)
    sites.switch_live("amelia", "0" * 40, lane=LANE, fence=1, descends=later)
    with asking(place) as asked:
        sites.add_release("amelia", "2" * 40, build(tmp_path, "2"))

    assert asked.count("CopyObject") == 1
    assert begins_commit(old) == "0" * 40
    assert begins_commit(new_release_place("amelia", "2" * 40)) == "2" * 8


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".live"])
def test_no_name_leads_to_another_place(sites: S3Sites, name: str) -> None:
    with pytest.raises(PublishFailed):
        sites.live(name)


def test_a_missing_bucket_is_named(place: Place) -> None:
    place.clients.s3.delete_bucket(Bucket=place.buckets.sites.name)
    with pytest.raises(Misconfigured, match=place.buckets.sites.name):
        S3Sites(place.buckets.sites).live("amelia")
