"""The way from the commit point to the outcome, and how a new owner settles what the last one left there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.errors import LostOwnership

from .explorer import Step
from .lane_checks import check_push
from .lane_state import Place
from .lane_steps import act, drop
from .memory_store import NOW, claim_of
from .promises import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.jobs.job import Job

    from .lane_rules import Rules
    from .lane_state import Worker, World
    from .memory_store import MemoryStore


def push(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Push to live together with the fence ref; the remote knows no leases, only that the ref grows."""
    if worker.fence < world.remote_fence and rules.push_needs_the_fence:
        yield drop(world, worker, "push")
        return
    pushed = world._replace(
        live=(*world.live, worker.job), remote_fence=max(world.remote_fence, worker.fence)
    ).with_worker(worker, worker.at(Place.POINTING))
    yield Step(f"{worker}: pushes m{worker.job}", pushed.decided_by(worker), check_push(rules, world, worker))
    if world.budget.refusals:
        for step in reopen(rules, world, worker):
            label = f"{worker}: the remote refuses m{worker.job}"
            yield Step(label, step.state.spend("refusals"), step.breaks, is_fault=True)


def switch_pointer(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Show the release; one that is an ancestor of what is shown is live already."""
    position = world.live.index(worker.job) + 1
    after = world.with_worker(worker, worker.at(Place.FINISHING))
    if position <= world.pointer:
        yield Step(f"{worker}: m{worker.job} is live already", after)
    elif worker.fence < world.pointer_fence and rules.pointer_needs_the_fence:
        yield drop(world, worker, "pointer")
    else:
        breaks = Broken.STALE_FENCE_PUBLISHED if worker.fence < world.newest else None
        shown = after._replace(pointer=position, pointer_fence=max(world.pointer_fence, worker.fence))
        yield Step(f"{worker}: pointer to m{worker.job}", shown.decided_by(worker), breaks)


def fence_remote(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Settle, first: from here on the remote refuses every older owner."""
    if not rules.settle_advances_the_fences:
        yield Step(f"{worker}: settles without a fence", world.with_worker(worker, worker.at(Place.LOOKING)))
    elif worker.fence < world.remote_fence:
        yield drop(world, worker, "settling")
    else:
        fenced = world._replace(remote_fence=worker.fence)
        yield Step(f"{worker}: fences the remote", fenced.with_worker(worker, worker.at(Place.FENCING_POINTER)))


def fence_pointer(_rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Settle, second: the same at the pointer."""
    if worker.fence < world.pointer_fence:
        yield drop(world, worker, "settling")
    else:
        fenced = world._replace(pointer_fence=worker.fence)
        yield Step(f"{worker}: fences the pointer", fenced.with_worker(worker, worker.at(Place.LOOKING)))


def look_at_live(_rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Settle, third: is the recorded commit live? Whoever has looked has decided."""
    is_live = worker.job in world.live
    looked = world.with_worker(worker, worker.at(Place.POINTING if is_live else Place.RETURNING))
    seen = "is live" if is_live else "is not live"
    yield Step(f"{worker}: looks, m{worker.job} {seen}", looked.decided_by(worker))


def reopen(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Settle, last: what is fenced and not live is rebased and passes the commit point again."""

    def operate(store: MemoryStore) -> Job:
        return store.attempts.reopen(claim_of(worker.fence), store.job(worker.job), "not live", NOW)

    try:
        after, _, breaks = act(rules, world, operate, worker)
    except LostOwnership:
        yield drop(world, worker, "settling")
        return
    working = after.with_worker(worker, worker.at(Place.WORKING))
    yield Step(f"{worker}: m{worker.job} goes back to running", working, breaks)
