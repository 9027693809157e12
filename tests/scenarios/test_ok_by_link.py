"""An ok by the link in the mail brings the change live as an ok by mail does, on every engine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from webordinary.actions import ok_link
from webordinary.audit.entry import EventType
from webordinary.errors import Refused
from webordinary.jobs.job import Outcome
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, MARIA, SCOTT

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.testing.story import Story

MARIAS_OK = SiteSetup(BAKERY.id, BAKERY.editors, rules='publish = "approve"\napprovers = ["maria"]')
SETTINGS = {
    "agency": f'address = "{AGENCY.address}"\ndigest = false',
    "dashboard": 'url = "http://127.0.0.1:8090"',
}
LINK = re.compile(r"http://127\.0\.0\.1:8090/ok/([a-z2-7]+)")
NINE = "9:00 – 18:00"


def test_an_approver_says_ok_without_an_account_and_both_are_told(story: Story) -> None:
    story.begin(MARIAS_OK, settings=SETTINGS)
    here: Installation = story.rig.here  # type: ignore[attr-defined]  # both engines' rigs have one
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="New hours"))
    assert job.outcome == Outcome.PROPOSED
    # Scott may not decide, so his mail has no link; Maria's has.
    assert LINK.search(story.waits_for_answer(SCOTT).text) is None
    found = LINK.search(story.waits_for_answer(MARIA).text)
    assert found is not None
    owner = ok_link.who_was_asked(here, found[1])
    assert owner is not None
    assert (owner.person, owner.job.id, ok_link.what_became(here, owner)) == (MARIA.address, job.id, None)
    letter = ok_link.letter_of(here, owner)
    assert letter is not None
    assert letter.words == "ok_wanted"
    done = ok_link.say_ok(here, owner)
    with pytest.raises(Refused):
        ok_link.say_ok(here, owner)
    story.waits_for(EventType.JOB_DONE, matching=lambda entry: entry.job == done.job)
    assert NINE in story.rig.page("amelia", "contact.html")
    assert NINE in story.waits_for_answer(MARIA, count=2).text
    assert NINE in story.waits_for_answer(SCOTT, count=2).text
    assert ok_link.what_became(here, owner) == ok_link.TAKEN
