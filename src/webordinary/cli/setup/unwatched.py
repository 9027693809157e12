"""The walk with answers from a file: nobody is asked, and a program can read what became of it."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from webordinary.cli.checks import print_checks
from webordinary.cli.output import print_json, say, say_error
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, CheckLevel
from webordinary.setup.answers import AnswersFile
from webordinary.setup.kept import StepState
from webordinary.setup.plan import StepPlan
from webordinary.setup.question import Given
from webordinary.setup.step import SetupStep
from webordinary.setup.walk import SetupWalk

_BETWEEN_LOOKS = 2.0


class Unwatched:
    """One walk with a file of answers."""

    def __init__(self, walk: SetupWalk, path: Path, wait: timedelta, *, as_json: bool) -> None:
        self._walk = walk
        self._file = AnswersFile(path, os.environ)
        self._wait = wait
        self._as_json = as_json
        self._record: list[dict[str, object]] = []

    def go(self, begin: SetupStep | None) -> bool:
        """Go through the steps; whether all of them are done at the end."""
        walk = self._walk
        steps = walk.from_step(begin)
        self._file.require_steps(step.name for step in walk.steps)
        # Before anything is done: all that can be wrong with the answers themselves.
        planned = replace(walk, desk=replace(walk.desk, kept=walk.desk.kept.planned()))
        for step in steps:
            self._look_over(planned, step)
        for step in steps:
            if not self._step(step):
                break
        left = [step.name for step in walk.steps if walk.state(step) is not StepState.DONE]
        if self._as_json:
            print_json({"steps": self._record, "left": left})
        else:
            say("All of it is done." if not left else f"Not done yet: {', '.join(left)}.", "bold")
        return not left

    def _look_over(self, planned: SetupWalk, step: SetupStep) -> None:
        if not self._file.leaves(step.name) and step.not_needed(planned.desk) is None:
            planned.note(step, StepState.BEGUN, self._file.require(planned, step.name))

    def _step(self, step: SetupStep) -> bool:
        """Do one step; whether those behind it can be begun."""
        walk = self._walk
        self._tell(f"{step.title}:", "bold")
        if (why := step.not_needed(walk.desk)) is not None:
            walk.note(step, StepState.DONE, {})
            return self._noted(step, [f"nothing to do: {why}"], [])
        if self._file.leaves(step.name):
            walk.note(step, StepState.LEFT, walk.remembered(step))
            return self._noted(step, [], [])
        given = self._file.require(walk, step.name)
        try:
            plan = step.plan(walk.desk, given)
            done = self._carried_out(step, plan, given)
        except WebOrdinaryError as problem:
            if not self._as_json:
                say_error(str(problem))
            self._noted(step, [], [], str(problem))
            return False
        checks = self._checked(step, given)
        self._noted(step, done, checks)
        # What only needs time keeps nobody from going on.
        return walk.state(step) in {StepState.DONE, StepState.WAITING}

    def _carried_out(self, step: SetupStep, plan: StepPlan, given: Given) -> list[str]:
        lines = list(plan.lines(self._walk.desk))
        for line in lines:
            self._tell(f"  {line}")
        told = [line for each in self._walk.carry_out(step, plan, given) for line in each.splitlines()]
        told += [line for each in plan.tells for line in each.splitlines()]
        for line in told:
            self._tell(line)
        return [*lines, *told]

    def _checked(self, step: SetupStep, given: Given) -> list[Check]:
        until = time.monotonic() + (self._wait.total_seconds() if step.may_wait else 0)
        while True:
            found = self._walk.check(step, given)
            is_fine = all(each.finding is not CheckLevel.FAIL for each in found)
            if is_fine or time.monotonic() >= until:
                break
            time.sleep(min(_BETWEEN_LOOKS, max(until - time.monotonic(), 0)))
        if not self._as_json:
            print_checks(found, as_json=False)
        return found

    def _noted(self, step: SetupStep, done: list[str], checks: list[Check], problem: str | None = None) -> bool:
        self._record.append(
            {
                "step": step.name,
                "state": self._walk.state(step).value,
                "done": done,
                "checks": [{"name": each.name, "state": each.finding.value, "text": each.says} for each in checks],
                "problem": problem,
            }
        )
        return True

    def _tell(self, line: str, style: str = "") -> None:
        if not self._as_json:
            say(line, style)
