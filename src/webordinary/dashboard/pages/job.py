"""A job's page: its story from the mail to the answer, and the files and frames that belong to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.story.files import hand_out_file
from webordinary.dashboard.story.for_clients import is_unread
from webordinary.dashboard.story.letters import html_of, is_for_agency, pictures_in, read_letter
from webordinary.dashboard.story.mail_frame import framed
from webordinary.dashboard.story.steps import newest_steps
from webordinary.dashboard.story.talk import talk_of
from webordinary.dashboard.story.told import tell_story
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import NoSuchThing

if TYPE_CHECKING:
    from starlette.responses import Response

    from webordinary.jobs.job import Job

_MOST_ENTRIES = 1000


def job(visit: PageVisit) -> Response:
    """Show the whole story, with the newest of its steps."""
    found = _find(visit)
    to_agency = visit.may(Role.READER)
    story = tell_story(visit.house.here, found, to_agency=to_agency)
    return visit.shows(
        "job.html", job=story.job, story=story, to_agency=to_agency, held=visit.engine.held_answers.find(found.id)
    )


def transcript(visit: PageVisit) -> Response:
    """Show what the agent said and did, page by page."""
    found = _find(visit)
    entries = visit.engine.trail.newest(limit=_MOST_ENTRIES, job=found.id)
    talk = talk_of(visit.engine.inbox, found, entries, _number(visit.query.get("page")) or 1)
    return visit.shows("transcript.html", job=found, talk=talk)


def file(visit: PageVisit) -> Response:
    """Hand out a file of this job; never one of another, and never as a page."""
    return hand_out_file(visit.engine, _find(visit), visit.params["digest"], to_agency=visit.may(Role.READER))


def letter(visit: PageVisit) -> Response:
    """Show the HTML of a letter, for a sandboxed frame; a client sees none that was written to the agency."""
    found, kind = _find(visit), visit.params["kind"]
    written = read_letter(visit.engine.outbox, found.id, kind)
    is_theirs = written is not None and is_for_agency(kind, str(written["To"]), visit.house.here.config)
    if written is None or (is_theirs and not visit.may(Role.READER)):
        raise NoSuchThing("This letter is no longer kept.")
    return framed(html_of(written), pictures_in(written))


def older_steps(visit: PageVisit) -> Response:
    """Show only the steps before an entry, for a long story."""
    found = _find(visit)
    before, to_agency = _number(visit.query.get("before")), visit.may(Role.READER)
    unread = is_unread(visit.engine, found)
    steps = newest_steps(visit.engine.trail, found.id, before, to_agency=to_agency, is_unread=unread)
    return visit.shows("steps.html", job=found, steps=steps, to_agency=to_agency)


def _find(visit: PageVisit) -> Job:
    found = visit.engine.overview.job(visit.params["job"])
    if found is None or not visit.viewer.sees(found.lane.project):
        raise NoSuchThing(f"There is no job {visit.params['job']}.")
    return found


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 16 else None  # noqa: PLR2004 - fits


PAGES = (
    PageRoute("GET", "/jobs/{job}", job, role=Role.CLIENT),
    PageRoute("GET", "/jobs/{job}/steps", older_steps, role=Role.CLIENT),
    PageRoute("GET", "/jobs/{job}/transcript", transcript, role=Role.READER),
    PageRoute("GET", "/jobs/{job}/files/{digest}", file, role=Role.CLIENT),
    PageRoute("GET", "/jobs/{job}/letters/{kind}", letter, role=Role.CLIENT),
)
