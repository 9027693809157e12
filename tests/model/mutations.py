"""One mutation per guard: where it is missed, and what then goes wrong."""

from __future__ import annotations

from typing import NamedTuple

from .explorer import STUCK
from .promises import Broken


class Mutation(NamedTuple):
    """A guard switched off in a situation that is sound with it, and the promises that must then break."""

    guard: str
    situation: str
    breaks: tuple[str, ...]


# A write under a stale fence breaks I1 by itself; what follows from it is named too, where anything does.
LANE = (
    Mutation("claim_needs_a_free_lane", "AAB, a pause", (Broken.TAKEN_FROM_THE_LIVING,)),
    Mutation("takeover_advances_the_fence", "AAB, a pause", (Broken.FENCE_REPEATED,)),
    Mutation("claim_parks_the_cancelled", "ABA, a crash, a stop", (STUCK,)),
    Mutation(
        "claim_settles_the_committing",
        "ABA, a crash, a stop",
        (Broken.PUBLISHED_TWICE, Broken.LIVE_BUT_DENIED),
    ),
    Mutation("claim_settles_the_committing", "AAB, a pause", (Broken.PUBLISHED_OUTSIDE_COMMIT_POINT,)),
    Mutation("settle_advances_the_fences", "AAB, a pause", (Broken.PUBLISHED_OUTSIDE_COMMIT_POINT,)),
    Mutation("settle_advances_the_fences", "AAB, a pause", (Broken.STALE_FENCE_PUBLISHED,)),
    Mutation("start_needs_the_fence", "AAB, a pause", (Broken.STALE_FENCE_WROTE, Broken.RUNS_WITHOUT_OWNER)),
    Mutation("beat_needs_the_fence", "AAB, a pause", (Broken.STALE_WORKER_GOES_ON,)),
    Mutation("commit_point_needs_the_fence", "AAB, a pause", (Broken.STALE_FENCE_WROTE, STUCK)),
    Mutation("commit_point_needs_the_fence", "AB, a pause, a failure", (Broken.LIVE_BUT_DENIED,)),
    Mutation("commit_point_needs_no_cancel", "AAB, nothing goes wrong", (Broken.COMMITTED_DESPITE_CANCEL,)),
    Mutation("push_needs_the_fence", "AAB, a pause", (Broken.PUBLISHED_OUTSIDE_COMMIT_POINT,)),
    Mutation("push_needs_the_fence", "AAB, a pause", (Broken.STALE_FENCE_PUBLISHED,)),
    Mutation("pointer_needs_the_fence", "AAB, a pause", (Broken.STALE_FENCE_PUBLISHED,)),
    Mutation(
        "finish_needs_the_fence",
        "AB, a pause, a failure",
        (Broken.STALE_FENCE_WROTE, Broken.PUBLISHED_AFTER_END, Broken.LIVE_BUT_DENIED),
    ),
    Mutation("finish_needs_a_running_job", "ABA, a deadline, a give-back, a failure", (Broken.SECOND_OUTCOME,)),
    Mutation("park_needs_the_fence", "AAB, a pause", (Broken.CANCELLED_WITHOUT_CANCEL,)),
    Mutation("park_needs_the_fence", "ABC, a crash, a pause", (Broken.STALE_FENCE_WROTE,)),
    Mutation("park_clears_the_cancel", "ABAB, nothing goes wrong", (Broken.INTERRUPTED_TOO_OFTEN,)),
    Mutation("park_clears_the_cancel", "ABA, a crash, a stop", (STUCK,)),
    Mutation("park_keeps_the_place", "AAB, nothing goes wrong", (Broken.STARTED_OUT_OF_ORDER,)),
    Mutation("park_remembers_the_interrupter", "AAB, nothing goes wrong", (Broken.INTERRUPTER_NOT_NEXT,)),
    Mutation("stop_ends_the_job", "ABA, a crash, a stop", (Broken.PUBLISHED_DESPITE_STOP,)),
    Mutation(
        "give_back_needs_the_fence",
        "AB, a pause, a give-back",
        (Broken.STALE_FENCE_WROTE, Broken.RUNS_WITHOUT_OWNER),
    ),
    Mutation("give_back_parks_the_cancelled", "AB, a pause, a give-back", (STUCK,)),
    Mutation("give_back_rings", "AB, only bells from a queue", (STUCK,)),
    Mutation("retry_parks_the_cancelled", "AB, a retry, a give-back", (STUCK,)),
    Mutation("release_needs_the_fence", "AAB, a pause", (Broken.STALE_FENCE_WROTE,)),
    # A look at the table would find the forgotten job: it is missed only where a bell is all there is.
    Mutation("release_needs_an_empty_lane", "AB, only bells from a queue", (STUCK,)),
    Mutation("interrupt_names_the_job", "AAB, nothing goes wrong", (Broken.WRONG_JOB_CANCELLED,)),
    Mutation("interrupt_needs_another_thread", "AAB, nothing goes wrong", (Broken.CANCELLED_BY_OWN_THREAD,)),
    Mutation("interrupt_needs_a_startable_job", "ABBB, a crash", (Broken.CANCELLED_FOR_NOTHING,)),
    Mutation("interrupt_at_most_twice", "ABBB, a crash", (Broken.INTERRUPTED_TOO_OFTEN,)),
    Mutation("interrupt_at_most_twice", "ABCD, nothing goes wrong", (Broken.INTERRUPTED_TOO_OFTEN,)),
    Mutation("interrupt_never_replaces_a_stop", "ABA, a crash, a stop", (Broken.PUBLISHED_DESPITE_STOP,)),
    Mutation(
        "deadline_spares_the_committing",
        "ABA, a deadline, a give-back, a failure",
        (Broken.PUBLISHED_AFTER_END, Broken.LIVE_BUT_DENIED),
    ),
    Mutation("ring_follows_the_commit", "AB, only bells from a queue", (STUCK,)),
    Mutation("ring_follows_the_commit", "AB, only datagrams", (STUCK,)),
    Mutation("idle_flag_precedes_the_look", "AB, only datagrams", (STUCK,)),
)

