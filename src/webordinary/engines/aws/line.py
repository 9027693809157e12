"""The line of one lane in memory: who stands at its head, and how a job enters and leaves a state.

Nothing here reads or writes: a line is read whole, changed by these decisions, and written in one transaction.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import Entry, What
from webordinary.engines.aws.bells import Bell, Call
from webordinary.engines.aws.rows import HOLDING, WAITING, JobRow
from webordinary.errors import LostOwnership
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.figures import end_facts, start_facts
from webordinary.jobs.job import Ending, Job, Kind, State
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.lane_row import LaneRow
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim

NEVER_PARKED = {Kind.VERB, Kind.REVERT}
# A person does not wait, whatever the wall clock is set to meanwhile.
AT_ONCE = 0.0
_ENDED = {
    State.DONE: What.JOB_DONE,
    State.FAILED: What.JOB_FAILED,
    State.STOPPED: What.JOB_STOPPED,
    State.DEAD: What.JOB_DEAD,
    State.REFUSED: What.JOB_FAILED,
}


@dataclass(slots=True)
class Told:
    """What one transaction says besides its rows, in the order in which it happened."""

    entries: list[Entry] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)
    bells: list[Bell] = field(default_factory=list)
    # Jobs that begin to wait for their turn while no execution of the flow waits for them.
    alone: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Line:
    """A lane and its live jobs in the order of their sequence."""

    row: LaneRow
    jobs: dict[str, JobRow]
    told: Told
    is_new: bool = False
    # Without the jobs that wait, nothing can be said about who is next; what is said of them stays as it is.
    is_whole: bool = True
    # What its owner was busy with was ended by somebody else, who has to say so.
    is_cut_short: bool = False
    added: list[JobRow] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)
    ended: list[JobRow] = field(default_factory=list)

    @property
    def running(self) -> JobRow | None:
        return self.jobs.get(self.row.running or "")

    @property
    def head(self) -> JobRow | None:
        """Who comes next, also when it cannot start yet: it keeps its place.

        A verb goes first, then the interrupter's thread, then by sequence; a thread keeps its order.
        """
        first_of: dict[str, JobRow] = {}
        for row in self.jobs.values():
            first_of.setdefault(row.job.thread, row)
        return min(first_of.values(), key=self._turn, default=None)

    def _turn(self, row: JobRow) -> tuple[bool, bool, int]:
        job = row.job
        return job.kind != Kind.VERB, job.thread != self.row.first_thread, job.sequence

    def settle(self, now: Moment) -> None:
        """Bring what follows from the jobs up to date: readiness, the interrupter, and when something is overdue."""
        row, running = self.row, self.running
        row.is_committing = running is not None and running.job.state == State.COMMITTING
        row.running_sequence = running.job.sequence if running else None
        if self.is_whole:
            self._settle_turns(now)

    def _settle_turns(self, now: Moment) -> None:
        row = self.row
        if row.first_thread not in {each.job.thread for each in self.jobs.values()}:
            row.first_thread = None
        head = self.head
        row.not_before = head.not_before if head else 0
        waits = head is not None and head.job.state in WAITING and row.owner is None and row.paused is None
        row.ready_since = (now.seconds if row.ready_since is None else row.ready_since) if waits else None
        limits = [each.fails_at(row) for each in self.jobs.values()]
        row.overdue_at = min((limit for limit in limits if limit is not None), default=None)

    def require_owner(self, claim: Claim) -> None:
        """Go on only if the claim is the current one."""
        row = self.row
        if row.owner != claim.worker or row.fence != claim.fence:
            raise LostOwnership(f"{row.lane} is owned under fence {row.fence}, not {claim.fence}")

    def require_running(self, claim: Claim, job: str, *, only: State | None = None) -> JobRow:
        """Return the job as it stands only if it still runs under this claim, on that side of the commit point."""
        self.require_owner(claim)
        found = self.jobs.get(job) if self.row.running == job else None
        if found is None or found.job.fence != claim.fence or found.job.state not in HOLDING:
            raise LostOwnership(f"job {job} is not running under fence {claim.fence} any more")
        if only is not None and found.job.state != only:
            raise LostOwnership(f"job {job} is {found.job.state.value} now, not {only.value}")
        return found

    def change(self, row: JobRow, **facts: Any) -> Job:  # noqa: ANN401 - any field of a job
        """Change a job, which is then written with the line."""
        row.change(**facts)
        self.changed.add(row.job.id)
        return row.job

    def add(self, row: JobRow, now: Moment) -> None:
        """Give a new job its place at the end."""
        job = row.job
        self.jobs[job.id] = row
        self.added.append(row)
        self.row.next_sequence += 1
        self.row.pending += 1
        facts = {"sequence": str(job.sequence), "kind": job.kind.value}
        self.told.entries.append(entry_for(What.JOB_ACCEPTED, job, now, text=job.subject, facts=facts))

    def start(self, claim: Claim, row: JobRow, limits: Limits, now: Moment) -> Job:
        """Let the job run under the claim: queued, parked or left running by an owner that is gone."""
        row.not_before, row.attempt_at = 0, now.seconds
        started = self.change(
            row,
            state=State.RUNNING,
            fence=claim.fence,
            attempt=row.job.attempt + 1,
            started_at=row.job.started_at or now.wall_at,
            deadline_at=now.wall_at + limits.deadline,
        )
        self.row.running = started.id
        if self.row.is_owned(now):
            # Starting is a sign of life: an owner of many short jobs would lose its lane before its first beat.
            self.row.lease_until = (now + limits.lease).seconds
        what = What.JOB_RESUMED if started.attempt > 1 or started.interruptions else What.JOB_STARTED
        self._tell(what, started, now, claim.worker, facts=start_facts(started, now))
        return started

    def start_head(self, claim: Claim, limits: Limits, now: Moment) -> Job | None:
        """Start the head if it can start and nothing runs."""
        head = self.head
        if self.row.running is not None or self.row.paused is not None or head is None or not head.can_start(now):
            return None
        return self.start(claim, head, limits, now)

    def let_stay(self, limits: Limits, now: Moment) -> None:
        """Let an owner that has nothing to do keep its lane for as long as idle ones do; what is over stays over."""
        if self.row.is_owned(now):
            self.row.lease_until = (now + limits.idle_lease).seconds

    def again_in(self, now: Moment) -> timedelta | None:
        """Return how long the head still waits for its backoff; None when that is not what it waits for."""
        head = self.head
        if head is None or head.not_before <= now.seconds:
            return None
        return timedelta(seconds=head.not_before - now.seconds)

    def end(self, row: JobRow, ending: Ending, now: Moment, *, worker: str | None = None) -> None:
        """Give the job its one final state, with the answer in the same transaction."""
        before = row.job
        row.drop_cancel()
        row.words = ending.words
        row.change(
            state=ending.state,
            outcome=ending.outcome,
            summary=ending.summary,
            error=ending.error,
            finished_at=now.wall_at,
        )
        del self.jobs[before.id]
        self.changed.discard(before.id)
        self.ended.append(row)
        self.row.pending -= 1
        if self.row.running == before.id:
            self.row.running, self.is_cut_short = None, worker is None
        if before.request.reply_to is not None and ending.words:
            self.told.letters.append(_answer(before, before.request.reply_to, ending))
        facts = end_facts(before, ending, now)
        self._tell(_ENDED[ending.state], before, now, worker, text=ending.error or ending.summary, facts=facts)

    def park(self, row: JobRow, limits: Limits, now: Moment, *, worker: str | None) -> None:
        """Set the job aside for the thread that interrupted it; an interruption is not a failed attempt."""
        before, interrupter = row.job, row.cancel_by or ""
        self.row.running = None
        self.row.first_thread = row.cancel_thread or self.row.first_thread
        row.wait_until(now + limits.patience, self.row)
        row.drop_cancel()
        self.change(
            row,
            state=State.PARKED,
            interruptions=before.interruptions + 1,
            attempt=before.attempt - 1,
            deadline_at=None,
        )
        facts = {"by": interrupter, "interruption": str(before.interruptions + 1)}
        self._tell(What.JOB_PARKED, before, now, worker, text="set aside for a newer mail", facts=facts)

    def obey_cancel(self, row: JobRow, worker: str, limits: Limits, now: Moment) -> bool:
        """Park or end a running job that was asked to stop; False when nobody asked."""
        if row.cancel is None:
            return False
        if row.cancel == Why.INTERRUPT:
            self.park(row, limits, now, worker=worker)
        else:
            self.end(row, _ending_for(Why(row.cancel), row.cancel_by or ""), now, worker=worker)
        return True

    def put_back(self, row: JobRow, worker: str, now: Moment) -> None:
        """Return a running job to its place; giving back is not a failed attempt."""
        before = row.job
        self.change(row, state=State.QUEUED, attempt=before.attempt - 1, deadline_at=None)
        self._tell(What.JOB_GIVEN_BACK, before, now, worker)

    def set_cancel(self, row: JobRow, why: Why, by: str, due: float, *, thread: str | None = None) -> None:
        """Ask exactly this attempt of this job to stop."""
        row.cancel, row.cancel_by, row.cancel_thread = why.value, by, thread
        row.cancel_fence, row.cancel_not_before = row.job.fence, due
        self.changed.add(row.job.id)

    def ring(self, limits: Limits, now: Moment) -> None:
        """Ring the live owner, else call somebody idle, but not twice in a short while."""
        row = self.row
        if row.is_owned(now):
            self.ring_owner()
        elif self.was_just_rung(limits, now):
            row.rings_suppressed += 1
        else:
            row.rung_at = now.seconds
            row.rings += 1
            head = self.head
            delay = max(0.0, head.not_before - now.seconds) if head else 0.0
            self.told.bells.append(Bell(Call.CLAIM_REQUEST, row.lane, head.job if head else None, delay))

    def ring_owner(self) -> None:
        """Ring whoever owns the lane where it listens; one with a job hears only what is about that job.

        Nothing else needs saying to it: the next head is started in the transaction that ends this one.
        """
        running = self.running
        if self.is_cut_short or (running is not None and running.cancel is not None):
            self.told.bells.append(Bell(Call.INTERRUPT, self.row.lane, running.job if running else None))
        elif running is None:
            head = self.head
            self.told.bells.append(Bell(Call.WORK, self.row.lane, head.job if head else None))

    def ring_loser(self) -> None:
        """Let an owner whose lease was ended from outside notice it: where it listens depends on what it does."""
        running = self.running
        call = Call.WORK if running is None else Call.INTERRUPT
        self.told.bells.append(Bell(call, self.row.lane, running.job if running else None))

    def was_just_rung(self, limits: Limits, now: Moment) -> bool:
        return 0 <= now.seconds - self.row.rung_at < limits.ring_again.total_seconds()

    def tell_of_lane(self, what: What, now: Moment, worker: str | None, facts: dict[str, str] | None = None) -> None:
        """Write a trail entry about the lane itself."""
        row = self.row
        entry = Entry(what, now.wall_at, lane=row.lane, worker=worker, fence=row.fence, facts=facts or {})
        self.told.entries.append(entry)

    def tell(self, what: What, job: Job, now: Moment, *, text: str = "", facts: dict[str, str] | None = None) -> None:
        """Write a trail entry about a job that nobody's worker caused."""
        self._tell(what, job, now, None, text=text, facts=facts)

    def _tell(
        self,
        what: What,
        job: Job,
        now: Moment,
        worker: str | None,
        *,
        text: str = "",
        facts: dict[str, str] | None = None,
    ) -> None:
        self.told.entries.append(entry_for(what, job, now, worker=worker, text=text, facts=facts))


def entry_for(
    what: What,
    job: Job,
    now: Moment,
    *,
    worker: str | None = None,
    text: str = "",
    facts: dict[str, str] | None = None,
) -> Entry:
    """Return a trail entry about a job."""
    return Entry(
        what,
        now.wall_at,
        lane=job.lane.key,
        thread=job.thread,
        job=job.id,
        mail=job.mail,
        worker=worker,
        fence=job.fence or None,
        text=text,
        facts=facts or {},
    )


def _answer(job: Job, to: str, ending: Ending) -> Letter:
    return Letter(f"{job.id}.answer", "answer", to, ending.words, ending.facts, job.id, job.mail)


def _ending_for(why: Why, by: str) -> Ending:
    if why == Why.STOP:
        return Ending(State.STOPPED, error=f"stopped by {by}", words="stopped")
    return Ending(State.STOPPED, error=f"dropped for the newer {by}", words="dropped", facts={"newer_job": by})


def new_token() -> str:
    """Return an opaque name for a job's callback; nobody can guess it."""
    return secrets.token_urlsafe(24)
