"""The pool: how many workers a day of mails needs, found by letting the real engine live through that day.

Only time is simulated: the store, the order of claims, giving way and idle release are the product's own.
"""

from __future__ import annotations

import heapq
import math
import random
import tempfile
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.mail_transport import MaildirTransport
from webordinary.engines.embedded.open import Ports
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, Kind, NewJob, Outcome, Request, State
from webordinary.jobs.limits import Limits
from webordinary.routing.lane import Lane
from webordinary.site.targets.folder import FolderSites
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from webordinary.engine import Engine
    from webordinary.interrupts.signals import WakeupListener
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim, Claimed


# How likely each hour of an office day is: most people write in the morning and after lunch.
_HOURS = {8: 2, 9: 4, 10: 4, 11: 3, 12: 1, 13: 2, 14: 3, 15: 3, 16: 2, 17: 1}
# Who has just written often writes again: a correction, or the next thing that comes to mind.
_WRITES_AGAIN = 0.4
_AGAIN_WITHIN_MINUTES = (1.0, 10.0)
_MORE_OR_LESS = 2
# The spread of the logarithm: two of three jobs take between half and twice the usual time.
_SPREAD = 0.6
# What takes longer is ended by a project's time limit.
_LONGEST = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Traffic:
    """What an agency knows about its customers: how many, how often a day each writes, and what a job usually takes."""

    projects: int = 10
    users: int = 10
    mails: float = 5.0
    minutes: float = 3.0
    seed: int = 1

    @property
    def lanes(self) -> int:
        return self.projects * self.users


@dataclass(frozen=True, slots=True)
class SimulatedMail:
    """When it comes, where it belongs, and how long its job will take."""

    at: timedelta
    lane: Lane
    thread: str
    takes: timedelta


def draw_mails(traffic: Traffic) -> list[SimulatedMail]:
    """Return all mails of one day in the order in which they come; times count from midnight."""
    chance = random.Random(traffic.seed)  # noqa: S311 - the same day again, not a secret
    mails = [
        mail
        for project in range(traffic.projects)
        for user in range(traffic.users)
        for mail in _mails_of(Lane(f"project-{project}", f"user-{user}"), traffic, chance)
    ]
    return sorted(mails, key=lambda mail: (mail.at, mail.thread))


def _mails_of(lane: Lane, traffic: Traffic, chance: random.Random) -> list[SimulatedMail]:
    mails: list[SimulatedMail] = []
    for number in range(_how_many(traffic.mails, chance)):
        again = bool(mails) and chance.random() < _WRITES_AGAIN
        at = mails[-1].at + _minutes(chance.uniform(*_AGAIN_WITHIN_MINUTES)) if again else _moment(chance)
        thread = mails[-1].thread if again else f"{lane.project}-{lane.user}-{number}"
        mails.append(SimulatedMail(at, lane, thread, _duration(traffic.minutes, chance)))
    return mails


def _how_many(usual: float, chance: random.Random) -> int:
    """Return about as many as usual; a part of a mail a day is a mail on some days."""
    whole = int(usual + chance.random())
    return whole + chance.randint(-_MORE_OR_LESS, _MORE_OR_LESS) if whole > _MORE_OR_LESS else whole


def _moment(chance: random.Random) -> timedelta:
    (hour,) = chance.choices(list(_HOURS), list(_HOURS.values()))
    return timedelta(hours=hour, seconds=chance.uniform(0, 3600))


def _duration(usual: float, chance: random.Random) -> timedelta:
    return min(_minutes(chance.lognormvariate(math.log(usual), _SPREAD)), _LONGEST)


def _minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


DAY = timedelta(hours=24)
_HOUR = timedelta(hours=1)
# Nobody dies in this day, so nobody has to prove that it lives.
LIMITS = Limits(lease=2 * DAY, idle_lease=2 * DAY, deadline=2 * DAY, patience=2 * DAY)
# A newer mail waits for its turn: the waiting times are then the longest that the rules allow.
_RULE = InterruptRule("queue")
_DONE = Ending(State.DONE, Outcome.PUBLISHED)


