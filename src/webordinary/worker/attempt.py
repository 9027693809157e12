"""One try at a job: what each kind of error means for it stands here, and nowhere else."""

from __future__ import annotations

import hashlib
import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple, Protocol

from webordinary.agent.agent import MoneySpent, OverBudget
from webordinary.audit.log import about
from webordinary.errors import (
    AgentFailed,
    BuildFailed,
    Interrupted,
    JobFailed,
    LostOwnership,
    Misconfigured,
    OnHold,
    Outage,
    Overloaded,
    PublishFailed,
    Refused,
    TryAgain,
)
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import Ending, Job, State
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.limits import wait_before_retry, wait_for_end, wait_for_others
from webordinary.reply.outbox import ACK, ALARM, ON_HOLD, Letter, outage
from webordinary.site.release.build import TooMuch
from webordinary.worker.accounts import Accounts
from webordinary.worker.change.beyond import BeyondLimits
from webordinary.worker.change.carried import whole_request
from webordinary.worker.change.conflicted import Conflicts, Outdated
from webordinary.worker.change.examine import Leaked
from webordinary.worker.change.files import with_files
from webordinary.worker.change.publish import NotSure
from webordinary.worker.heartbeat import AlreadyOver, AskedToStop
from webordinary.worker.outages import find_outage
from webordinary.workspace.checkout import MergeConflict
from webordinary.workspace.extent import Overgrown
from webordinary.workspace.git import RepositoryGone

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim, Next
    from webordinary.worker.heartbeat import AttemptControl


_log = logging.getLogger(__name__)

_LONGEST_FACT, _LONGEST_ERROR = 50_000, 2_000
# After about two minutes of waiting.
_IT_LASTS = 5
# About half an hour: a worker that waits past the commit point keeps its lane.
_TRIES_IN_AN_OUTAGE = 10


class Work(Enum):
    """What becomes of the work in the folder when an attempt ends with an error."""

    WAITS = auto()
    """It is committed as unfinished and stays on the branch: the next attempt, or a new request, continues there."""
    GOES_ON = auto()
    """It stays as it is: the next attempt may be elsewhere, and what the agent did should not be paid for twice."""
    IN_VAIN = auto()
    """It is committed as not published and left aside under the job's name."""
    CALLED_OFF = auto()
    """It is left aside under the job's name: nobody will go on with it."""
    UNTOUCHED = auto()
    """Nobody changes anything: there is none, or it is not ours any more."""


def work_after(problem: Exception) -> Work:
    """Decide what an error means for the work that was begun."""
    match problem:
        case AskedToStop():
            return Work.CALLED_OFF if problem.ends_job else Work.GOES_ON
        case OverBudget():
            return Work.WAITS
        case TryAgain():
            return Work.GOES_ON
        case JobFailed() if not isinstance(problem, Outdated):
            return Work.IN_VAIN
        case _:
            return Work.UNTOUCHED


class Doing(Protocol):
    """What is done with a job: the edit in production, a few bare steps in the chaos run."""

    def run(self, claim: Claim, job: Job, pulse: AttemptControl) -> Ending: ...


