"""The checks of one lane: what must hold in each state, and what a step may not have done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.dispatch.job_row import HOLDING, WAITING
from webordinary.jobs.job import State

from .lane_state import TERMINAL
from .memory_store import NOW, PERSON, number_of
from .promises import Broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from webordinary.audit.entry import Entry

    from .lane_rules import Rules
    from .lane_state import JobValues, LaneValues, Worker, World

MAX_INTERRUPTIONS = 2
_STARTS = {EventType.JOB_STARTED, EventType.JOB_RESUMED}
_ENDS = {EventType.JOB_DONE, EventType.JOB_FAILED, EventType.JOB_STOPPED, EventType.JOB_DEAD}


def check_state(rules: Rules, world: World) -> Broken | None:
    """Judge what must hold between any two transactions."""
    return _check_running(world) or _check_row(world) or _check_line(rules, world)


def _check_running(world: World) -> Broken | None:
    lane = world.row
    holding = [number for number, job in enumerate(world.jobs) if job.state in HOLDING]
    if len(holding) > 1:
        return Broken.TWO_RUN
    if holding and (lane.owner is None or number_of(lane.running or "m-1") != holding[0]):
        return Broken.RUNS_WITHOUT_OWNER
    first, second = world.workers
    return Broken.FENCE_REPEATED if first.fence and first.fence == second.fence else None


def _check_row(world: World) -> Broken | None:
    lane, jobs = world.row, world.jobs
    if lane.pending != sum(job.state.is_live for job in jobs):
        return Broken.PENDING_WRONG
    if any(_is_unwatched(job, lane.overdue_at) for job in jobs):
        return Broken.SWEEP_COMES_TOO_LATE
    is_committing = any(job.state is State.COMMITTING for job in jobs)
    return Broken.COMMITTING_WRONG if lane.is_committing != is_committing else None


def _check_line(rules: Rules, world: World) -> Broken | None:
    lane = world.row
    if lane.first_thread is not None and not rules.has_live_job(world, lane.first_thread):
        return Broken.FAVOUR_FOR_NOBODY
    if any(job.cancel is not None and job.state is not State.RUNNING for job in world.jobs):
        return Broken.CANCEL_LEFT
    head = head_of(rules, world)
    waits = lane.owner is None and head is not None and world.jobs[head].state in WAITING
    is_said = waits == (lane.ready_since is not None)
    is_said_from_when = not waits or head is None or _is_said_from_when(lane, world.jobs[head])
    return None if is_said and is_said_from_when else Broken.READY_WRONG


def _is_said_from_when(lane: LaneValues, head: JobValues) -> bool:
    """Say whether the lane waits since its head may start; all that has come has come just now."""
    return (lane.not_before, lane.ready_since) == (head.not_before, max(NOW.seconds, head.not_before))


def head_of(rules: Rules, world: World) -> int | None:
    """Name whose turn it is, said once more: a verb, then the interrupter's thread, then by sequence."""
    first_of: dict[str, int] = {}
    for number, job in enumerate(world.jobs):
        if job.state.is_live:
            first_of.setdefault(rules.thread(number), number)
    favoured = world.row.first_thread
    turns = ((not rules.is_verb(n), rules.thread(n) != favoured, n) for n in first_of.values())
    return min(turns, default=(False, False, None))[2]


def _is_unwatched(job: JobValues, overdue_at: float | None) -> bool:
    limits: dict[State, float | None] = {
        State.PREPARING: job.prepare_by,
        State.QUEUED: job.start_by,
        State.PARKED: job.start_by,
        State.RUNNING: job.deadline_at,
    }
    limit = limits.get(job.state)
    return limit is not None and (overdue_at is None or overdue_at > limit)


def check_step(rules: Rules, before: World, after: World, entries: Iterable[Entry], by: Worker | None) -> Broken | None:
    """Name the first promise that a transaction has broken, by what it did and by what it told."""
    told = list(entries)
    has_changed = (before.lane, before.jobs) != (after.lane, after.jobs)
    if by is not None and (has_changed or told) and not before.is_held_by(by):
        return Broken.STALE_FENCE_WROTE
    if any(was.state in TERMINAL and was.state != now.state for was, now in zip(before.jobs, after.jobs, strict=False)):
        return Broken.SECOND_OUTCOME
    return next(_broken_by(rules, before, after, told), None)


def _broken_by(rules: Rules, before: World, after: World, entries: list[Entry]) -> Iterator[Broken]:
    for entry in entries:
        if entry.job is None or number_of(entry.job) >= len(before.jobs):
            continue
        number = number_of(entry.job)
        found: Broken | None = None
        if entry.what in _STARTS:
            found = _check_start(rules, before, after, number)
        elif entry.what == EventType.JOB_PARKED:
            found = _check_park(rules, before, number)
        elif entry.what in _ENDS:
            is_by_time = entry.what == EventType.JOB_FAILED and entry.worker is None
            found = check_end(before, number, entry.what, is_by_time=is_by_time)
        elif entry.what == EventType.INTERRUPT_ASKED:
            found = _check_interrupt(rules, after, number, entry.facts["by"])
        elif entry.what == EventType.JOB_RETRIED and not _backs_off(after, number):
            found = Broken.NO_BACKOFF
        elif entry.what == EventType.COMMIT_POINT and _has_due_cancel(before.jobs[number]):
            found = Broken.COMMITTED_DESPITE_CANCEL
        if found is not None:
            yield found


