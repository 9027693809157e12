"""How often a job is tried again, and how long it waits before that."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.jobs.limits import Limits


def wait_before_retry(attempt: int, limits: Limits) -> timedelta | None:
    """Return how long to wait after failed try number `attempt`, None when it was the last one."""
    if attempt >= limits.attempts:
        return None
    return limits.backoff[min(attempt, len(limits.backoff)) - 1] if limits.backoff else timedelta(0)


def wait_for_others(times: int, limits: Limits) -> timedelta:
    """Return how long to wait when others have too much to do, for the first, second, … time in a row."""
    return limits.overload[min(times, len(limits.overload)) - 1] if limits.overload else timedelta(0)
