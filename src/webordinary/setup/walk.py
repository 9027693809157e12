"""The walk itself: which step is next, what its answers are, and how far it is; every face of it goes the same way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import NoSuchThing, WebOrdinaryError
from webordinary.findings import Check, CheckLevel, fail
from webordinary.setup.kept import StepState
from webordinary.setup.steps import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webordinary.setup.desk import Desk
    from webordinary.setup.plan import StepPlan
    from webordinary.setup.question import Given, Inquiry
    from webordinary.setup.step import SetupStep


@dataclass(frozen=True, slots=True)
class TakenAnswers:
    """What of the typed answers holds, and what is wrong with the others, by their keys."""

    given: Given
    wrong: Mapping[str, str]
    questions: tuple[Inquiry, ...]


@dataclass(frozen=True, slots=True)
class SetupWalk:
    """All steps over one desk."""

    desk: Desk
    steps: Sequence[SetupStep] = STEPS

    def find(self, name: str) -> SetupStep:
        for step in self.steps:
            if step.name == name:
                return step
        raise NoSuchThing(f"There is no step {name}; there is {', '.join(each.name for each in self.steps)}.")

    def state(self, step: SetupStep) -> StepState:
        return self.desk.kept.state(step.name)

    def begins_at(self) -> SetupStep | None:
        """Return the first step that is not done; None when all of them are."""
        return next((step for step in self.steps if self.state(step) is not StepState.DONE), None)

    def from_step(self, first: SetupStep | None) -> Sequence[SetupStep]:
        """Return a step and all behind it, or what is not done if none is named."""
        if first is None:
            return [step for step in self.steps if self.state(step) is not StepState.DONE]
        return self.steps[self.steps.index(first) :]

    def next_question(self, step: SetupStep, given: Given) -> Inquiry | None:
        """Return the first question that is still to be answered."""
        return next((each for each in step.questions(self.desk, given) if each.key not in given), None)

    def take(self, step: SetupStep, typed: Mapping[str, str]) -> TakenAnswers:
        """Read all answers of a step; what was not typed is as it would be."""
        given: dict[str, str] = {}
        wrong: dict[str, str] = {}
        asked: list[Inquiry] = []
        while (question := self.next_question(step, {**given, **dict.fromkeys(wrong, "")})) is not None:
            asked.append(question)
            if question.key not in typed and question.default is None:
                wrong[question.key] = "is missing"
                continue
            try:
                given[question.key] = question.take(typed.get(question.key, question.default or ""))
            except ValueError as problem:
                wrong[question.key] = str(problem)
        return TakenAnswers(given, wrong, tuple(asked))

    def remembered(self, step: SetupStep) -> Given:
        """Return what was answered before, as far as it is asked."""
        return self.desk.kept.answers(step.name)

    def note(self, step: SetupStep, state: StepState, given: Given) -> None:
        """Write down how far a step is, without its secrets."""
        secrets = {each.key for each in step.questions(self.desk, given) if each.is_secret}
        self.desk.kept.note(step.name, state, {key: value for key, value in given.items() if key not in secrets})

    def carry_out(self, step: SetupStep, plan: StepPlan, given: Given) -> Iterator[str]:
        """Do what was shown, and yield what there is to tell."""
        self.note(step, StepState.BEGUN, given)
        yield from plan.carry_out(self.desk)

    def check(self, step: SetupStep, given: Given) -> list[Check]:
        """Look whether it works, and write down how far the step is."""
        try:
            taken = self.take(step, given)
            found = _unanswered(step, given, taken) or list(step.check(self.desk, {**taken.given, **given}))
        except WebOrdinaryError as problem:
            found = [fail(step.name, str(problem))]
        self.note(step, _state_of(step, found), given)
        return found


def _unanswered(step: SetupStep, given: Given, taken: TakenAnswers) -> list[Check]:
    """Say what of a step nobody has answered yet, so that there is nothing to look at; secrets are not remembered."""
    known = [each for each in taken.questions if not each.is_secret]
    open_ones = [each for each in known if each.key in taken.wrong] if given else known
    return [fail(step.name, f"it is not answered yet: {each.asks}") for each in open_ones[:1]]


def _state_of(step: SetupStep, found: Sequence[Check]) -> StepState:
    if all(each.finding is not CheckLevel.FAIL for each in found):
        return StepState.DONE
    return StepState.WAITING if step.may_wait else StepState.BEGUN
