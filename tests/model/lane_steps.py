"""What may happen to a lane, each step by the operation of dispatch that runs in production."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from webordinary.audit.entry import EventType
from webordinary.dispatch.effects import WakeReason
from webordinary.errors import Interrupted, LostOwnership
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.lanes import Stopped

from .explorer import Step
from .lane_checks import check_step, debt_after
from .lane_rules import Delivery
from .lane_state import FREE_WORKER, NOTHING, Place, Worker
from .memory_store import LANE, NAME, NOW, PERSON, claim_of, job_name, new_job, number_of
from .promises import Broken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Next

    from .lane_rules import Rules
    from .lane_state import World
    from .memory_store import MemoryStore

Result = TypeVar("Result")

_AT_ONCE = InterruptRule(first_after=timedelta(0))
_LATER = InterruptRule()
_DONE = Ending(State.DONE, Outcome.PUBLISHED)
_FAILED = Ending(State.FAILED, error="it broke")


def act(
    rules: Rules, world: World, operate: Callable[[MemoryStore], Result], by: Worker | None = None
) -> tuple[World, Result, Broken | None]:
    """Let dispatch carry out one operation, and judge it."""
    store = rules.open(world)
    result = operate(store)
    after, breaks = judged(rules, world, store, by)
    return after, result, breaks


def judged(rules: Rules, world: World, store: MemoryStore, by: Worker | None = None) -> tuple[World, Broken | None]:
    """Return the state after an operation, and the promise that it has broken."""
    after = store.after(world)
    owed, unfair = debt_after(rules, world, after, store.entries)
    parked = [number_of(entry.job) for entry in store.entries if entry.what == EventType.JOB_PARKED and entry.job]
    after = after._replace(owed=owed, parks=tuple(sorted((*after.parks, *parked))))
    return after, check_step(rules, world, after, store.entries, by) or unfair


def rung(rules: Rules, world: World, store: MemoryStore) -> Iterator[World]:
    """Deliver the calls of an operation; owners need none here, because they look at each beat."""
    if not any(wakeup.reason == WakeReason.CLAIM for wakeup in store.wakeups):
        yield world
    else:
        yield from wake(rules, world)


def wake(rules: Rules, world: World) -> Iterator[World]:
    if rules.wakeup is Delivery.LOOK:
        yield world
    elif rules.wakeup is Delivery.QUEUE:
        yield world._replace(wakeup=True)
    else:
        listeners = [worker for worker in dict.fromkeys(world.workers) if _has_idle_flag(rules, worker)]
        for worker in listeners:
            yield world.with_worker(worker, worker._replace(is_rung=True))
        if not listeners:
            yield world


def _has_idle_flag(rules: Rules, worker: Worker) -> bool:
    if worker.place is Place.SETTING_UP:
        return not rules.looks_before_the_idle_flag
    return worker.place is Place.WAITING


def from_outside(
    rules: Rules,
    world: World,
    label: str,
    operate: Callable[[MemoryStore], object],
    *,
    spends: str = "",
    is_told: bool = False,
) -> Iterator[Step[World]]:
    """Let somebody who owns nothing act, and then wake."""
    store = rules.open(world)
    operate(store)
    after, breaks = judged(rules, world, store)
    after = after.spend(spends) if spends else after
    for each in (after,) if is_told else rung(rules, after, store):
        yield Step(label, each, breaks, is_fault=bool(spends))


def accept(rules: Rules, world: World) -> Iterator[Step[World]]:
    """Take the next mail in: its place in the lane is fixed here, before its attachments are ready."""
    number = len(world.jobs)
    if number < len(rules.threads):
        new = new_job(number, rules.threads[number])
        ready = _rule(rules) if rules.is_ready_at_once else None
        label = f"accept {rules.name(number)}"
        yield from from_outside(rules, world, label, lambda store: store.lanes.accept(new, NOW, ready=ready))


def enqueue(rules: Rules, world: World) -> Iterator[Step[World]]:
    """Make a prepared job ready, interrupt what must make room for it, then wake."""
    for number, job in enumerate(world.jobs):
        if job.state is not State.PREPARING:
            continue
        is_told = rules.rings_before_the_commit
        if is_told and not world.wakeup and not any(one.is_rung for one in world.workers):
            for each in wake(rules, world):
                if each != world:
                    yield Step(f"rings for {rules.name(number)}, which is not committed yet", each)
        operate = partial(_enqueue, rules, job_name(number))
        yield from from_outside(rules, world, f"enqueue {rules.name(number)}", operate, is_told=is_told)


def enqueue_again(rules: Rules, world: World) -> Iterator[Step[World]]:
    """Say once more that a job is ready, which whoever got no answer does."""
    if world.budget.repeats:
        for number, job in enumerate(world.jobs):
            if job.state is not State.PREPARING:
                operate = partial(_enqueue, rules, job_name(number))
                yield from from_outside(rules, world, f"enqueue {rules.name(number)} again", operate, spends="repeats")


def _enqueue(rules: Rules, name: str, store: MemoryStore) -> None:
    store.lanes.enqueue(name, _rule(rules), NOW)


def _rule(rules: Rules) -> InterruptRule:
    return _AT_ONCE if rules.interrupts_at_once else _LATER


def stop(rules: Rules, world: World) -> Iterator[Step[World]]:
    """Let a person stop a job: at once while it waits, by a cancel while it runs, never once it commits."""
    if not world.budget.stops:
        return
    for number, job in enumerate(world.jobs):
        if not job.state.is_live:
            continue
        store = rules.open(world)
        became = store.lanes.stop(job_name(number), PERSON, NOW)
        after, breaks = judged(rules, world, store)
        after = after.spend("stops")
        if became is Stopped.ASKED:
            after = after._replace(promised=(*after.promised, number))
        for each in rung(rules, after, store):
            yield Step(f"a person stops {rules.name(number)}, {job.state}: {became}", each, breaks, is_fault=True)


def release_by_hand(rules: Rules, world: World) -> Iterator[Step[World]]:
    """Let an operator end the lease of whoever owns the lane."""
    if world.budget.releases and world.row.owner is not None:
        yield from from_outside(
            rules,
            world,
            "an operator ends the lease",
            lambda s: s.lanes.release(LANE.key, PERSON, NOW),
            spends="releases",
        )


def sweep(rules: Rules, world: World) -> Iterator[Step[World]]:
    """Let the time of a job be over, and the sweep notice it."""
    if not world.budget.deadlines:
        return
    for number, job in enumerate(world.jobs):
        if not job.state.is_live:
            continue
        late = world.with_job(number, prepare_by=NOW.seconds, start_by=NOW.seconds, deadline_at=NOW.seconds)
        late = late._replace(lane=late.row._replace(overdue_at=NOW.seconds))
        label = f"sweep: {rules.name(number)}, {job.state}, is out of time"
        yield from from_outside(rules, late, label, lambda store: store.lanes.sweep(NOW), spends="deadlines")


def ring_again(rules: Rules, world: World) -> Iterator[Step[World]]:
    """Let the sweep wake for what waits, whatever became of its first wakeup, and clear who is gone."""
    if not rules.sweeps_ready_lanes or world.lane is None:
        return
    for step in from_outside(rules, world, "sweep: rings again", lambda store: store.lanes.sweep(NOW)):
        if step.state != world:
            yield step


def wait_out_the_backoff(rules: Rules, world: World) -> Iterator[Step[World]]:
    for number, job in enumerate(world.jobs):
        if job.not_before > NOW.seconds:
            due = world.with_job(number, not_before=0.0)
            if world.row.not_before == job.not_before:
                since = NOW.seconds if world.row.ready_since is not None else None
                due = due._replace(lane=world.row._replace(not_before=0.0, ready_since=since))
            yield Step(f"{rules.name(number)} may be tried again", due)


def lapse(_rules: Rules, world: World) -> Iterator[Step[World]]:
    """Let a lease run out that no living worker renews."""
    lane = world.row
    is_renewed = any(one.fence == lane.fence and not one.is_paused for one in world.workers)
    if lane.owner is not None and lane.lease_until > NOW.seconds and not is_renewed:
        lapsed = world._replace(lane=lane._replace(lease_until=0))
        yield Step(f"the lease @{lane.fence} lapses", lapsed)


def lose_wakeup(_rules: Rules, world: World) -> Iterator[Step[World]]:
    if not world.budget.lost_wakeups:
        return
    if world.wakeup:
        yield Step("the wakeup is lost", world._replace(wakeup=False).spend("lost_wakeups"), is_fault=True)
    for worker in dict.fromkeys(world.workers):
        if worker.is_rung:
            deaf = world.with_worker(worker, worker._replace(is_rung=False)).spend("lost_wakeups")
            yield Step("a datagram is lost", deaf, is_fault=True)


def drop(world: World, worker: Worker, what: str) -> Step[World]:
    """Let a worker that was refused forget the lane and change nothing more."""
    return Step(f"{worker}: {what} refused, drops the lane", world.with_worker(worker, FREE_WORKER))


def idle(worker: Worker) -> Worker:
    return Worker(worker.fence, Place.IDLE)


def with_job(worker: Worker, job: Job | None) -> Worker:
    if job is None:
        return idle(worker)
    place = Place.FENCING_REMOTE if job.state is State.COMMITTING else Place.WORKING
    return Worker(worker.fence, place, number_of(job.id))


def claim(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Take a lane that is ready or lapsed, under the next fence."""
    after, claimed, breaks = act(rules, world, lambda store: store.claims.claim(NAME, NOW))
    if claimed is None:
        return
    lane = world.row
    is_alive = lane.owner is not None and lane.lease_until > NOW.seconds
    if is_alive and any(world.is_held_by(other) and not other.is_paused for other in world.workers):
        breaks = Broken.TAKEN_FROM_THE_LIVING
    owner = with_job(Worker(claimed.claim.fence), claimed.job)
    yield Step(f"a free worker claims @{owner.fence}, {owner.place}", after.with_worker(worker, owner), breaks)


