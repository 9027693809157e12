"""Asks a person: one question after the other, each again until its answer holds."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from webordinary.cli.output import say, say_error
from webordinary.setup.kept import StepState
from webordinary.setup.question import Given, Inquiry
from webordinary.setup.step import SetupStep
from webordinary.setup.walk import SetupWalk

LATER = "later"
_HELP = "?"
_NOTHING = "-"


class Left(Exception):
    """Somebody leaves this step for later."""


class Gone(Exception):
    """Nobody answers any more: the end of the input."""


@dataclass(frozen=True, slots=True)
class Questioner:
    """Whoever sits at the terminal, or feeds its input."""

    def answers(self, walk: SetupWalk, step: SetupStep) -> Given:
        """Ask all questions of a step; each answer is written down at once."""
        before = walk.remembered(step)
        given: dict[str, str] = {}
        while (question := walk.next_question(step, given)) is not None:
            given[question.key] = self._ask(question, before)
            walk.note(step, StepState.BEGUN, {**before, **given})
        return given

    def agrees(self, sentence: str) -> bool:
        """Ask yes or no; Enter is yes."""
        while True:
            match self._line(f"{sentence} [yes] ").lower():
                case "" | "y" | "yes":
                    return True
                case "n" | "no":
                    return False
                case "later":
                    raise Left
                case _:
                    say_error("Answer yes, no or later.")

    def _ask(self, question: Inquiry, before: Mapping[str, str]) -> str:
        usual = self._usual(question, before)
        self._show(question)
        while True:
            typed = self._secret() if question.is_secret else self._line(f"  {question.key}{_shown(usual)}: ")
            if typed.strip().lower() == LATER:
                raise Left
            if typed.strip() == _HELP:
                self._show(question)
                continue
            try:
                return question.take(_meant(question, typed, usual))
            except ValueError as problem:
                say_error(f"  It {problem}.")

    def _usual(self, question: Inquiry, before: Mapping[str, str]) -> str | None:
        """Return what Enter means: what was answered the last time, if that still holds, else the default."""
        if question.is_secret or question.key not in before:
            return question.default
        try:
            return question.take(before[question.key])
        except ValueError:
            return question.default

    def _show(self, question: Inquiry) -> None:
        say(question.asks, "bold")
        if question.hint:
            say(f"  {question.hint}{' (a hyphen is empty)' if question.may_be_empty else ''}")
        for number, choice in enumerate(question.choices, start=1):
            say(f"  {number}. {choice.name}: {choice.says}")

    def _line(self, prompt: str) -> str:
        sys.stderr.write(prompt)
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            raise Gone
        return line.rstrip("\r\n")

    def _secret(self) -> str:
        if not sys.stdin.isatty():
            return self._line("  (a secret) ")
        try:
            return getpass.getpass("  (not shown): ")
        except EOFError:
            raise Gone from None


def _meant(question: Inquiry, typed: str, usual: str | None) -> str:
    if question.may_be_empty and typed.strip() == _NOTHING:
        return ""
    return typed if typed.strip() or usual is None else usual


def _shown(usual: str | None) -> str:
    return "" if usual is None else f" [{usual}]"
