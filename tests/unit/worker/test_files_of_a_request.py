"""The files of a request as the agent finds them, as the site shows them, and as the answer tells them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.agent.agent import Task
from webordinary.agent.prompt import write_prompt
from webordinary.jobs.job import (
    Attached,
    Ending,
    FileKind,
    FileProblem,
    Job,
    Kind,
    Outcome,
    PictureVersion,
    Request,
    State,
)
from webordinary.jobs.journal import Journal
from webordinary.mail.message import picture_mark
from webordinary.routing.lane import Lane
from webordinary.testing.clock import ManualClock
from webordinary.worker.change.files import lay_out, refused_names, text_for_agent, with_files

if TYPE_CHECKING:
    from pathlib import Path

CONTENTS = {hashlib.sha256(content).hexdigest(): content for content in (b"avif", b"jpeg", b"pdf", b"svg")}
AVIF, JPEG, PDF, SVG = CONTENTS
OVEN = Attached(
    "Our oven.heic",
    "image/heic",
    JPEG,
    FileKind.PHOTO,
    size=9,
    versions=(PictureVersion("image/avif", AVIF, 4, 1600, 1200), PictureVersion("image/jpeg", JPEG, 4, 1600, 1200)),
    about="Our oven",
)
LOGO = Attached("logo.svg", "image/svg+xml", SVG, FileKind.PHOTO, versions=(PictureVersion("image/svg+xml", SVG, 3),))
MENU = Attached("menu.pdf", "application/pdf", PDF, size=3)
BROKEN = Attached("counter.jpg", "image/jpeg", "", FileKind.REFUSED, problem=FileProblem.UNREADABLE)
BOMB = Attached("bomb.png", "image/png", "", FileKind.REFUSED, problem=FileProblem.TOO_MANY_PIXELS, limit="64 MP")
PIXEL = Attached("image001.png", "image/png", "", FileKind.SKIPPED)
REQUEST = Request("Put the photo on the about page.", attachments=(OVEN, LOGO, MENU, BROKEN, BOMB, PIXEL))


def job(*used: str) -> Job:
    now = ManualClock().now().wall_at
    journal = Journal({"used": "\n".join(used)} if used else {})
    return Job(
        "job-1", Lane("amelia", "scott"), "t", 1, Kind.INSTRUCTION, State.RUNNING, "", REQUEST, now, journal=journal
    )


def test_what_can_be_used_lies_beside_the_checkout_and_nothing_else(tmp_path: Path) -> None:
    provided = lay_out(REQUEST, CONTENTS.__getitem__, tmp_path)
    assert [(each.name, each.path.name, each.path.read_bytes()) for each in provided] == [
        ("Our oven.heic", "Our oven.avif", b"avif"),
        ("Our oven.heic", "Our oven.jpg", b"jpeg"),
        ("logo.svg", "logo.svg", b"svg"),
        ("menu.pdf", "menu.pdf", b"pdf"),
    ]
    laid = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert laid == {"Our oven.avif", "Our oven.jpg", "logo.svg", "menu.pdf", "manifest.json"}


def test_the_manifest_tells_everything_that_came(tmp_path: Path) -> None:
    provided = lay_out(REQUEST, CONTENTS.__getitem__, tmp_path)
    manifest = json.loads((provided[0].path.parent / "manifest.json").read_text(encoding="utf-8"))
    oven, _, menu, broken, bomb, pixel = manifest["files"]
    assert (oven["name"], oven["about"], oven["fate"]) == ("Our oven.heic", "Our oven", "photo")
    assert [(each["content_type"], each["width"], each["bytes"]) for each in oven["files"]] == [
        ("image/avif", 1600, 4),
        ("image/jpeg", 1600, 4),
    ]
    assert menu["files"] == [{"path": str(provided[3].path), "content_type": "application/pdf", "bytes": 3}]
    assert [(each["fate"], each.get("problem"), "files" in each) for each in (broken, bomb, pixel)] == [
        ("refused", "unreadable", False),
        ("refused", "too_many_pixels", False),
        ("skipped", None, False),
    ]


def test_a_name_that_was_kept_long_ago_still_cannot_leave_the_folder(tmp_path: Path) -> None:
    request = Request("", attachments=(Attached("../../x.pdf", "application/pdf", PDF),))
    (only,) = lay_out(request, CONTENTS.__getitem__, tmp_path)
    assert only.path.parent == tmp_path / "attached"


def test_a_request_without_files_lays_nothing_out(tmp_path: Path) -> None:
    assert lay_out(Request("We open at nine."), CONTENTS.__getitem__, tmp_path) == ()
    assert list(tmp_path.iterdir()) == []


def test_the_prompt_names_each_picture_once_with_all_its_versions(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    files = lay_out(REQUEST, CONTENTS.__getitem__, home)
    prompt = write_prompt(Task(tmp_path, home, REQUEST.text, attachments=files, refused=refused_names(REQUEST)))
    assert prompt.count("- Our oven.heic (the owner says: Our oven):") == 1
    assert f"{files[0].path} (image/avif, 1600 x 1200)" in prompt
    assert f"{files[3].path} (application/pdf)" in prompt
    assert "- counter.jpg" in prompt
    assert "image001.png" not in prompt


def test_the_prompt_tells_the_owners_words_for_each_photo_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    versions = tuple(PictureVersion("image/jpeg", JPEG, 4, width, width // 2) for width in (800, 1600))
    photos = [Attached(name, "image/jpeg", JPEG, FileKind.PHOTO, versions=versions) for name in ("z.jpg", "a.jpg")]
    words = "Two photos for the about page. The first one shows the counter, the second one shows the oven."
    files = lay_out(Request(words, attachments=tuple(photos)), CONTENTS.__getitem__, tmp_path)
    prompt = write_prompt(Task(tmp_path, tmp_path, words, attachments=files))
    assert prompt.index("- z.jpg (the owner says: the counter):") < prompt.index("- a.jpg (the owner says: the oven):")
    assert "z-800.jpg (image/jpeg, 800 x 400)" in prompt
    assert "z.jpg (image/jpeg, 1600 x 800)" in prompt


def test_a_smaller_version_never_lies_where_another_photo_does(tmp_path: Path) -> None:
    versions = tuple(PictureVersion("image/jpeg", JPEG, 4, width, width // 2) for width in (800, 1600))
    photos = [Attached(name, "image/jpeg", JPEG, FileKind.PHOTO, versions=versions) for name in ("a.jpg", "a-800.jpg")]
    files = lay_out(Request("", attachments=tuple(photos)), CONTENTS.__getitem__, tmp_path)
    assert len({file.path for file in files}) == 4


def test_the_place_of_a_picture_that_nobody_meant_is_not_shown_to_the_agent() -> None:
    places = f"Hello\n{picture_mark('Our oven.heic')}\nRegards\n{picture_mark('image001.png')}"
    text = text_for_agent(Request(places, attachments=REQUEST.attachments))
    assert picture_mark("Our oven.heic") in text
    assert "image001.png" not in text


def test_the_answer_tells_of_each_file_what_became_of_it() -> None:
    facts = with_files(Ending(State.DONE, Outcome.PUBLISHED, facts={"summary": "Done."}), job("Our oven.heic"))
    assert facts["summary"] == "Done."
    assert facts["files"].split("\n") == [
        "used\tOur oven.heic",
        "kept\tlogo.svg",
        "kept\tmenu.pdf",
        "refused\tcounter.jpg\tunreadable\t",
        "refused\tbomb.png\ttoo_many_pixels\t64 MP",
    ]


def test_nothing_is_called_used_when_nothing_went_live() -> None:
    facts = with_files(Ending(State.FAILED, error="the build broke"), job("Our oven.heic"))
    assert facts["files"].startswith("kept\tOur oven.heic\n")


def test_a_job_with_nothing_but_a_logo_says_nothing_about_files() -> None:
    only_logo = Request("We open at nine.", attachments=(PIXEL,))
    told = with_files(Ending(State.DONE), replace(job(), request=only_logo))
    assert "files" not in told
