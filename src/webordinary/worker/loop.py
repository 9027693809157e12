"""The life of a worker: look for a lane, own it while it has work, keep it warm, give it up."""

from __future__ import annotations

import random
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from webordinary.errors import LostOwnership, TryAgain
from webordinary.ownership.claims import LostClaim
from webordinary.worker.heartbeat import Heartbeat

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim, Claimed, Next
    from webordinary.worker.heartbeat import Pulse


def new_worker_name() -> str:
    """Return a name that no process had before."""
    return f"worker-{secrets.token_hex(4)}"


class Work(Protocol):
    """What is done with a job; the attempt in production, less in a benchmark."""

    def run(self, claim: Claim, job: Job, pulse: Pulse) -> Next | None:
        """Bring the job to its end, or as far as it goes; None when the lane is lost or given back."""


@dataclass(slots=True)
class _Mood:
    """How claiming has been going: a worker that keeps failing holds back and says so."""

    errors: int = 0
    unsaid: int = 0
    holds_back_until: float = 0


@dataclass(slots=True)
class _Idle:
    """Since when an owned lane has had nothing to do."""

    since: Moment
    release_after: timedelta
    beat_at: float = 0

    def is_over(self, now: Moment) -> bool:
        return now.boot - self.since.boot >= self.release_after.total_seconds()

    def left(self, now: Moment) -> timedelta:
        return self.release_after - timedelta(seconds=now.boot - self.since.boot)

    def should_beat(self, now: Moment, every: timedelta) -> bool:
        if now.boot - max(self.beat_at, self.since.boot) < every.total_seconds():
            return False
        self.beat_at = now.boot
        return True


class Worker:
    """One slot: it claims only when it is free."""

    def __init__(self, name: str, engine: Engine, work: Work, clock: Clock, limits: Limits) -> None:
        self.name = name
        self._engine = engine
        self._work = work
        self._clock = clock
        self._limits = limits
        self._ear = engine.signals.listen(name)
        self._heartbeat = Heartbeat(engine.claims, clock, limits, self._ear)
        self._mood = _Mood()
        self._waits = False

    def drain(self) -> None:
        """Take no more work and give back what runs; safe to call from a signal handler."""
        self._heartbeat.draining.set()
        self._ear.ring()

    def run(self) -> None:
        """Work until drained."""
        try:
            # Known before the first claim: whoever finds our process dead must find what we owned.
            self._engine.claims.wait_for_work(self.name, self._clock.now())
            self._waits = True
            while not self._draining:
                self._turn()
        finally:
            self._heartbeat.close()
            self._engine.claims.lapse(self.name, self._clock.now())
            self._ear.close()

    @property
    def _draining(self) -> bool:
        return self._heartbeat.draining.is_set()

    def _turn(self) -> None:
        try:
            claimed = self._claim()
            if claimed is not None:
                self._waits = False
                while claimed is not None:
                    claimed = self._own(claimed)
                return
            if self._waits:
                # A safety look; workers that look at different moments find a lapsed lease sooner together.
                self._ear.wait(self._limits.sweep * random.uniform(0.5, 1.0))  # noqa: S311 - to spread workers, not to hide anything
                return
            # First say that we wait, then look again, then wait: a bell in between is never lost.
            self._engine.claims.wait_for_work(self.name, self._clock.now())
            self._waits = True
        except (LostOwnership, LostClaim):
            # Somebody else was quicker: look again a little later than they do.
            self._ear.wait(self._jitter())
        except TryAgain:
            self._hold_back_if_it_goes_on()

    def _claim(self) -> Claimed | None:
        now = self._clock.now()
        if self._draining or now.boot < self._mood.holds_back_until:
            return None
        claimed = self._engine.claims.claim(self.name, now)
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
        self._ear.wait(self._jitter())

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
        claim, job = claimed.claim, claimed.job
        idle = _Idle(self._clock.now(), self._idle_release(claim))
        while not self._draining:
            if job is None:
                seen = self._engine.claims.start(claim, self._clock.now())
                job = seen.job
                if job is None and not self._stay(claim, idle, others_wait=seen.others_wait):
                    return None
            else:
                after = self._attempt(claim, job)
                if after is None or after.claimed is not None:
                    return after.claimed if after else None
                if after.others_wait:
                    break
                idle = _Idle(self._clock.now(), idle.release_after)
                job = after.job
        self._engine.claims.give_back(claim, self._clock.now())
        return None

    def _attempt(self, claim: Claim, job: Job) -> Next | None:
        with self._heartbeat.beside(claim, job) as pulse:
            return self._work.run(claim, job, pulse)

    def _idle_release(self, claim: Claim) -> timedelta:
        project = self._engine.projects.find(claim.lane.project)
        return project.rules.idle_release if project else self._limits.idle_release

    def _stay(self, claim: Claim, idle: _Idle, *, others_wait: bool) -> bool:
        """Wait for the next mail of the lane; False when the lane was given up."""
        now = self._clock.now()
        if others_wait:
            # The workspace stays warm; the lock does not.
            self._engine.claims.give_back(claim, now)
            return False
        if idle.is_over(now) and self._engine.claims.release(claim, now):
            return False
        if idle.should_beat(now, self._limits.idle_beat):
            self._engine.claims.beat(claim, None, now)
        left = idle.left(now)
        self._ear.wait(min(self._limits.sweep, left) if left > timedelta(0) else self._limits.sweep)
        return True
