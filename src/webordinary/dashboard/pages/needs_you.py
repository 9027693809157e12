"""The start page: what waits for a person, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.jobs.job import State
from webordinary.mail.outcomes import MailOutcome

if TYPE_CHECKING:
    from starlette.responses import Response

_SHOWN = 50


def needs_you(visit: PageVisit) -> Response:
    overview = visit.engine.overview
    return visit.shows(
        "needs_you.html",
        proposals=visit.engine.proposals.all_open(),
        held=overview.mails(outcome=MailOutcome.HELD, limit=_SHOWN),
        dead=overview.jobs(state=State.DEAD.value, limit=_SHOWN),
        paused=overview.paused(),
    )


PAGES = (PageRoute("GET", "/", needs_you),)
