"""What the site's own history tells years later: what was asked, by whom, and no address of anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.rigs.embedded import EmbeddedRig, git
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, MARIA, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story


def newest(story: Story, form: str) -> str:
    assert isinstance(story.rig, EmbeddedRig)
    return git(story.rig.folder / "amelia.git", "log", "-1", f"--format={form}", "main").strip()


def test_a_commit_says_what_was_asked_and_by_whom_and_no_address(story: Story) -> None:
    story.begin()
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="New hours"))
    assert newest(story, "%B") == f"New hours\n\nWe open at nine now\n\nJob: {job.id}\nThread: {job.thread}"
    assert newest(story, "%an <%ae>") == "scott <scott@amelia.invalid>"


def test_a_change_that_somebody_else_approved_is_its_askers(story: Story) -> None:
    story.begin(
        SiteSetup(BAKERY.id, BAKERY.editors, rules='publish = "approve"'), settings={"git": "mail_addresses = true"}
    )
    story.writes(SCOTT, "We open at nine now", subject="New hours")
    asked = story.waits_for_answer(SCOTT)
    ok = story.waits_for_job(story.writes(MARIA, "ok", in_reply_to=asked))
    assert newest(story, "%B").startswith("New hours\n\nWe open at nine now\n\nJob: ")
    assert newest(story, "%an <%ae> %(trailers:key=Job,valueonly)") == f"scott <{SCOTT.address}> {ok.id}"
