"""The code of dispatch keeps its promises in every reachable state, and misses each of its guards.

One lane is seen with all that may happen in it, several lanes with whose turn it is, and publishing for itself. What is
only about time is not seen here: the 20 seconds before a first interrupt, patience that stands still; nor are
proposals, schedules and the outbox. The publish slot only saves rebuilds: two lanes are sound without it, as is shown.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.scale import SCALE

from . import mutations, situations
from .explorer import GOES_IN_CIRCLES, STATE_LIMIT, STUCK, Exploration, explore
from .guard_finder import GUARDED, conditions_of, source_of
from .lane import LaneModel
from .lane_rules import Delivery, Rules
from .lane_state import Budget
from .origin import NO_CLAIM_REQUEST, OriginBroken, OriginModel
from .production import broken
from .two_lanes_state import PublishGuards

if TYPE_CHECKING:
    from pathlib import Path

    from .crowd import CrowdModel
    from .mutations import GuardMutation, Mutation, TestedGuard
    from .two_lanes import TwoLanesModel

# A broken guard may make a run endless: the fence grows for ever. No situation has more states than this.
NO_END = 8_000


def _assert_sound(found: Exploration) -> None:
    assert not found.violations, found.report()
    assert found.is_complete


def _mutation_names(mutants: tuple[Mutation, ...]) -> list[str]:
    return [f"{mutant.guard} in {mutant.situation}" for mutant in mutants]


@pytest.mark.parametrize("model", situations.QUICK.values(), ids=situations.QUICK.keys())
def test_a_lane_keeps_every_promise(model: LaneModel) -> None:
    _assert_sound(explore(model))


@pytest.mark.thorough
@pytest.mark.parametrize("model", situations.THOROUGH.values(), ids=situations.THOROUGH.keys())
def test_a_lane_keeps_every_promise_when_more_goes_wrong(model: LaneModel) -> None:
    _assert_sound(explore(model))


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("model", situations.LONG.values(), ids=situations.LONG.keys())
def test_a_lane_keeps_every_promise_when_nearly_everything_goes_wrong(model: LaneModel) -> None:
    """At a smaller scale only the states that are found first are seen."""
    found = explore(model, limit=int(STATE_LIMIT * min(1.0, SCALE)))
    assert not found.violations, found.report()
    assert found.is_complete or SCALE < 1


@pytest.mark.parametrize("model", situations.QUICK_CROWD.values(), ids=situations.QUICK_CROWD.keys())
def test_several_lanes_keep_every_promise(model: CrowdModel) -> None:
    _assert_sound(explore(model))


@pytest.mark.thorough
@pytest.mark.parametrize("model", situations.THOROUGH_CROWD.values(), ids=situations.THOROUGH_CROWD.keys())
def test_several_lanes_keep_every_promise_when_more_goes_wrong(model: CrowdModel) -> None:
    _assert_sound(explore(model))


@pytest.mark.long
@pytest.mark.parametrize("model", situations.LONG_CROWD.values(), ids=situations.LONG_CROWD.keys())
def test_several_lanes_keep_every_promise_when_nearly_everything_goes_wrong(model: CrowdModel) -> None:
    _assert_sound(explore(model))


@pytest.mark.parametrize("model", situations.ENDLESS.values(), ids=situations.ENDLESS.keys())
def test_every_lane_that_waits_starts_after_a_bounded_number_of_others(model: CrowdModel) -> None:
    """Mails that come for ever go in circles; whoever waits must not see the circle close twice."""
    found = explore(model)
    assert found.violations.keys() == {GOES_IN_CIRCLES}, found.report()
    assert found.is_complete


@pytest.mark.thorough
@pytest.mark.parametrize("model", situations.ENDLESS_THOROUGH.values(), ids=situations.ENDLESS_THOROUGH.keys())
def test_every_lane_of_many_that_waits_starts_after_a_bounded_number_of_others(model: CrowdModel) -> None:
    found = explore(model)
    assert found.violations.keys() == {GOES_IN_CIRCLES}, found.report()
    assert found.is_complete


@pytest.mark.parametrize("model", situations.QUICK_PUBLISHING.values(), ids=situations.QUICK_PUBLISHING.keys())
def test_two_lanes_publish_without_harming_each_other(model: TwoLanesModel) -> None:
    _assert_sound(explore(model))


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("model", situations.LONG_PUBLISHING.values(), ids=situations.LONG_PUBLISHING.keys())
def test_two_lanes_publish_without_harming_each_other_when_more_goes_wrong(model: TwoLanesModel) -> None:
    _assert_sound(explore(model))


@pytest.mark.parametrize("mutant", mutations.GUARDS, ids=str)
def test_dispatch_without_one_guard_breaks_a_promise(mutant: GuardMutation) -> None:
    with broken(mutant.breakage):
        found = mutant.explore(until={mutant.breaks}, limit=NO_END)
    if mutant.breaks == mutations.NO_END:
        assert not found.is_complete, found.report()
    else:
        assert mutant.breaks in found.violations, found.report()


def test_a_committing_job_cannot_fail_by_time() -> None:
    with broken(mutations.DEADLINE_OF_THE_COMMITTING), pytest.raises(KeyError):
        explore(situations.QUICK["AB, a crash, a deadline"])


@pytest.mark.thorough
@pytest.mark.parametrize("lock", mutations.SECOND_LOCKS, ids=str)
def test_a_second_lock_is_not_missed_alone(lock: GuardMutation) -> None:
    with broken(lock.breakage):
        _assert_sound(lock.explore())


@pytest.mark.thorough
@pytest.mark.parametrize("guard", mutations.TESTED, ids=str)
def test_a_guard_that_the_explorer_does_not_see_is_missed_by_its_test(guard: TestedGuard, tmp_path: Path) -> None:
    with broken(guard.breakage), pytest.raises((Exception, pytest.fail.Exception)):
        guard.run(tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("test", sorted({guard.test for guard in mutations.TESTED}))
def test_the_test_of_a_guard_holds_while_nothing_is_broken(test: str, tmp_path: Path) -> None:
    next(guard for guard in mutations.TESTED if guard.test == test).run(tmp_path)


@pytest.mark.parametrize("module", GUARDED)
def test_every_condition_of_dispatch_has_an_entry(module: str) -> None:
    """Whoever adds a condition says what is missed without it: in `guards.toml`."""
    source = source_of(module)
    begins = {entry.text: source.index(entry.text) for entry in mutations.ENTRIES if entry.module == module}
    spans = [(begin, begin + len(text)) for text, begin in begins.items()]
    without = [each for each in conditions_of(module) if not any(b < each.end and each.begin < e for b, e in spans)]
    assert not without, "\n".join(map(str, without))


def test_the_finder_of_conditions_finds_what_decides_and_nothing_else() -> None:
    found = {each.text for each in conditions_of("dispatch.overdue")}
    assert {"not row.is_free(now)", "was_just_woken(line)", "turn.state != State.RUNNING"} <= found
    assert not {"overdue", "row is not None", "took_too_long"} & found


@pytest.mark.parametrize("mutant", mutations.AROUND, ids=lambda mutant: mutant.guard)
def test_what_is_around_dispatch_is_missed_too(mutant: Mutation) -> None:
    model = situations.QUICK[mutant.situation]
    changed: dict[str, Any] = {mutant.guard: not getattr(model.rules, mutant.guard)}
    rules = replace(model.rules, **changed)
    found = explore(replace(model, rules=rules), until=mutant.breaks)
    assert found.violations.keys() >= set(mutant.breaks), found.report()


@pytest.mark.parametrize("mutant", mutations.PUBLISHING, ids=_mutation_names(mutations.PUBLISHING))
def test_publishing_without_one_guard_breaks_a_promise(mutant: Mutation) -> None:
    model = situations.QUICK_PUBLISHING[mutant.situation]
    guards = replace(model.guards, **{mutant.guard: False})
    found = explore(replace(model, guards=guards), until=mutant.breaks)
    assert found.violations.keys() >= set(mutant.breaks), found.report()


def test_every_guard_of_publishing_has_its_mutation() -> None:
    assert {mutant.guard for mutant in mutations.PUBLISHING} == {guard.name for guard in fields(PublishGuards)}


@pytest.mark.parametrize("wakeup", [Delivery.QUEUE, Delivery.DATAGRAM])
def test_without_the_sweep_a_job_that_backs_off_in_an_unowned_lane_is_forgotten(wakeup: Delivery) -> None:
    budget = Budget(retries=1, give_backs=1)
    _assert_sound(explore(LaneModel(Rules("AB", wakeup), budget)))
    found = explore(LaneModel(Rules("AB", wakeup, sweeps_ready_lanes=False), budget))
    assert STUCK in found.violations, found.report()


@pytest.mark.parametrize("wakeup", [Delivery.QUEUE, Delivery.DATAGRAM])
def test_without_the_sweep_a_lost_bell_is_a_lost_job(wakeup: Delivery) -> None:
    found = explore(LaneModel(Rules("AB", wakeup, sweeps_ready_lanes=False), Budget(lost_wakeups=1)))
    assert STUCK in found.violations, found.report()


def test_the_origin_gets_stuck_without_any_fault() -> None:
    found = explore(OriginModel(has_interrupts=False))
    trace = found.violations[STUCK]
    assert len(trace) == 12, found.report()
    assert trace[-1].endswith(NO_CLAIM_REQUEST)


def test_an_interrupt_of_the_origin_strands_the_mail_that_caused_it() -> None:
    found = explore(OriginModel(has_idle_release=False))
    assert STUCK in found.violations, found.report()


def test_an_interrupt_of_the_origin_kills_the_wrong_job() -> None:
    found = explore(OriginModel(has_idle_release=False))
    assert OriginBroken.WRONG_JOB_KILLED in found.violations, found.report()


def test_a_worker_of_the_origin_that_slept_works_beside_the_next_owner() -> None:
    found = explore(OriginModel(has_idle_release=False, has_interrupts=False, pauses=1))
    assert found.violations.keys() >= {OriginBroken.FINISHED_TWICE, OriginBroken.TWO_OWNERS_WORK}


def test_a_crash_in_the_origin_leaves_a_mail_that_nobody_asks_for() -> None:
    found = explore(OriginModel(has_idle_release=False, has_interrupts=False, crashes=1))
    assert STUCK in found.violations, found.report()
