"""The meter: what is counted and measured while work is done, each figure under its name from the glossary."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol


class Unit(StrEnum):
    """What a figure is counted in, as CloudWatch spells it."""

    COUNT = "Count"
    SECONDS = "Seconds"
    BYTES = "Bytes"
    NONE = "None"


class Metric(StrEnum):
    """Everything that is measured."""

    UNCLAIMED_DEPTH = "unclaimed_depth"
    LANES_WAITING = "lanes_waiting"
    ACTIVE_CLAIMS = "active_claims"
    CLAIM_ATTEMPTS = "claim_attempts"
    TIME_TO_CLAIM = "time_to_claim"
    IDLE_BEFORE_RELEASE = "idle_before_release"
    WAITING_TIME = "waiting_time"
    PROCESSING_TIME = "processing_time"
    # Of the lane that has waited longest for a worker, and of the person who has waited longest for an answer.
    OLDEST_WAITING = "oldest_waiting"
    OLDEST_UNANSWERED = "oldest_unanswered"
    JOBS = "jobs"
    INTERRUPTIONS = "interruptions"
    TIMEOUTS = "timeouts"
    DEAD_LETTERS = "dead_letters"
    COST = "cost"
    # How full the store is that leads visitors to sites on AWS.
    VISITOR_ROUTES_BYTES = "visitor_routes_bytes"

    @property
    def unit(self) -> Unit:
        if self in _TIMES:
            return Unit.SECONDS
        if self is Metric.VISITOR_ROUTES_BYTES:
            return Unit.BYTES
        return Unit.NONE if self is Metric.COST else Unit.COUNT


_TIMES = {
    Metric.TIME_TO_CLAIM,
    Metric.IDLE_BEFORE_RELEASE,
    Metric.WAITING_TIME,
    Metric.PROCESSING_TIME,
    Metric.OLDEST_WAITING,
    Metric.OLDEST_UNANSWERED,
}


class Meter(Protocol):
    """Takes figures; it is quick and never fails, because nothing may depend on being measured."""

    def record(self, metric: Metric, value: float = 1, **dimensions: str) -> None:
        """Note one figure: seconds, US dollars or a count, with what tells it from others of its name."""


class NoMeter:
    """Measures nothing."""

    def record(self, metric: Metric, value: float = 1, **dimensions: str) -> None: ...
