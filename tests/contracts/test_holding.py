"""Who lets answers wait, and lets them go, on every engine."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tests.contracts.test_held_answers import TOLD, held
from tests.contracts.test_lanes import take
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.routing.project import AnswerRule, Editor, Project, Rules, SiteTarget
from webordinary.worker.chores.holding import Holding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.rigs.ports import Ports
    from webordinary.reply.outbox import Letter

SCOTT = "scott@example.org"


class OneProject(ConfiguredProjects):
    """A project whose rule a test chooses."""

    def __init__(self, answers: AnswerRule) -> None:
        super().__init__(())
        self.answers = answers

    def find(self, project: str) -> Project | None:
        target = SiteTarget("folder", str(Path("sites") / project))
        editors = (Editor("scott", SCOTT),)
        return Project(project, project, project, "main", (), ".", Rules(answers=self.answers), target, editors)


class SomeProjects(ConfiguredProjects):
    """Projects of which each has a rule of its own."""

    def __init__(self, answers: Mapping[str, AnswerRule]) -> None:
        super().__init__(())
        self.answers = answers

    def find(self, project: str) -> Project | None:
        return OneProject(self.answers[project]).find(project)


def holding(ports: Ports, answers: AnswerRule, agency: str = "agency@example.com") -> Holding:
    return Holding(replace(ports.engine, projects=OneProject(answers)), ports.clock, agency)


def answered(ports: Ports, words: str = "published", thread: str = "t1") -> Letter:
    """Let a job end, and reserve its answer."""
    ports.queue(thread=thread, reply_to=SCOTT)
    claim, job = take(ports)
    ports.engine.attempts.finish(
        claim, job, Ending(State.DONE, Outcome.PUBLISHED, template=words, facts=TOLD), ports.now
    )
    ports.engine.claims.release(claim, ports.now)
    letter = ports.engine.outbox.take(f"{job.id}.answer", "one", ports.now)
    assert letter is not None
    return letter


def test_an_answer_waits_only_where_the_project_says_so(ports: Ports) -> None:
    letter = answered(ports)
    assert not holding(ports, AnswerRule.SEND).keep(letter)
    assert holding(ports, AnswerRule.HOLD).keep(letter)
    assert [each.job for each in ports.engine.held_answers.all()] == [letter.job]


def test_what_asks_for_an_ok_or_goes_to_the_agency_itself_does_not_wait(ports: Ports) -> None:
    proposal = answered(ports, "proposed")
    assert not holding(ports, AnswerRule.HOLD).keep(proposal)
    assert not holding(ports, AnswerRule.HOLD).keep(replace(proposal, kind="reminder", words="reminder"))
    assert not holding(ports, AnswerRule.HOLD, agency=SCOTT.upper()).keep(answered(ports))


def test_the_answer_of_a_sender_that_died_before_it_let_it_wait_waits_all_the_same(ports: Ports) -> None:
    letter = answered(ports)
    ports.clock.advance(timedelta(minutes=10))
    again = ports.engine.outbox.take(letter.key, "two", ports.now)
    assert again is not None
    # The first one comes back to life: the answer is not its own any more, and it must not send it.
    assert holding(ports, AnswerRule.HOLD).keep(letter)
    assert not ports.engine.held_answers.all()
    assert holding(ports, AnswerRule.HOLD).keep(again)
    assert len(ports.engine.held_answers.all()) == 1


def test_an_answer_that_was_written_before_is_sent(ports: Ports) -> None:
    letter = answered(ports)
    ports.engine.outbox.seal(letter, b"bytes", "ours@edit.example.com", ports.now)
    assert not holding(ports, AnswerRule.HOLD).keep(replace(letter, sealed=b"bytes"))


def test_what_waits_goes_out_when_the_project_no_longer_holds_its_answers(ports: Ports) -> None:
    first = held(ports)
    holding(ports, AnswerRule.HOLD).let_go()
    assert len(ports.engine.held_answers.all()) == 1
    # What comes between is answered behind it, as the rule for new answers has changed already.
    behind = answered(ports)
    other = answered(ports, thread="t2")
    now = holding(ports, AnswerRule.SEND)
    assert now.keep(behind)
    assert not now.keep(other)
    now.let_go()
    assert not ports.engine.held_answers.all()
    going = [letter.job for letter in ports.engine.outbox.take_due("two", ports.now)]
    assert sorted(going, key=str) == sorted([first.job, behind.job], key=str)


def test_what_waits_elsewhere_keeps_nothing_from_going_out(ports_of_one_machine: Ports) -> None:
    ports = ports_of_one_machine
    for number in range(101):
        held(ports, f"t{number}")
    behind = answered(ports, thread="t100")
    rules = {"amelia": AnswerRule.HOLD, "bakery": AnswerRule.SEND}
    assert holding(ports, AnswerRule.SEND).keep(behind), "an earlier answer of its conversation waits"
    ports.queue("bakery#scott", "b", reply_to=SCOTT)
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, Ending(State.DONE, Outcome.PUBLISHED, template="published"), ports.now)
    letter = ports.engine.outbox.take(f"{job.id}.answer", "one", ports.now)
    assert letter is not None
    assert ports.engine.held_answers.hold(letter, ports.now)
    Holding(replace(ports.engine, projects=SomeProjects(rules)), ports.clock, None).let_go()
    assert ports.engine.held_answers.find(job.id) is None
    assert len(ports.engine.held_answers.all(limit=1_000)) == 102
