"""The web application: every request goes the same way through session, role and CSRF to its page."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from webordinary.dashboard.api.app import make_api
from webordinary.dashboard.api.problems import answer_problem
from webordinary.dashboard.figures.door import PATH, MetricsDoor
from webordinary.dashboard.figures.own import NamedRoute, WithFigures
from webordinary.dashboard.forms.upload import boundary_of, received
from webordinary.dashboard.guard import REPORTS, WithHeaders, comes_from_our_page
from webordinary.dashboard.live.stream import EventStream
from webordinary.dashboard.noted import note_act
from webordinary.dashboard.reports import Reports
from webordinary.dashboard.routes import FIRST_PAGES, PAGES
from webordinary.dashboard.sessions import csrf_of
from webordinary.dashboard.threshold import Threshold
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import NoSuchThing, NotYours, Refused, WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from webordinary.dashboard.house import House

_log = logging.getLogger(__name__)
_STATIC = Path(__file__).parent / "static"
_LARGEST_FORM = 1_000_000
_MOST_FIELDS = 5000
_LONGEST_PATH = 1000
_SECONDS_FOR_A_FORM = 20
_NOBODY = Viewer("", Role.CLIENT)


def make_app(house: House) -> ASGIApp:
    """Return the whole dashboard of an installation."""
    ways = [_Way(house, each) for each in (FIRST_PAGES if house.is_first else PAGES)]
    routes = [NamedRoute(way.page.path, way.best, methods=[way.page.method]) for way in ways]
    figures = MetricsDoor(house)
    others: list[BaseRoute] = [
        NamedRoute("/events", EventStream(house), methods=["GET"]),
        NamedRoute(REPORTS, Reports(house.here.clock).take, methods=["POST"]),
        Mount("/static", StaticFiles(directory=_STATIC), name="static"),
    ]
    if not house.is_first:
        others += [NamedRoute(PATH, figures.answer, methods=["GET"]), Mount("/api/v1", make_api(house))]
    app = Starlette(routes=[*routes, *others], exception_handlers={HTTPStatus.NOT_FOUND: _missing(house)})
    threshold = Threshold(app, house.here.config.dashboard)
    return WithFigures(WithHeaders(threshold, is_secure=house.is_secure), figures.own)


@dataclass(frozen=True, slots=True)
class _Way:
    """The way of one route's requests to its page."""

    house: House
    page: PageRoute

    @property
    def best(self) -> Callable[[Request], Awaitable[Response]]:
        return self.go_together if self.page.is_shared else self.go

    async def go(self, request: Request) -> Response:
        secret = request.cookies.get(self.house.cookie)
        viewer = self.house.sessions.find(secret)
        form: Mapping[str, str] = {}
        boundary = boundary_of(request.headers) if self.page.takes_file and self.page.method == "POST" else None
        if boundary is not None:
            return await self._go_with_file(request, viewer, secret, boundary)
        if self.page.method == "POST":
            read = await _read_form(request)
            if isinstance(read, HTTPStatus):
                return PlainTextResponse(read.phrase, read)
            form = read
        return await self._answer(request, viewer, self._visit(request, viewer, secret, form))

    async def _go_with_file(
        self, request: Request, viewer: Viewer | None, secret: str | None, boundary: str
    ) -> Response:
        """Read a form with a file; nothing of a file is taken from whom the page is not for."""
        visit = self._visit(request, viewer, secret)
        barred = self._barred_before_reading(request, visit, viewer)
        if barred is not None:
            return barred
        try:
            async with received(request, boundary, self.house.here.config.data / "uploads") as sent:
                return await self._answer(request, viewer, replace(visit, form=sent.fields, file=sent.path))
        except Refused as problem:
            return _refusal(visit, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, str(problem))

    async def _answer(self, request: Request, viewer: Viewer | None, visit: PageVisit) -> Response:
        barred = self._barred(request, visit, viewer)
        if barred is not None:
            return barred
        answer = await run_in_threadpool(_answered, self.page, visit)
        if self.page.method == "POST":
            note_act(visit.viewer, self.page.path, visit.params, answer.status_code)
        return answer

    def _barred_before_reading(self, request: Request, visit: PageVisit, viewer: Viewer | None) -> Response | None:
        """Return why this viewer may not open the page; None if they may."""
        if self.page.method == "POST" and not comes_from_our_page(request.headers):
            return _refusal(visit, HTTPStatus.FORBIDDEN, "This did not come from here.")
        if self.page.role is None:
            return None
        if viewer is None:
            return _to_sign_in(request)
        if not viewer.role.includes(self.page.role):
            return _refusal(visit, HTTPStatus.FORBIDDEN, f"For this one has to be {self.page.role}.")
        return None

    def _barred(self, request: Request, visit: PageVisit, viewer: Viewer | None) -> Response | None:
        """Return why this viewer may not go on to the page; None if they may."""
        barred = self._barred_before_reading(request, visit, viewer)
        if barred is not None or self.page.role is None:
            return barred
        if self.page.method == "POST" and visit.form.get("csrf") != visit.csrf:
            return _refusal(visit, HTTPStatus.FORBIDDEN, "The form is too old: reload the page and send it again.")
        return None

    async def go_together(self, request: Request) -> Response:
        """Answer hundreds who ask at the same moment: nothing is prepared for those who get another's answer."""
        viewer = self.house.sessions.find(request.cookies.get(self.house.cookie))
        if viewer is None or not viewer.role.includes(self.page.needs):
            return await self.go(request)
        question = f"{request.scope['path']}?{request.scope['query_string'].decode('latin-1')}"
        return await self.house.live.share(question, lambda: self.go(request))

    def _visit(
        self, request: Request, viewer: Viewer | None, secret: str | None, form: Mapping[str, str] | None = None
    ) -> PageVisit:
        return PageVisit(
            self.house,
            viewer or _NOBODY,
            request.url.path,
            secret or "",
            csrf_of(secret) if viewer and secret else "",
            request.path_params,
            dict(request.query_params),
            form or {},
            request.cookies,
            request.client.host if request.client else "",
        )


