"""What is kept beside a job for those who look at it later: what its build said, and its change line by line."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import BuildFailed
from webordinary.jobs.journal import Journal, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.jobs.journal import Noted
    from webordinary.worker.run import Run
    from webordinary.workspace.checkout import Prepared

# The end of a log says why it broke; nobody reads more than this of it.
_LONGEST_LOG = 1_000_000
_LONGEST_REASON = 300


@dataclass(slots=True)
class BuildLog:
    """What one build says; a site without a build command says nothing."""

    run: Run
    _said: bytes = b""

    def hear(self, said: bytes) -> None:
        self._said = said[-_LONGEST_LOG:]

    @contextmanager
    def noted(self) -> Iterator[list[Noted]]:
        """Journal how the build that runs inside ended, with what it said and what the caller adds."""
        more: list[Noted] = []
        try:
            yield more
        except BuildFailed as broken:
            why = " ".join(str(broken).split())[:_LONGEST_REASON]
            self.run.journal(Step.BUILD_BROKE, Journal.broke(why), *self._kept())
            raise
        self.run.journal(Step.BUILT, *more, *self._kept())

    def _kept(self) -> list[Noted]:
        return [Journal.build_log(self.run.engine.inbox.keep_file(self._said))] if self._said else []


def keep_diff(run: Run, prepared: Prepared) -> str:
    """Keep how the change differs from what was live, and return under which name."""
    diff = run.checkout.told_diff(prepared)
    return run.engine.inbox.keep_file(diff) if diff else ""