def _has_due_cancel(job: JobValues) -> bool:
    return job.cancel is not None and (job.cancel_not_before or 0) <= NOW.seconds


def _backs_off(world: World, number: int) -> bool:
    return world.jobs[number].state is State.QUEUED and world.jobs[number].not_before > NOW.seconds


def _check_start(rules: Rules, before: World, after: World, number: int) -> Broken | None:
    thread, was = rules.thread(number), before.jobs[number]
    if any(after.jobs[n].state.is_live for n in range(number) if rules.thread(n) == thread):
        return Broken.STARTED_OUT_OF_ORDER
    if was.state is State.PREPARING or was.not_before > NOW.seconds:
        return Broken.STARTED_TOO_EARLY
    if was.state in WAITING and not rules.is_verb(number) and any(_could_start(rules, after, n) for n in rules.verbs):
        return Broken.VERB_WAITED
    return None


def _could_start(rules: Rules, world: World, verb: int) -> bool:
    """Say whether a verb waits that no earlier job of its thread keeps from starting."""
    is_there = verb < len(world.jobs) and world.jobs[verb].state in WAITING
    return is_there and not any(
        world.jobs[n].state.is_live for n in range(verb) if rules.thread(n) == rules.thread(verb)
    )


def debt_after(rules: Rules, before: World, after: World, entries: Iterable[Entry]) -> tuple[str, Broken | None]:
    """Return to which thread the next turn is owed after a park, and whether somebody else has had it."""
    owed = before.owed
    for entry in entries:
        number = number_of(entry.job) if entry.job else 0
        if entry.what == EventType.JOB_PARKED:
            by = entry.facts["by"]
            owed = owed if by in {PERSON, ""} else rules.thread(number_of(by))
        elif entry.what in _STARTS and owed and entry.job != before.row.running:
            if rules.thread(number) == owed:
                owed = ""
            elif not rules.is_verb(number) and rules.has_live_job(after, owed):
                return owed, Broken.INTERRUPTER_NOT_NEXT
    return owed, None


def _check_park(rules: Rules, before: World, number: int) -> Broken | None:
    job = before.jobs[number]
    if job.state is not State.RUNNING or job.cancel is None:
        return Broken.CANCELLED_WITHOUT_CANCEL
    if job.cancel_by != PERSON and rules.thread(number_of(job.cancel_by or "m0")) == rules.thread(number):
        return Broken.CANCELLED_BY_OWN_THREAD
    if number in before.promised:
        return Broken.PARKED_DESPITE_STOP
    return Broken.INTERRUPTED_TOO_OFTEN if before.parks.count(number) >= MAX_INTERRUPTIONS else None


def _check_interrupt(rules: Rules, after: World, number: int, by: str) -> Broken | None:
    """Say whether a job of the interrupter's thread would run if the running job made room now."""
    if by == PERSON:
        return None
    thread = rules.thread(number_of(by))
    mine = [n for n, job in enumerate(after.jobs) if job.state.is_live and rules.thread(n) == thread]
    first = after.jobs[mine[0]] if mine else None
    can_start = first is not None and first.state in WAITING and first.not_before <= NOW.seconds
    if rules.is_verb(number_of(by)) or rules.is_verb(number):
        return Broken.CANCELLED_BY_A_VERB
    return None if can_start else Broken.CANCELLED_FOR_NOTHING


def check_end(before: World, number: int, what: EventType, *, is_by_time: bool) -> Broken | None:
    """Judge what a job is told to have come to."""
    was, lane = before.jobs[number], before.row
    if was.state in TERMINAL:
        return Broken.SECOND_OUTCOME
    if is_by_time and was.state is State.RUNNING and lane.lease_until <= NOW.seconds:
        return Broken.FAILED_WITHOUT_OWNER
    if what != EventType.JOB_DONE:
        return Broken.LIVE_BUT_DENIED if number in before.live else None
    if number not in before.live[: before.pointer]:
        return Broken.DONE_BUT_NOT_LIVE
    return Broken.PUBLISHED_DESPITE_STOP if number in before.promised else None


def check_push(rules: Rules, world: World, worker: Worker) -> Broken | None:
    number, state = worker.job, world.jobs[worker.job].state
    if number in world.live:
        return Broken.PUBLISHED_TWICE
    if state in TERMINAL:
        return Broken.PUBLISHED_AFTER_END
    if state is not State.COMMITTING:
        return Broken.PUBLISHED_OUTSIDE_COMMIT_POINT
    if worker.fence < world.newest:
        return Broken.STALE_FENCE_PUBLISHED
    mine = [n for n in range(len(world.jobs)) if rules.thread(n) == rules.thread(number)]
    is_early = any(n < number and world.jobs[n].state.is_live for n in mine)
    is_late = any(n > number and n in world.live for n in mine)
    return Broken.PUBLISHED_OUT_OF_ORDER if is_early or is_late else None