@dataclass(frozen=True, slots=True)
class Attempt:
    """Runs the edit and turns whatever happens into the job's next state."""

    engine: Engine
    edit: Doing
    clock: Clock
    limits: Limits
    after: Callable[[], None]
    agency: str | None = None
    # Where this machine works, to tell a full disk from a failed job.
    data: Path | None = None

    def run(self, claim: Claim, job: Job, pulse: AttemptControl) -> Next | None:
        with about(lane=job.lane.key, job=job.id, fence=claim.fence, message=job.mail):
            return self._run(claim, job, pulse)

    def _run(self, claim: Claim, job: Job, pulse: AttemptControl) -> Next | None:  # noqa: PLR0911 - one for each branch of the error tree
        try:
            return self._finish(claim, job, self._try(claim, job, pulse), pulse)
        except TryAgain as passing:
            return self._try_again(claim, job, pulse, passing)
        except LostOwnership:
            # Somebody else has the lane: whatever we would write now would be wrong. If it is ours after all, it must
            # not wait for its lease to end.
            with suppress(LostOwnership, TryAgain):
                self.engine.claims.give_back(claim, self.clock.now())
            return None
        except Interrupted as stopped:
            # When the child was stopped under the agent, the pulse knows why.
            known = stopped if isinstance(stopped, AskedToStop) else pulse.who_asked()
            return self._stop(claim, job, known or AskedToStop(None, "somebody"), pulse)
        except (Refused, JobFailed, Misconfigured) as problem:
            return self._fail(claim, job, pulse, problem)
        except OSError as passing:
            # A full disk or too many open files may pass; a worker that dies of it would only lose time.
            told = find_outage(passing, self.data) or TryAgain(f"{type(passing).__name__}: {passing}")
            return self._try_again(claim, job, pulse, told)
        except Exception as bug:  # noqa: BLE001 - a bug must not kill one worker after the other
            _log.exception("job %s met a bug", job.id)
            return self._fail(claim, job, pulse, Misconfigured(f"a bug: {type(bug).__name__}: {bug}"))

    def _try(self, claim: Claim, job: Job, pulse: AttemptControl) -> Ending:
        try:
            return self.edit.run(claim, job, pulse)
        except MergeConflict as conflict:
            # Only a person can say how it should read.
            return Conflicts(self.engine, self.clock).ask(claim, job, conflict)

    def _finish(self, claim: Claim, job: Job, ending: Ending, pulse: AttemptControl) -> Next | None:
        request = whole_request(self.engine, job)
        if request.attachments:
            # Read again: which of them were used stands in the journal that was written meanwhile.
            known = replace(self.engine.overview.job(job.id) or job, request=request)
            ending = replace(ending, facts=with_files(ending, known))
        ending = _bounded(ending)
        self._accounts.conclude(job, ending, has_paid=pulse.has_paid)
        try:
            after = self.engine.attempts.finish(claim, job, ending, self.clock.now(), give_way=True)
        except LostOwnership:
            return None
        self.after()
        return after

    def _fail(self, claim: Claim, job: Job, pulse: AttemptControl, problem: Exception) -> Next | None:
        found = find_outage(problem, self.data)
        if found is not None and not isinstance(problem, NotSure):
            return self._try_again(claim, job, pulse, found)
        if self._may_be_live(job) and not isinstance(problem, NotSure):
            return self._settle_later(claim, job, pulse, problem)
        if isinstance(problem, MoneySpent) and (waits := self._wait_for_money(claim, job, problem)) is not None:
            return waits.next
        if isinstance(problem, Misconfigured) and self.agency is not None:
            self.engine.outbox.add(_word_to_agency(self.agency, job, problem, self.clock.now()), self.clock.now())
        return self._finish(claim, job, _ending_of(problem), pulse)

    def _try_again(self, claim: Claim, job: Job, pulse: AttemptControl, passing: TryAgain) -> Next | None:
        passing = find_outage(passing, self.data) or passing
        if self._may_be_live(job):
            return self._settle_later(claim, job, pulse, passing)
        if isinstance(passing, Overloaded | Outage):
            return self._wait_for_others(claim, job, passing)
        if isinstance(passing, OnHold):
            return self._wait_for_agency(claim, job, passing)
        wait = wait_before_retry(job.attempt, self.limits)
        if wait is None:
            return self._give_up(claim, job, pulse, passing)
        try:
            return self.engine.attempts.retry(claim, job, str(passing)[:_LONGEST_ERROR], wait, self.clock.now())
        except LostOwnership:
            return None

    def _give_up(self, claim: Claim, job: Job, pulse: AttemptControl, passing: TryAgain) -> Next | None:
        if isinstance(passing, RepositoryGone):
            # It was not away for a moment: somebody has to say where it is now.
            return self._fail(claim, job, pulse, Misconfigured(str(passing)))
        return self._finish(claim, job, _failed(State.DEAD, passing, "our_fault"), pulse)

    def _wait_for_others(self, claim: Claim, job: Job, busy: Overloaded | Outage) -> Next | None:
        """Wait longer each time, until the job's own patience ends; nobody has tried anything yet."""
        times = (job.journal.waited_for_others or 0) + 1
        noted = Journal.waited_for_others(times)
        try:
            self.engine.attempts.journal(claim, job, Step.OVERLOADED.value, dict([noted]), self.clock.now())
            wait = wait_for_end(times, self.limits) if isinstance(busy, Outage) else wait_for_others(times, self.limits)
            if isinstance(busy, Outage) and times >= _IT_LASTS and self.agency is not None:
                now = self.clock.now()
                self.engine.outbox.add(outage(str(busy), self.agency, now.wall_at, job.lane.project), now)
            return self.engine.attempts.retry(claim, job, str(busy), wait, self.clock.now(), is_counted=False)
        except LostOwnership:
            return None

    def _wait_for_agency(self, claim: Claim, job: Job, on_hold: OnHold) -> Next | None:
        """Pause the project, so that its mails wait without losing patience, and tell the sender of this one."""
        now = self.clock.now()
        self.engine.lanes.pause(job.lane.project, str(on_hold), now)
        if job.request.reply_to is not None:
            self.engine.outbox.add(
                Letter(f"{job.id}.{ACK}", ACK, job.request.reply_to, ON_HOLD, {}, job.id, job.mail), now
            )
        try:
            after = self.engine.attempts.retry(claim, job, str(on_hold), timedelta(0), now, is_counted=False)
        except LostOwnership:
            return None
        self.after()
        return after

    @property
    def _accounts(self) -> Accounts:
        return Accounts(self.engine, self.clock, self.agency)

    def _wait_for_money(self, claim: Claim, job: Job, spent: MoneySpent) -> _Waits | None:
        """Let the job keep its place until there is money again; None where it fails instead."""
        try:
            after = self._accounts.wait(claim, job, spent)
        except LostOwnership:
            return _Waits(None)
        if after is None:
            return None
        self.after()
        return _Waits(after)

    def _may_be_live(self, job: Job) -> bool:
        now = self.engine.overview.job(job.id)
        return now is not None and now.state == State.COMMITTING

    def _settle_later(self, claim: Claim, job: Job, pulse: AttemptControl, problem: Exception) -> Next | None:
        """Past the commit point no error ends a job: its commit may be live, so that is asked until it is known."""
        is_outage = isinstance(problem, Outage)
        if pulse.tries >= (_TRIES_IN_AN_OUTAGE if is_outage else self.limits.attempts):
            unsure = NotSure(f"I am not sure whether the change is live ({problem})")
            return self._finish(claim, job, _ending_of(unsure), pulse)
        wait = wait_for_end(pulse.tries, self.limits) if is_outage else wait_before_retry(pulse.tries, self.limits)
        pulse.wait(wait or timedelta(0))
        pulse.tries += 1
        return self._run(claim, self.engine.overview.job(job.id) or job, pulse)

    def _stop(self, claim: Claim, job: Job, asked: AskedToStop, pulse: AttemptControl) -> Next | None:
        try:
            if isinstance(asked, AlreadyOver):
                return self._look(claim)
            match asked.why:
                case Why.INTERRUPT:
                    # The turn goes on with the mail that interrupted, also when other lanes wait.
                    parked = self.engine.attempts.park(claim, job, self.clock.now())
                    return parked if parked.job else self._look(claim)
                case Why.STOP:
                    ended = Ending(State.STOPPED, error=f"stopped by {asked.by}", template="stopped")
                    return self._finish(claim, job, ended, pulse)
                case Why.DROP:
                    error = f"dropped for the newer {asked.by}"
                    facts = {"newer_job": asked.by}
                    ended = Ending(State.STOPPED, error=error, template="dropped", facts=facts)
                    return self._finish(claim, job, ended, pulse)
                case None:
                    self.engine.claims.give_back(claim, self.clock.now())
                    return None
        except LostOwnership:
            return None

    def _look(self, claim: Claim) -> Next:
        """Go on with the lane's head; without one the owner is idle, and its lease still that of one with a job."""
        seen = self.engine.claims.start(claim, self.clock.now())
        if seen.job is None:
            self.engine.claims.beat(claim, None, self.clock.now())
        return seen


