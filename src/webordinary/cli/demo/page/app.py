"""The demo's page as a web application: one way in, one page, and a form for each thing that can be done."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

import webordinary.dashboard
from webordinary.cli.demo.page.form import SentForm, one_line, read_form
from webordinary.cli.demo.page.view import page_facts, without_marker
from webordinary.dashboard.guard import POLICY, WithHeaders, comes_from_our_page
from webordinary.dashboard.live.stream import EventStream
from webordinary.dashboard.sessions import csrf_of
from webordinary.dashboard.story.mail_frame import InlinePicture, framed
from webordinary.errors import NoSuchThing, WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from webordinary.cli.demo.page.house import DemoHouse

_log = logging.getLogger(__name__)
_HERE = Path(__file__).parent
_KEPT = ("talk", "try", "show")
_OUR_NAME = re.compile(r"(?:127\.0\.0\.1|localhost)(?::[0-9]{1,5})?")
_LONGEST_WORDS = 20_000
_PICTURES = frozenset({"image/png", "image/jpeg", "image/webp"})
Act = Callable[["DemoHouse", SentForm], dict[str, str]]


def make_app(house: DemoHouse) -> ASGIApp:
    """Return the whole page of a demo."""
    way = _Way(house)
    routes = [
        Route("/", way.look),
        Route("/enter/{secret}", way.enter),
        Route("/mail/{name}", way.mail),
        Route("/events", EventStream(house)),
        *(Route(f"/do/{name}", way.act(act), methods=["POST"]) for name, act in _ACTS.items()),
        Mount("/photos", StaticFiles(directory=house.photos.folder)),
        Mount("/shared", StaticFiles(directory=Path(webordinary.dashboard.__file__).parent / "static")),
        Mount("/static", StaticFiles(directory=_HERE / "static")),
    ]
    return WithHeaders(_ByName(_WithPolicy(Starlette(routes=routes), _policy(house))))


def _policy(house: DemoHouse) -> str:
    """Return what the page may do: what the dashboard may, and show the sites of this demo in a frame."""
    port = house.here.config.preview.listen.port
    rules = [rule for rule in POLICY.split("; ") if not rule.startswith(("frame-src", "report-uri"))]
    return "; ".join([*rules, f"frame-src 'self' http://*.localhost:{port}"])


class _ByName:
    """Lets in what calls us by loopback's own names: another name that leads here is somebody's trick."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        hosts = [value.decode("latin-1") for name, value in scope.get("headers", []) if name == b"host"]
        if len(hosts) == 1 and _OUR_NAME.fullmatch(hosts[0]):
            await self._app(scope, receive, send)
            return
        await PlainTextResponse("This is not the name of this page.", HTTPStatus.MISDIRECTED_REQUEST)(
            scope, receive, send
        )


class _WithPolicy:
    """Gives pages their policy; one that has its own keeps it."""

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self._app, self._policy = app, policy.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Any) -> None:  # noqa: ANN401 - as ASGI has it
            if message["type"] == "http.response.start":
                names = {name.lower() for name, _ in message["headers"]}
                if b"content-security-policy" not in names:
                    headers = [*message["headers"], (b"content-security-policy", self._policy)]
                    message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, guarded)


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["day"] = lambda at: f"{at:%a} {at.day} {at:%b %Y}"
    made.filters["unmarked"] = without_marker
    made.filters["clock"] = lambda at: f"{at.astimezone():%H:%M:%S}"
    return made


