"""The life of a worker: look for a lane, own it while it has work, keep it warm, give it up."""

from __future__ import annotations

import random
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from webordinary.errors import LostOwnership, TryAgain
from webordinary.metrics.meter import Metric, NoMeter
from webordinary.ownership.claim import Next
from webordinary.ownership.claims import LostClaim
from webordinary.ownership.versions import is_outdated, this_version
from webordinary.worker.heartbeat import Heartbeat

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.limits import Limits
    from webordinary.metrics.meter import Meter
    from webordinary.ownership.claim import Claim, Claimed
    from webordinary.worker.heartbeat import AttemptControl


# The longest that the loop is not heard of while nothing happens.
_PIECE = timedelta(seconds=20)


def new_worker_name() -> str:
    """Return a name that no process had before."""
    return f"worker-{secrets.token_hex(4)}"


class JobRunner(Protocol):
    """What is done with a job; the attempt in production, less in a benchmark."""

    def run(self, claim: Claim, job: Job, pulse: AttemptControl) -> Next | None:
        """Bring the job to its end, or as far as it goes; None when the lane is lost or given back."""


@dataclass(slots=True)
class _Mood:
    """How claiming has been going: a worker that keeps failing holds back and says so."""

    errors: int = 0
    unsaid: int = 0
    holds_back_until: float = 0


@dataclass(slots=True)
class _Idle:
    """Since when an owned lane has had nothing to do, and when it was said last that its owner lives."""

    since: Moment
    release_after: timedelta
    beat_at: float

    def is_over(self, now: Moment) -> bool:
        return self.left(now) <= timedelta(0)

    def left(self, now: Moment) -> timedelta:
        return self.release_after - timedelta(seconds=now.boot - self.since.boot)

    def until_beat(self, now: Moment, every: timedelta) -> timedelta:
        return every - timedelta(seconds=now.boot - self.beat_at)


