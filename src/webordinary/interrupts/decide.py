"""Whether a newcomer may interrupt what runs in its lane: decided from facts alone, the same on every engine."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from webordinary.interrupts.interrupt import Why


@dataclass(frozen=True, slots=True)
class InterruptRule:
    """A project's rule for a newer mail in another thread."""

    on_new_thread: str = "interrupt"
    first_after: timedelta = timedelta(seconds=20)
    at_most: int = 2


@dataclass(frozen=True, slots=True)
class Running:
    """What matters of the job that runs."""

    thread: str
    interruptible: bool
    interruptions: int
    has_cancel: bool


def decide_interrupt(
    rule: InterruptRule,
    running: Running,
    *,
    newcomer_thread: str,
    newcomer_can_start: bool,
    is_instruction: bool,
) -> Why | None:
    """Return what to ask of the running job, or None when the newcomer has to wait its turn."""
    if rule.on_new_thread == "queue" or not is_instruction or not running.interruptible:
        return None
    if running.has_cancel or running.thread == newcomer_thread or not newcomer_can_start:
        return None
    if rule.on_new_thread == "drop":
        return Why.DROP
    # A job is set aside twice at most; the third newcomer waits, so that every job comes to its end.
    return Why.INTERRUPT if running.interruptions < rule.at_most else None
