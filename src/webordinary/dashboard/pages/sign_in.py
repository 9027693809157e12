"""The way in and out: a one-time link, a password, a provider, and the end of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webordinary.dashboard.people import LONGEST_PASSWORD
from webordinary.dashboard.sessions import EntryWay
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import TryAgain
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from starlette.responses import Response

_OLD_LINK = "This link was used already, or is older than ten minutes. `webordinary dashboard` prints a new one."
_WRONG = "This address and this password do not fit together."
_TOO_OFTEN = "Too many tries. Wait a quarter of an hour, or ask whoever runs this for a link."
_LONGEST_NAME = 320


def sign_in(visit: PageVisit) -> Response:
    """Say how to get in; a link's secret becomes a session by a POST, so that nothing that looks ahead uses it up."""
    return _form(visit, "", link=visit.query.get("link", ""), after=inside(visit.query.get("next")))


def signed_in(visit: PageVisit) -> Response:
    if "link" not in visit.form:
        return _by_password(visit)
    secret = visit.house.sessions.redeem(visit.form["link"])
    return entered(visit, secret, visit.form.get("next")) if secret else _form(visit, _OLD_LINK, 403)


def _by_password(visit: PageVisit) -> Response:
    people, sessions = visit.house.sessions.people, visit.house.sessions
    name, password = fold_address(visit.form.get("name", "").strip()), visit.form.get("password", "")
    after = inside(visit.form.get("next"))
    if people is None or len(name) > _LONGEST_NAME or len(password) > LONGEST_PASSWORD:
        return _form(visit, _WRONG, 403, after=after)
    if not visit.house.patience.allows(name, visit.sender):
        return _form(visit, _TOO_OFTEN, 429, after=after)
    try:
        found = people.check(name, password)
    except TryAgain as busy:
        return _form(visit, str(busy), 503, after=after)
    if found is None:
        return _form(visit, _WRONG, 403, after=after)
    visit.house.patience.was_right(name, visit.sender)
    viewer, mark = found
    return entered(visit, sessions.begin(viewer, EntryWay.PASSWORD, mark), after)


def entered(visit: PageVisit, secret: str, after: str | None) -> Response:
    """Give the browser its session, always a new one, and lead it on; what it had before ends."""
    house = visit.house
    if visit.secret:
        house.sessions.end(visit.secret)
    answer = visit.leads_to(inside(after))
    longest = int(house.sessions.longest.total_seconds())
    # Lax, so that a link in a colleague's mail opens its page; forms are guarded by where they come from.
    answer.set_cookie(house.cookie, secret, longest, httponly=True, samesite="lax", secure=house.is_secure)
    return answer


def sign_out(visit: PageVisit) -> Response:
    """End this session; a person who signed in by a provider is told how to sign out there too."""
    way = visit.house.sessions.way_of(visit.secret)
    visit.house.sessions.end(visit.secret)
    return _left(visit, "/signed-out" if way is EntryWay.OPENID else "/sign-in")


def sign_out_everywhere(visit: PageVisit) -> Response:
    """End all sessions of this person."""
    visit.house.sessions.end_all(visit.viewer.name)
    return _left(visit, "/sign-in")


def _left(visit: PageVisit, where: str) -> Response:
    answer, house = visit.leads_to(where), visit.house
    answer.delete_cookie(house.cookie, secure=house.is_secure, httponly=True, samesite="lax")
    return answer


def _form(visit: PageVisit, why: str, status: int = 200, *, link: str = "", after: str = "/") -> Response:
    openid = visit.house.here.config.dashboard.openid
    facts = {"has_users": visit.house.sessions.people is not None, "provider": openid.name if openid.issuer else ""}
    return visit.shows("sign_in.html", status, link=link, next=after, why=why, **facts)


def inside(where: str | None) -> str:
    """Return a path of ours with its query; whatever leads elsewhere is the start page."""
    try:
        parts = urlsplit(where or "/")
    except ValueError:
        return "/"
    is_ours = not parts.scheme and not parts.netloc and parts.path.startswith("/") and not parts.path.startswith("//")
    if not is_ours or "\\" in parts.path or not (where or "/").isprintable():
        return "/"
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


PAGES = (
    PageRoute("GET", "/sign-in", sign_in, role=None),
    PageRoute("POST", "/sign-in", signed_in, role=None),
    PageRoute("POST", "/sign-out", sign_out, role=Role.CLIENT),
    PageRoute("POST", "/sign-out-everywhere", sign_out_everywhere, role=Role.CLIENT),
)
