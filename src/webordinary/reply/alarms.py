"""Letters to the agency about what only a person can put in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.errors import LoginNeeded

ALARM = "alarm"


def login_needed(needed: LoginNeeded, agency: str, now: datetime) -> Letter:
    """Return what is said once for each login that was refused; without a person's login once a day."""
    mark = needed.since or f"{now:%Y-%m-%d}"
    facts = {"reason": needed.why, "person" if needed.person else "application": needed.login}
    return Letter(f"login.{needed.login}.{mark}", ALARM, agency, "login_needed", {"login": needed.login, **facts})
