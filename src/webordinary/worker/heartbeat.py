"""One thread beside each attempt: keeps the lease alive, and stops the agent as soon as somebody asks."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import Interrupted, LostOwnership, TryAgain
from webordinary.interrupts.interrupt import Why

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.child import Child
    from webordinary.clock import Clock, Moment
    from webordinary.interrupts.interrupt import Interrupt
    from webordinary.interrupts.signals import WakeupListener
    from webordinary.jobs.job import Job
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim
    from webordinary.ownership.claims import Claims

_GRACE = timedelta(seconds=3)
_HEAD_START_SECONDS = 0.005


class AskedToStop(Interrupted):
    """Somebody wants the attempt to end; `why` says what becomes of the job."""

    def __init__(self, why: Why | None, by: str) -> None:
        super().__init__(f"asked to stop by {by}")
        self.why = why
        self.by = by

    @property
    def ends_job(self) -> bool:
        """Tell whether the job will not be resumed, so that its unfinished work must not reach the next one."""
        return self.why in {Why.STOP, Why.DROP}


class AlreadyOver(AskedToStop):
    """The job was ended by somebody else while the lane is still ours: keep its work, write no second outcome."""

    def __init__(self) -> None:
        super().__init__(None, "the one who ended the job")

    @property
    def ends_job(self) -> bool:
        return True


class AttemptControl:
    """The life of one attempt: whether it may go on, and the child that has to die when it may not."""

    def __init__(self, claim: Claim, job: Job, grace: timedelta) -> None:
        self.claim = claim
        self.job = job
        self._grace = grace
        self.tries = 1
        # Whether an agent has cost anything in this attempt.
        self.has_paid = False
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._end: Exception | None = None
        self._deaf = False
        self._has_ended = False
        # Made for whoever waits: most attempts wait for nothing.
        self._ended: threading.Event | None = None

    def watch(self, child: Child) -> None:
        """Let this child be stopped when the attempt has to end; at once if that was asked before it began."""
        with self._lock:
            self._child = child
            ended = self._end is not None
        if ended:
            child.stop(self._grace)

    def check(self) -> None:
        """Raise what ended the attempt, if anything did."""
        with self._lock:
            if self._end is not None and not self._deaf:
                raise self._end

    def who_asked(self) -> AskedToStop | None:
        """Return who asked the attempt to stop, None when nobody has; raise what else has ended it."""
        try:
            self.check()
        except AskedToStop as asked:
            return asked
        return None

    def wait(self, at_most: timedelta) -> None:
        """Let time pass, but not longer than the attempt may last."""
        with self._lock:
            ended = self._ended = self._ended or threading.Event()
            if self._has_ended:
                ended.set()
        ended.wait(at_most.total_seconds())

    def pass_commit_point(self) -> None:
        """From here only the loss of the lane ends the attempt."""
        with self._lock:
            self._deaf = True

    def reopen(self) -> None:
        """Hear again who asks to stop: the commit point was taken back."""
        with self._lock:
            self._deaf = False

    def end(self, reason: Exception) -> None:
        """End the attempt and its child; the first reason counts, except that losing the lane beats all."""
        with self._lock:
            if self._end is None or isinstance(reason, LostOwnership):
                self._end = reason
                self._deaf = self._deaf and not isinstance(reason, LostOwnership)
            child = None if self._deaf else self._child
            if not self._deaf:
                self._has_ended = True
                if self._ended is not None:
                    self._ended.set()
        if child is not None:
            child.stop(self._grace)


class Heartbeat:
    """Beats for whichever attempt the worker is in; one thread for the worker's whole life.

    It stands beside an attempt only when that has lasted a moment: changing threads costs more than a quick job.
    What rings before that is kept by the listener.
    """

    def __init__(
        self,
        claims: Claims,
        clock: Clock,
        limits: Limits,
        listener: WakeupListener,
        show_life: Callable[[], None] = lambda: None,
    ) -> None:
        self._claims = claims
        self._show_life = show_life
        self._clock = clock
        self._limits = limits
        self._grace = min(_GRACE, limits.lease / 3)
        self._listener = listener
        self.draining = threading.Event()
        self._lock = threading.Lock()
        self._pulse: AttemptControl | None = None
        self._is_beside = False
        self._sleeps = True
        self._wake = threading.Semaphore(0)
        self._left = threading.Event()
        self._over = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._live, name="heartbeat", daemon=True)
        self._thread.start()

    @contextmanager
    def beside(self, claim: Claim, job: Job) -> Iterator[AttemptControl]:
        """Beat for as long as the block runs; the wakeup belongs to the heartbeat meanwhile."""
        pulse = AttemptControl(claim, job, self._grace)
        self._begin(pulse)
        try:
            yield pulse
        finally:
            self._end()

    def close(self) -> None:
        self._closed.set()
        self._wake.release()
        self._thread.join()

    def _begin(self, pulse: AttemptControl) -> None:
        with self._lock:
            self._pulse = pulse
            slept, self._sleeps = self._sleeps, False
        if slept:
            self._wake.release()

    def _end(self) -> None:
        with self._lock:
            pulse, self._pulse = self._pulse, None
            was_beside, self._is_beside = self._is_beside, False
        if was_beside:
            self._over.set()
            self._listener.wake()
            self._left.wait()
            if pulse is not None:
                self._listener.attend(pulse.claim.lane)

    def _live(self) -> None:
        while not self._closed.is_set():
            self._wake.acquire()
            while self._stand_by():
                pass

    def _stand_by(self) -> bool:
        """Go beside the attempt if it still runs after its head start; False when there is nothing to wait for."""
        begun = self._pulse
        if self._closed.wait(_HEAD_START_SECONDS):
            return False
        with self._lock:
            pulse = self._pulse
            if pulse is None and begun is None:
                self._sleeps = True
                return False
            if pulse is None or pulse is not begun:
                return True
            self._is_beside = True
            self._over.clear()
            self._left.clear()
        self._listener.attend(pulse.claim.lane, working=True)
        self._watch_over(pulse)
        self._left.set()
        # A lost attempt takes its time to wind up; nobody is beside it any more.
        self._over.wait()
        return True

    def _watch_over(self, pulse: AttemptControl) -> None:
        wait = self._limits.beat
        lease_ends = self._clock.now() + self._limits.lease
        while not self._over.is_set():
            self._show_life()
            self._listener.wait(wait)
            if self._over.is_set():
                return
            if self.draining.is_set():
                pulse.end(AskedToStop(None, "the operator (draining)"))
            now = self._clock.now()
            try:
                beat = self._claims.beat(pulse.claim, pulse.job.id, now)
            except LostOwnership as lost:
                pulse.end(lost)
                return
            except TryAgain:
                if now.boot >= lease_ends.boot:
                    pulse.end(LostOwnership("the store could not be reached for a whole lease"))
                    return
                continue
            except Exception as broken:  # noqa: BLE001 - whatever it is, an attempt without a heartbeat must end
                pulse.end(LostOwnership(f"the heartbeat broke ({broken})"))
                return
            lease_ends = now + self._limits.lease
            if beat.over:
                pulse.end(AlreadyOver())
                return
            wait = self._obey(pulse, beat.interrupt, now) if beat.interrupt else self._limits.beat

    def _obey(self, pulse: AttemptControl, interrupt: Interrupt, now: Moment) -> timedelta:
        """Stop the attempt when the interrupt is due, else return how long to wait for that."""
        if interrupt.due_at <= now.wall_at:
            pulse.end(AskedToStop(interrupt.why, interrupt.by))
            return self._limits.beat
        return min(self._limits.beat, interrupt.due_at - now.wall_at)
