"""The line of one lane: who stands at its head, what follows from its jobs, and who may write to it.

A line is read from a store as far as a decision needs it, changed by the rules of this room, and written at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from webordinary.dispatch.job_row import HOLDING, WAITING, fails_at
from webordinary.errors import LostOwnership
from webordinary.jobs.job import Kind, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webordinary.clock import Moment
    from webordinary.dispatch.effects import Effects
    from webordinary.dispatch.job_row import JobRow, Turn
    from webordinary.dispatch.lane import LaneRow
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim


class LiveJobs(Protocol):
    """The live jobs of a lane as the store has them, before anything of this transaction; each look is small."""

    def first(self, lane: str, most: int) -> Sequence[Turn]:
        """Return the first ones by sequence."""

    def first_of(self, lane: str, thread: str, most: int) -> Sequence[Turn]:
        """Return the first ones of a thread by sequence."""

    def verbs(self, lane: str) -> Sequence[Turn]:
        """Return all verbs by sequence; there are few."""

    def all(self, lane: str) -> Sequence[Turn]:
        """Return every one by sequence, for the sweep."""

    def read(self, lane: str, job: str) -> JobRow | None:
        """Return one of them whole."""


@dataclass(slots=True)
class Line:
    """A lane in one transaction: its row, and those of its live jobs that were looked at."""

    row: LaneRow
    store: LiveJobs
    effects: Effects
    limits: Limits
    now: Moment
    is_new: bool = False
    # Its owner says how it stands; the write checks that this is so.
    is_believed: bool = False
    # What its owner was busy with was ended by somebody else, who has to say so.
    is_cut_short: bool = False
    jobs: dict[str, JobRow] = field(default_factory=dict)
    added: list[JobRow] = field(default_factory=list)
    changed: dict[str, JobRow] = field(default_factory=dict)
    ended: dict[str, JobRow] = field(default_factory=dict)
    _heads: tuple[Turn | None] | None = None

    @property
    def running(self) -> JobRow | None:
        return self.find(self.row.running) if self.row.running is not None else None

    def find(self, job: str) -> JobRow | None:
        """Return a live job of the lane."""
        if job not in self.jobs and job not in self.ended:
            found = self.store.read(self.row.lane, job)
            if found is None:
                return None
            self.jobs[job] = found
        return self.jobs.get(job)

    @property
    def head(self) -> Turn | None:
        """Who comes next, also when it cannot start yet: it keeps its place.

        A verb goes first, then the interrupter's thread, then by sequence; a thread keeps its order.
        """
        if self._heads is None:
            self._heads = (self._find_head(),)
        (head,) = self._heads
        # Its place never changes, but what it waits for does.
        return self.jobs[head.id].turn if head is not None and head.id in self.jobs else head

    def _find_head(self) -> Turn | None:
        row = self.row
        if row.pending <= 0:
            return None
        verb = self._first_verb() if row.verbs > 0 else None
        if verb is not None:
            return verb
        return (self.first_of(row.first_thread) if row.first_thread is not None else None) or self._first()

    def _first_verb(self) -> Turn | None:
        verbs = [*self._live(self.store.verbs(self.row.lane)), *self._live_additions(kind=Kind.VERB)]
        verbs.sort(key=lambda verb: (verb.thread != self.row.first_thread, verb.sequence))
        for verb in verbs:
            first = self.first_of(verb.thread)
            if first is not None and first.id == verb.id:
                return verb
        return None

    def _first(self) -> Turn | None:
        added = self._live_additions()
        if self.row.pending > len(added):
            for turn in self._live(self.store.first(self.row.lane, 1 + len(self.ended))):
                return turn
        return added[0] if added else None

    def first_of(self, thread: str) -> Turn | None:
        """Return the first live job of a thread."""
        added = self._live_additions()
        if self.row.pending > len(added):
            for turn in self._live(self.store.first_of(self.row.lane, thread, 1 + len(self.ended))):
                return self.jobs[turn.id].turn if turn.id in self.jobs else turn
        return next((turn for turn in added if turn.thread == thread), None)

    def all(self) -> list[Turn]:
        """Return every live job, for the sweep."""
        stored = [self.jobs[turn.id].turn if turn.id in self.jobs else turn for turn in self.store.all(self.row.lane)]
        return [*self._live(stored), *self._live_additions()]

    def _live(self, turns: Iterable[Turn]) -> list[Turn]:
        return [turn for turn in turns if turn.id not in self.ended] if self.ended else list(turns)

    def _live_additions(self, *, kind: Kind | None = None) -> list[Turn]:
        if not self.added:
            return []
        live = [row.turn for row in self.added if row.id not in self.ended]
        return live if kind is None else [turn for turn in live if turn.kind == kind]

    def recompute(self) -> None:
        """Bring what follows from the jobs up to date: the interrupter, readiness, and when something is overdue."""
        if self.is_believed:
            return
        row = self.row
        running = self.jobs.get(row.running) if row.running is not None else None
        if running is not None or row.running is None:
            row.is_committing = running is not None and running.state == State.COMMITTING
        if row.first_thread is not None and self.first_of(row.first_thread) is None:
            self.favour(None)
        if row.owner is not None or row.paused is not None:
            row.ready_since = None
        else:
            self._recompute_turn()
        for each in self.changed.values():
            self.watch(fails_at(each, row, self.now))

    def _recompute_turn(self) -> None:
        """Say from when on the lane waits to be taken: since its head may start, and not since a moment to come."""
        row, now = self.row, self.now.seconds
        if not self._has_same_head:
            head = self.head
            row.not_before = head.not_before if head else 0
            waits = head is not None and head.state in WAITING
            row.ready_since = (row.ready_since or now) if waits else None
        if row.ready_since is not None:
            # A wall clock that was set back would let a lane wait from a moment on that is yet to come.
            row.ready_since = max(min(row.ready_since, now), row.not_before)

    @property
    def _has_same_head(self) -> bool:
        """Tell whether nothing has happened but that jobs came that go behind those who waited before."""
        count = len(self.added)
        has_grown = 0 < count < self.row.pending and len(self.changed) == count and not self.ended
        # Nothing that adds a job changes whose lane it is.
        return has_grown and all(row.kind != Kind.VERB for row in self.added)

    def watch(self, at: float | None) -> None:
        """Let the sweep look at the lane then, if not earlier."""
        row = self.row
        if at is not None and (row.overdue_at is None or at < row.overdue_at):
            row.overdue_at = at

    def favour(self, thread: str | None) -> None:
        """Let the jobs of this thread go first, those of verbs excepted."""
        self.row.first_thread = thread
        self._heads = None

    def require_owner(self, claim: Claim) -> None:
        """Go on only if the claim is the current one."""
        self.row.require_owner(claim)

    def require_running(self, claim: Claim, job: str, *, only: State | None = None) -> JobRow:
        """Return the job as it stands only if it still runs under this claim, on that side of the commit point."""
        self.require_owner(claim)
        found = self.find(job) if self.row.running == job else None
        if found is None or found.fence != claim.fence or found.state not in HOLDING:
            raise LostOwnership(f"job {job} is not running under fence {claim.fence} any more")
        if only is not None and found.state != only:
            raise LostOwnership(f"job {job} is {found.state.value} now, not {only.value}")
        return found

    def change(self, row: JobRow) -> None:
        """Let a job be written with the line."""
        self.changed[row.id] = row

    def add(self, row: JobRow) -> None:
        """Give a new job its place at the end."""
        self.jobs[row.id] = row
        self.added.append(row)
        self.change(row)
        self.row.next_sequence += 1
        self.row.pending += 1
        self.row.verbs += row.kind == Kind.VERB
        self._heads = None

    def remove(self, row: JobRow) -> None:
        """Let a job leave the line for good."""
        self.jobs.pop(row.id, None)
        self.changed.pop(row.id, None)
        self.ended[row.id] = row
        self.row.pending -= 1
        self.row.verbs -= row.kind == Kind.VERB
        self._heads = None

    def let_stay(self) -> None:
        """Let an owner that has nothing to do keep its lane for as long as idle ones do; what is over stays over."""
        if self.row.is_owned(self.now):
            self.row.lease_to(self.now + self.limits.idle_lease)

    def again_in(self) -> timedelta | None:
        """Return how long the head still waits for its backoff; None when that is not what it waits for."""
        head = self.head
        if head is None or head.not_before <= self.now.seconds:
            return None
        return timedelta(seconds=head.not_before - self.now.seconds)