class Worker:
    """One slot: it claims only when it is free."""

    def __init__(
        self,
        name: str,
        engine: Engine,
        work: JobRunner,
        clock: Clock,
        limits: Limits,
        show_life: Callable[[], None] = lambda: None,
        meter: Meter | None = None,
    ) -> None:
        self.name = name
        self._engine = engine
        self._work = work
        self._clock = clock
        self._limits = limits
        self._listener = engine.signals.listen(name)
        self._show_life = show_life
        self._meter = meter or NoMeter()
        self._heartbeat = Heartbeat(engine.claims, clock, limits, self._listener, show_life)
        self._mood = _Mood()
        self._version = this_version()
        # A newer version works beside this one: a lane that has nothing to do is better off there.
        self._gives_way = False
        self._said_at: float | None = None

    def drain(self) -> None:
        """Take no more work and give back what runs; safe to call from a signal handler."""
        self._heartbeat.draining.set()
        self._listener.wake()

    def run(self) -> None:
        """Work until drained."""
        try:
            # Known before the first claim: a process that finds ours dead must find what we owned.
            self._say_that_it_waits()
            self._engine.versions.record(self._version)
            while not self._draining:
                self._show_life()
                self._turn()
        finally:
            self._heartbeat.close()
            self._engine.claims.lapse(self.name, self._clock.now())
            self._listener.close()

    @property
    def _draining(self) -> bool:
        return self._heartbeat.draining.is_set()

    def _turn(self) -> None:
        try:
            claimed = self._claim()
            if claimed is not None:
                self._work_through(claimed)
            elif self._holds_back:
                # Deaf to wake-ups meanwhile: a worker that can claim should get them.
                self._heartbeat.draining.wait(self._limits.sweep.total_seconds())
            elif self._has_said_that_it_waits:
                # A safety look; workers that look at different moments find a lapsed lease sooner together.
                self._wait(self._limits.look * random.uniform(0.5, 1.0))  # noqa: S311 - to spread workers, not to hide anything
            else:
                # First say that we wait, then look again, then wait: a wakeup in between is never lost.
                self._say_that_it_waits()
        except LostOwnership:
            self._listener.wait(self._jitter())
        except LostClaim:
            # Somebody else was quicker: look again a little later than they do, and say again that we wait.
            self._said_at = None
            self._meter.record(Metric.CLAIM_ATTEMPTS, result="lost")
            self._listener.wait(self._jitter())
        except TryAgain:
            self._meter.record(Metric.CLAIM_ATTEMPTS, result="failed")
            self._hold_back_if_it_goes_on()

    @property
    def _holds_back(self) -> bool:
        return self._clock.now().boot < self._mood.holds_back_until

    @property
    def _has_said_that_it_waits(self) -> bool:
        again = self._limits.say_again.total_seconds()
        return self._said_at is not None and self._clock.now().boot - self._said_at < again

    def _say_that_it_waits(self) -> None:
        now = self._clock.now()
        self._engine.claims.wait_for_work(self.name, now)
        self._said_at = now.boot

    def _wait(self, at_most: timedelta) -> bool:
        """Wait for a wake-up in pieces, so that it can be seen from outside that this loop still turns."""
        left = at_most
        while left > timedelta(0) and not self._draining:
            self._show_life()
            if self._listener.wait(min(left, _PIECE)):
                return True
            left -= _PIECE
        return False

    def _work_through(self, claimed: Claimed | None) -> None:
        self._said_at = None
        try:
            while claimed is not None:
                self._listener.attend(claimed.claim.lane)
                claimed = self._own(claimed)
        finally:
            self._listener.attend(None)

    def _claim(self) -> Claimed | None:
        now = self._clock.now()
        if self._draining or self._holds_back:
            return None
        claimed = self._engine.claims.claim(self.name, now)
        self._meter.record(Metric.CLAIM_ATTEMPTS, result="won" if claimed else "nothing waited")
        if claimed is not None:
            self._meter.record(Metric.TIME_TO_CLAIM, claimed.waited.total_seconds())
        if self._mood.errors:
            self._say_health(now, holds_back_until=None)
        return claimed

    def _hold_back_if_it_goes_on(self) -> None:
        """After several store errors in a row, leave claiming to others for a while and say so."""
        self._mood.errors += 1
        self._mood.unsaid += 1
        if self._mood.errors % self._limits.claim_errors == 0:
            now = self._clock.now()
            until = now + self._limits.claim_pause
            self._mood.holds_back_until = until.boot
            with suppress(TryAgain):
                self._say_health(now, holds_back_until=until.wall_at)
        self._listener.wait(self._jitter())

    def _say_health(self, now: Moment, *, holds_back_until: datetime | None) -> None:
        self._engine.claims.say_health(
            self.name, failures=self._mood.unsaid, holds_back_until=holds_back_until, now=now
        )
        self._mood.unsaid = 0
        if holds_back_until is None:
            self._mood.errors = 0

    def _jitter(self) -> timedelta:
        return timedelta(seconds=random.uniform(0.01, 0.1))  # noqa: S311 - to spread workers, not to hide anything

    def _own(self, claimed: Claimed) -> Claimed | None:
        """Work through the lane until it is lost, given back or idle for long enough; return what was taken instead."""
        claim = claimed.claim
        idle = self._begin_idling(self._idle_release(claim))
        seen = Next(claimed.job) if claimed.job else self._engine.claims.start(claim, self._clock.now())
        while not self._draining:
            if seen.job is not None:
                after = self._attempt(claim, seen.job)
                if after is None or after.claimed is not None:
                    return after.claimed if after else None
                idle, seen = self._begin_idling(idle.release_after), after
            elif seen.others_wait:
                # The workspace stays warm; the lock does not.
                self._meter.record(Metric.IDLE_BEFORE_RELEASE, self._clock.now().boot - idle.since.boot)
                break
            elif not self._stay(claim, idle, seen.again_in):
                return None
            else:
                seen = self._engine.claims.start(claim, self._clock.now())
        self._engine.claims.give_back(claim, self._clock.now())
        return None

    def _begin_idling(self, release_after: timedelta) -> _Idle:
        now = self._clock.now()
        return _Idle(now, release_after, now.boot)

    def _attempt(self, claim: Claim, job: Job) -> Next | None:
        with self._heartbeat.beside(claim, job) as pulse:
            return self._work.run(claim, job, pulse)

    def _idle_release(self, claim: Claim) -> timedelta:
        project = self._engine.projects.find(claim.lane.project)
        return project.rules.idle_release if project else self._limits.idle_release

    def _stay(self, claim: Claim, idle: _Idle, again_in: timedelta | None) -> bool:
        """Wait until there is a reason to look at the lane; False when it was given up."""
        waited, look = timedelta(0), self._limits.look if again_in is None else min(self._limits.look, again_in)
        while waited < look and not self._draining:
            now = self._clock.now()
            if idle.is_over(now) or self._gives_way:
                if self._engine.claims.release(claim, now):
                    self._meter.record(Metric.IDLE_BEFORE_RELEASE, now.boot - idle.since.boot)
                    return False
                # A job came in the meantime.
                idle.since = now
                return True
            if self._beat_brings_news(claim, idle, now):
                return True
            pause = min(look - waited, idle.left(now), idle.until_beat(now, self._limits.idle_beat))
            if self._wait(pause):
                return True
            waited += pause
        return True

    def _beat_brings_news(self, claim: Claim, idle: _Idle, now: Moment) -> bool:
        if idle.until_beat(now, self._limits.idle_beat) > timedelta(0):
            return False
        idle.beat_at = now.boot
        beat = self._engine.claims.beat(claim, None, now)
        self._gives_way = is_outdated(self._version, self._engine.versions)
        return beat.others_wait or beat.pending