@dataclass(frozen=True, slots=True)
class _Way:
    """The way of every request: who it is, and then what they want."""

    house: DemoHouse

    async def enter(self, request: Request) -> Response:
        session = self.house.let_in(request.path_params["secret"])
        if session is None:
            return PlainTextResponse(
                "This is not the address of this demo: it stands in the terminal where it runs.", HTTPStatus.NOT_FOUND
            )
        answer = RedirectResponse("/", HTTPStatus.SEE_OTHER)
        answer.set_cookie(self.house.cookie, session, httponly=True, samesite="lax", path="/")
        return answer

    async def look(self, request: Request) -> Response:
        return await self._shown(request, dict(request.query_params)) if self._csrf(request) else _stranger()

    async def mail(self, request: Request) -> Response:
        if not self._csrf(request):
            return _stranger()
        try:
            return await run_in_threadpool(_framed, self.house, request.path_params["name"])
        except NoSuchThing as problem:
            return PlainTextResponse(str(problem), HTTPStatus.NOT_FOUND)

    def act(self, act: Act) -> Callable[[Request], Awaitable[Response]]:
        """Return what answers a form: it does something, and then shows the page as it is now."""

        async def answer(request: Request) -> Response:
            csrf = self._csrf(request)
            if not csrf:
                return _stranger()
            form = SentForm()
            try:
                form = await read_form(request)
                if not comes_from_our_page(request.headers) or form.text("csrf") != csrf:
                    return PlainTextResponse("This did not come from the page; reload it.", HTTPStatus.FORBIDDEN)
                told = await run_in_threadpool(act, self.house, form)
            except WebOrdinaryError as problem:
                return await self._shown(request, _where(form), str(problem), HTTPStatus.CONFLICT)
            where = {**_where(form), **told}
            return RedirectResponse(f"/?{urlencode(where)}" if where else "/", HTTPStatus.SEE_OTHER)

        return answer

    def _csrf(self, request: Request) -> str:
        """Return the word that forms of this session carry; empty for somebody who was not let in."""
        secret = request.cookies.get(self.house.cookie)
        return csrf_of(secret) if secret and self.house.sessions.find(secret) else ""

    async def _shown(
        self, request: Request, asked: dict[str, str], said: str = "", status: HTTPStatus = HTTPStatus.OK
    ) -> Response:
        try:
            page = await run_in_threadpool(_rendered, self.house, asked, self._csrf(request), said)
        except Exception:  # noqa: BLE001 - the demo goes on, and so does the page
            _log.exception("the demo's page could not be shown")
            return PlainTextResponse("This page is broken; the terminal says where.", HTTPStatus.INTERNAL_SERVER_ERROR)
        return HTMLResponse(page, status)


def _rendered(house: DemoHouse, asked: dict[str, str], csrf: str, said: str) -> str:
    return _templates().get_template("page.html").render(**page_facts(house, asked, csrf, said))


def _stranger() -> Response:
    return PlainTextResponse("Open the address that stands in the terminal where the demo runs.", HTTPStatus.FORBIDDEN)


def _where(form: SentForm) -> dict[str, str]:
    """Return where somebody was on the page, so that they are there again."""
    return {name: form.text(name)[:300] for name in _KEPT if form.text(name)}


def _framed(house: DemoHouse, name: str) -> Response:
    """Answer with a mail as it looks: a page that can do nothing."""
    mail = house.stage.phone.mail(name)
    body = mail.get_body(("html",))
    pictures = {}
    for part in mail.walk():
        if part.get_content_type() in _PICTURES and part["Content-ID"]:
            content = part.get_payload(decode=True)
            if isinstance(content, bytes):
                pictures[str(part["Content-ID"]).strip().strip("<>")] = InlinePicture(part.get_content_type(), content)
    return framed(str(body.get_content()) if body is not None else "", pictures)


def _write(house: DemoHouse, form: SentForm) -> dict[str, str]:
    """Send what was written: a new mail, or a reply in the conversation that is open."""
    words = form.text("words")[:_LONGEST_WORDS].replace("\r\n", "\n")
    files = [house.photos.find(name) for name in form.texts("photo")] + form.files
    answering = next(
        (talk.answer for talk in house.stage.phone.conversations() if talk.id == form.text("answering")), None
    )
    subject = one_line(form.text("subject")) or "Our website"
    house.stage.phone.write(words, subject=subject, files=files, answering=answering)
    return {} if answering else {"talk": ""}


def _take(house: DemoHouse, form: SentForm) -> dict[str, str]:
    """Take the next step of a suggestion; the conversation that it begins is the newest one."""
    name = form.text("suggestion")
    house.guide.take(name)
    return {"try": name, "talk": "", "show": ""}


def _kill(house: DemoHouse, form: SentForm) -> dict[str, str]:  # noqa: ARG001 - every act is called alike
    house.stage.kill_worker()
    return {}


def _turn(house: DemoHouse, form: SentForm) -> dict[str, str]:  # noqa: ARG001 - every act is called alike
    house.stage.turn_clock()
    return {}


def _go_on(house: DemoHouse, form: SentForm) -> dict[str, str]:  # noqa: ARG001 - every act is called alike
    house.stage.go_on()
    return {}


def _rule(house: DemoHouse, form: SentForm) -> dict[str, str]:
    house.stage.set_rule(form.text("publish"))
    return {}


_ACTS: dict[str, Act] = {
    "write": _write,
    "step": _take,
    "kill": _kill,
    "turn": _turn,
    "go-on": _go_on,
    "rule": _rule,
}
