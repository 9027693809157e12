"""The relay: the only way from the sandbox to a model, on a socket file, under our eyes.

The real key is added out here, so that the agent never holds it; whatever is not allowed, and whatever comes after the
money is spent, is answered here and goes nowhere.
"""

from __future__ import annotations

import json
import secrets
import socketserver
import tempfile
import threading
from contextlib import closing, contextmanager, suppress
from functools import partial
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from webordinary.agent.errand import read_errand
from webordinary.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.agent.errand import Errand
    from webordinary.agent.spending import Spending
    from webordinary.agent.upstream import Answer, Upstream

_LARGEST_BODY = 32 * 1024 * 1024
_IDLE_SECONDS = 600
_LOOK_SECONDS = 0.02
# The answer that goes over the limit is paid for; more of them at a time would be that many times over it.
_AT_ONCE = 2
_MOST_CALLERS = 32
_MOST_REMEMBERED = 100
_OK = 200
_HANDED_ON = ("anthropic-version", "anthropic-beta", "user-agent", "x-app")


class Relay:
    """Serves one run of one agent; its key opens nothing but this relay."""

    def __init__(self, upstream: Upstream, models: tuple[str, ...], spending: Spending) -> None:
        # In a short folder of its own: the kernel takes no more than 107 letters for the name of a socket.
        self._folder = tempfile.TemporaryDirectory(prefix="relay-")
        self.path = Path(self._folder.name) / "model"
        self.key = f"relay-{secrets.token_urlsafe(24)}"
        self.refused: list[str] = []
        # The last word of a server that does not want us; the agent would ask it again for a minute.
        self.locked_out = threading.Event()
        self.had_enough = threading.Event()
        self.is_closed = threading.Event()
        self._admitting = threading.Lock()
        self._places = threading.BoundedSemaphore(_AT_ONCE)
        self._server = _Server(str(self.path), _Caller)
        self._server.relay = self
        # Behind a uid of its own the agent is somebody else; the key in each request is what counts.
        self.path.parent.chmod(0o711)
        self.path.chmod(0o666)
        self.upstream = upstream
        self.models = models
        self.spending = spending
        # Whoever ends it waits this long: half a second by default, behind every run of an agent.
        serve = partial(self._server.serve_forever, poll_interval=_LOOK_SECONDS)
        self._thread = threading.Thread(target=serve, name="relay", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_closed.set()
        self._server.shutdown()
        self._server.server_close()
        self._folder.cleanup()

    def allow(self, method: str, address: str, key: str, body: bytes) -> Errand:
        """Return what may go out; Refused says why something may not."""
        if not secrets.compare_digest(key.encode(), self.key.encode()):
            raise Refused("this relay belongs to another run")
        return read_errand(method, address, body, self.models)

    @contextmanager
    def paid(self) -> Iterator[int]:
        """Wait for one's turn to be answered, and give the answer a number; Refused when nothing is left for it."""
        with self._places:
            with self._admitting:
                self._check_means()
                number = self.spending.begin()
            yield number

    def _check_means(self) -> None:
        if self.spending.is_over:
            raise Refused("the money for this job is spent")
        if self.spending.is_tired:
            self.had_enough.set()
            raise Refused("the steps for this job are used up")

    def note_refusal(self, why: str) -> None:
        if len(self.refused) < _MOST_REMEMBERED:
            self.refused.append(why)


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    relay: Relay

    def __init__(self, path: str, caller: type[_Caller]) -> None:
        self._callers = threading.BoundedSemaphore(_MOST_CALLERS)
        super().__init__(path, caller)

    def verify_request(self, request: object, client_address: object) -> bool:
        """Hang up on who comes when too many are there: each of them holds a thread of the worker's."""
        del request, client_address
        return self._callers.acquire(blocking=False)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - the library's own types
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._callers.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: an agent that was stopped leaves its calls open."""


class _Caller(BaseHTTPRequestHandler):
    """One connection out of the sandbox."""

    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS
    server: _Server

    def do_HEAD(self) -> None:
        self._say(200, b"")

    def do_GET(self) -> None:
        self._refuse(404, "only questions to the model pass here")

    def do_POST(self) -> None:
        body = self._body()
        if body is None:
            return
        relay = self.server.relay
        try:
            errand = relay.allow("POST", self.path, self.headers.get("x-api-key", ""), body)
            if errand.is_counting:
                self._ask(errand, None)
                return
            with relay.paid() as number:
                self._ask(errand, number)
        except Refused as refused:
            relay.note_refusal(str(refused))
            self._refuse(403, str(refused))

    def _ask(self, errand: Errand, number: int | None) -> None:
        relay, is_answered = self.server.relay, False
        try:
            with relay.upstream.ask(errand, self._handed_on()) as answer:
                if answer.status in {401, 403}:
                    relay.locked_out.set()
                is_answered = answer.status == _OK
                self._pass_on(answer, errand.model, number)
        except (OSError, HTTPException) as away:
            self._refuse(502, f"the model cannot be reached ({type(away).__name__})")
            self.close_connection = True
        finally:
            if number is not None and not is_answered:
                relay.spending.take_back(number)

    def _handed_on(self) -> dict[str, str]:
        return {name: self.headers[name] for name in _HANDED_ON if name in self.headers}

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _LARGEST_BODY:
            self._refuse(413, "a request needs a length, and one that is not too large")
            self.close_connection = True
            return None
        return self.rfile.read(int(length))

    def _pass_on(self, answer: Answer, model: str, number: int | None) -> None:
        relay = self.server.relay
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        is_there = self._hand_over(b"")
        try:
            with closing(answer.pieces()) as pieces:
                for piece in pieces:
                    if number is not None:
                        relay.spending.note(number, model, answer.usage)
                    is_there = is_there and self._hand_over(b"%x\r\n%s\r\n" % (len(piece), piece))
                    # Heard to its end also for who has left: what it costs stands there.
                    if not is_there and relay.is_closed.is_set():
                        break
        finally:
            if number is not None:
                relay.spending.note(number, model, answer.usage)
        if is_there:
            self._hand_over(b"0\r\n\r\n")

    def _hand_over(self, data: bytes) -> bool:
        """Hand on a piece of an answer, the headers before it; False when nobody is there any more."""
        try:
            if data:
                self.wfile.write(data)
            else:
                self.end_headers()
        except OSError:
            self.close_connection = True
            return False
        return True

    def _refuse(self, status: int, why: str) -> None:
        words = {"type": "error", "error": {"type": "permission_error", "message": why}}
        with suppress(OSError):
            self._say(status, json.dumps(words).encode())

    def _say(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self) -> str:
        return "sandbox"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name
        """Say nothing: the trail tells what the agent does."""