@dataclass(frozen=True, slots=True)
class Day:
    """What a day was like for a number of workers; waiting is from the mail to the start of its job.

    A mail also waits for earlier ones of its own lane. What comes from sharing workers is how much later it starts
    than if its lane had a worker of its own.
    """

    workers: int
    mails: int
    waited_p50: timedelta
    waited_p95: timedelta
    waited_longest: timedelta
    later_p95: timedelta
    busy: timedelta

    @property
    def worker_hours(self) -> float:
        """Pool workers are there the whole day, busy or not."""
        return self.workers * DAY / _HOUR

    @property
    def busy_percent(self) -> float:
        """More than a hundred: the work of the day did not fit into it."""
        return self.busy / (self.workers * DAY) * 100


class _Wakeups:
    """Remembers who was rung, in place of a socket."""

    def __init__(self) -> None:
        self.rung: list[str] = []

    def listen(self, worker: str) -> WakeupListener:
        raise NotImplementedError(f"{worker} is asked, it does not listen")

    def wake(self, workers: Iterable[str]) -> None:
        self.rung += list(workers)[:1]


@dataclass(slots=True)
class _Seat:
    """One worker of the pool: free, the owner of a quiet lane, or busy with a job."""

    name: str
    claim: Claim | None = None
    job: Job | None = None
    # Counts its turns, so that an idle release meant for an earlier one does nothing.
    turns: int = 0


@dataclass(slots=True)
class _Simulation:
    """One day with one number of workers."""

    engine: Engine
    wakeups: _Wakeups
    seats: list[_Seat]
    clock: ManualClock
    midnight_at: datetime
    _events: list[tuple[timedelta, int, Callable[[], None]]] = field(default_factory=list)
    _order: count[int] = field(default_factory=count)
    _mails: dict[str, SimulatedMail] = field(default_factory=dict)
    _starts: dict[str, timedelta] = field(default_factory=dict)

    def run(self, mails: Sequence[SimulatedMail]) -> Day:
        self._mails = {f"job-{number}": mail for number, mail in enumerate(mails)}
        for seat in self.seats:
            self.engine.claims.wait_for_work(seat.name, self.clock.now())
        for job, mail in self._mails.items():
            self._plan(mail.at, partial(self._arrive, job))
        while self._events:
            at, _, happen = heapq.heappop(self._events)
            self.clock.advance(at - self._now)
            happen()
        return self._tell()

    @property
    def _now(self) -> timedelta:
        """The time since midnight."""
        return self.clock.now().wall_at - self.midnight_at

    def _tell(self) -> Day:
        waited = sorted(self._starts[job] - mail.at for job, mail in self._mails.items())
        alone = starts_alone(list(self._mails.values()))
        later = sorted(self._starts[job] - own for job, own in zip(self._mails, alone, strict=True))
        busy = sum((mail.takes for mail in self._mails.values()), timedelta(0))
        shares = (_share(waited, 0.5), _share(waited, 0.95), _share(waited, 1.0), _share(later, 0.95))
        return Day(len(self.seats), len(waited), *shares, busy)

    def _plan(self, at: timedelta, happen: Callable[[], None]) -> None:
        heapq.heappush(self._events, (at, next(self._order), happen))

    def _arrive(self, job: str) -> None:
        now, mail = self.clock.now(), self._mails[job]
        new = NewJob(job, mail.lane, mail.thread, job, Kind.INSTRUCTION, "", Request(""), now.wall_at)
        self.engine.lanes.accept(new, now, ready=_RULE)
        self._look_around()

    def _look_around(self) -> None:
        """Let everybody look who is not busy: first who was rung, then who is free, then owners of quiet lanes."""
        rung, self.wakeups.rung = self.wakeups.rung, []
        idle = [seat for seat in self.seats if seat.job is None]
        for seat in sorted(idle, key=lambda seat: (seat.name not in rung, seat.claim is not None)):
            self._look(seat)

    def _look(self, seat: _Seat) -> None:
        now = self.clock.now()
        if seat.claim is not None:
            seen = self.engine.claims.start(seat.claim, now)
            if seen.job is not None:
                self._begin(seat, seen.job)
            if seen.job is not None or not seen.others_wait:
                return
            self.engine.claims.give_back(seat.claim, now)
            seat.claim = None
        self._take(seat, self.engine.claims.claim(seat.name, now))

    def _take(self, seat: _Seat, claimed: Claimed | None) -> None:
        seat.claim = claimed.claim if claimed else None
        if claimed is not None and claimed.job is not None:
            self._begin(seat, claimed.job)
        elif claimed is None:
            self.engine.claims.wait_for_work(seat.name, self.clock.now())

    def _begin(self, seat: _Seat, job: Job) -> None:
        seat.job = job
        seat.turns += 1
        self._starts[job.id] = self._now
        self._plan(self._now + self._mails[job.id].takes, partial(self._end, seat))

    def _end(self, seat: _Seat) -> None:
        now, claim, job = self.clock.now(), seat.claim, seat.job
        if claim is None or job is None:
            raise AssertionError(f"{seat.name} has nothing to end")
        after = self.engine.attempts.finish(claim, job, _DONE, now, give_way=True)
        seat.job = None
        if after.job is not None:
            self._begin(seat, after.job)
        elif after.claimed is not None:
            self._take(seat, after.claimed)
        else:
            self._plan(self._now + LIMITS.idle_release, partial(self._release, seat, seat.turns))
        self._look_around()

    def _release(self, seat: _Seat, turn: int) -> None:
        now = self.clock.now()
        if seat.turns == turn and seat.claim is not None and self.engine.claims.release(seat.claim, now):
            self._take(seat, None)


