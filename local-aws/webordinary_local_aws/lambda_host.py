"""The local stand-in of Lambda: our real functions behind the invocation address that Amazon's clients know."""

from __future__ import annotations

import json
import re
import threading
import time
import traceback
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import unquote, urlsplit

from webordinary_local_aws.runtime import Runtime

if TYPE_CHECKING:
    from collections.abc import Mapping

_INVOCATION = re.compile(r"/2015-03-31/functions/(?P<name>[^/]+)/invocations")
_LONGEST_RUN = 900.0


@dataclass(frozen=True, slots=True)
class Context:
    """What a function may ask about its own call, under Amazon's names."""

    function_name: str
    function_version: str = "$LATEST"
    memory_limit_in_mb: int = 128
    aws_request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    started: float = field(default_factory=time.monotonic)

    def get_remaining_time_in_millis(self) -> int:
        return int(1000 * max(0.0, self.started + _LONGEST_RUN - time.monotonic()))


Function = Callable[[Any, Context], object]


class LambdaHost:
    """Listens on loopback in a thread; each call runs its function in a thread of its own.

    A call that Amazon would make later (`Event`) is answered first and run then; it is not repeated when it fails.
    """

    def __init__(self, functions: Mapping[str, Function | Runtime] | None = None) -> None:
        self._functions: dict[str, Function | Runtime] = dict(functions or {})
        self._server = _Server(("127.0.0.1", 0), partial(_Call, self._functions))
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="lambda-host", daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def offer(self, name: str, function: Function | Runtime) -> None:
        self._functions[name] = function

    def call(self, name: str, event: bytes) -> tuple[bytes, bool]:
        """Call a function from this process; return its answer or its error, and whether it failed."""
        return run(name, self._functions[name], event)

    def close(self) -> None:
        """Take no more calls and wait for those that run; may be called twice."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 128

    def server_bind(self) -> None:
        # The library's own looks the machine's full name up, which can take as long as a name server wants.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]  # bytes never come


class _Call(BaseHTTPRequestHandler):
    def __init__(self, functions: Mapping[str, Function | Runtime], *connection: Any) -> None:  # noqa: ANN401 - for the library
        self._functions = functions
        super().__init__(*connection)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = _INVOCATION.fullmatch(urlsplit(self.path).path)
        name = _bare_name(unquote(asked["name"])) if asked else ""
        function = self._functions.get(name)
        if function is None:
            self._refuse(name)
        elif self.headers.get("X-Amz-Invocation-Type") == "DryRun":
            self._answer(HTTPStatus.NO_CONTENT, b"")
        elif self.headers.get("X-Amz-Invocation-Type") == "Event":
            self._answer(HTTPStatus.ACCEPTED, b"")
            run(name, function, body)
        else:
            answer, failed = run(name, function, body)
            self._answer(HTTPStatus.OK, answer, **({"X-Amz-Function-Error": "Unhandled"} if failed else {}))

    def log_message(self, *_: object) -> None:
        """Say nothing: what a function does is in its own log."""

    def _refuse(self, name: str) -> None:
        words = json.dumps({"Type": "User", "Message": f"Function not found: {name}"}).encode()
        self._answer(HTTPStatus.NOT_FOUND, words, **{"x-amzn-ErrorType": "ResourceNotFoundException"})

    def _answer(self, status: HTTPStatus, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


def run(name: str, function: Function | Runtime, event: bytes) -> tuple[bytes, bool]:
    """Call a function as Amazon's runtime does; return its answer or its error as JSON, and whether it failed."""
    if isinstance(function, Runtime):
        return function.answer(event)
    context = Context(name)
    try:
        answer = function(json.loads(event or b"{}"), context)
    except Exception as problem:  # noqa: BLE001 - whatever a function raises is an answer, as it is at Amazon
        frames = traceback.format_tb(problem.__traceback__)
        return _error(type(problem).__name__, str(problem), context, frames), True
    try:
        return json.dumps(answer).encode(), False
    except (TypeError, ValueError) as problem:
        return _error("Runtime.MarshalError", f"Unable to marshal response: {problem}", context, []), True


def _error(kind: str, message: str, context: Context, frames: list[str]) -> bytes:
    error = {
        "errorMessage": message,
        "errorType": kind,
        "requestId": context.aws_request_id,
        "stackTrace": frames,
    }
    return json.dumps(error).encode()


def _bare_name(name_or_arn: str) -> str:
    return name_or_arn.rpartition(":function:")[2].partition(":")[0]
