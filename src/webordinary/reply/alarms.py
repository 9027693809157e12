"""Letters to the agency about what only a person can put in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.errors import LoginNeeded

ALARM = "alarm"


def login_needed(needed: LoginNeeded, agency: str, now: datetime) -> Letter:
    """Return what is said once for each login of a person, and once a week for an application that is refused."""
    mark = needed.since or ("never" if needed.person else f"{now:%G-W%V}")
    facts = {"reason": needed.why, "person" if needed.person else "application": needed.login}
    return Letter(f"login.{needed.login}.{mark}", ALARM, agency, "login_needed", {"login": needed.login, **facts})
