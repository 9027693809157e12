"""The relay: the only way from the sandbox to a model, on a socket file, under our eyes.

The real key is added out here, so that the agent never holds it; whatever is not allowed, and whatever comes after the
money is spent, is answered here and goes nowhere.
"""

from __future__ import annotations

import json
import re
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
from webordinary.errors import Misconfigured, Overloaded, Refused, WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import timedelta

    from webordinary.agent.errand import ModelRequest
    from webordinary.agent.spending import Bill, Spending
    from webordinary.agent.upstream import ModelAnswer, Upstream


_OK, _BROKEN = 200, 500
_NOT_LET_IN, _UNPAID, _UNKNOWN = frozenset({401, 403}), 402, 404
_BUSY = frozenset({429, 503, 529})
# Said with many a status; the words are what they have in common.
_ABOUT_MONEY = re.compile(
    r"credit balance|billing|payment|insufficient.{0,3}(quota|funds|credit)|out of credits?", re.IGNORECASE
)
# Unless it is one of minutes or hours, which passes.
_ABOUT_LIMITS = re.compile(r"(usage|spend\w*) limits?", re.IGNORECASE)
_ABOUT_RIGHTS = re.compile(
    r"organi[sz]ation has been disabled|(access to|authori[sz]ed|permission|subscri\w+).{0,40}model|model.{0,80}"
    r"(access is denied|not authori[sz]ed|end of its life)|not have access|permission_error|authentication_error",
    re.IGNORECASE,
)
_ABOUT_MODEL = re.compile(
    r"model identifier is invalid|on-demand throughput|not_found_error|"
    r"model.{0,80}(not found|does not exist|not supported)",
    re.IGNORECASE,
)
_ABOUT_LOAD = re.compile(
    r"overloaded|rate.?limit|throttl|too many (requests|tokens)|at capacity|unavailable", re.IGNORECASE
)
_LONGEST_QUOTE = 200


class Complaints:
    """Remembers, over one run, what stands in the way of it."""

    def __init__(self) -> None:
        # The last word of a server that does not want us; the agent would ask it again for a minute.
        self.locked_out = threading.Event()
        self._for_agency = ""
        self._unknown = ""
        self._busy = ""
        self._was_answered = False

    @property
    def for_agency(self) -> str:
        """What the agency has to put in order, as a sentence; empty when there is nothing."""
        # A smaller model that a server does not have is no trouble as long as another one answers.
        return self._for_agency or ("" if self._was_answered else self._unknown)

    @property
    def is_busy(self) -> bool:
        """Whether the last word was that there is too much to do."""
        return bool(self._busy)

    @property
    def busy(self) -> str:
        return f"the agent did not come to an end: the model has too much to do ({self._busy})"

    def hear(self, status: int, trouble: Sequence[dict[str, Any]], model: str) -> None:
        """Take in how a question was answered."""
        if status == _OK and not trouble:
            self._was_answered, self._busy = True, ""
            return
        said = " ".join(str(each.get(name, "")) for each in trouble for name in ("type", "message")).strip()
        quote = re.sub(r"\s+", " ", said)[:_LONGEST_QUOTE]
        self._busy = ""
        if status == _UNPAID or _ABOUT_MONEY.search(said) or (status not in _BUSY and _ABOUT_LIMITS.search(said)):
            self._lock_out(f"The model's account does not pay for it: add credit or raise its limit ({quote}).")
        elif status in _NOT_LET_IN:
            self._lock_out("The model does not let us in: correct `agent.key` or the login.")
        elif status not in _BUSY and status != _UNKNOWN and _ABOUT_RIGHTS.search(said):
            self._lock_out(
                f"The model's account may not use {model}: give it that right, or correct `agent.model` ({quote})."
            )
        elif status == _UNKNOWN or _ABOUT_MODEL.search(said):
            self._unknown = f"The model's server does not know {model}: correct `agent.model` ({quote})."
        elif status in _BUSY or ((status == _OK or status >= _BROKEN) and _ABOUT_LOAD.search(said)):
            self._busy = quote or str(status)

    def _lock_out(self, sentence: str) -> None:
        self._for_agency = self._for_agency or sentence
        self.locked_out.set()


_LARGEST_BODY = 32 * 1024 * 1024
_IDLE_SECONDS = 600
_LOOK_SECONDS = 0.02
# How long a cut line may take until it is noticed; what is not charged then stays reserved.
_WINDING_UP_SECONDS = 10
# A second answer at the same time, but only when both can become as long as they want.
_AT_ONCE = 2
_MOST_CALLERS = 32
_MOST_REMEMBERED = 100
_OK = 200
_HANDED_ON = ("anthropic-version", "anthropic-beta", "user-agent", "x-app")


