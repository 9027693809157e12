"""An agent looks at the built site while it works, and what it may see."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.programs import need, need_sandbox
from tests.scenarios.test_claude import CONTACT, READ, claude
from tests.scenarios.test_command import runs
from tests.unit.agent.test_look import shown
from webordinary.jobs.job import Outcome, State
from webordinary.testing.model import ModelStep, ScriptedModel
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

CHANGES = "sed -i 's/8:00 – 18/9:00 – 18/' contact.html"
LOOKS = (
    "webordinary-look text contact.html before | grep -c '8:00 – 18'",
    "webordinary-look text /contact | grep -c 9:00",
    "webordinary-look search '9:00 – 18' | grep -c contact.html",
    "webordinary-look receipt | grep '9:00'",
    "webordinary-look picture contact.html",
)


def test_a_command_reads_searches_and_has_its_receipt_without_a_browser(story: Story) -> None:
    need_sandbox()
    settings = runs("; ".join((CHANGES, *LOOKS, "true"))) | {"pictures": 'browser = "/nonexistent/browser"'}
    story.begin(settings=settings)
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    *counted, told, picture = job.journal.summary.splitlines()
    assert counted == ["1", "1", "1"]
    assert "“8:00 – 18:00” would become “9:00 – 18:00”" in told
    assert "pictures are turned off here" in picture or "there is no browser" in picture
    assert job.journal.looks == len(LOOKS)


HOSTILE = (
    "ln -s /etc/passwd stolen.html; ln -s / outside",
    "mkfifo pipe.html",
    "webordinary-look text ../../../../etc/passwd",
    "rm stolen.html outside pipe.html",
    "webordinary-look text ../../../../etc/passwd",
    "webordinary-look text /proc/self/environ",
    "for i in 1 2 3; do webordinary-look search croissant | tail -1; done",
)


def test_a_hostile_agent_sees_pages_and_nothing_else_and_not_for_ever(story: Story) -> None:
    need_sandbox()
    setup = SiteSetup(BAKERY.id, BAKERY.editors, rules="budget = { looks = 4 }")
    story.begin(setup, settings=runs("; ".join((*HOSTILE, CHANGES))))
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    said = job.journal.summary
    assert "root:" not in said
    assert "is a link that leads out of the site" in said
    assert said.count("there is no such page in the built site; its pages are 404.html") == 2
    assert said.count("all looks of this job are used up") == 2
    assert job.journal.looks == 4


LOOKED = (
    ModelStep(tools=(("mcp__site__text", {"page": "contact.html"}), *READ.tools)),
    ModelStep(tools=(("Edit", {"file_path": CONTACT, "old_string": "8:00 – 18", "new_string": "9:00 – 18"}),)),
    ModelStep(tools=(("mcp__site__picture", {"page": "contact.html"}), ("mcp__site__receipt", {}))),
    ModelStep("You now open at nine."),
)


@pytest.mark.thorough
def test_claude_sees_what_it_changed_before_and_after_when_it_asks_and_when_it_is_asked_to_mend_it(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("chromium")
    need_sandbox()
    monkeypatch.delenv("WEBORDINARY_PICTURES_MODE", raising=False)
    with ScriptedModel({"nine": LOOKED}) as model:
        story.begin(settings=claude(model) | {"pictures": 'deadline = "50 s"'})
        job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
        assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
        # The old hours still stand elsewhere: there was one round of repair.
        assert job.journal.repaired == 1
        assert len(shown(model.asked)) == 4
        said = json.dumps(model.asked[-1]["messages"], ensure_ascii=False)
        assert said.count("contact.html on a computer, before and after your work") == 2
        assert "“8:00 – 18:00” would become “9:00 – 18:00”" in said
        assert job.journal.looks == 3


BREAKS = "grep -q BROKEN contact.html && { echo no such page >&2; exit 3; }"
HANGS = "test -e hangs && exec tail -f /dev/null"
BUILD = ("sh", "-c", f"{HANGS}; {BREAKS}; mkdir -p out; cp *.html *.css out")


@pytest.mark.thorough
def test_it_is_told_why_its_site_cannot_be_built_and_builds_once_for_each_state(story: Story) -> None:
    need_sandbox()
    breaks = "cp contact.html $HOME/kept; echo BROKEN >> contact.html; webordinary-look text contact.html"
    mends = "cp $HOME/kept contact.html"
    looks = "webordinary-look search croissant | wc -l; webordinary-look receipt | tail -1"
    leaves = "ls -d out 2> /dev/null | wc -l"
    # The build of its last look never ends, and is ended with its run.
    hangs = "touch hangs; timeout 2 webordinary-look text contact.html; rm hangs"
    settings = runs(f"{breaks}; {mends}; {CHANGES}; {looks}; {hangs}; {leaves}")
    story.begin(SiteSetup(BAKERY.id, BAKERY.editors, BUILD, "out"), settings=settings)
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED), job.error
    assert "the site's build ended with an error (code 3)\n\nno such page" in job.journal.summary
    # What was built lies nowhere in the agent's folder.
    assert job.journal.summary.splitlines()[-1] == "0"
