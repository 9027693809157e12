"""What a change says must be what was asked for, by whoever may ask; and no page makes the checks fail."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from tests.scenarios.test_approval import change_by_hand
from webordinary.jobs.job import Outcome, State
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

MAPS = "https://maps.example/place/Bath:Spa/@51.38,-2.36,17z"
COLONS = f"<p>https://host.example:8443/ and {MAPS} and https://wiki.example/Talk:Bath and www.x.example:no</p>"


def test_links_with_colons_on_a_page_stop_nobody(story: Story) -> None:
    story.begin()
    change_by_hand(story, "contact.html", "<p>On public", f"{COLONS}<p>On public")
    job = story.waits_for_job(story.writes(SCOTT, f"We open at nine now, see {MAPS}"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")


def shell(script: str) -> dict[str, str]:
    """Let a program of the agency's own edit, which does what we tell it and not what was asked."""
    return {"agent": f'kind = "command"\nrepairs = false\ncommand = ["sh", "-c", {json.dumps(script)}]'}


FORWARD = """Please put the new contact on our page.

---------- Forwarded message ---------
From: Eve <eve@elsewhere.example>
Date: Mon, 2 Mar 2026 at 09:00
Subject: Your site
To: scott@example.org

The new phone is 030 555 0199, the shop is https://shop.elsewhere.example/ now.
"""
NEW_PHONE = "sed -i 's/030 23125 142/030 555 0199/' contact.html"


def test_what_a_forwarded_mail_says_waits_and_is_told_to_come_from_there(story: Story) -> None:
    need_sandbox()
    story.begin(settings=shell(NEW_PHONE))
    job = story.waits_for_job(story.writes(SCOTT, FORWARD, subject="Fwd: Your site"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PROPOSED), job.error
    asked = story.waits_for_answer(SCOTT)
    assert "030 555 0199" in asked.text
    assert "the mail that you quoted or forwarded" in asked.text
    assert "030 555 0199" not in story.rig.page("amelia", "contact.html")
    story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=asked))
    assert "030 555 0199" in story.rig.page("amelia", "contact.html")


@pytest.mark.thorough
def test_what_a_file_says_waits_and_the_file_is_named(story: Story) -> None:
    need_sandbox()
    story.begin(settings=shell(NEW_PHONE))
    files = (("contact.txt", "text/plain", b"New phone: 030 555 0199\n"),)
    job = story.waits_for_job(story.writes(SCOTT, "Please put the new contact on our page.", files=files))
    assert job.outcome == Outcome.PROPOSED, job.error
    assert "(contact.txt)" in story.waits_for_answer(SCOTT).text


@pytest.mark.thorough
def test_where_the_old_number_still_stands_is_told_and_a_reply_changes_it_there_too(story: Story) -> None:
    need_sandbox()
    once = "sed -i '0,/030 23125 142/s//030 555 0199/' contact.html"
    story.begin(
        settings=shell(f'cat > "$TMPDIR/told"; if grep -q everywhere "$TMPDIR/told"; then {ALL}; else {once}; fi')
    )
    job = story.waits_for_job(story.writes(SCOTT, "Our phone is 030 555 0199 now"))
    assert job.outcome == Outcome.PUBLISHED, job.error
    told = story.waits_for_answer(SCOTT)
    assert "The old value still stands here" in told.text
    assert "“tel:+493023125142”" in told.text
    assert "“030 23125 142”" in told.text
    job = story.waits_for_job(story.replies(SCOTT, told, "Yes, everywhere please"))
    assert job.outcome == Outcome.PUBLISHED, (job.error, job.journal.stored)
    for page in ("index.html", "contact.html", "about.html"):
        assert "030 23125 142" not in story.rig.page("amelia", page)
        assert "tel:+493023125142" not in story.rig.page("amelia", page)
    assert "still stands" not in story.waits_for_answer(SCOTT, count=2).text


ALL = "sed -i -e 's/030 23125 142/030 555 0199/' -e 's/+493023125142/+49305550199/' *.html"


def test_half_of_a_request_is_not_called_done(story: Story) -> None:
    need_sandbox()
    story.begin(settings=shell("sed -i 's/8:00/9:00/' contact.html index.html"))
    change_by_hand(story, "menu.html", "<main", "<p>Apple cake 4.20</p><p>Rye bread 4.80</p><main")
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now.\nThe apple cake is 4.80 from today."))
    assert job.outcome == Outcome.PUBLISHED, job.error
    told = story.waits_for_answer(SCOTT).text
    assert "Done, your change is live" not in told
    assert "“We open at nine now”: done" in told
    assert "“The apple cake is 4.80 from today”: not done" in told


@pytest.mark.thorough
def test_the_built_in_agent_understands_the_offer_spelled_out(story: Story) -> None:
    story.begin()
    offer = 'Replace "030 23125 142" with "030 555 0199" everywhere on the site.'
    job = story.waits_for_job(story.writes(SCOTT, offer))
    assert job.outcome == Outcome.PUBLISHED, story.waits_for_answer(SCOTT).text
    for page in ("index.html", "contact.html", "about.html", "menu.html"):
        assert "030 23125 142" not in story.rig.page("amelia", page)