def _answered(page: PageRoute, visit: PageVisit) -> Response:
    """Let the page answer; what is refused is said in words."""
    try:
        heard = visit.house.live.number() if page.method == "GET" and page.role is not None else None
        return page.handler(replace(visit, heard=heard))
    except NoSuchThing as problem:
        return _refusal(visit, HTTPStatus.NOT_FOUND, str(problem))
    except NotYours as problem:
        return _refusal(visit, HTTPStatus.FORBIDDEN, str(problem))
    except WebOrdinaryError as problem:
        return _refusal(visit, HTTPStatus.CONFLICT, str(problem))
    except Exception:  # noqa: BLE001 - the others go on
        _log.exception("the page %s could not be shown", page.path)
        return _refusal(visit, HTTPStatus.INTERNAL_SERVER_ERROR, "This page is broken; the log says where.")


def _refusal(visit: PageVisit, status: HTTPStatus, why: str) -> Response:
    return visit.shows("refusal.html", status, title=status.phrase, why=why)


def _missing(house: House) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, _: Exception) -> Response:
        if request.url.path.startswith("/api/"):
            return answer_problem(HTTPStatus.NOT_FOUND, "There is nothing of that name in this API.")
        secret = request.cookies.get(house.cookie)
        viewer = house.sessions.find(secret)
        token = csrf_of(secret) if viewer and secret else ""
        visit = PageVisit(house, viewer or _NOBODY, request.url.path, secret or "", token)
        return _refusal(visit, HTTPStatus.NOT_FOUND, "There is no such page.")

    return answer


def _to_sign_in(request: Request) -> Response:
    where = "/"
    if request.method == "GET":
        where = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
    return RedirectResponse(f"/sign-in?next={quote(where[:_LONGEST_PATH])}", 303)


async def _read_form(request: Request) -> Mapping[str, str] | HTTPStatus:
    """Read a form as browsers write it; what is too large or too slow is no form of ours."""
    body = b""
    try:
        async with asyncio.timeout(_SECONDS_FOR_A_FORM):
            async for piece in request.stream():
                body += piece
                if len(body) > _LARGEST_FORM:
                    return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except TimeoutError:
        return HTTPStatus.REQUEST_TIMEOUT
    except ValueError:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return dict(pairs)
