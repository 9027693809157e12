"""How often a site is built: once for a mail, and what one build has shown is not built again."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.programs import need
from tests.rigs.embedded import EmbeddedRig
from webordinary.cli.release import publish_first
from webordinary.jobs.job import Outcome
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.testing.story import Story


@pytest.fixture
def log() -> Iterator[Path]:
    """Return a file that a build may write to, whoever it runs as."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "builds").touch()
        (Path(folder) / "builds").chmod(0o666)
        yield Path(folder) / "builds"


STAMP = 'echo "<p>Built at $(date +%s%N) on this machine.</p>" >> dist/contact.html'


class Site:
    """A published site whose build notes each of its runs."""

    def __init__(self, story: Story, log: Path, rules: str = "", more: str = "true", where: str = "") -> None:
        assert isinstance(story.rig, EmbeddedRig)
        self._log, self._seen = log, 0
        copied = "rm -rf dist && mkdir dist && cp ./*.html dist/"
        command = ("sh", "-c", f"{copied} && {more} && echo built >> {log}")
        site = SiteSetup(BAKERY.id, BAKERY.editors, build=command, output="dist", rules=rules, where=where)
        story.begin(site, settings={"sandbox": 'mode = "none"', "pictures": 'deadline = "50 s"'}, workers=0)
        # What a host builds itself is not shown by us before the first mail.
        assert publish_first(story.rig.here, story.rig.here.config.projects[0]) is not bool(where)
        assert self.builds() == (0 if where else 1)
        story.rig.start_worker()

    def builds(self) -> int:
        """Return how often it was built since the last time that somebody asked."""
        before, self._seen = self._seen, len(self._log.read_text(encoding="utf-8").splitlines())
        return self._seen - before


@pytest.mark.thorough
def test_the_first_mail_the_next_and_a_follow_up_are_one_build_each(story: Story, log: Path) -> None:
    site = Site(story, log)
    assert story.waits_for_job(story.writes(SCOTT, "We open at nine now")).outcome == Outcome.PUBLISHED
    answer = story.waits_for_answer(SCOTT)
    assert site.builds() == 1
    assert story.waits_for_job(story.writes(SCOTT, 'Set the heading to "Bread"')).outcome == Outcome.PUBLISHED
    assert site.builds() == 1
    follow_up = story.writes(SCOTT, "We open at ten now", in_reply_to=answer)
    assert story.waits_for_job(follow_up).outcome == Outcome.PUBLISHED
    assert site.builds() == 1


@pytest.mark.thorough
def test_an_undo_is_one_build_as_soon_as_a_site_is_known_to_build_the_same_twice(story: Story, log: Path) -> None:
    site = Site(story, log)
    story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    report = story.waits_for_answer(SCOTT)
    site.builds()
    assert story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=report)).outcome == Outcome.UNDONE
    undone = story.waits_for_answer(SCOTT, count=2)
    # Nobody has looked yet what two builds of the same commit differ in.
    assert site.builds() == 2
    assert story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=undone)).outcome == Outcome.UNDONE
    assert site.builds() == 1


@pytest.mark.thorough
def test_an_ok_is_one_build_because_the_proposal_has_found_the_noise(story: Story, log: Path) -> None:
    site = Site(story, log, rules='publish = "approve"', more=STAMP)
    story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    proposal = story.waits_for_answer(SCOTT)
    assert site.builds() == 2
    job = story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=proposal))
    assert job.outcome == Outcome.PUBLISHED
    assert site.builds() == 1


@pytest.mark.thorough
def test_where_releases_do_not_lie_here_the_last_build_is_kept(story: Story, log: Path) -> None:
    site = Site(story, log, where='target = "git"\nurl = "https://bakery.example/"')
    assert story.waits_for_job(story.writes(SCOTT, "We open at nine now")).outcome == Outcome.PUBLISHED
    # Nobody has seen yet what is live.
    assert site.builds() == 2
    assert story.waits_for_job(story.writes(SCOTT, 'Set the heading to "Bread"')).outcome == Outcome.PUBLISHED
    assert site.builds() == 1
    assert isinstance(story.rig, EmbeddedRig)
    (kept,) = (path for path in (story.rig.folder / "data" / "known" / "amelia").iterdir() if path.is_dir())
    assert "Bread" in (kept / "index.html").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_pictures_are_taken_from_the_releases(story: Story, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("chromium")
    monkeypatch.delenv("WEBORDINARY_PICTURES_MODE")
    site = Site(story, log)
    story.waits_for_job(story.writes(SCOTT, 'Set the heading to "Bread worth the walk"'))
    answer = story.waits_for_answer(SCOTT)
    shown = len(answer.pictures)
    assert shown >= len(("before", "after"))
    assert site.builds() == 1
