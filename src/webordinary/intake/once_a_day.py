"""Refusals are said once to each person, for each reason and day; whatever answers them finds silence."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.mail.inbox import Decision, KeptMail


def once_a_day(decision: Decision, kept: KeptMail) -> Decision:
    """Give the answer a key that is the same for the same person, reason and day."""
    if decision.answer is None or decision.answer_key is not None:
        return decision
    about = (decision.sender, decision.project, decision.answer)
    return replace(decision, answer_key=f"{decision.outcome}.{kept.received_at:%Y%m%d}.{short(*about)}")


def short(*parts: str | None) -> str:
    """Return a short name for these words that no other words have."""
    content = b"".join(len(each).to_bytes(4, "big") + each for each in ((part or "").encode() for part in parts))
    return hashlib.sha256(content).hexdigest()[:20]
