"""What is special about sites in S3: no folders, no links, no locks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from webordinary.engines.aws.sites import S3Sites, preview_key
from webordinary.errors import LostOwnership, Misconfigured, PublishFailed
from webordinary.site.sites import Switched
from webordinary.site.web.preview import mark_preview

if TYPE_CHECKING:
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
    return {stored.key for stored in place.buckets.sites.stored("amelia/")}


def pages(place: Place) -> list[str]:
    return sorted(key for key in keys(place) if key.endswith("index.html"))


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
        asked: list[str] = []
        place.clients.s3.meta.events.register(
            "before-call.s3", lambda model, asked=asked, **_: asked.append(model.name)
        )
        sites.add_release("amelia", commit, built)
        sites.switch_live("amelia", commit, lane=LANE, fence=1, descends=later)
    # The changed page, the release's name with its manifest, and the pointer travel; the rest is copied.
    assert (asked.count("PutObject"), asked.count("CopyObject")) == (3, 2)
    (copied,) = [key for key in keys(place) if "c2-" in key and key.endswith("same.html")]
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
    sites.show_preview("amelia", "t1", build(tmp_path, "one"))
    sites.show_preview("amelia", "t1", build(tmp_path, "two"))
    (page,) = pages(place)
    shown = place.buckets.sites.read(page)
    assert shown is not None
    assert shown.content == mark_preview(b"two")
    pointer = place.buckets.sites.read(preview_key("amelia", "t1"))
    assert pointer is not None
    assert page.removesuffix("index.html").encode() in pointer.content


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".live"])
def test_no_name_leads_to_another_place(sites: S3Sites, name: str) -> None:
    with pytest.raises(PublishFailed):
        sites.live(name)


def test_a_missing_bucket_is_named(place: Place) -> None:
    place.clients.s3.delete_bucket(Bucket=place.buckets.sites.name)
    with pytest.raises(Misconfigured, match=place.buckets.sites.name):
        S3Sites(place.buckets.sites).live("amelia")