def beat(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Renew the lease; the answer is what tells a worker to go on, to stop its job, or to drop the lane."""
    job = job_name(worker.job) if worker.job != NOTHING else None
    try:
        after, seen, _ = act(rules, world, lambda store: store.claims.beat(claim_of(worker.fence), job, NOW))
    except LostOwnership:
        yield drop(world, worker, "beat")
        return
    if not world.is_held_by(worker) and _is_worked_on_by_another(world, worker):
        yield Step(f"{worker}: beat renews a foreign lease", after, Broken.STALE_WORKER_GOES_ON)
    elif seen.over:
        yield Step(f"{worker}: learns that {job} was ended", after.with_worker(worker, idle(worker)))
    elif seen.interrupt is not None and seen.interrupt.due_at <= NOW.wall_at and worker.place is Place.WORKING:
        stopping = after.with_worker(worker, worker.at(Place.STOPPING))
        yield Step(f"{worker}: hears that {job} is cancelled", stopping)
    elif after != world:
        yield Step(f"{worker}: renews its lease", after)


def _is_worked_on_by_another(world: World, worker: Worker) -> bool:
    others = [other for other in world.workers if other != worker]
    return any(world.is_held_by(one) and not one.is_paused and one.place is not Place.IDLE for one in others)


def owned(
    rules: Rules,
    world: World,
    worker: Worker,
    what: str,
    operate: Callable[[MemoryStore], Next],
    spends: str = "",
) -> Iterator[Step[World]]:
    """Let an owner write about its job, and go on with what it is told."""
    try:
        after, following, breaks = act(rules, world, operate, worker)
    except LostOwnership:
        yield drop(world, worker, what)
        return
    after = after.with_worker(worker, with_job(worker, following.job))
    after = after.spend(spends) if spends else after
    yield Step(f"{worker}: {what}", after, breaks, is_fault=bool(spends))


def start(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    for step in owned(rules, world, worker, "start", lambda store: store.claims.start(claim_of(worker.fence), NOW)):
        if step.state != world:
            yield step


def release(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Give up an idle lane, unless a job came in the meantime."""
    try:
        after, is_released, breaks = act(
            rules, world, lambda store: store.claims.release(claim_of(worker.fence), NOW), worker
        )
    except LostOwnership:
        yield drop(world, worker, "release")
        return
    if is_released:
        yield Step(f"{worker}: releases the lane", after.with_worker(worker, FREE_WORKER), breaks)


def give_back(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Yield or drain: the job goes back unfinished and somebody else is rung."""
    if not world.budget.give_backs:
        return
    store = rules.open(world)
    try:
        store.claims.give_back(claim_of(worker.fence), NOW)
    except LostOwnership:
        yield drop(world, worker, "give back")
        return
    after, breaks = judged(rules, world, store, worker)
    freed = after.with_worker(worker, FREE_WORKER).spend("give_backs")
    for each in rung(rules, freed, store):
        yield Step(f"{worker}: gives the lane back", each, breaks, is_fault=True)


def finish(rules: Rules, world: World, worker: Worker, ending: Ending, spends: str = "") -> Iterator[Step[World]]:
    """Tell the outcome, once, under the current fence, of a job that still runs or commits."""

    def operate(store: MemoryStore) -> Next:
        return store.attempts.finish(claim_of(worker.fence), store.job(worker.job), ending, NOW)

    what = f"finishes m{worker.job}, {ending.state}"
    for step in owned(rules, world, worker, what, operate, spends):
        yield step._replace(state=step.state.decided_by(worker)) if step.state.workers != world.workers else step


def fail(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    if world.budget.failures:
        yield from finish(rules, world, worker, _FAILED, "failures")


def finish_published(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    yield from finish(rules, world, worker, _DONE)


def park(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Set the stopped job aside, as its cancel asks."""
    yield from owned(
        rules,
        world,
        worker,
        f"sets m{worker.job} aside",
        lambda store: store.attempts.park(claim_of(worker.fence), store.job(worker.job), NOW),
    )


def retry(rules: Rules, world: World, worker: Worker, wait: timedelta) -> Iterator[Step[World]]:
    """Put the job back for a later attempt; it keeps its place and the owner keeps the lane."""
    if world.budget.retries:
        yield from owned(
            rules,
            world,
            worker,
            f"will try m{worker.job} again later",
            lambda store: store.attempts.retry(claim_of(worker.fence), store.job(worker.job), "away", wait, NOW),
            "retries",
        )


def pass_commit_point(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Go past the point where an interrupt is too late, right before live changes."""

    def operate(store: MemoryStore) -> Job:
        return store.attempts.pass_commit_point(claim_of(worker.fence), store.job(worker.job), "c0ffee", NOW)

    try:
        after, _, breaks = act(rules, world, operate, worker)
    except LostOwnership:
        yield drop(world, worker, "commit point")
    except Interrupted:
        # The next beat tells it the same.
        return
    else:
        yield Step(
            f"{worker}: commit point of m{worker.job}", after.with_worker(worker, worker.at(Place.PUSHING)), breaks
        )