class Relay:
    """Serves one run of one agent; its key opens nothing but this relay, and nothing passes after its `time`."""

    def __init__(
        self, upstream: Upstream, models: tuple[str, ...], spending: Spending, time: timedelta | None = None
    ) -> None:
        # In a short folder of its own: the kernel takes no more than 107 letters for the name of a socket.
        self._folder = tempfile.TemporaryDirectory(prefix="relay-")
        self.path = Path(self._folder.name) / "model"
        self.key = f"relay-{secrets.token_urlsafe(24)}"
        self.refused: list[str] = []
        self.complaints = Complaints()
        self.had_enough = threading.Event()
        # Whether the run was asked to stop, and whether it wanted to go on when it was over.
        self.was_stopped = self.has_cut = False
        self._is_closed = False
        self._gate = threading.Condition()
        self._under_way: list[ModelRequest] = []
        self._server = _Server(str(self.path), _Caller)
        self._server.relay = self
        # Behind a uid of its own the agent is somebody else; the key in each request is what counts.
        self.path.parent.chmod(0o711)
        self.path.chmod(0o666)
        self.upstream = upstream
        self.models = models
        self.spending = spending
        # The caller that ends it waits this long: half a second by default, behind every run of an agent.
        serve = partial(self._server.serve_forever, poll_interval=_LOOK_SECONDS)
        self._thread = threading.Thread(target=serve, name="relay", daemon=True)
        self.time_is_up = threading.Event()
        self._timer = threading.Timer(time.total_seconds(), self._end_in_time) if time is not None else None

    def __enter__(self) -> Self:
        self._thread.start()
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.close()
        with self._gate:
            # What the cut answers have cost is known when this returns.
            self._gate.wait_for(lambda: not self._under_way, _WINDING_UP_SECONDS)
        self._server.shutdown()
        self._server.server_close()
        self._folder.cleanup()

    def stop(self) -> None:
        """End it before the agent has left."""
        self.was_stopped = True
        self.close()

    def close(self) -> None:
        """Close the relay: refuse queued requests, and cut off those that are being sent."""
        with self._gate:
            self._is_closed = True
            self.has_cut = self.has_cut or bool(self._under_way)
            for errand in self._under_way:
                errand.line.cut()
            self._gate.notify_all()

    def _end_in_time(self) -> None:
        self.time_is_up.set()
        self.close()

    def allow(self, method: str, address: str, key: str, body: bytes) -> ModelRequest:
        """Return what may go out; Refused says why something may not."""
        if not secrets.compare_digest(key.encode(), self.key.encode()):
            raise Refused("this relay belongs to another run")
        return read_errand(method, address, body, self.models, self.spending.prices)

    @contextmanager
    def paid(self, errand: ModelRequest) -> Iterator[Bill]:
        """Wait for one's turn to be answered, and set money aside for it; Refused when nothing is left."""
        with self._gate:
            self._gate.wait_for(lambda: self._is_closed or self._has_room(errand))
            self._check_means()
            bill = self.spending.begin(errand)
            self._under_way.append(bill.errand)
        try:
            yield bill
        finally:
            self._leave(bill.errand)

    @contextmanager
    def free(self, errand: ModelRequest) -> Iterator[None]:
        """Let a question pass that costs nothing."""
        with self._gate:
            self._check_open()
            self._under_way.append(errand)
        try:
            yield
        finally:
            self._leave(errand)

    def _leave(self, errand: ModelRequest) -> None:
        with self._gate:
            self._under_way = [each for each in self._under_way if each is not errand]
            self._gate.notify_all()

    def _has_room(self, errand: ModelRequest) -> bool:
        others = sum(not each.is_counting for each in self._under_way)
        return not others or (others < _AT_ONCE and self.spending.pays_in_full(errand))

    def _check_open(self) -> None:
        if self._is_closed:
            self.has_cut = True
            raise Refused("the run is over")

    def _check_means(self) -> None:
        self._check_open()
        if self.spending.is_over:
            raise Refused("the money for this job is spent")
        if self.spending.is_tired:
            self.had_enough.set()
            raise Refused("the steps for this job are used up")

    def note_refusal(self, why: str) -> None:
        if len(self.refused) < _MOST_REMEMBERED:
            self.refused.append(why)


def judge_calls(relay: Relay, *, is_broken: bool) -> None:
    """Raise what the calls of a run that is over mean for it, whatever its agent makes of them."""
    spending, complaints = relay.spending, relay.complaints
    if spending.is_over or (is_broken and spending.was_tight):
        raise spending.over or spending.used_up()
    if complaints.for_agency:
        raise Misconfigured(complaints.for_agency)
    if is_broken and complaints.is_busy:
        raise Overloaded(complaints.busy)


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
                with relay.free(errand):
                    self._ask(errand, None)
                return
            with relay.paid(errand) as bill:
                self._ask(bill.errand, bill)
        except Refused as refused:
            relay.note_refusal(str(refused))
            self._refuse(403, str(refused))
        except WebOrdinaryError as broken:
            # What cannot be written down is not spent.
            self._refuse(503, f"no money could be set aside ({type(broken).__name__})")

    def _ask(self, errand: ModelRequest, bill: Bill | None) -> None:
        relay = self.server.relay
        try:
            with relay.upstream.ask(errand, self._handed_on()) as answer:
                self._pass_on(answer, bill)
        except (OSError, HTTPException) as away:
            self._refuse(502, f"the model cannot be reached ({type(away).__name__})")
            self.close_connection = True
        finally:
            if bill is not None:
                # A server that has read the question and was cut off, or broke off, may want to be paid for that.
                relay.spending.charge(bill, {} if errand.line.is_sent else None)

    def _handed_on(self) -> dict[str, str]:
        return {name: self.headers[name] for name in _HANDED_ON if name in self.headers}

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _LARGEST_BODY:
            self._refuse(413, "a request needs a length, and one that is not too large")
            self.close_connection = True
            return None
        return self.rfile.read(int(length))

    def _pass_on(self, answer: ModelAnswer, bill: Bill | None) -> None:
        relay = self.server.relay
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        is_there = self._hand_over(b"")
        try:
            with closing(answer.pieces()) as pieces:
                for piece in pieces:
                    if bill is not None:
                        relay.spending.note(bill, answer.usage)
                    # Heard to its end also for who has left: what it costs stands there.
                    is_there = is_there and self._hand_over(b"%x\r\n%s\r\n" % (len(piece), piece))
        finally:
            if bill is not None:
                is_answered = answer.status == _OK and answer.usage
                relay.spending.charge(bill, answer.usage if is_answered else None)
                relay.complaints.hear(answer.status, answer.trouble, bill.errand.model)
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
