"""What a program is told when something was not done: RFC 9457, in plain words."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from starlette.responses import Response

from webordinary.dashboard.api.shapes import ToldProblem
from webordinary.errors import NoSuchThing, NotYours, TryAgain, WebOrdinaryError

KIND = "application/problem+json"
_AGAIN_SECONDS = "5"


class BadCall(WebOrdinaryError):
    """The call cannot be understood."""

    def __init__(self, detail: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(detail)
        self.status = status


def status_of(problem: WebOrdinaryError) -> HTTPStatus:
    """Return what a program should do about it, as a number."""
    match problem:
        case BadCall():
            return problem.status
        case NoSuchThing():
            return HTTPStatus.NOT_FOUND
        case NotYours():
            return HTTPStatus.FORBIDDEN
        case TryAgain():
            return HTTPStatus.SERVICE_UNAVAILABLE
        case _:
            return HTTPStatus.CONFLICT


def answer_problem(status: HTTPStatus, detail: str, **headers: str) -> Response:
    """Return an answer that says what is wrong."""
    told = ToldProblem(type="about:blank", title=status.phrase, status=status.value, detail=detail)
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        more["retry-after"] = _AGAIN_SECONDS
    return Response(msgspec.json.encode(told), status.value, more, KIND)
