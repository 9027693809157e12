"""Callbacks: a caller that waits for a job holds its task token, and gets exactly one answer to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from webordinary.clock import Moment


@dataclass(frozen=True, slots=True)
class Callback:
    """What is known of a token; no answer yet means that its job still lives."""

    job: str
    answer: str | None = None
    output: str = ""


class Callbacks(Protocol):
    """The contract of Step Functions' task tokens: a late or second answer is refused with LostOwnership.

    A worker answers by finishing its job; answering by token alone ends the job in the same transaction, so that
    the answer and the outcome are never different. Past the commit point it is TryAgain: the job settles itself.
    """

    def succeed(self, token: str, output: str, now: Moment) -> None: ...

    def fail(self, token: str, error: str, now: Moment) -> None: ...

    def beat(self, token: str, now: Moment) -> None:
        """Say that somebody still works on it."""

    def read(self, token: str) -> Callback | None: ...
