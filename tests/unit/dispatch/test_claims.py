"""Rules of claims that show only when a look is late, or when somebody was called for one lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.model.crowd import CrowdModel
from tests.model.crowd_state import CrowdBudget
from tests.model.lane_state import NO_FAULTS, World
from tests.model.memory_store import LANE, NAME, NOW, MemoryStore, new_job
from webordinary.dispatch.effects import WakeReason
from webordinary.interrupts.decide import InterruptRule, Running, decide_interrupt
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import Ending, Outcome, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.clock import Moment
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow


class _Late(MemoryStore):
    """A store whose looks are behind its rows, as an index is."""

    def lanes_of(self, worker: str) -> Sequence[str]:
        del worker
        return [LANE.key]

    def free_lanes(self, now: Moment, *, besides: str = "") -> Sequence[LaneRow]:
        del now, besides
        return []


class _Called(_Late):
    """And by which a worker was called for the lane."""

    def called_for(self, worker: str) -> str | None:
        del worker
        return LANE.key


class _Forsaken(MemoryStore):
    """A store in which nobody waits for a job any more."""

    def is_waited_for(self, row: JobRow, now: Moment) -> bool:
        del row, now
        return False


def with_a_job(kind: type[MemoryStore]) -> MemoryStore:
    store = kind(World(NO_FAULTS), "A")
    store.lanes.accept(new_job(0, "A"), NOW, ready=InterruptRule("queue"))
    return store


def test_the_lease_of_a_lane_that_somebody_else_has_taken_is_left_alone() -> None:
    store = with_a_job(MemoryStore)
    store.claims.claim(NAME, NOW)
    late = _Late(store.after(World(NO_FAULTS)), "A")
    assert late.claims.lapse("somebody who died", NOW) == 0
    row = late.row()
    assert row is not None
    assert row.is_owned(NOW)


def test_a_worker_takes_the_lane_that_it_was_called_for_though_no_look_shows_it() -> None:
    assert with_a_job(_Late).claims.claim(NAME, NOW) is None
    assert with_a_job(_Called).claims.claim(NAME, NOW) is not None


def test_nobody_is_called_for_the_lane_that_was_just_taken() -> None:
    store = with_a_job(MemoryStore)
    store.claims.claim(NAME, NOW)
    assert store.left == []


def test_somebody_is_called_for_the_lane_that_a_worker_left_for_another() -> None:
    model = CrowdModel(("p#a", "p#b"), 1, CrowdBudget())
    store = model.open(model.start())
    for lane in (0, 0, 1):
        store.lanes.accept(store.new_job(lane), NOW, ready=InterruptRule("queue"))
    claimed = store.claims.claim(NAME, NOW)
    assert claimed is not None
    assert claimed.job is not None
    store.wakeups.clear()
    done = Ending(State.DONE, Outcome.PUBLISHED)
    assert store.attempts.finish(claimed.claim, claimed.job, done, NOW, give_way=True).claimed is not None
    assert [(each.reason, each.lane) for each in store.wakeups] == [(WakeReason.CLAIM, "p#a")]


def test_an_owner_whose_job_nobody_waits_for_hears_that_it_is_over() -> None:
    for kind, is_over in ((MemoryStore, False), (_Forsaken, True)):
        store = with_a_job(kind)
        claimed = store.claims.claim(NAME, NOW)
        assert claimed is not None
        assert claimed.job is not None
        assert store.claims.beat(claimed.claim, claimed.job.id, NOW).over is is_over


@pytest.mark.parametrize(("rule", "why"), [("interrupt", Why.INTERRUPT), ("drop", Why.DROP), ("queue", None)])
def test_the_rule_of_a_project_says_what_is_asked_of_the_running_job(rule: str, why: Why | None) -> None:
    running = Running("a", interruptible=True, interruptions=0, has_cancel=False)
    asked = decide_interrupt(
        InterruptRule(rule), running, newcomer_thread="b", newcomer_can_start=True, is_instruction=True
    )
    assert asked == why


def test_under_the_rule_drop_the_running_job_is_asked_to_end() -> None:
    test_the_rule_of_a_project_says_what_is_asked_of_the_running_job("drop", Why.DROP)
