"""The page of a job tells the same story on every engine."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.rigs import RIGS
from tests.rigs.embedded import EmbeddedRig
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.thorough
BUILD = ("sh", "-c", "echo building; mkdir -p out; cp -r *.html *.css pictures out/")
BAKERY = SiteSetup("amelia", ((SCOTT.user, SCOTT.address),), build=BUILD, output="out")
# What is another one each time: names, moments, durations, addresses.
_OTHERS = re.compile(
    r"(job|mail|worker|thread)-[\w-]+|\b[0-9a-f]{9,64}\b|<time.*?</time>|[\d.]+ s\b|https?://\S+|rig\d+-\d+\.|\S+@\S+",
    re.DOTALL,
)
_SECTION = re.compile(r'<section id="(\w+)".*?</section>', re.DOTALL)


def told_parts(page: str) -> dict[str, str]:
    """Return the parts of a page as words, without what differs between any two stories."""
    sections = {found[1]: found[0] for found in _SECTION.finditer(page)}
    plain = {name: unescape(re.sub(r"<[^>]*>", " ", _OTHERS.sub("", text))) for name, text in sections.items()}
    return {name: " ".join(text.split()) for name, text in plain.items()}


def parts_on(engine: str, folder: Path) -> dict[str, str]:
    folder.mkdir()
    rig = RIGS[engine](folder)
    assert isinstance(rig, EmbeddedRig)
    story = Story(rig)
    try:
        story.begin(BAKERY)
        files = (("list.pdf", "application/pdf", b"%PDF-1.4\n%EOF\n"),)
        asked = 'Set the heading to "Bread worth the walk"'
        found = story.waits_for_job(story.writes(SCOTT, asked, subject="New heading", files=files))
        story.waits_for_answer(SCOTT)
        browser = Face(rig.here).signed_in()
        page = browser.get(f"/jobs/{found.id}").text
        for link in set(re.findall(rf"/jobs/{found.id}/(?:files|letters)/\w+", page)):
            assert browser.get(link).status_code == 200
        assert found.mail is not None
        mail = browser.get(f"/mail/{found.mail}").text
        assert "It became a job." in mail
        return told_parts(page)
    finally:
        rig.close()


def test_every_engine_tells_the_same_story(tmp_path: Path) -> None:
    embedded, aws = (parts_on(engine, tmp_path / engine) for engine in ("embedded", "aws"))
    assert {"request", "receipt", "change", "talk", "log", "answer", "steps"} <= set(embedded)
    assert set(embedded) == set(aws)
    for name in ("receipt", "change", "talk", "log"):
        assert embedded[name] == aws[name]
    for part in ("Set the heading", "list.pdf", "verified"):
        assert part in embedded["request"]
        assert part in aws["request"]
    for step in ("the agent begins to edit", "the site is built", "published, the site is live", "the answer for"):
        assert step in embedded["steps"]
        assert step in aws["steps"]
    assert "Done, your change is live." in embedded["answer"]
    assert "Done, your change is live." in aws["answer"]
