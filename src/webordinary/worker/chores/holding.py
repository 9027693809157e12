"""Lets answers wait for the agency's eye, and lets them go where that is no longer wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.reply.held_answers import MOST_HELD, is_answer, must_wait
from webordinary.routing.project import AnswerRule

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.reply.outbox import Letter

_RULES = "the project's rules"


@dataclass(frozen=True, slots=True)
class Holding:
    """Each step is conditional, so that every sender may do it at any time."""

    engine: Engine
    clock: Clock
    agency: str | None

    def keep(self, letter: Letter) -> bool:
        """Let an answer wait if it must; True when it is not to be sent now."""
        if not is_answer(letter, self.agency):
            return False
        job = self.engine.overview.job(letter.job or "")
        if job is None or not (must_wait(job, self.engine.projects.find(job.lane.project)) or self._is_behind(job)):
            return False
        # Not held: another sender has it by now, and decides the same.
        self.engine.held_answers.hold(letter, self.clock.now())
        return True

    def _is_behind(self, job: Job) -> bool:
        """Tell whether an earlier answer of the conversation still waits: answers go out in their order."""
        if job.request.opens_thread:
            return False
        waiting = self.engine.held_answers.all(limit=MOST_HELD)
        return any(held.thread == job.thread and held.job != job.id for held in waiting)

    def let_go(self) -> None:
        """Send what waits in projects that no longer hold their answers, the oldest first."""
        for held in self.engine.held_answers.all(limit=MOST_HELD):
            project = self.engine.projects.find(held.project)
            if project is not None and project.rules.answers is not AnswerRule.HOLD:
                self.engine.held_answers.let_go(held, _RULES, self.clock.now())
