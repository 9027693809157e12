"""The edges of dispatch: what is left unwritten, what a new head changes, and a deadline on no clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.model.memory_store import LANE as MEMORY_LANE
from tests.model.memory_store import NOW as MEMORY_NOW
from tests.unit.dispatch.lines import NOW, Write, job
from tests.unit.dispatch.test_attempts import queued
from tests.unit.dispatch.test_lane_rows import owned
from webordinary.dispatch.breaker import follow_all
from webordinary.dispatch.lane import LeaseClock

if TYPE_CHECKING:
    import pytest


def test_what_runs_under_no_clock_of_its_own_is_over_at_its_deadline() -> None:
    row = owned(LeaseClock.BOOT)
    assert row.runs_until is None
    assert row.deadline_of(NOW.seconds + 5, NOW) == NOW.seconds + 5


def test_a_lane_whose_head_ended_while_another_job_came_is_ready_by_its_new_head() -> None:
    first, second = job(1), job(2, "b")
    first.not_before = NOW.seconds + 60
    write = Write(first, second)
    write.lane_row.ready_since = write.lane_row.not_before = NOW.seconds + 60
    write.one.add(job(3, "c"))
    write.one.remove(first)
    write.one.recompute()
    assert (write.one.row.not_before, write.one.row.ready_since) == (0, NOW.seconds)


def test_a_lane_that_stands_as_its_project_is_not_written() -> None:
    store = queued()
    follow_all(store, [MEMORY_LANE.key], MEMORY_NOW)
    assert store.writes == 0


def test_a_job_that_leaves_its_line_is_not_written_as_one_that_stays() -> None:
    leaving = job(1)
    line = Write(leaving, job(2, "b")).one
    line.change(leaving)
    line.remove(leaving)
    assert (list(line.changed), list(line.ended), line.row.pending) == ([], [leaving.id], 1)


def test_a_sweep_counts_what_a_store_has_tidied_up(monkeypatch: pytest.MonkeyPatch) -> None:
    store = queued()
    swept = store.lanes.sweep(MEMORY_NOW)
    monkeypatch.setattr(type(store), "tidy", lambda *_: 2)
    again = queued()
    assert again.lanes.sweep(MEMORY_NOW) == swept + 2
