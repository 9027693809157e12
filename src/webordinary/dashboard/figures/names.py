"""Every figure that is counted: its name for Prometheus, its labels and what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from webordinary.jobs import counting
from webordinary.jobs.job import Outcome, State
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import Verdict
from webordinary.metrics.totals import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PREFIX: Final = "webordinary_"
_FIRST = (f"{MailOutcome.QUEUED.value},{Verdict.VERIFIED.value}",)
_ENDS = (Outcome.PUBLISHED.value, State.FAILED.value, State.DEAD.value)


class Counted(NamedTuple):
    """What a figure says, and by what it is told apart.

    `begins` are values of the label beside the project that stand at 0 before the first one: nobody sees the first
    of something that appears with 1.
    """

    means: str
    labels: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()

    def beginnings(self, projects: Iterable[str]) -> Iterator[str]:
        """Return the keys of every series that begins with 0."""
        match self.labels:
            case ():
                yield key_of()
            case ("project",):
                yield from (key_of(project) for project in projects)
            case ("project", _):
                yield from (key_of(project, each) for project in projects for each in self.begins)
            case _:
                yield from (key_of(*each.split(",")) for each in self.begins)


COUNTERS: Final = {
    counting.CLAIMS: Counted(
        "Tries to take a lane: won, lost to a quicker worker, or failed.", ("result",), ("won", "lost", "failed")
    ),
    counting.JOBS: Counted("Jobs that have ended, by what came of them.", ("project", "outcome"), _ENDS),
    counting.INTERRUPTIONS: Counted("Jobs that were set aside for a newer mail.", ("project",)),
    counting.RETRIES: Counted("Jobs that went back to wait for another try.", ("project",)),
    counting.REPAIRS: Counted("Rounds in which an agent was given what was found in its work.", ("project",)),
    counting.DEAD_LETTERS: Counted("Jobs that were given up.", ("project",)),
    counting.COST: Counted("What agents have cost in US dollars, counted when their job ends.", ("project",)),
    counting.BUILDS: Counted("Builds of changes: built or failed.", ("project", "result"), ("built", "failed")),
    counting.RECEIVED: Counted("Mails that were kept, by the door they came in.", ("door",)),
    counting.MAILS: Counted(
        "Mails by what became of them and how sure we are of the sender.", ("outcome", "verdict"), _FIRST
    ),
    counting.LETTERS: Counted("Tries to send a letter: sent, delayed or given up.", ("kind", "result")),
    counting.BOUNCES: Counted("Letters that came back."),
    counting.WORKER_DEATHS: Counted("Workers that died without being asked to."),
}
SPREADS: Final = {
    counting.CLAIM_TIME: Counted("How long lanes waited for a worker."),
    counting.WAITING_TIME: Counted("From a mail's arrival to the start of its job.", ("project",)),
    counting.JOB_TIME: Counted("From the first start of a job to its end.", ("project",)),
    counting.BUILD_TIME: Counted("How long builds of changes took.", ("project",)),
}