class _Waits(NamedTuple):
    """A job waits; what its worker does next, unless it has lost the lane."""

    next: Next | None


_WORDS: tuple[tuple[type[Exception], str], ...] = (
    (OverBudget, "over_budget"),
    (Leaked, "leaked"),
    (Misconfigured, "our_fault"),
    (PublishFailed, "our_fault"),
    (TooMuch, "beyond_limits"),
    (Overgrown, "beyond_limits"),
    (BuildFailed, "build_failed"),
    (AgentFailed, "agent_failed"),
    (BeyondLimits, "beyond_limits"),
)


def _word_to_agency(agency: str, job: Job, problem: Misconfigured, now: Moment) -> Letter:
    """Say what has to be put in order: at once, and once a day for each project."""
    mark = hashlib.sha256(str(problem).encode(errors="replace")).hexdigest()[:12]
    key = f"out-of-order.{job.lane.project}.{now.wall_at:%Y-%m-%d}.{mark}"
    facts = {"project": job.lane.project, "job": job.id, "reason": str(problem)}
    return Letter(key, ALARM, agency, "out_of_order", facts)


def _ending_of(problem: Exception) -> Ending:
    if isinstance(problem, Refused):
        return Ending(State.REFUSED, error=str(problem), template="refused")
    if isinstance(problem, Outdated):
        return Ending(State.FAILED, error=str(problem), template=problem.words, facts=problem.facts)
    if isinstance(problem, NotSure):
        return Ending(State.DEAD, error=str(problem), template="dead", blames_project=True)
    words = next((words for kind, words in _WORDS if isinstance(problem, kind)), "failed")
    return _failed(State.FAILED, problem, words, _facts_of(problem))


def _bounded(ending: Ending) -> Ending:
    """Keep of an end what a row of any store takes; what follows from it is told in fewer words still."""
    if not (ending.facts or ending.error or ending.summary):
        return ending
    facts = {name: fact[:_LONGEST_FACT] for name, fact in ending.facts.items()}
    error = ending.error and ending.error[:_LONGEST_ERROR]
    return replace(ending, facts=facts, error=error, summary=ending.summary and ending.summary[:_LONGEST_FACT])


def _facts_of(problem: Exception) -> dict[str, str]:
    match problem:
        case OverBudget():
            return {"limit": problem.limit}
        case BeyondLimits():
            return {"reasons": problem.reason}
        case TooMuch() | Overgrown():
            return {"reasons": problem.excess.reason}
        case Leaked():
            return {"places": problem.finding.about}
        case _:
            return {}


def _failed(state: State, error: Exception, words: str, facts: Mapping[str, str] | None = None) -> Ending:
    """Say it in the words of the answer alone: the error itself is for those who read the trail."""
    blames = not isinstance(error, OverBudget | BeyondLimits | Overgrown)
    return Ending(state, error=str(error), template=words, facts=facts or {}, blames_project=blames)
