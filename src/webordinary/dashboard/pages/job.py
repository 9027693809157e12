"""A job's page: its story from the mail to the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import Refused

if TYPE_CHECKING:
    from starlette.responses import Response

_STEPS = 200


def job(visit: PageVisit) -> Response:
    found = visit.engine.overview.job(visit.params["job"])
    if found is None or not visit.viewer.sees(found.lane.project):
        raise Refused(f"There is no job {visit.params['job']}.")
    mail = visit.engine.overview.mail(found.mail) if found.mail else None
    steps = visit.engine.trail.newest(limit=_STEPS, job=found.id)
    return visit.shows("job.html", job=found, mail=mail, steps=steps[::-1])


PAGES = (PageRoute("GET", "/jobs/{job}", job, role=Role.CLIENT),)
