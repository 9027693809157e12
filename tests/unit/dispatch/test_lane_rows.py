"""A lane's own row: on which clock its lease ends, how long it has waited, and who may take or write to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.unit.dispatch.lines import CLAIM, LANE, LIMITS, NOW, WORKER, Write, after, job, running, told
from webordinary.audit.entry import EventType
from webordinary.clock import Moment
from webordinary.dispatch.claiming import give_lane_back, in_turn, let_go, take_lane, will_bury
from webordinary.dispatch.effects import WakeReason, Wakeup
from webordinary.dispatch.job_row import fails_at
from webordinary.dispatch.lane import LaneRow, LeaseClock, fence_of_calendar
from webordinary.dispatch.waking import wake, wake_loser, was_just_woken
from webordinary.errors import LostOwnership
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import Kind, State

_LONG_IDLE = replace(LIMITS, idle_lease=timedelta(seconds=45))
_OTHER_BOOT = Moment(NOW.wall_at, NOW.boot, "another boot")


def owned(leases: LeaseClock, until: float = 10) -> LaneRow:
    row = LaneRow(LANE.key, 7, owner=WORKER, leases=leases)
    row.lease_to(after(until))
    return row


def test_a_lease_is_kept_on_the_boot_clock_of_one_machine_or_on_the_wall_of_many() -> None:
    assert (LeaseClock.BOOT.value, LeaseClock.WALL.value) == ("boot", "wall")
    assert LeaseClock.BOOT.read(NOW) == ("boot", 1_000.0)
    assert LeaseClock.WALL.read(NOW) == ("", NOW.seconds)
    assert (owned(LeaseClock.BOOT).lease_boot, owned(LeaseClock.BOOT).lease_until) == ("boot", 1_010.0)


def test_a_lease_holds_until_its_very_end_and_not_beyond_a_restart() -> None:
    for leases in LeaseClock:
        row = owned(leases)
        assert row.is_owned(after(9.9))
        assert not row.is_owned(after(10))
        assert row.has_lapsed(after(10))
        assert not row.has_lapsed(after(9.9))
    assert not owned(LeaseClock.BOOT).is_owned(_OTHER_BOOT)
    assert owned(LeaseClock.WALL).is_owned(_OTHER_BOOT)
    assert not LaneRow(LANE.key, 7).has_lapsed(NOW)


def test_a_lane_waits_since_it_was_ready_or_since_its_owner_was_gone() -> None:
    assert LaneRow(LANE.key, 1, ready_since=NOW.seconds - 3).waited(NOW) == timedelta(seconds=3)
    assert LaneRow(LANE.key, 1).waited(NOW) == timedelta(0)
    assert LaneRow(LANE.key, 1, ready_since=NOW.seconds + 3).waited(NOW) == timedelta(0)
    assert owned(LeaseClock.BOOT).waited(after(14)) == timedelta(seconds=4)
    assert owned(LeaseClock.BOOT).waited(_OTHER_BOOT) == timedelta(seconds=1_000)


def test_what_runs_is_over_its_deadline_by_the_clock_of_the_leases() -> None:
    at = NOW.seconds
    wall, boot = owned(LeaseClock.WALL), owned(LeaseClock.BOOT)
    wall.run_until(after(60))
    boot.run_until(after(60))
    assert (wall.runs_until, boot.runs_until) == (None, 1_060.0)
    assert wall.deadline_of(at + 5, NOW) == at + 5
    assert boot.deadline_of(at + 5, NOW) == at + 60
    # The wall was set forward by an hour: what runs has as long as before.
    forward = Moment(after(3_600).wall_at, NOW.boot + 20, "boot")
    assert boot.deadline_of(at + 5, forward) == forward.seconds + 40
    assert boot.deadline_of(None, NOW) is None
    assert boot.deadline_of(at + 5, _OTHER_BOOT) == at + 5


def test_a_lease_that_is_ended_lapses_now_or_has_lapsed_before() -> None:
    for leases in LeaseClock:
        living, gone = owned(leases), owned(leases, until=-5)
        living.rung_at = gone.rung_at = 12
        before = gone.lease_until
        living.end_lease(NOW)
        gone.end_lease(NOW)
        assert (living.lease_until, living.rung_at) == (leases.read(NOW)[1], 0)
        assert (gone.lease_until, gone.rung_at) == (before, 0)


def test_a_lane_may_be_taken_when_it_is_ready_or_left_behind() -> None:
    ready = LaneRow(LANE.key, 1, ready_since=NOW.seconds, pending=1, not_before=NOW.seconds)
    assert ready.is_free(NOW)
    assert not replace(ready, not_before=NOW.seconds + 1).is_free(NOW)
    assert not replace(ready, ready_since=None).is_free(NOW)
    left = replace(owned(LeaseClock.WALL, until=-1), pending=1)
    assert left.is_free(NOW)
    assert not replace(left, pending=0).is_free(NOW)
    assert not replace(left, paused="not now").is_free(NOW)
    assert replace(left, paused="not now", is_committing=True).is_free(NOW)
    assert not replace(owned(LeaseClock.WALL), pending=1).is_free(NOW)


def test_only_the_current_claim_writes_and_renews() -> None:
    row = owned(LeaseClock.WALL)
    row.require_owner(CLAIM)
    for other in (replace(CLAIM, fence=6), replace(CLAIM, worker="w2")):
        with pytest.raises(LostOwnership, match=rf"amelia#scott is owned under fence 7, not {other.fence}"):
            row.require_owner(other)
        with pytest.raises(LostOwnership, match=rf"the lease of amelia#scott under fence {other.fence} is over"):
            row.renew(other, timedelta(seconds=30), NOW)
    row.renew(CLAIM, timedelta(seconds=30), NOW)
    # A beat says that somebody lives, not that anything happens.
    assert (row.lease_until, row.last_activity) == (NOW.seconds + 30, None)
    with pytest.raises(LostOwnership):
        row.renew(CLAIM, timedelta(seconds=30), after(30))


def test_the_row_knows_its_project() -> None:
    assert LaneRow("amelia#scott", 0).project == "amelia"


def test_a_running_job_is_written_to_only_under_its_own_fence_and_on_its_side_of_the_commit_point() -> None:
    line = Write(running(1), job(2)).owned().one
    assert line.require_running(CLAIM, "job-1").id == "job-1"
    with pytest.raises(LostOwnership, match="job job-2 is not running under fence 7 any more"):
        line.require_running(CLAIM, "job-2")
    with pytest.raises(LostOwnership, match="job job-1 is running now, not committing"):
        line.require_running(CLAIM, "job-1", only=State.COMMITTING)
    foreign = running(1)
    foreign.fence = 6
    with pytest.raises(LostOwnership):
        Write(foreign).owned().one.require_running(CLAIM, "job-1")


def test_verbs_go_first_then_the_favoured_thread_then_the_sequence() -> None:
    def head(*rows: tuple[str, Kind], first: str | None = None) -> str | None:
        write = Write(*(job(number, thread, kind) for number, (thread, kind) in enumerate(rows, 1)))
        write.lane_row.first_thread = first
        found = write.one.head
        return found.id if found else None

    asks, verb = Kind.INSTRUCTION, Kind.VERB
    assert head() is None
    assert head(("a", asks), ("b", asks)) == "job-1"
    assert head(("a", asks), ("b", asks), first="b") == "job-2"
    assert head(("a", asks), ("b", verb)) == "job-2"
    # A thread keeps its order, also for its verbs.
    assert head(("a", asks), ("a", verb)) == "job-1"
    assert head(("a", verb), ("b", verb), first="b") == "job-2"
    assert head(("a", verb), ("b", verb)) == "job-1"
    assert head(("a", asks), first="gone") == "job-1"


def test_what_just_came_goes_before_others_only_if_it_is_a_verb() -> None:
    for kind, head in ((Kind.INSTRUCTION, "job-1"), (Kind.VERB, "job-3")):
        write = Write(job(1, "a"), job(2, "a", Kind.VERB))
        write.one.add(job(3, "b", kind))
        found = write.one.head
        assert found is not None
        assert found.id == head


def test_an_idle_owner_stays_and_a_lease_that_is_over_stays_over() -> None:
    write = Write(limits=_LONG_IDLE).owned(until=1)
    write.one.let_stay()
    assert write.one.row.lease_until == NOW.seconds + 45
    gone = Write().owned(until=-1)
    gone.one.let_stay()
    assert gone.one.row.lease_until == NOW.seconds - 1


def test_a_head_in_its_backoff_says_how_long_it_waits() -> None:
    row = job(1)
    row.not_before = NOW.seconds + 9
    assert Write(row).one.again_in() == timedelta(seconds=9)
    assert Write(replace(row, not_before=NOW.seconds)).one.again_in() is None
    assert Write().one.again_in() is None


def test_a_recomputed_lane_is_ready_since_its_head_may_start() -> None:
    def recomputed(*, ready_since: float | None, not_before: float = 0, state: State = State.QUEUED) -> LaneRow:
        row = job(1, state=state)
        row.not_before = not_before
        write = Write(row)
        write.lane_row.ready_since = ready_since
        write.one.recompute()
        return write.one.row

    at = NOW.seconds
    assert recomputed(ready_since=None).ready_since == at
    assert recomputed(ready_since=at - 8).ready_since == at - 8
    assert recomputed(ready_since=at + 8).ready_since == at
    backing_off = recomputed(ready_since=None, not_before=at + 5)
    assert (backing_off.ready_since, backing_off.not_before) == (at + 5, at + 5)
    assert recomputed(ready_since=at, state=State.PREPARING).ready_since is None
    assert recomputed(ready_since=None, state=State.PARKED).ready_since == at


def test_a_verb_that_came_together_with_a_request_is_ready_at_once() -> None:
    waiting = job(1)
    waiting.not_before = NOW.seconds + 60
    write = Write(waiting)
    write.lane_row.ready_since = write.lane_row.not_before = NOW.seconds + 60
    write.one.add(job(2, "b"))
    write.one.add(job(3, "c", Kind.VERB))
    write.one.recompute()
    assert (write.one.row.not_before, write.one.row.ready_since) == (0, NOW.seconds)


def test_an_owned_or_paused_lane_is_not_ready_and_a_thread_without_jobs_is_not_favoured() -> None:
    write = Write(job(1)).owned()
    write.lane_row.ready_since, write.lane_row.first_thread = NOW.seconds, "gone"
    write.one.recompute()
    assert (write.one.row.ready_since, write.one.row.first_thread) == (None, None)
    paused = Write(job(1))
    paused.lane_row.ready_since, paused.lane_row.paused = NOW.seconds, "not now"
    paused.lane_row.first_thread = "a"
    paused.one.recompute()
    assert (paused.one.row.ready_since, paused.one.row.first_thread) == (None, "a")


def test_the_sweep_looks_when_the_first_limit_of_a_changed_job_is_over() -> None:
    write = Write(job(1), job(2))
    line = write.one
    noted = []
    for at in (None, 90, 95, 80):
        line.watch(at)
        noted.append(line.row.overdue_at)
    assert noted == [None, 90, 90, 80]
    first = line.find("job-1")
    assert first is not None
    first.start_by = 50
    line.change(first)
    line.recompute()
    assert line.row.overdue_at == 50


@pytest.mark.parametrize(
    ("state", "at"),
    [(State.PREPARING, 300), (State.QUEUED, 1_006), (State.PARKED, 1_006), (State.RUNNING, 80), (State.DONE, None)],
)
def test_each_state_has_its_own_limit(state: State, at: float | None) -> None:
    row = job(1, state=state)
    row.patience_shift, row.deadline_at = 4, NOW.seconds + 80
    lane = LaneRow(LANE.key, 1, patience_shift=10)
    assert fails_at(row, lane, NOW) == (None if at is None else NOW.seconds + at)
    lane.paused = "not now"
    waits = state in {State.QUEUED, State.PARKED}
    assert fails_at(row, lane, NOW) == (None if at is None or waits else NOW.seconds + at)


def test_a_lane_is_taken_under_its_next_fence() -> None:
    write = Write(job(1))
    write.lane_row.ready_since, write.lane_row.rung_at = NOW.seconds - 6, 77
    taken, fence = take_lane(write, write.one, "w2"), fence_of_calendar(NOW)
    row = write.one.row
    assert (row.fence, row.owner, row.last_worker, row.rung_at) == (fence, "w2", "w2", 0)
    assert (row.claimed_at, row.last_activity, row.lease_until) == (NOW.seconds, NOW.seconds, NOW.seconds + 30)
    assert (taken.claim.lane, taken.claim.fence, taken.claim.worker) == (LANE, fence, "w2")
    assert taken.claim.nonce == row.nonce
    assert len(taken.claim.nonce) == 16
    assert taken.claimed.waited == timedelta(seconds=6)
    assert taken.claimed.job is not None
    assert (taken.claimed.job.id, taken.claimed.job.fence) == ("job-1", fence)
    assert told(write.effects)[0] == (EventType.LANE_CLAIMED, "w2", "", {"waited_s": "6.000"})
    assert write.effects.entries[0].fence == fence


def test_who_takes_over_says_from_whom_and_goes_on_with_what_was_left() -> None:
    write = Write(running(1)).owned(until=-3)
    taken = take_lane(write, write.one, "w2")
    assert told(write.effects)[0] == (EventType.LANE_CLAIMED, "w2", "", {"from": WORKER, "waited_s": "3.000"})
    assert taken.row is not None
    assert (taken.row.state, taken.row.attempt, taken.row.fence) == (State.RUNNING, 2, fence_of_calendar(NOW))
    committing = Write(running(1, state=State.COMMITTING)).owned(until=-3)
    left = take_lane(committing, committing.one, "w2").row
    assert left is not None
    assert (left.state, left.attempt, left.fence) == (State.COMMITTING, 1, fence_of_calendar(NOW))
    assert committing.one.changed == {"job-1": left}


def test_a_worker_that_died_in_each_attempt_buries_the_job_and_blames_the_project() -> None:
    row = running(1)
    row.attempt = 3
    write = Write(row).owned(until=-3)
    assert will_bury(write.one)
    taken = take_lane(write, write.one, "w2")
    assert (taken.row, taken.claimed.job) == (None, None)
    assert (row.state, row.error) == (State.DEAD, "its worker died in each of 3 attempts")
    assert [letter.words for letter in write.effects.letters] == ["our_fault"]
    assert write.health.failures == 1
    assert not will_bury(Write(running(1)).one)
    assert not will_bury(Write(job(1)).one)
    assert not will_bury(Write(replace(row, state=State.COMMITTING, id="job-1")).one)


def test_an_empty_lane_is_kept_by_who_took_it() -> None:
    write = Write(limits=_LONG_IDLE)
    assert take_lane(write, write.one, "w2").row is None
    assert write.one.row.lease_until == NOW.seconds + 45


def test_lanes_are_taken_in_turn() -> None:
    def lane(name: str, since: float, *, is_committing: bool = False) -> LaneRow:
        row = LaneRow(name, 1, owner="gone", pending=1, is_committing=is_committing, leases=LeaseClock.WALL)
        row.lease_to(after(-since))
        return row

    lanes = [lane("a#a", 1), lane("b#b", 9), lane("c#c", 2, is_committing=True), lane("d#d", -5)]
    assert [row.lane for row in in_turn(lanes, NOW)] == ["c#c", "b#b", "a#a"]


def test_a_lane_is_given_back_with_what_runs_in_its_place() -> None:
    write = Write(running(1)).owned()
    give_lane_back(write.one, CLAIM)
    row = write.one.row
    assert (row.owner, row.nonce, row.lease_until, row.running) == (None, None, 0, None)
    assert row.ready_since == NOW.seconds
    assert told(write.effects) == [
        (EventType.JOB_GIVEN_BACK, WORKER, "", {}),
        (EventType.LANE_GIVEN_BACK, WORKER, "", {}),
    ]


def test_a_lane_with_an_unfinished_commit_is_given_back_by_the_end_of_its_lease() -> None:
    write = Write(running(1, state=State.COMMITTING)).owned()
    give_lane_back(write.one, CLAIM)
    row = write.one.row
    assert (row.owner, row.running, row.lease_until) == (WORKER, "job-1", NOW.seconds)
    assert told(write.effects) == [(EventType.LANE_GIVEN_BACK, WORKER, "", {})]


def test_what_was_asked_to_make_room_is_parked_when_its_lane_is_given_back() -> None:
    row = running(1)
    row.cancel = Why.INTERRUPT.value
    write = Write(row).owned()
    give_lane_back(write.one, CLAIM)
    assert row.state is State.PARKED


def test_who_is_woken() -> None:
    idle = Write(job(1)).owned()
    wake(idle.one)
    assert idle.effects.wakeups == [Wakeup(WakeReason.WORK, LANE.key, WORKER), Wakeup(WakeReason.OFFER, LANE.key)]
    wake(idle.one)
    assert len(idle.effects.wakeups) == 3, "nobody else is called twice"
    busy = Write(running(1), job(2)).owned()
    wake(busy.one)
    assert busy.effects.wakeups == []
    row = running(1)
    row.cancel = "stop"
    asked = Write(row).owned()
    assert asked.one.running is row
    wake(asked.one)
    assert asked.effects.wakeups == [Wakeup(WakeReason.INTERRUPT, LANE.key, WORKER)]
    cut = Write(running(1)).owned()
    cut.one.is_cut_short = True
    wake(cut.one)
    assert cut.effects.wakeups == [Wakeup(WakeReason.INTERRUPT, LANE.key, WORKER)]


def test_nobody_is_called_twice_in_five_seconds() -> None:
    write = Write(job(1))
    write.lane_row.last_worker = "w9"
    wake(write.one)
    wake(write.one)
    row = write.one.row
    assert write.effects.wakeups == [Wakeup(WakeReason.CLAIM, LANE.key, "w9")]
    assert (row.rung_at, row.rings, row.rings_suppressed) == (NOW.seconds, 1, 1)
    for ago, is_early in ((0, True), (4.9, True), (5, False), (-1, False)):
        row.rung_at = NOW.seconds - ago
        assert was_just_woken(write.one) is is_early


def test_an_owner_that_lost_its_lane_hears_of_it_where_it_listens() -> None:
    for rows, reason in (((), WakeReason.WORK), ((running(1),), WakeReason.INTERRUPT)):
        write = Write(*rows).owned()
        wake_loser(write.one)
        assert write.effects.wakeups == [Wakeup(reason, LANE.key, WORKER)]


def test_letting_go_leaves_no_owner() -> None:
    write = Write().owned()
    let_go(write.one)
    row = write.one.row
    assert (row.owner, row.nonce, row.lease_until) == (None, None, 0)


def test_the_reason_of_a_wake_up_is_the_word_that_travels() -> None:
    idle, busy, free = Write(job(1)).owned(), Write(running(1)).owned(), Write(job(1))
    wake(idle.one)
    wake_loser(busy.one)
    wake(free.one)
    said = [each.reason.value for write in (idle, busy, free) for each in write.effects.wakeups]
    assert said == ["work", "offer", "interrupt", "claim"]
