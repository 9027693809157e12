"""Sign-in at a provider: there, back again, and out."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from starlette.responses import RedirectResponse

from webordinary.dashboard.pages.sign_in import entered, inside
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import Refused, TryAgain
from webordinary.oauth.openid import OpenidVisit

if TYPE_CHECKING:
    from starlette.responses import Response

    from webordinary.oauth.openid import OpenidProvider

BACK = "/sign-in/back"
_WALK_SECONDS = 10 * 60


def walk_there(visit: PageVisit) -> Response:
    """Lead the browser to the provider; what it needs to come back stands in a cookie of its own."""
    walk = OpenidVisit.new()
    # Made by hand: our policy lets a form lead nowhere else, and a link may.
    answer = RedirectResponse(_provider(visit).address_for(walk), 303)
    kept = f"{walk.secret}.{quote(inside(visit.query.get('next')), safe='')}"
    # Lax: the browser comes back from another site.
    answer.set_cookie(
        _cookie(visit), kept[:2000], _WALK_SECONDS, httponly=True, samesite="lax", secure=visit.house.is_secure
    )
    return answer


def walk_back(visit: PageVisit) -> Response:
    """Begin a session for who the provider says has come."""
    provider, allowed = _provider(visit), visit.house.sessions.allowed
    secret, _, after = visit.cookies.get(_cookie(visit), "").partition(".")
    if not secret or allowed is None:
        raise Refused("This way in was begun elsewhere, or too long ago; begin again.")
    told = allowed.told(provider.who(OpenidVisit(secret), visit.query))
    viewer = allowed.viewer(told)
    if viewer is None:
        raise Refused(f"{told.name} may not sign in here; whoever runs this can add you to `dashboard.openid.allow`.")
    answer = entered(visit, visit.house.sessions.begin_told(viewer, told), unquote(after))
    answer.delete_cookie(_cookie(visit), secure=visit.house.is_secure, httponly=True, samesite="lax")
    return answer


def signed_out(visit: PageVisit) -> Response:
    """Say that somebody is out here, and where they leave the provider too."""
    back = f"{(visit.house.here.config.dashboard.url or '').rstrip('/')}/sign-in"
    try:
        leaving = _provider(visit).leaving_address(back)
    except (Refused, TryAgain):
        leaving = None
    name = visit.house.here.config.dashboard.openid.name
    return visit.shows("signed_out.html", leaving=leaving, provider=name)


def _provider(visit: PageVisit) -> OpenidProvider:
    if visit.house.provider is None:
        raise Refused("No provider is configured for this dashboard.")
    return visit.house.provider


def _cookie(visit: PageVisit) -> str:
    return visit.house.cookie_named("webordinary-walk")


PAGES = (
    PageRoute("GET", "/sign-in/provider", walk_there, role=None),
    PageRoute("GET", BACK, walk_back, role=None),
    PageRoute("GET", "/signed-out", signed_out, role=None),
)
