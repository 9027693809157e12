"""The walk with a person: questions, what will be done, an ok, and whether it works."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence

from webordinary.cli.checks import print_checks
from webordinary.cli.output import say, say_error
from webordinary.cli.setup.asking import Gone, Left, Questioner
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, CheckLevel
from webordinary.setup.kept import StepState
from webordinary.setup.plan import StepPlan
from webordinary.setup.question import Given
from webordinary.setup.step import SetupStep
from webordinary.setup.walk import SetupWalk

_BETWEEN_LOOKS = 5.0
_GO_ON = "Nothing is lost: `webordinary setup` goes on from here."


class Terminal:
    """One walk in a terminal."""

    def __init__(self, walk: SetupWalk, person: Questioner | None = None, between: float = _BETWEEN_LOOKS) -> None:
        self._walk = walk
        self._person = person or Questioner()
        self._between = between

    def go(self, begin: SetupStep | None) -> bool:
        """Go through the steps; whether all of them are done at the end."""
        walk = self._walk
        say("Enter takes what stands in brackets, `later` leaves a step, `?` repeats the question, Ctrl+C ends.")
        try:
            for step in walk.from_step(begin):
                self._step(step)
        except (KeyboardInterrupt, Gone):
            say("")
            say(_GO_ON)
            return False
        left = [step.name for step in walk.steps if walk.state(step) is not StepState.DONE]
        say("All of it is done." if not left else f"Not done yet: {', '.join(left)}. {_GO_ON}", "bold")
        return not left

    def _step(self, step: SetupStep) -> None:
        walk = self._walk
        number = walk.steps.index(step) + 1
        say("")
        say(f"{number} of {len(walk.steps)}: {step.title}", "bold")
        if (why := step.not_needed(walk.desk)) is not None:
            walk.note(step, StepState.DONE, {})
            say(f"Nothing to do: {why}.")
            return
        say(step.why)
        try:
            while not self._try(step):
                pass
        except Left:
            walk.note(step, StepState.LEFT, walk.remembered(step))
            say(f"{step.name} is left for later.")

    def _try(self, step: SetupStep) -> bool:
        """Go once through a step; whether that is enough."""
        walk = self._walk
        given = self._person.answers(walk, step)
        try:
            plan = step.plan(walk.desk, given)
            if not self._carried_out(step, plan, given):
                return False
        except WebOrdinaryError as problem:
            say_error(str(problem))
            if not given and walk.next_question(step, {}) is None:
                # Nothing that could be answered in another way.
                raise Left from None
            return False
        return self._works(step, given)

    def _carried_out(self, step: SetupStep, plan: StepPlan, given: Given) -> bool:
        if lines := list(plan.lines(self._walk.desk)):
            say("This will be done:", "bold")
            for line in lines:
                say(f"  {line}")
            if not self._person.agrees("Do it?"):
                return False
        for told in self._walk.carry_out(step, plan, given):
            for line in told.splitlines():
                say(line)
        for told in plan.tells:
            for line in told.splitlines():
                say(line, "bold" if told is plan.tells[0] else "")
        return True

    def _works(self, step: SetupStep, given: Given) -> bool:
        while True:
            if not print_checks(self._walk.check(step, given), as_json=False):
                return True
            if not step.may_wait:
                return not self._person.agrees("It does not work yet. Answer again? (`later` leaves the step)")
            if not self._person.agrees("Look again until it is there? (no: answer again; `later`: go on without it)"):
                return False
            say(f"Looking every {self._between:g} seconds; Ctrl+C ends the waiting.")
            with contextlib.suppress(KeyboardInterrupt):
                self._look_until_there(step, given)

    def _look_until_there(self, step: SetupStep, given: Given) -> None:
        """Look again and again; what is found is said when it is another than before."""
        before: Sequence[Check] = ()
        while True:
            time.sleep(self._between)
            found = self._walk.check(step, given)
            if all(each.finding is not CheckLevel.FAIL for each in found):
                return
            if before and found != before:
                print_checks(found, as_json=False)
            before = found
