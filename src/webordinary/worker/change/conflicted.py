"""A thread whose work conflicts with what is live: somebody is asked once, and the answer begins with what is live.

Without that each mail in the thread, also the answer, would meet the same conflict again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import JobFailed
from webordinary.jobs.about import Errand, first_asked, read_about
from webordinary.jobs.job import Ending, State
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.proposals import Standing
from webordinary.reply.outbox import CONFLICT, Letter
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim
    from webordinary.workspace.checkout import MergeConflict

_LOOK_BACK = 200


class Outdated(JobFailed):
    """What was made before no longer fits onto what is live; `words` say what that was, and `facts` where."""

    def __init__(self, conflict: MergeConflict, words: str, **facts: str) -> None:
        super().__init__(str(conflict))
        self.words = words
        self.facts = _in_words(conflict, **facts)


def _in_words(conflict: MergeConflict, **sides: str) -> dict[str, str]:
    """Say what stands there now and what should; only where there are no words for it, in which files."""
    sides = sides or {"there_now": conflict.theirs, "would_be": conflict.ours}
    return {name: text for name, text in sides.items() if text} or {"places": conflict.places}


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Asks how it should read, and remembers in the journal that it has asked."""

    engine: Engine
    clock: Clock

    def ask(self, claim: Claim, job: Job, conflict: MergeConflict) -> Ending:
        """End the job with the question; what is proposed waits on, because the other change may be taken back."""
        facts = _in_words(conflict)
        noted = Journal.conflict(conflict.places or "the site")
        self.engine.attempts.journal(claim, job, Step.CONFLICTED.value, dict([noted]), self.clock.now())
        about = read_about(job.about)
        is_ok = about is not None and about.errand == Errand.APPROVE
        if about is not None and is_ok:
            self._tell_asker(job, about.name, facts)
        words = "ok_conflict" if is_ok else "conflict"
        return Ending(State.FAILED, error=str(conflict), template=words, facts=facts)

    def may_begin_anew(self, job: Job) -> bool:
        """Tell whether this is what somebody says to our question."""
        return read_about(job.about) is None and self._asked(job) is not None

    def begin_anew(self, job: Job, leave_aside: Callable[[str, str], None], live: str) -> None:
        """Put what conflicts aside under its own name, with the proposal that it may have been."""
        asked, now = self._asked(job), self.clock.now()
        proposal = self.engine.proposals.find(job.thread)
        if proposal is not None and proposal.standing == Standing.OPEN:
            by = job.request.reply_to or job.lane.user
            self.engine.proposals.close(proposal, Standing.WITHDRAWN, by, now)
        leave_aside(asked.id if asked else job.id, live)

    def _asked(self, job: Job) -> Job | None:
        jobs = self.engine.overview.jobs(lane=job.lane.key, limit=_LOOK_BACK)
        mine = [each for each in jobs if each.thread == job.thread and each.sequence < job.sequence]
        last = max((each for each in mine if not each.state.is_live), key=lambda each: each.sequence, default=None)
        return last if last is not None and Journal.conflict in last.journal else None

    def _tell_asker(self, job: Job, proposal: str, facts: dict[str, str]) -> None:
        """The person who wanted the change can say how it should read now; an approver need not be an editor."""
        find = self.engine.overview.job
        asked = first_asked(find(proposal), find)
        asker, by = asked.request.reply_to if asked else None, job.request.reply_to
        if asker and fold_address(asker) != fold_address(by or ""):
            letter = Letter(f"{job.id}.{CONFLICT}", CONFLICT, asker, "ok_conflict", facts, job=proposal)
            self.engine.outbox.add(letter, self.clock.now())
