"""From a mail to a job: the same steps behind every door and on every engine."""

from __future__ import annotations

from webordinary.intake.new_job import NewRequest, ask_for, interrupt_rule, new_thread_id, roll_back, rule_for
from webordinary.intake.steps import LARGEST_MAIL, Intake

__all__ = [
    "LARGEST_MAIL",
    "Intake",
    "NewRequest",
    "ask_for",
    "interrupt_rule",
    "new_thread_id",
    "roll_back",
    "rule_for",
]
