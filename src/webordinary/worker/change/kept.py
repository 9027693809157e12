"""What is kept beside a job for those who look at it later: what its build said, and its change line by line."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import BuildFailed
from webordinary.jobs.journal import Journal, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.clock import Moment
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
    def noted(self) -> Iterator[None]:
        """Journal how the build that runs inside ended, with what it said."""
        began = self.run.now
        try:
            yield
        except BuildFailed as broken:
            why = " ".join(str(broken).split())[:_LONGEST_REASON]
            self.run.journal(Step.BUILD_BROKE, Journal.broke(why), *self._kept(began))
            raise
        self.run.journal(Step.BUILT, *self._kept(began), may_wait=True)

    def _kept(self, began: Moment) -> list[Noted]:
        took = Journal.build_took(timedelta(seconds=self.run.now.boot - began.boot))
        return [took, *([Journal.build_log(self.run.engine.inbox.keep_file(self._said))] if self._said else [])]


def keep_diff(run: Run, prepared: Prepared) -> str:
    """Keep how the change differs from what was live, and return under which name."""
    diff = run.checkout.told_diff(prepared)
    return run.engine.inbox.keep_file(diff) if diff else ""
