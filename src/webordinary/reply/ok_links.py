"""The link in a mail that asks for an ok: whom it was given to, and for which proposal."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING

from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from webordinary.mail.tokens import ReplyKey
    from webordinary.reply.outbox import Letter

# Until when the proposal waits that a letter asks about, and the link as the letter tells it.
OK_UNTIL, OK_LINK = "ok_until", "ok_link"
# The letter that asks the agency; those that ask others are named behind it.
APPROVAL = "approval"
# The letters whose reader may decide.
ASKED_BY = frozenset({"proposed", "ok_wanted", "approval_wanted", "reminder"})
_PATH = "/ok/"


def approval_kind(address: str) -> str:
    """Return the kind of the letter that asks this approver."""
    return f"{APPROVAL}-{mark_of(address)}"


def mark_of(address: str) -> str:
    """Name a person in the name of a mail, which everybody may read."""
    return hashlib.sha256(fold_address(address).encode(errors="replace")).hexdigest()[:8]


def ok_link(dashboard: str | None, key: ReplyKey, letter: Letter, project: str) -> str:
    """Return where the reader of a letter says ok without an account; empty if it asks for none or nobody serves it."""
    until = letter.facts.get(OK_UNTIL)
    if dashboard is None or until is None or letter.job is None or letter.words not in ASKED_BY:
        return ""
    expires_at = datetime.fromisoformat(until)
    token = key.approval_token(project=project, proposal=letter.job, to=letter.to, expires_at=expires_at)
    return f"{dashboard.rstrip('/')}{_PATH}{token}"
