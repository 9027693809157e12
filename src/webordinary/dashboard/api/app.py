"""The API as an application: every call goes the same way through token, role, query and body to its handler.

A call is known by its token alone. No cookie is read here, so that no page can make a browser call for its owner.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from webordinary.dashboard.api.call import ApiCall, ApiRoute
from webordinary.dashboard.api.kept_answers import KeptAnswer, KeptAnswers, mark_of
from webordinary.dashboard.api.openapi import document
from webordinary.dashboard.api.problems import BadCall, answer_problem, status_of
from webordinary.dashboard.api.routes import ROUTES
from webordinary.dashboard.figures.own import NamedRoute
from webordinary.dashboard.noted import note_act
from webordinary.dashboard.tokens import ApiToken, ApiTokens
from webordinary.errors import NotYours, WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from webordinary.dashboard.house import House

_log = logging.getLogger(__name__)
_LARGEST_BODY = 1_000_000
_SECONDS_FOR_A_BODY = 20
_LONGEST_KEY = 200
_JSON = "application/json"
FOLDER = "keys"


def make_api(house: House) -> Starlette:
    """Return the API of an installation."""
    routes = [NamedRoute(each.path, _Way(house, each).go, methods=[each.method]) for each in ROUTES]
    described = NamedRoute("/openapi.json", _described, methods=["GET"])
    wrong = {HTTPStatus.NOT_FOUND: _missing, HTTPStatus.METHOD_NOT_ALLOWED: _missing}
    return Starlette(routes=[*routes, described], exception_handlers=wrong)


@dataclass(frozen=True, slots=True)
class _Raw:
    """A call as it came."""

    path: str
    params: dict[str, str]
    query: list[tuple[str, str]]
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class _Way:
    """The way of one route's calls to its handler."""

    house: House
    route: ApiRoute

    async def go(self, request: Request) -> Response:
        body = b""
        try:
            async with asyncio.timeout(_SECONDS_FOR_A_BODY):
                async for piece in request.stream():
                    body += piece
                    if len(body) > _LARGEST_BODY:
                        why = f"Send at most {_LARGEST_BODY:,} bytes."
                        return answer_problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, why)
        except TimeoutError:
            return answer_problem(HTTPStatus.REQUEST_TIMEOUT, f"Send the body within {_SECONDS_FOR_A_BODY} seconds.")
        query = list(request.query_params.multi_items())
        raw = _Raw(request.url.path, dict(request.path_params), query, dict(request.headers), body)
        return await run_in_threadpool(_told, self.answer, raw)

    def answer(self, raw: _Raw) -> Response:
        token = self._token(raw)
        if token is None:
            why = "Send `Authorization: Bearer` with a token that `webordinary token add` has made."
            return answer_problem(HTTPStatus.UNAUTHORIZED, why, www_authenticate="Bearer")
        if not token.role.includes(self.route.role):
            raise NotYours(f"For this a token has to be of the role {self.route.role}.")
        key = self._key(raw)
        call = ApiCall(self.house, token, raw.params, self._query(raw), self._body(raw), key)
        answer = self._kept(call, raw) if key else self._fresh(call)
        if self.route.method != "GET":
            note_act(token.viewer, self.route.path, raw.params, answer.status_code)
        return answer

    def _kept(self, call: ApiCall, raw: _Raw) -> Response:
        """Answer as before, if the same was asked under this key before."""
        asked = mark_of(self.route.method, raw.path, raw.body)
        with KeptAnswers(self.house.sessions.folder / FOLDER).under(call.token.id, call.key) as slot:
            kept = slot.kept()
            if kept is None:
                answer = self._fresh(call)
                slot.keep(KeptAnswer(asked, answer.status_code, bytes(answer.body)))
                return answer
        if kept.asked != asked:
            why = "This Idempotency-Key was used for another call; take a new one for each thing that you ask for."
            raise BadCall(why, HTTPStatus.UNPROCESSABLE_ENTITY)
        return Response(kept.body, kept.status, {"idempotent-replayed": "true"}, _JSON)

    def _fresh(self, call: ApiCall) -> Response:
        answer = self.route.handler(call)
        if isinstance(answer, Response):
            return answer
        return Response(msgspec.json.encode(answer), self.route.status, media_type=_JSON)

    def _token(self, raw: _Raw) -> ApiToken | None:
        scheme, _, secret = raw.headers.get("authorization", "").partition(" ")
        tokens = ApiTokens(self.house.sessions.folder, self.house.here.clock)
        return tokens.find(secret.strip()) if scheme.lower() == "bearer" else None

    def _key(self, raw: _Raw) -> str:
        key = raw.headers.get("idempotency-key", "") if self.route.takes_key else ""
        if len(key) > _LONGEST_KEY:
            raise BadCall(f"The Idempotency-Key is longer than {_LONGEST_KEY} characters.")
        return key

    def _query(self, raw: _Raw) -> Any:  # noqa: ANN401 - it has the type that the route names
        given = dict(raw.query)
        if len(given) != len(raw.query):
            raise BadCall("A parameter of the query is given twice; say each once.")
        return _checked(lambda: msgspec.convert(given, self.route.query, strict=False), "The query")

    def _body(self, raw: _Raw) -> Any:  # noqa: ANN401 - it has the type that the route names
        kind = self.route.body
        if kind is None:
            return None
        if raw.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            raise BadCall(f"Send the body as {_JSON}.", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        return _checked(lambda: msgspec.json.decode(raw.body, type=kind), "The body")


def _checked(read: Callable[[], Any], what: str) -> Any:  # noqa: ANN401 - see above
    try:
        return read()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BadCall(f"{what} is not as /api/v1/openapi.json says: {problem}") from None


def _told(answer: Callable[[_Raw], Response], raw: _Raw) -> Response:
    """Answer; what is refused is said in words."""
    try:
        return answer(raw)
    except WebOrdinaryError as problem:
        return answer_problem(status_of(problem), str(problem))
    except Exception:  # noqa: BLE001 - the others go on
        _log.exception("the call %s broke", raw.path)
        return answer_problem(HTTPStatus.INTERNAL_SERVER_ERROR, "This is our mistake; the log says where.")


async def _described(_: Request) -> Response:
    return Response(msgspec.json.encode(document(ROUTES)), media_type=_JSON)


async def _missing(request: Request, problem: Exception) -> Response:
    if not isinstance(problem, HTTPException):
        raise problem
    status = HTTPStatus(problem.status_code)
    allowed = (problem.headers or {}).get("Allow", "")
    why = f"{request.method} is not known here." if allowed else "There is nothing of that name in this API."
    return answer_problem(status, why, **({"allow": allowed} if allowed else {}))
