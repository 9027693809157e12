"""The model of several lanes: whose turn it is, who gives way, and what a project that is paused starts.

Its workers do what the loop of a real one does: they look for a lane, do one job, and leave when others wait.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from webordinary.audit.entry import EventType
from webordinary.dispatch.lane import lane_of
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, Outcome, State

from .crowd_state import Crowd, CrowdBudget, CrowdLane, CrowdProject, CrowdWorker, Spot, is_held
from .crowd_store import BREAKER, CrowdStore
from .explorer import Step
from .memory_store import NAME, NOW, PERSON
from .promises import Broken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.ownership.claim import Claimed, Next

Result = TypeVar("Result")

_QUEUE = InterruptRule("queue")
_DONE = Ending(State.DONE, Outcome.PUBLISHED)
_FAILED = Ending(State.FAILED, error="it broke", blames_project=True)
_STARTS = {EventType.JOB_STARTED, EventType.JOB_RESUMED}
_FREE = CrowdWorker()


@dataclass(frozen=True, slots=True)
class CrowdModel:
    """One situation: which lanes of which projects, how many workers, and what may go wrong how often."""

    keys: tuple[str, ...]
    workers: int
    budget: CrowdBudget
    # One transaction pauses a project and all its lanes; else each lane follows in one of its own.
    follows_at_once: bool = True
    attempts: int = 9
    # How many jobs live in a lane at most; the first lane has one, so that what is said about it is said of each.
    longest: int = 2

    def start(self) -> Crowd:
        projects = {lane_of(key).project for key in self.keys}
        lanes = (CrowdLane(),) * len(self.keys)
        return Crowd(self.budget, lanes, (CrowdProject(),) * len(projects), (_FREE,) * self.workers)

    @property
    def bound(self) -> int:
        """How many others may start while a lane waits: for each other lane one, for each worker, for each death."""
        return len(self.keys) - 1 + self.workers + self.budget.crashes

    def is_end(self, crowd: Crowd) -> bool:
        return not crowd.budget.mails and not any(lane.jobs for lane in crowd.lanes)

    def broken(self, crowd: Crowd) -> str | None:
        return self._check_lanes(crowd) or self._check_pauses(crowd)

    def steps(self, crowd: Crowd) -> Iterator[Step[Crowd]]:
        for step in self._untidy_steps(crowd):
            yield step._replace(state=self._remember(crowd, step.state))

    def _untidy_steps(self, crowd: Crowd) -> Iterator[Step[Crowd]]:
        for number in range(len(self.keys)):
            yield from self._mail(crowd, number)
            yield from self._lapse(crowd, number)
            yield from self._follow(crowd, number)
        yield from self._pause(crowd)
        for worker in dict.fromkeys(crowd.workers):
            if worker.spot is not Spot.FREE and crowd.budget.crashes:
                yield self._crash(crowd, worker)
            yield from _OPERATIONS[worker.spot](self, crowd, worker)

    def open(self, crowd: Crowd) -> CrowdStore:
        return CrowdStore(crowd, self.keys, follows_at_once=self.follows_at_once, attempts=self.attempts)

    def _remember(self, before: Crowd, after: Crowd) -> Crowd:
        """Forget how many have passed the first lane when it does not wait any more."""
        waits = before.lanes[0].is_free and after.lanes[0].is_free
        return after.tidy()._replace(passed=after.passed if waits else 0)

    def _check_lanes(self, crowd: Crowd) -> Broken | None:
        owners = [worker.lane for worker in crowd.workers if worker.lane >= 0]
        if len(owners) > len(set(owners)):
            return Broken.TWO_OWNERS
        for number, lane in enumerate(crowd.lanes):
            if lane.is_owned and number not in owners and not lane.is_orphan:
                return Broken.OWNED_BY_NOBODY
            if any(job.attempt > self.attempts for job in lane.jobs):
                return Broken.TRIED_TOO_OFTEN
            if broken := _check_row(lane):
                return broken
        return None

    def _check_pauses(self, crowd: Crowd) -> Broken | None:
        for number, lane in enumerate(crowd.lanes):
            if self.follows_at_once and lane.is_paused != crowd.projects[self.project_of(number)].is_paused:
                return Broken.PAUSE_WRONG
        return None

    def project_of(self, lane: int) -> int:
        names = list(dict.fromkeys(lane_of(key).project for key in self.keys))
        return names.index(lane_of(self.keys[lane]).project)

    def act(self, crowd: Crowd, operate: Callable[[CrowdStore], Result]) -> tuple[Crowd, Result, Broken | None]:
        """Let dispatch carry out one operation, and judge it."""
        store = self.open(crowd)
        result = operate(store)
        after = store.after(crowd)
        started = [self.keys.index(entry.lane or "") for entry in store.entries if entry.what in _STARTS]
        after, breaks = self._count_failures(after, store)
        after = after._replace(passed=after.passed + sum(lane != 0 for lane in started))
        return after, result, breaks or self._check_starts(crowd, after, started)

    def _check_starts(self, before: Crowd, after: Crowd, started: list[int]) -> Broken | None:
        for number in started:
            project = self.project_of(number)
            was, now = before.projects[project].is_paused, after.projects[project].is_paused
            if before.lanes[number].is_paused or (self.follows_at_once and was) or (now and not was):
                return Broken.STARTED_WHILE_PAUSED
        waits = before.lanes[0].is_free and after.lanes[0].is_free and 0 not in started
        return Broken.STARVED if waits and after.passed > self.bound else None

    def _count_failures(self, after: Crowd, store: CrowdStore) -> tuple[Crowd, Broken | None]:
        """Count once more what failed in a row, and say whether the breaker does what follows from it."""
        projects, breaks = list(after.projects), None
        for entry in store.entries:
            if entry.lane is None or entry.worker is None:
                continue
            at = self.project_of(self.keys.index(entry.lane))
            if entry.what in {EventType.JOB_FAILED, EventType.JOB_DEAD}:
                projects[at] = projects[at]._replace(streak=min(projects[at].streak + 1, BREAKER))
            elif entry.what is EventType.JOB_DONE:
                projects[at] = projects[at]._replace(streak=0)
            if projects[at].streak >= BREAKER and not projects[at].is_paused:
                breaks = Broken.BREAKER_MISSED
        paused = [entry.facts["project"] for entry in store.entries if entry.what is EventType.PROJECT_PAUSED]
        for name in paused:
            project = projects[store.names.index(name)]
            by_failures = any(entry.what in {EventType.JOB_FAILED, EventType.JOB_DEAD} for entry in store.entries)
            if by_failures and project.streak < BREAKER:
                breaks = Broken.BREAKER_TOO_EARLY
        capped = tuple(row._replace(failures=min(row.failures, BREAKER)) for row in projects)
        return after._replace(projects=capped), breaks

    def _mail(self, crowd: Crowd, number: int) -> Iterator[Step[Crowd]]:
        left = crowd.budget.mails
        longest = self.longest if number else 1
        if left == 0 or len(crowd.lanes[number].jobs) >= longest:
            return
        after, _, breaks = self.act(crowd, lambda store: store.lanes.accept(store.new_job(number), NOW, ready=_QUEUE))
        yield Step(f"a mail for lane {number}", after.spend("mails"), breaks)

    def _lapse(self, crowd: Crowd, number: int) -> Iterator[Step[Crowd]]:
        lane = crowd.lanes[number]
        if lane.is_owned and not lane.has_lapsed and number not in crowd.owners():
            yield Step(
                f"the lease of lane {number} lapses", crowd.with_lane(number, lane._replace(lease_until=NOW.seconds))
            )

    def _follow(self, crowd: Crowd, number: int) -> Iterator[Step[Crowd]]:
        """Let the sweep bring a lane into line with its project."""
        if crowd.lanes[number].is_paused == crowd.projects[self.project_of(number)].is_paused:
            return

        def operate(store: CrowdStore) -> int:
            store.behind = [self.keys[number]]
            return store.lanes.sweep(NOW)

        after, _, breaks = self.act(crowd, operate)
        yield Step(f"sweep: lane {number} follows its project", after, breaks)

    def _pause(self, crowd: Crowd) -> Iterator[Step[Crowd]]:
        names = list(dict.fromkeys(lane_of(key).project for key in self.keys))
        for at, project in enumerate(crowd.projects):
            if project.is_paused:
                after, _, breaks = self.act(crowd, lambda store, at=at: store.lanes.resume(names[at], PERSON, NOW))  # type: ignore[misc]  # the types of a lambda's defaults are not inferred
                rows = (*after.projects[:at], after.projects[at]._replace(streak=0), *after.projects[at + 1 :])
                yield Step(f"{names[at]} is resumed", after._replace(projects=rows), breaks)
            elif crowd.budget.pauses:
                after, _, breaks = self.act(crowd, lambda store, at=at: store.lanes.pause(names[at], "why", NOW))  # type: ignore[misc]  # the types of a lambda's defaults are not inferred
                yield Step(f"{names[at]} is paused", after.spend("pauses"), breaks, is_fault=True)

    def _crash(self, crowd: Crowd, worker: CrowdWorker) -> Step[Crowd]:
        orphan = crowd.lanes[worker.lane]._replace(is_orphan=True)
        crashed = crowd.with_lane(worker.lane, orphan).with_worker(worker, _FREE).spend("crashes")
        return Step(f"{worker} crashes while {worker.spot}", crashed, is_fault=True)


def _check_row(lane: CrowdLane) -> Broken | None:
    held = [at for at, job in enumerate(lane.jobs) if is_held(job)]
    waits = not lane.is_owned and not lane.is_paused and any(not is_held(job) for job in lane.jobs)
    if lane.pending != len(lane.jobs):
        return Broken.PENDING_WRONG
    if held and (not lane.is_owned or [lane.running] != held):
        return Broken.RUNS_WITHOUT_OWNER
    if waits != (lane.ready_since is not None):
        return Broken.READY_WRONG
    return Broken.COMMITTING_WRONG if lane.is_committing != lane.is_half_published else None


def _claim(model: CrowdModel, crowd: Crowd, worker: CrowdWorker) -> Iterator[Step[Crowd]]:
    after, claimed, breaks = model.act(crowd, lambda store: store.claims.claim(NAME, NOW))
    if claimed is None:
        if any(lane.is_free for lane in crowd.lanes):
            yield Step("a free worker finds nothing", after, Broken.NOT_FOUND)
        return
    after = _taken(model, after, worker, claimed)
    (number,) = after.owners() - crowd.owners() or {-1}
    yield Step(f"a free worker claims lane {number}", after, breaks or _check_turn(model, crowd, after, number))


def _taken(model: CrowdModel, after: Crowd, worker: CrowdWorker, claimed: Claimed) -> Crowd:
    number = model.keys.index(claimed.claim.lane.key)
    spot = Spot.IDLE
    if claimed.job is not None:
        spot = Spot.PUSHING if claimed.job.state is State.COMMITTING else Spot.WORKING
    # Whoever has settled a commit that may be live has started something too.
    passed = after.passed + (spot is Spot.PUSHING and number != 0)
    kept = after.with_lane(number, after.lanes[number]._replace(is_orphan=False))
    return kept.with_worker(worker, CrowdWorker(spot, number))._replace(passed=passed)


def _check_turn(model: CrowdModel, before: Crowd, after: Crowd, number: int) -> Broken | None:
    """Say once more whose turn it is: what may be half published, then who has waited longest."""
    lane = before.lanes[number]
    if not lane.is_free:
        return Broken.TAKEN_FROM_THE_LIVING
    # A project that is paused in this very moment may have lanes that do not know it yet.
    paused = [after.projects[model.project_of(at)].is_paused for at in range(len(before.lanes))]
    free = [row for row, is_paused in zip(before.lanes, paused, strict=True) if row.is_free and not is_paused]
    return Broken.OUT_OF_TURN if any(_turn(row) < _turn(lane) for row in free) else None


def _turn(lane: CrowdLane) -> tuple[bool, float]:
    return not lane.is_half_published, lane.waits_since


def _look_again(model: CrowdModel, crowd: Crowd, worker: CrowdWorker) -> Iterator[Step[Crowd]]:
    """Let an idle owner start what has come, leave for others, or release a lane in which nothing waits."""
    after, following, breaks = model.act(crowd, lambda store: store.claims.start(store.claim_of(worker.lane), NOW))
    spot = _spot_after(following)
    if spot is not Spot.IDLE:
        yield Step(f"{worker} looks: {spot}", after.with_worker(worker, CrowdWorker(spot, worker.lane)), breaks)
        return
    after, is_released, breaks = model.act(crowd, lambda store: store.claims.release(store.claim_of(worker.lane), NOW))
    if is_released:
        yield Step(f"{worker} releases it", after.with_worker(worker, _FREE), breaks)


def _spot_after(following: Next) -> Spot:
    if following.job is not None:
        return Spot.WORKING
    return Spot.LEAVING if following.others_wait else Spot.IDLE


def _leave(model: CrowdModel, crowd: Crowd, worker: CrowdWorker) -> Iterator[Step[Crowd]]:
    after, _, breaks = model.act(crowd, lambda store: store.claims.give_back(store.claim_of(worker.lane), NOW))
    yield Step(f"{worker} gives it back", after.with_worker(worker, _FREE), breaks)


def _work(model: CrowdModel, crowd: Crowd, worker: CrowdWorker) -> Iterator[Step[Crowd]]:
    yield from _finish(model, crowd, worker, _DONE)
    if crowd.budget.failures:
        yield from _finish(model, crowd, worker, _FAILED, "failures")
    after, _, breaks = model.act(
        crowd,
        lambda store: store.attempts.pass_commit_point(
            store.claim_of(worker.lane), store.job_of(worker.lane), "c0ffee", NOW
        ),
    )
    yield Step(
        f"{worker} passes the commit point", after.with_worker(worker, worker._replace(spot=Spot.PUSHING)), breaks
    )


def _push(model: CrowdModel, crowd: Crowd, worker: CrowdWorker) -> Iterator[Step[Crowd]]:
    yield from _finish(model, crowd, worker, _DONE)


def _finish(
    model: CrowdModel, crowd: Crowd, worker: CrowdWorker, ending: Ending, spends: str = ""
) -> Iterator[Step[Crowd]]:
    after, following, breaks = model.act(
        crowd,
        lambda store: store.attempts.finish(
            store.claim_of(worker.lane), store.job_of(worker.lane), ending, NOW, give_way=True
        ),
    )
    if following.claimed is not None:
        before = after.with_worker(worker, _FREE)
        number = model.keys.index(following.claimed.claim.lane.key)
        after = _taken(model, before, _FREE, following.claimed)
        breaks = breaks or _check_turn(model, crowd, after, number)
    else:
        spot = _spot_after(following)
        after = after.with_worker(worker, CrowdWorker(spot, worker.lane))
    after = after.spend(spends) if spends else after
    yield Step(f"{worker} finishes, {ending.state}", after, breaks, is_fault=bool(spends))


_OPERATIONS = {
    Spot.FREE: _claim,
    Spot.IDLE: _look_again,
    Spot.LEAVING: _leave,
    Spot.WORKING: _work,
    Spot.PUSHING: _push,
}