def live_through(mails: Sequence[SimulatedMail], workers: int) -> Day:
    """Let that many workers do the mails of one day, in a store that is only kept in memory."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        wakeups, clock = _Wakeups(), ManualClock()
        sites = FolderSites(previews=data / "previews", targets={})
        database = Database(Path(":memory:"), reserve=0)
        try:
            engine = Ports(data, LIMITS, MaildirTransport(data / "mailbox"), sites, signals=wakeups).on(database)
            seats = [_Seat(f"worker-{number}") for number in range(workers)]
            return _Simulation(engine, wakeups, seats, clock, clock.now().wall_at).run(mails)
        finally:
            database.close()


def find_need(live: Callable[[int], Day], within: timedelta, at_most: int) -> Day:
    """Return the day with the fewest workers with which 95 of 100 mails start no later than that.

    As many workers as there are lanes are always enough.
    """
    few, many = 0, 1
    while many < at_most and live(many).later_p95 > within:
        few, many = many, min(2 * many, at_most)
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if live(middle).later_p95 <= within else (middle, many)
    return live(many)


def starts_alone(mails: Sequence[SimulatedMail]) -> list[timedelta]:
    """Return when each job would start if every lane had a worker of its own."""
    free: dict[str, timedelta] = {}
    starts = []
    for mail in mails:
        starts.append(max(mail.at, free.get(mail.lane.key, mail.at)))
        free[mail.lane.key] = starts[-1] + mail.takes
    return starts


def hours_on_demand(mails: Sequence[SimulatedMail]) -> float:
    """Return the worker-hours when each lane has its own worker, which ends after its idle time."""
    total = timedelta(0)
    leaves: dict[str, timedelta] = {}
    for mail, start in zip(mails, starts_alone(mails), strict=True):
        lane, until = mail.lane.key, start + mail.takes + LIMITS.idle_release
        # A worker that is still there is only kept for longer.
        total += until - max(start, leaves.get(lane, start))
        leaves[lane] = until
    return total / _HOUR


def _share(ordered: Sequence[timedelta], share: float) -> timedelta:
    return ordered[max(math.ceil(len(ordered) * share) - 1, 0)] if ordered else timedelta(0)
