"""An owner's mails to a real coding agent, whose model plays scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.programs import WITH_MODEL, need_sandbox
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome, State
from webordinary.testing.model import ModelStep, ScriptedModel
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.testing.story import Story

CONTACT = "{{folder}}/contact.html"
READ = ModelStep(tools=(("Read", {"file_path": CONTACT}),))
SCRIPTS = {
    "nine": (
        READ,
        ModelStep(tools=(("Edit", {"file_path": CONTACT, "old_string": "8:00 – 18", "new_string": "9:00 – 18"}),)),
        ModelStep("You now open at nine."),
    ),
    "our address": (ModelStep("<question>\nWhich of the two?\n1. The old one\n2. The new one\n</question>"),),
    "^# Request of the site's owner\n\nThe new one": (
        READ,
        ModelStep(tools=(("Edit", {"file_path": CONTACT, "old_string": "Come by", "new_string": "Come by soon"}),)),
        ModelStep("The new address is shown."),
    ),
    "everything": tuple(READ for _ in range(50)),
    "dear": tuple(
        ModelStep(tools=READ.tools, usage={"input_tokens": 300_000, "output_tokens": 1000}) for _ in range(50)
    ),
    "workflow": (
        ModelStep(tools=(("Write", {"file_path": "{{folder}}/.github/workflows/x.yml", "content": "on: push"}),)),
        ModelStep("Done."),
    ),
}


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    need_sandbox()
    with ScriptedModel(SCRIPTS) as model:
        yield model


def claude(model: ScriptedModel, rung: str = "auto") -> dict[str, str]:
    agent = f'kind = "claude"\nkey = "sk-not-for-the-agent"\naddress = "{model.address}"'
    return {"agent": agent, "sandbox": f'mode = "{rung}"'}


@pytest.mark.parametrize("rung", WITH_MODEL)
def test_a_real_agent_changes_the_site(story: Story, model: ScriptedModel, rung: str) -> None:
    need_sandbox(rung)
    story.begin(settings=claude(model, rung))
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="Hours"))
    assert (job.state, job.outcome) == (State.DONE, Outcome.PUBLISHED)
    assert "9:00" in story.rig.page("amelia", "contact.html")
    assert [entry.text for entry in story.told(EventType.AGENT_SAID)][-1] != ""
    assert (job.journal.usd or 0) > 0
    assert set(model.keys) == {"sk-not-for-the-agent"}
    # Also what the agency has written down about the site.
    assert "Notes for whoever edits this site" in str(model.asked[0]["messages"])


@pytest.mark.thorough
def test_a_question_is_asked_by_mail_and_its_answer_resumes_the_session(story: Story, model: ScriptedModel) -> None:
    story.begin(settings=claude(model))
    first = story.waits_for_job(story.writes(SCOTT, "Put our address on the page"))
    asked = story.waits_for_answer(SCOTT)
    assert first.outcome == Outcome.ASKED
    assert "Which of the two?" in asked.text
    assert "2. The new one" in asked.text
    second = story.waits_for_job(story.writes(SCOTT, "2", in_reply_to=asked))
    assert second.outcome == Outcome.PUBLISHED
    assert "Come by soon" in story.rig.page("amelia", "contact.html")
    assert "Put our address on the page" in str(model.asked[-1]["messages"])


@pytest.mark.thorough
def test_over_the_budget_the_job_fails_with_its_work_kept_and_an_answer(story: Story, model: ScriptedModel) -> None:
    story.begin(settings=claude(model))
    job = story.waits_for_job(story.writes(SCOTT, "a dear one"))
    assert (job.state, job.outcome) == (State.FAILED, None)
    assert "more than I may use" in story.waits_for_answer(SCOTT).text
    # Whoever tries the same job again has that much less.
    assert (job.journal.spent or 0) > 1
    assert len(model.asked) < 6


@pytest.mark.thorough
def test_what_a_project_may_spend_in_a_day_holds_for_all_its_jobs(story: Story, model: ScriptedModel) -> None:
    rules = "budget = { usd = 0.9, usd_a_day = 0.8 }"
    story.begin(SiteSetup(BAKERY.id, BAKERY.editors, rules=rules), settings=claude(model))
    story.waits_for_job(story.writes(SCOTT, "a dear one"))
    asked = len(model.asked)
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert job.state == State.FAILED
    assert "0.8 USD a day" in story.waits_for_answer(SCOTT, count=2).text
    assert len(model.asked) == asked


def test_an_agent_that_writes_a_workflow_changes_nothing_live(story: Story, model: ScriptedModel) -> None:
    story.begin(settings=claude(model))
    job = story.waits_for_job(story.writes(SCOTT, "add a workflow"))
    assert job.outcome != Outcome.PUBLISHED
    assert story.rig.live_log("amelia") == ["The site as it was"]
