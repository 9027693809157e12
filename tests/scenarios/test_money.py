"""What mails to a real coding agent can cost, whatever happens to its worker, its editors and its model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

import pytest

from tests.programs import need_sandbox
from tests.scenarios.test_claude import CONTACT, READ, claude
from webordinary.actions.money import waiting_for_money
from webordinary.audit.entry import EventType
from webordinary.cli.program import run
from webordinary.jobs.job import Outcome, State
from webordinary.testing.model import ModelStep, ScriptedModel
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, MARIA, SCOTT
from webordinary.worker.chores.told_spending import spending_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.rigs.embedded import EmbeddedRig
    from webordinary.testing.story import Story

# Three dollars for a million: each of these costs 0.45.
DEAR = ModelStep(tools=READ.tools, usage={"input_tokens": 150_000, "output_tokens": 10})
EDIT = ModelStep(tools=(("Edit", {"file_path": CONTACT, "old_string": "8:00 – 18", "new_string": "9:00 – 18"}),))
CREDIT = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."
SCRIPTS = {
    "killed": (DEAR, DEAR, DEAR, ModelStep("Hm", hangs=True)),
    "dear": (DEAR,) * 50,
    "poor": (ModelStep(error=400, kind="invalid_request_error", says=CREDIT),),
    "unknown": (ModelStep(error=404, kind="not_found_error", says="model: claude-sonnet-9"),),
}


class Model(ScriptedModel):
    """Counts what it has answered with tools; its first answers may be that it has too much to do."""

    busy = 0

    def step_for(self, asked: dict[str, object]) -> ModelStep:
        if asked.get("tools") and self.busy > 0:
            self.busy -= 1
            return ModelStep(error=529, kind="overloaded_error", says="Overloaded")
        return super().step_for(asked)

    @property
    def answered(self) -> int:
        return sum(bool(each.get("tools")) for each in self.asked)


@pytest.fixture
def model() -> Iterator[Model]:
    need_sandbox()
    with Model({**SCRIPTS, "nine": (READ, EDIT, ModelStep("You now open at nine."))}) as model:
        yield model


def settings(model: Model, workers: str = "") -> dict[str, str]:
    agency = f'address = "{AGENCY.address}"'
    return {**claude(model), "agency": agency, **({"workers": workers} if workers else {})}


@pytest.mark.thorough
def test_after_a_killed_worker_the_next_attempt_has_only_what_is_left(story: Story, model: Model) -> None:
    rules = "budget = { usd = 1.5 }"
    (first,) = story.begin(SiteSetup(BAKERY.id, BAKERY.editors, rules=rules), settings=settings(model))
    mail = story.writes(SCOTT, "the killed one")
    story.waits_until(lambda: model.answered == 4)
    story.rig.kill_worker(first)
    story.rig.start_worker()
    job = story.waits_for_job(mail)
    assert (job.state, job.error) == (State.FAILED, "the request used up 1.50 USD")
    assert "more than I may use" in story.waits_for_answer(SCOTT).text
    # Three answers were paid, the fourth was set aside for, and nothing is left for a fifth.
    assert model.answered == 4


@pytest.mark.thorough
def test_a_days_money_holds_for_editors_at_the_same_time(story: Story, model: Model) -> None:
    rules = "budget = { usd = 2.0, usd_a_day = 2.5 }"
    site = SiteSetup(BAKERY.id, BAKERY.editors, rules=rules)
    story.begin(site, settings=settings(model), workers=2)
    mails = [story.writes(person, "a dear one") for person in (SCOTT, MARIA)]
    jobs = [story.waits_for_job(mail) for mail in mails]
    assert {job.state for job in jobs} == {State.FAILED}
    spent = sum(job.journal.spent or 0 for job in jobs)
    # Its question was counted shorter than the model says it is: one answer for each job may be over.
    assert spent <= 2.5 + 2 * 0.45
    assert model.answered <= 7
    assert "USD" in story.waits_for_answer(MARIA).text


@pytest.mark.thorough
@pytest.mark.parametrize(("request_", "remedy"), [("the poor one", "add credit"), ("the unknown one", "agent.model")])
def test_what_only_the_agency_can_mend_is_told_to_it_at_once(
    story: Story, model: Model, request_: str, remedy: str
) -> None:
    story.begin(settings=settings(model))
    job = story.waits_for_job(story.writes(SCOTT, request_))
    assert (job.state, job.attempt) == (State.FAILED, 1)
    assert "not your fault" in story.waits_for_answer(SCOTT).text
    told = story.waits_for_answer(AGENCY)
    assert remedy in told.text
    assert job.id in told.text
    assert not story.told(EventType.JOB_RETRIED)


@pytest.mark.thorough
def test_a_model_that_has_too_much_to_do_is_waited_for(story: Story, model: Model) -> None:
    # Each run asks four times: three attempts would be used up long before.
    model.busy = 18
    story.begin(settings=settings(model, 'overload = ["50 ms"]'))
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="Hours"))
    assert (job.outcome, job.attempt) == (Outcome.PUBLISHED, 1)
    assert len(story.told(EventType.JOB_RETRIED)) >= 4


def wait_settings(model: Model) -> dict[str, str]:
    return {**settings(model), "agency": f'address = "{AGENCY.address}"\ndigest = false'}


@pytest.mark.thorough
@pytest.mark.both_engines
def test_a_job_over_the_days_money_waits_for_the_agency_and_goes_on_when_it_says_so(
    story: Story, model: Model, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = 'budget = { usd_a_day = 0.5, when_spent = "wait" }'
    story.begin(SiteSetup(BAKERY.id, BAKERY.editors, rules=rules), settings=wait_settings(model))
    mail = story.writes(SCOTT, "a dear one")
    story.waits_for(EventType.JOB_RETRIED)
    job = story.job_of(mail)
    assert (job.state, job.attempt, job.error) == (State.QUEUED, 0, "what may be spent in a day is spent")
    assert "your request has to wait" in story.waits_for_answer(SCOTT).text
    told = story.waits_for_answer(AGENCY)
    assert "0.5 USD a day" in told.text
    assert "webordinary budget allow amelia" in told.text
    # Another one's mail finds nothing either; the agency has heard of it, and who wrote hears it too.
    second = story.writes(MARIA, "a dear one")
    story.waits_for(EventType.JOB_RETRIED, count=2)
    assert "your request has to wait" in story.waits_for_answer(MARIA).text
    asked = model.answered
    rig = cast("EmbeddedRig", story.rig)
    here = rig.here
    found = spending_of(here.engine, here.config.projects[0], here.clock.now().wall_at)
    assert found.month.outcomes == {}
    assert found.month.open == pytest.approx(found.today) == pytest.approx(found.month.usd)
    assert set(waiting_for_money(here, here.config.projects[0])) == {job.id, story.job_of(second).id}
    for name, value in rig.environment().items():
        monkeypatch.setenv(name, value)
    capsys.readouterr()
    command = ["budget", "allow", "amelia", "--usd", "1", "--json", "--config", str(here.config.path)]
    assert run(command) == 0
    record = json.loads(capsys.readouterr().out)
    assert set(record["jobs"]) == {job.id, story.job_of(second).id}
    assert (record["allowed"], record["allowed_today"], record["usd_a_day"]) == (1, 1, 0.5)
    assert story.told(EventType.MONEY_ALLOWED)
    # Both go on at once, with what they have done; they find the end of that too and wait again without a word.
    story.waits_for(EventType.JOB_RETRIED, count=4)
    assert model.answered > asked
    assert len(story.rig.mailbox(SCOTT.address)) == len(story.rig.mailbox(AGENCY.address)) == 1
    # A person can still end it.
    story.rig.stop_job(job.id, "agency")
    assert story.waits_for_job(mail).state == State.STOPPED


@pytest.mark.thorough
def test_what_came_of_the_money_is_told_for_each_outcome(story: Story, model: Model) -> None:
    story.begin(SiteSetup(BAKERY.id, BAKERY.editors, rules="budget = { usd = 1.0 }"), settings=wait_settings(model))
    done = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="Hours"))
    failed = story.waits_for_job(story.writes(SCOTT, "a dear one"))
    assert (done.outcome, failed.state) == (Outcome.PUBLISHED, State.FAILED)
    here = cast("EmbeddedRig", story.rig).here
    found = spending_of(here.engine, here.config.projects[0], here.clock.now().wall_at)
    assert {name: cost.jobs for name, cost in found.month.outcomes.items()} == {"published": 1, "failed": 1}
    assert found.month.outcomes["published"].usd == pytest.approx(done.journal.spent, abs=0.001)
    assert found.month.open == pytest.approx(0, abs=0.001)
    assert found.month.usd == pytest.approx(found.today)
