from __future__ import annotations

from datetime import timedelta

import pytest

from webordinary.routing.lane import Lane
from webordinary.serve.plan import plan_workers
from webordinary.serve.pool import (
    DAY,
    LIMITS,
    SimulatedMail,
    Traffic,
    draw_mails,
    find_need,
    hours_on_demand,
    live_through,
    starts_alone,
)

SMALL = Traffic(projects=2, users=3, mails=4, minutes=3)
MINUTE = timedelta(minutes=1)
NOON = timedelta(hours=12)


def mail(user: str, minute: int, takes: int = 3, thread: str = "t1") -> SimulatedMail:
    return SimulatedMail(NOON + minute * MINUTE, Lane("amelia", user), f"{user}-{thread}", takes * MINUTE)


def test_the_same_seed_draws_the_same_day() -> None:
    assert draw_mails(SMALL) == draw_mails(SMALL)
    assert draw_mails(SMALL) != draw_mails(Traffic(projects=2, users=3, mails=4, minutes=3, seed=2))


def test_mails_come_in_office_hours_in_order_and_about_as_many_as_asked_for() -> None:
    mails = draw_mails(Traffic())
    assert [each.at for each in mails] == sorted(each.at for each in mails)
    assert all(timedelta(hours=8) <= each.at < timedelta(hours=20) for each in mails)
    assert 400 < len(mails) < 600
    assert len({each.lane for each in mails}) == 100


def test_people_who_write_once_in_two_days_are_not_all_there_every_day() -> None:
    mails = draw_mails(Traffic(projects=10, users=10, mails=0.5))
    assert 30 < len(mails) < 70


def test_the_same_day_is_lived_through_in_the_same_way() -> None:
    mails = draw_mails(SMALL)
    assert live_through(mails, 2) == live_through(mails, 2)


def test_a_mail_to_a_free_worker_waits_for_nothing() -> None:
    day = live_through([mail("scott", 0), mail("maria", 10)], 1)
    assert (day.waited_longest, day.later_p95) == (timedelta(0), timedelta(0))


def test_a_mail_waits_for_the_only_worker() -> None:
    day = live_through([mail("scott", 0), mail("maria", 1)], 1)
    assert (day.waited_p50, day.waited_longest, day.later_p95) == (timedelta(0), 2 * MINUTE, 2 * MINUTE)
    assert live_through([mail("scott", 0), mail("maria", 1)], 2).waited_longest == timedelta(0)


def test_a_mail_waits_for_its_own_lane_however_many_workers_there_are() -> None:
    mails = [mail("scott", 0), mail("scott", 1)]
    day = live_through(mails, 5)
    assert (day.waited_longest, day.later_p95) == (2 * MINUTE, timedelta(0))
    assert starts_alone(mails) == [NOON, NOON + 3 * MINUTE]


def test_a_lane_gives_way_between_its_jobs() -> None:
    mails = [mail("scott", 0), mail("scott", 1), mail("maria", 2)]
    # Maria after Scott's first (1 minute); then Scott's second, 5 minutes after it came.
    day = live_through(mails, 1)
    assert (day.waited_p50, day.waited_longest) == (MINUTE, 5 * MINUTE)


def test_an_owner_that_is_still_warm_takes_the_next_mail_of_another_lane() -> None:
    long_after = int(LIMITS.idle_release / MINUTE) + 10
    for minute in (5, long_after):
        assert live_through([mail("scott", 0), mail("maria", minute)], 1).waited_longest == timedelta(0)


def test_more_workers_never_wait_longer() -> None:
    mails = draw_mails(Traffic(projects=4, users=5, mails=5))
    waits = [live_through(mails, workers).waited_p95 for workers in (1, 2, 3, 4)]
    assert waits == sorted(waits, reverse=True)


def test_the_need_is_the_smallest_number_that_is_enough() -> None:
    mails = draw_mails(Traffic(projects=4, users=5, mails=8))
    need = find_need(lambda workers: live_through(mails, workers), MINUTE, at_most=20)
    assert need.later_p95 <= MINUTE
    assert live_through(mails, need.workers - 1).later_p95 > MINUTE


def test_one_worker_for_each_lane_is_always_enough() -> None:
    mails = draw_mails(SMALL)
    assert live_through(mails, SMALL.lanes).later_p95 == timedelta(0)
    assert find_need(lambda workers: live_through(mails, workers), timedelta(0), SMALL.lanes).workers <= SMALL.lanes


def test_worker_hours_on_demand_count_the_idle_time_once() -> None:
    idle = LIMITS.idle_release / timedelta(hours=1)
    apart = [mail("scott", 0), mail("scott", 300)]
    close = [mail("scott", 0), mail("scott", 10)]
    assert hours_on_demand(apart) == pytest.approx(2 * (0.05 + idle))
    assert hours_on_demand(close) == pytest.approx(10 / 60 + 0.05 + idle)


def test_a_plan_tells_what_is_saved_against_a_worker_for_each_lane() -> None:
    plan = plan_workers(SMALL, range(1, 3), MINUTE)
    assert plan.dedicated_hours == SMALL.lanes * DAY / timedelta(hours=1)
    assert [round(plan.saved_percent(day)) for day in plan.days] == [83, 67]
    assert plan.facts()["needed_workers"] == plan.need.workers


def test_a_day_without_mails_needs_one_worker() -> None:
    plan = plan_workers(Traffic(projects=1, users=1, mails=0), range(1, 2), MINUTE)
    assert (plan.need.workers, plan.need.mails, plan.on_demand_hours) == (1, 0, 0)
