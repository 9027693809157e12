"""Answers that wait for the agency's eye: the list, and each one as it would go out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.actions import answers as acts
from webordinary.dashboard.lists.sheet import send_sheet
from webordinary.dashboard.story.mail_frame import InlinePicture, framed
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.reply.held_answers import LONG, MOST_HELD, free_words

if TYPE_CHECKING:
    from datetime import timedelta

    from starlette.responses import Response

_SHOWN = 200


def waiting(visit: PageVisit) -> Response:
    """List what waits, the oldest first."""
    now, overview = visit.house.here.clock.now().wall_at, visit.engine.overview
    found = visit.engine.held_answers.all(limit=_SHOWN)
    rows = [(each, overview.job(each.job), _age(now - each.held_at), now - each.held_at >= LONG) for each in found]
    holds = [each.id for each in visit.engine.projects.all() if each.rules.answers.value == "hold"]
    return visit.shows("answers.html", rows=rows, holds=holds, most=_SHOWN)


def waiting_sheet(visit: PageVisit) -> Response:
    overview = visit.engine.overview
    columns = (
        ("job", lambda row: row[0].job),
        ("held", lambda row: row[0].held_at),
        ("project", lambda row: row[0].project),
        ("lane", lambda row: row[0].lane),
        ("subject", lambda row: row[1].subject if row[1] else ""),
        ("to", lambda row: row[0].letter.to),
        ("answer", lambda row: row[0].letter.words),
    )
    found = visit.engine.held_answers.all(limit=MOST_HELD)
    return send_sheet("answers", columns, ((each, overview.job(each.job)) for each in found))


def one(visit: PageVisit, words: str | None = None) -> Response:
    """Show an answer as it would go out, also with words that somebody only tries."""
    here = visit.house.here
    held = acts.held_answer(here, visit.params["job"])
    job = visit.engine.overview.job(held.job)
    mail = acts.as_it_would_go_out(here, held, words)
    shown = free_words(held.letter) if words is None else words
    return visit.shows("answer.html", held=held, job=job, mail=mail, words=shown, is_tried=words is not None)


def frame(visit: PageVisit) -> Response:
    """Show its HTML, for a sandboxed frame."""
    here = visit.house.here
    mail = acts.as_it_would_go_out(here, acts.held_answer(here, visit.params["job"]))
    pictures = {each.cid: InlinePicture(f"image/{each.subtype}", each.content) for each in mail.pictures}
    return framed(mail.html, pictures)


def edit(visit: PageVisit) -> Response:
    """Keep other words, or only show how they would look."""
    words = visit.form.get("words", "")
    if visit.form.get("do") == "try":
        return one(visit, words)
    acts.edit(visit.house.here, visit.params["job"], visit.viewer.name, words, visit.form.get("seen", ""))
    return visit.leads_to(f"/answers/{visit.params['job']}")


def let_go(visit: PageVisit) -> Response:
    acts.let_go(visit.house.here, visit.params["job"], visit.viewer.name, visit.form.get("seen", ""))
    return visit.leads_to("/answers")


def take_back(visit: PageVisit) -> Response:
    """Undo the change; the owner is told only if the box is ticked."""
    tells, seen = visit.form.get("tell") == "yes", visit.form.get("seen", "")
    acts.take_back(visit.house.here, visit.params["job"], visit.viewer.name, tells=tells, seen=seen)
    return visit.leads_to("/answers")


def _age(length: timedelta) -> str:
    days, hours = length.days, length.seconds // 3600
    return f"{days} d {hours} h" if days else f"{hours} h {length.seconds % 3600 // 60} min"


PAGES = (
    PageRoute("GET", "/answers", waiting, role=Role.OPERATOR),
    PageRoute("GET", "/answers.csv", waiting_sheet, role=Role.OPERATOR),
    PageRoute("GET", "/answers/{job}", one, role=Role.OPERATOR),
    PageRoute("GET", "/answers/{job}/page", frame, role=Role.OPERATOR),
    PageRoute("POST", "/answers/{job}/edit", edit, role=Role.OPERATOR),
    PageRoute("POST", "/answers/{job}/release", let_go, role=Role.OPERATOR),
    PageRoute("POST", "/answers/{job}/take-back", take_back, role=Role.OPERATOR),
)
