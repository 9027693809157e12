"""`stop` and `cancel` on every engine: what runs, what waits for an ok and what is planned does not go live."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_admission import SCOTT
from tests.contracts.test_one_word import DONE, MARIA, Desk
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.proposals import Standing
from webordinary.jobs.schedules import BY_TIME, Phase, Schedule, schedule_id
from webordinary.routing.project import Rules
from webordinary.worker.chores.punctual import Punctual

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job

AHEAD = timedelta(days=10)
PROPOSED = Ending(State.DONE, Outcome.PROPOSED, template="proposed")
WORDS = ["stop", "Cancel!", "Stopp", "abbrechen", "Arrêtez", "cancelar"]


@pytest.fixture
def desk(ports: Ports) -> Desk:
    return Desk(ports)


def plans(desk: Desk, *, to: Job | None = None, subject: str = "Closed") -> Job:
    """Let somebody ask for a change that goes live in ten days."""
    desk.says("We are closed from 24 Dec to 2 Jan.", to=to, subject=subject)
    return desk.ends(Ending(State.DONE, Outcome.SCHEDULED, template="scheduled", schedules=(_plan_of(desk),)))


def _plan_of(desk: Desk) -> Schedule:
    job = next(job for job in desk.ports.engine.overview.jobs() if job.state.is_live)
    at = desk.ports.now.wall_at + AHEAD
    name = schedule_id(job.id, Phase.PUBLISH)
    return Schedule(name, job.thread, job.lane, Phase.PUBLISH, at, "c0ffee", job.id, SCOTT)


def time_comes(desk: Desk) -> None:
    desk.ports.clock.advance(AHEAD + timedelta(days=1))
    Punctual(desk.ports.engine, desk.ports.clock).look()


def standing(desk: Desk, job: Job) -> Standing | None:
    found = desk.ports.engine.proposals.find(job.thread)
    return found.standing if found else None


@pytest.mark.parametrize("word", WORDS)
def test_a_planned_change_is_called_off_and_does_not_go_live_at_its_time(desk: Desk, word: str) -> None:
    planned = plans(desk)
    found = desk.ports.engine.schedules.find(schedule_id(planned.id, Phase.PUBLISH))
    assert found is not None
    said = desk.says(word, to=planned)
    assert (said.outcome, said.answer) == ("answered", "called_off")
    assert said.facts["called"] == f"was_planned\tClosed\t{found.at.isoformat()}"
    assert desk.says(word, to=planned).answer == "called_off"
    time_comes(desk)
    assert [job.id for job in desk.ports.engine.overview.jobs()] == [planned.id]


@pytest.mark.parametrize("word", WORDS)
def test_an_open_proposal_is_dropped_and_no_ok_brings_it_back(desk: Desk, word: str) -> None:
    proposed = desk.proposes()
    said = desk.says(word, to=proposed)
    assert (said.answer, said.facts["called"]) == ("called_off", "was_proposed\tMail 1")
    assert standing(desk, proposed) is Standing.WITHDRAWN
    assert desk.says("ok", to=proposed).answer == "nothing_to_approve"


def test_whoever_asked_hears_that_somebody_else_stopped_it(ports: Ports) -> None:
    desk = Desk(ports, Rules(approvers=("maria",)))
    proposed = desk.proposes()
    desk.letters()
    assert desk.says("stop", who=MARIA, to=proposed).answer == "called_off"
    assert desk.letters() == [(SCOTT, "withdrawn_by")]


def test_everything_that_waits_in_the_conversation_ends_and_is_named(desk: Desk) -> None:
    planned = plans(desk)
    proposed = desk.proposes(to=planned)
    queued = desk.says("And we open at ten.", to=proposed)
    said = desk.says("stop", to=desk.ports.job(queued.job or ""))
    assert said.answer == "called_off"
    assert [line.split("\t")[:2] for line in said.facts["called"].split("\n")] == [
        ["was_proposed", "Mail 2"],
        ["was_planned", "Closed"],
    ]
    assert desk.ports.job(queued.job or "").state is State.STOPPED
    assert standing(desk, proposed) is Standing.WITHDRAWN
    time_comes(desk)
    assert not any(job.state.is_live for job in desk.ports.engine.overview.jobs())


def test_a_stop_on_the_mail_of_one_of_them_leaves_the_other(desk: Desk) -> None:
    planned = plans(desk)
    proposed = desk.proposes(to=planned)
    said = desk.says("stop", to=proposed)
    assert said.facts["called"] == "was_proposed\tMail 2"
    assert [plan.job for plan in desk.ports.engine.schedules.all()] == [planned.id]
    again = desk.proposes(to=planned)
    said = desk.says("stop", to=planned)
    assert said.facts["called"].startswith("was_planned\tClosed\t")
    assert standing(desk, again) is Standing.OPEN
    other = plans(desk, to=planned, subject="Open late")
    third = plans(desk, to=planned, subject="Open early")
    desk.says("stop", to=third)
    assert [plan.job for plan in desk.ports.engine.schedules.all()] == [other.id]


def test_what_waits_in_another_conversation_stays(desk: Desk) -> None:
    planned, elsewhere = plans(desk), desk.proposes()
    desk.says("We open at nine.")
    live = desk.ends(DONE, commit="aaa")
    assert desk.says("stop", to=live).answer == "stop_is_live"
    assert [plan.job for plan in desk.ports.engine.schedules.all()] == [planned.id]
    assert standing(desk, elsewhere) is Standing.OPEN


def test_an_ok_that_waits_is_stopped_with_its_proposal_and_one_that_publishes_is_not(desk: Desk) -> None:
    proposed = desk.proposes()
    ok = desk.says("ok", to=proposed)
    assert desk.says("stop", to=proposed).answer == "called_off"
    assert desk.ports.job(ok.job or "").state is State.STOPPED
    again = desk.proposes()
    desk.says("ok", to=again)
    claimed = desk.ports.engine.claims.claim("w1", desk.ports.now)
    assert claimed is not None
    assert claimed.job is not None
    desk.ports.engine.attempts.pass_commit_point(claimed.claim, claimed.job, "c0ffee", desk.ports.now)
    assert desk.says("stop", to=again).answer == "too_late"
    assert standing(desk, again) is Standing.OPEN


def test_what_is_planned_ends_also_where_something_else_is_too_late(desk: Desk) -> None:
    planned = plans(desk)
    running = desk.says("We open at nine.", to=planned)
    claimed = desk.ports.engine.claims.claim("w1", desk.ports.now)
    assert claimed is not None
    assert claimed.job is not None
    desk.ports.engine.attempts.pass_commit_point(claimed.claim, claimed.job, "aaa", desk.ports.now)
    said = desk.says("stop", to=desk.ports.job(running.job or ""))
    assert said.answer == "too_late"
    assert said.facts["called"].startswith("was_planned\tClosed\t")
    assert desk.ports.engine.schedules.all() == []


def test_a_plan_whose_moment_has_just_come_is_stopped_as_a_job(desk: Desk) -> None:
    planned = plans(desk)
    time_comes(desk)
    assert desk.says("stop", to=planned).answer is None
    assert {job.state for job in desk.ports.engine.overview.jobs()} == {State.DONE, State.STOPPED}
    found = desk.ports.engine.schedules.find(schedule_id(planned.id, Phase.PUBLISH))
    assert found is not None
    assert found.closed_by == BY_TIME


def test_the_planned_end_of_what_is_live_stays_planned(desk: Desk) -> None:
    desk.says("Until Sunday we open at nine.")
    live = desk.ends(DONE, commit="aaa")
    at = desk.ports.now.wall_at + AHEAD
    end = Schedule(schedule_id(live.id, Phase.REVERT), live.thread, live.lane, Phase.REVERT, at, "aaa", live.id)
    desk.ports.engine.schedules.add(end, desk.ports.now)
    assert desk.says("stop", to=live).answer == "stop_is_live"
    assert [each.id for each in desk.ports.engine.schedules.all()] == [end.id]


@pytest.mark.parametrize("outcome", [Outcome.PROPOSED, Outcome.SCHEDULED])
def test_a_stop_in_the_moment_in_which_a_job_ends_leaves_nothing_waiting(desk: Desk, outcome: Outcome) -> None:
    asked = desk.says("We are closed from 24 Dec to 2 Jan.")
    claimed = desk.ports.engine.claims.claim("w1", desk.ports.now)
    assert claimed is not None
    job = claimed.job
    assert job is not None
    assert desk.says("stop", to=job).answer is None
    waits = Ending(State.DONE, outcome, template=outcome.value)
    waits = (
        replace(waits, proposal=desk.proposal(job, for_agency=False))
        if outcome is Outcome.PROPOSED
        else replace(waits, schedules=(_plan_of(desk),))
    )
    desk.ports.engine.attempts.finish(claimed.claim, job, waits, desk.ports.now)
    assert desk.ports.job(asked.job or "").state is State.STOPPED
    assert desk.ports.engine.schedules.all() == []
    assert desk.ports.engine.proposals.all_open() == []
    assert standing(desk, job) is (Standing.WITHDRAWN if outcome is Outcome.PROPOSED else None)
    assert [letter.words for letter in desk.ports.engine.outbox.take_due("w1", desk.ports.now, limit=9)] == ["stopped"]


def test_an_interrupt_in_that_moment_loses_nothing(desk: Desk) -> None:
    first = desk.says("We open at nine.")
    claimed = desk.ports.engine.claims.claim("w1", desk.ports.now)
    assert claimed is not None
    assert claimed.job is not None
    rule = InterruptRule(first_after=timedelta(0))
    desk.says("Another thing.")
    desk.ports.engine.lanes.enqueue(desk.ports.engine.overview.jobs()[0].id, rule, desk.ports.now)
    proposed = replace(PROPOSED, proposal=desk.proposal(claimed.job, for_agency=False))
    desk.ports.engine.attempts.finish(claimed.claim, claimed.job, proposed, desk.ports.now)
    assert desk.ports.job(first.job or "").outcome is Outcome.PROPOSED
