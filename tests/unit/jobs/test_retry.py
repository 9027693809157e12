from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from webordinary.jobs.limits import Limits, wait_before_retry

SECOND = timedelta(seconds=1)


def test_the_last_pause_repeats_until_the_last_try() -> None:
    limits = replace(Limits(), attempts=4, backoff=(SECOND, 2 * SECOND))
    assert [wait_before_retry(attempt, limits) for attempt in (1, 2, 3, 4)] == [SECOND, 2 * SECOND, 2 * SECOND, None]


def test_without_a_pause_a_job_is_tried_again_at_once() -> None:
    assert wait_before_retry(1, replace(Limits(), attempts=2, backoff=())) == timedelta(0)
