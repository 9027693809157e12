"""A step of the walk: its questions, what it writes, and the check that says whether it works."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.plan import StepPlan
    from webordinary.setup.question import Given, Inquiry


class SetupStep(ABC):
    """One step; it keeps nothing itself."""

    name: ClassVar[str]
    title: ClassVar[str]
    why: ClassVar[str]
    # Whether what the check looks for may take its time, because others have to do something.
    may_wait: ClassVar[bool] = False

    def not_needed(self, desk: Desk) -> str | None:  # noqa: ARG002 - for steps that some do not need
        """Say why there is nothing to do here, or None if there is."""
        return None

    @abstractmethod
    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:
        """Return the questions that follow from what was answered so far; more answers may lead to more of them."""

    @abstractmethod
    def plan(self, desk: Desk, given: Given) -> StepPlan:
        """Return what would be done; Refused if the answers do not fit together."""

    @abstractmethod
    def check(self, desk: Desk, given: Given) -> Iterator[Check]:
        """Look whether it works now."""
