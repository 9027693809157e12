"""The last step: everything runs, a mail comes in, and its answer goes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.findings import CheckLevel, fail, ok
from webordinary.jobs.job import State
from webordinary.reply.outbox import ANSWER
from webordinary.setup.own_checks import checks_of
from webordinary.setup.plan import StepPlan
from webordinary.setup.step import SetupStep

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.engine import Engine
    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given, Inquiry

_ANSWERED = frozenset({State.DONE, State.FAILED})


class FirstMailStep(SetupStep):
    """The first answered mail."""

    name = "first-mail"
    title = "The first mail"
    why = "Write to the site as its editor; the walk is at its end when the answer has gone out."
    may_wait = True

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - there is nothing to ask
        return ()

    def plan(self, desk: Desk, given: Given) -> StepPlan:  # noqa: ARG002 - nothing was asked
        config = desk.config()
        project = config.find_project(desk.project)
        writers = ", ".join(each.address for each in project.editors) if project else ""
        return StepPlan(
            tells=(
                "Start it, if it does not run yet: `webordinary serve`, or the service of the step before.",
                f"Then write from {writers or 'an editor'} to {desk.project}@{config.domain}: We open at nine now.",
            )
        )

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:  # noqa: ARG002 - nothing was asked
        engine = desk.installation().engine
        jobs = [each for each in engine.overview.jobs(limit=100) if each.lane.project == desk.project]
        answered = [each for each in jobs if each.state in _ANSWERED and _has_answer(engine, each.id)]
        if not answered:
            yield from (each for each in checks_of(desk, ["doctor"]) if each.finding is not CheckLevel.OK)
            waiting = "a mail has come in, and is not answered yet" if jobs else "no mail has come in yet"
            yield fail("first mail", f"{waiting} for {desk.project}")
            return
        yield ok("first mail", f"{len(answered)} answered; `webordinary show jobs` lists what was asked")


def _has_answer(engine: Engine, job: str) -> bool:
    """Whether the outgoing server has taken the answer."""
    return any(
        each.what is EventType.ANSWERED and each.facts.get("kind", ANSWER) == ANSWER
        for each in engine.trail.read(job=job)
    )