PUBLISHING = (
    Mutation("push_needs_the_fence", "two lanes, a pause, a failure", (Broken.STALE_FENCE_PUBLISHED,)),
    Mutation("push_needs_the_lease", "two lanes, a pause, a failure", (Broken.COMMIT_LOST,)),
    Mutation("pointer_needs_the_fence", "two lanes, a pause, a failure", (Broken.STALE_FENCE_PUBLISHED,)),
    Mutation("pointer_moves_only_forward", "two lanes, a crash", (Broken.POINTER_WENT_BACK,)),
    Mutation("settle_advances_the_fences", "two lanes, a pause, a failure", (Broken.STALE_FENCE_PUBLISHED,)),
    Mutation("fence_ref_is_per_lane", "two lanes, a crash", (Broken.CURRENT_OWNER_REFUSED,)),
    Mutation("refusal_returns_to_running", "two lanes, a pause, a failure", (Broken.PUBLISHED_TWICE,)),
)

# Nothing breaks when one of these is gone alone, because another guard stands behind it: the tests explore to
# the last state without it. The protocol keeps them as second locks.
SECOND_LOCKS = {
    # A worker has one slot and every claim takes up what runs, so an owner without a job finds none running.
    "start_needs_nothing_running",
    # Renewing and claiming are transactions on one row: the first one wins, and the fence tells the other.
    "beat_needs_an_unlapsed_lease",
    # A claim already parks what was cancelled under an older fence, so no such cancel is left to be told.
    "beat_tells_only_cancels_of_its_fence",
    # It only decides which of two interrupting threads goes first, and either order is a fair one.
    "interrupt_never_replaces_an_interrupt",
}
