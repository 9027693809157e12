"""An interrupt: why a running attempt should stop, who asked, and from when on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class Why(StrEnum):
    """What becomes of the attempt that is asked to stop."""

    INTERRUPT = "interrupt"
    DROP = "drop"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Set for exactly one job under one fence; anything else is not meant by it."""

    why: Why
    by: str
    due_at: datetime
