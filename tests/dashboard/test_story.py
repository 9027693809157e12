"""The page of a job and of a mail, over a told story."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.rigs.embedded import EmbeddedRig
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

    from webordinary.jobs.job import Job

# A build that talks a lot, in odd bytes, and that breaks when a page says so.
SCRIPT = (
    "printf 'building\\033[31m red\\033[0m \\377\\000 <script>alert(3)</script>\\n';"
    " mkdir -p out; cp -r *.html *.css pictures out/; echo done >&2; ! grep -q breaks index.html"
)
BAKERY = SiteSetup("amelia", ((SCOTT.user, SCOTT.address),), build=("sh", "-c", SCRIPT), output="out")
ASKS = "Hello,\nwe open at nine now.\nThanks, Scott"
SETTINGS = {"pictures": "enabled = false"}


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    rig = EmbeddedRig(tmp_path)
    told = Story(rig)
    yield told
    rig.close()


def face_of(story: Story) -> Face:
    assert isinstance(story.rig, EmbeddedRig)
    return Face(story.rig.here)


def page_of(browser: TestClient, job: Job) -> str:
    answer = browser.get(f"/jobs/{job.id}")
    assert answer.status_code == 200
    return answer.text


def test_the_page_of_a_job_is_its_story(story: Story) -> None:
    story.begin(BAKERY)
    mail = story.writes(SCOTT, ASKS, subject="New hours", files=(("list.pdf", "application/pdf", b"%PDF-1.4\n%EOF\n"),))
    found = story.waits_for_job(mail)
    story.waits_for_answer(SCOTT)
    browser = face_of(story).signed_in()
    page = page_of(browser, found)
    for part in ("New hours", "we open at nine now", "verified", "list.pdf", "What changed for visitors", "Took"):
        assert part in page
    # The change line by line, and where that comes from.
    assert "kept with the job" in page
    assert re.search(r'<div class="added">\+.*9:00', page)
    # The build's log: odd bytes are marks, nothing of it runs.
    assert "building red" in page
    assert "&lt;script&gt;alert(3)" in page
    assert "<script>alert" not in page
    # The answer as it was sent, in words and in a frame.
    assert "Re: New hours" in page
    assert f'src="/jobs/{found.id}/letters/answer"' in page
