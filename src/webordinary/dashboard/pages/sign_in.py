"""The way in and out: a one-time link, and the end of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webordinary.dashboard.guard import COOKIE
from webordinary.dashboard.sessions import SESSION_SECONDS
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit

if TYPE_CHECKING:
    from starlette.responses import Response


def sign_in(visit: PageVisit) -> Response:
    """Say how to get in; a link's secret becomes a session by a POST, so that nothing that looks ahead uses it up."""
    return visit.shows("sign_in.html", link=visit.query.get("link", ""), next=_inside(visit.query.get("next")), why="")


def signed_in(visit: PageVisit) -> Response:
    secret = visit.house.sessions.redeem(visit.form.get("link", ""))
    if secret is None:
        why = "This link was used already, or is older than ten minutes. `webordinary dashboard` prints a new one."
        return visit.shows("sign_in.html", 403, link="", next="/", why=why)
    answer = visit.leads_to(_inside(visit.form.get("next")))
    answer.set_cookie(COOKIE, secret, SESSION_SECONDS, httponly=True, samesite="strict", secure=visit.house.is_secure)
    return answer


def sign_out(visit: PageVisit) -> Response:
    visit.house.sessions.end(visit.secret)
    answer = visit.leads_to("/sign-in")
    answer.delete_cookie(COOKIE)
    return answer


def _inside(where: str | None) -> str:
    """Return a path of ours; whatever leads elsewhere is the start page."""
    path = urlsplit(where or "/").path
    return path if path.startswith("/") and not path.startswith("//") and "\\" not in path else "/"


PAGES = (
    PageRoute("GET", "/sign-in", sign_in, role=None),
    PageRoute("POST", "/sign-in", signed_in, role=None),
    PageRoute("POST", "/sign-out", sign_out, role=Role.CLIENT),
)
