"""The checker: reads the trail, the rows and the effects after a run, and names every promise that was broken."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.chaos.effects import Effect
    from webordinary.jobs.callbacks import Callback
    from webordinary.jobs.job import Job
    from webordinary.overview import LaneView

STARTS = frozenset({EventType.JOB_STARTED, EventType.JOB_RESUMED})
ENDS = frozenset({EventType.JOB_DONE, EventType.JOB_FAILED, EventType.JOB_STOPPED, EventType.JOB_DEAD})
# Once because it has waited longer, and once more because its claim was on its way.
MOST_PASSED = 2
PAUSES = frozenset({EventType.JOB_PARKED, EventType.JOB_GIVEN_BACK, EventType.JOB_RETRIED})


@dataclass(frozen=True, slots=True)
class History:
    """Everything that is left after a run."""

    trail: Sequence[Entry]
    jobs: Sequence[Job]
    lanes: Sequence[LaneView]
    effects: Sequence[Effect]
    callbacks: Sequence[Callback]
    promised: Sequence[str]
    # How often the wall clock was set: lanes that wait may then seem to have waited for longer than others.
    jumps: int = 0


def violations(history: History) -> list[str]:
    """Return every broken promise, each with its name and what broke it."""
    return [f"{check.__name__}: {problem}" for check in CHECKS for problem in check(history)]


def i1_effects_of_a_lane_have_growing_fences(history: History) -> Iterator[str]:
    newest: dict[str, int] = defaultdict(int)
    for effect in history.effects:
        if effect.fence < newest[effect.lane]:
            yield f"{effect.kind} of {effect.job} under fence {effect.fence} after {newest[effect.lane]}"
        newest[effect.lane] = max(newest[effect.lane], effect.fence)


def i1_a_job_is_pushed_once_and_only_if_it_is_done(history: History) -> Iterator[str]:
    pushes = Counter(effect.job for effect in history.effects if effect.kind == "push")
    states = {job.id: job.state for job in history.jobs}
    for job, count in pushes.items():
        if count > 1:
            yield f"{job} was pushed {count} times"
        if states[job] != State.DONE:
            yield f"{job} is live but {states[job]}"
    for job_id, state in states.items():
        if state == State.DONE and not pushes[job_id]:
            yield f"{job_id} is done but was never pushed"


def i2_one_job_runs_in_a_lane_and_on_a_worker(history: History) -> Iterator[str]:
    running: dict[str, str] = {}
    for entry in history.trail:
        lane, job = entry.lane or "", entry.job or ""
        if entry.what in STARTS:
            if running.get(lane, job) != job:
                yield f"{job} started in {lane} while {running[lane]} was running"
            running[lane] = job
        elif entry.what in ENDS | PAUSES and running.get(lane) == job:
            del running[lane]


def i3_inside_a_thread_jobs_end_in_their_order(history: History) -> Iterator[str]:
    sequence = {job.id: job.sequence for job in history.jobs}
    thread = {job.id: (job.lane.key, job.thread) for job in history.jobs}
    last: dict[tuple[str, str], int] = {}
    for effect in history.effects:
        if effect.kind != "push":
            continue
        key = thread[effect.job]
        if sequence[effect.job] < last.get(key, 0):
            yield f"{effect.job} took effect after a later job of its thread {key}"
        last[key] = sequence[effect.job]


def i4_every_job_has_one_final_outcome(history: History) -> Iterator[str]:
    ends = Counter(entry.job for entry in history.trail if entry.what in ENDS)
    for job in history.jobs:
        if ends[job.id] != (0 if job.state.is_live else 1):
            yield f"{job.id} is {job.state} and ended {ends[job.id]} times"


def i5_nothing_that_was_promised_has_disappeared(history: History) -> Iterator[str]:
    known = {job.id for job in history.jobs}
    yield from (f"{job} was accepted and is gone" for job in history.promised if job not in known)
    yield from (f"{job.id} is still {job.state} at the end" for job in history.jobs if job.state.is_live)


def i6_only_an_interrupt_for_it_sets_a_job_aside(history: History) -> Iterator[str]:
    asked: dict[str, Entry] = {}
    committing: set[str] = set()
    threads = {job.id: job.thread for job in history.jobs}
    for entry in history.trail:
        job = entry.job or ""
        match entry.what:
            case EventType.INTERRUPT_ASKED:
                asked[job] = entry
                if threads.get(entry.facts["by"]) == threads.get(job, ""):
                    yield f"{job} was interrupted by its own thread"
            case EventType.COMMIT_POINT:
                committing.add(job)
            case EventType.COMMIT_REOPENED:
                committing.discard(job)
            case EventType.JOB_PARKED:
                if job not in asked:
                    yield f"{job} was set aside although nobody asked"
                if job in committing:
                    yield f"{job} was set aside after its commit point"
                asked.pop(job, None)
            case _:
                pass


def i7_fences_never_repeat_or_decrease(history: History) -> Iterator[str]:
    newest: dict[str, int] = {}
    for entry in history.trail:
        if entry.what != EventType.LANE_CLAIMED or entry.lane is None or entry.fence is None:
            continue
        if entry.fence <= newest.get(entry.lane, -1):
            yield f"{entry.lane} was claimed under fence {entry.fence} after {newest[entry.lane]}"
        newest[entry.lane] = entry.fence


def i8_pending_is_the_count_of_live_jobs(history: History) -> Iterator[str]:
    live = Counter(job.lane.key for job in history.jobs if job.state.is_live)
    for lane in history.lanes:
        if lane.pending != live[lane.lane]:
            yield f"{lane.lane} says {lane.pending} pending and has {live[lane.lane]}"
        if lane.owner is None and lane.running is not None and not live[lane.lane]:
            yield f"{lane.lane} has no owner and says that {lane.running} runs"


def i9_one_answer_for_each_token_equal_to_the_outcome(history: History) -> Iterator[str]:
    states = {job.id: job.state for job in history.jobs}
    for callback in history.callbacks:
        state = states[callback.job]
        expected = None if state.is_live else ("success" if state == State.DONE else "failure")
        if callback.answer != expected:
            yield f"{callback.job} is {state} and its token was answered {callback.answer}"


def i10_one_job_for_each_request(history: History) -> Iterator[str]:
    counted = Counter(job.subject for job in history.jobs if job.repeats is None)
    yield from (f"{count} jobs for {subject}" for subject, count in counted.items() if count > 1)


def takes_round(job: Job) -> bool:
    """Tell whether the edit of a chaos run has something to mend in a job."""
    return job.sequence % 3 == 0


def i11_a_round_of_repair_that_was_begun_has_ended_before_its_job_is_done(history: History) -> Iterator[str]:
    begun = {entry.job for entry in history.trail if entry.what == EventType.STEP and entry.text == "repair started"}
    for job in history.jobs:
        if job.state == State.DONE and takes_round(job) and not (job.id in begun and job.journal.repaired == 1):
            yield f"{job.id} is done, and its round of repair was lost"


def v3_a_lane_whose_owner_died_is_passed_over_only_once_by_each_other(history: History) -> Iterator[str]:
    """Count whom workers took instead, from the death of an owner until somebody came for its lane."""
    waiting: dict[str, Counter[str]] = {}
    live: Counter[str] = Counter()
    for entry in history.trail:
        lane = entry.lane or ""
        live[lane] += (entry.what == EventType.JOB_ACCEPTED) - (entry.what in ENDS)
        if entry.what == EventType.LEASE_LAPSED:
            waiting.setdefault(lane, Counter())
            for passed_by in waiting.values():
                # It may have been half published, and then comes first.
                passed_by[lane] -= 1
        elif entry.what == EventType.LANE_CLAIMED:
            waiting.pop(lane, None)
            for passed_by in (each for other, each in waiting.items() if live[other]):
                passed_by[lane] += 1
                if passed_by[lane] > MOST_PASSED + history.jumps:
                    yield f"{lane} was claimed {passed_by[lane]} times while another waited whose owner had died"


def v4_no_job_is_interrupted_more_than_twice(history: History) -> Iterator[str]:
    yield from (f"{job.id} was interrupted {job.interruptions} times" for job in history.jobs if job.interruptions > 2)


CHECKS: tuple[Callable[[History], Iterator[str]], ...] = (
    i1_effects_of_a_lane_have_growing_fences,
    i1_a_job_is_pushed_once_and_only_if_it_is_done,
    i2_one_job_runs_in_a_lane_and_on_a_worker,
    i3_inside_a_thread_jobs_end_in_their_order,
    i4_every_job_has_one_final_outcome,
    i5_nothing_that_was_promised_has_disappeared,
    i6_only_an_interrupt_for_it_sets_a_job_aside,
    i7_fences_never_repeat_or_decrease,
    i8_pending_is_the_count_of_live_jobs,
    i9_one_answer_for_each_token_equal_to_the_outcome,
    i10_one_job_for_each_request,
    i11_a_round_of_repair_that_was_begun_has_ended_before_its_job_is_done,
    v3_a_lane_whose_owner_died_is_passed_over_only_once_by_each_other,
    v4_no_job_is_interrupted_more_than_twice,
)
