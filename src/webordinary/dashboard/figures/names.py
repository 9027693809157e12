"""Every figure that is counted: its name for Prometheus, its labels and what it means."""

from __future__ import annotations

from typing import Final, NamedTuple

from webordinary.jobs import counting

PREFIX: Final = "webordinary_"


class Counted(NamedTuple):
    """What a figure says, and by what it is told apart."""

    means: str
    labels: tuple[str, ...] = ()


COUNTERS: Final = {
    counting.CLAIMS: Counted("Tries to take a lane: won, lost to a quicker worker, or failed.", ("result",)),
    counting.JOBS: Counted("Jobs that have ended, by what came of them.", ("project", "outcome")),
    counting.INTERRUPTIONS: Counted("Jobs that were set aside for a newer mail.", ("project",)),
    counting.RETRIES: Counted("Jobs that went back to wait for another try.", ("project",)),
    counting.REPAIRS: Counted("Rounds in which an agent was given what was found in its work.", ("project",)),
    counting.DEAD_LETTERS: Counted("Jobs that were given up.", ("project",)),
    counting.COST: Counted("What agents have cost in US dollars, counted when their job ends.", ("project",)),
    counting.BUILDS: Counted("Builds of changes: built or failed.", ("project", "result")),
    counting.RECEIVED: Counted("Mails that were kept, by the door they came in.", ("door",)),
    counting.MAILS: Counted("Mails by what became of them and how sure we are of the sender.", ("outcome", "verdict")),
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
