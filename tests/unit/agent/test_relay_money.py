"""What a run of an agent can cost at most, through the real relay: limits, ends, lies and silence."""

from __future__ import annotations

import json
import threading
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from tests.serving import listening
from tests.unit.agent.test_relay import ASKED, MODELS, OverSocket, ask
from webordinary.agent.agent import OverBudget, TokenCount
from webordinary.agent.relay import Relay, judge_calls
from webordinary.agent.spending import Spending
from webordinary.agent.upstream import AnthropicApi
from webordinary.errors import Misconfigured, Overloaded, TryAgain
from webordinary.testing.model import events_of

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS = "We open at nine. "
LONG = {**ASKED, "max_tokens": 32_000}


@dataclass(slots=True)
class Server:
    """A server of a model that says what a test wants; it holds each answer back until it is let."""

    status: int = 200
    text: str = WORDS
    usage: dict[str, int] | None = None
    error: dict[str, str] | None = None
    breaks: bool = False
    waits: bool = False
    asked: list[dict[str, Any]] = field(default_factory=list)
    begun: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    left: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    address: str = ""

    def message(self) -> dict[str, Any]:
        content = [{"type": "text", "text": self.text}]
        usage = {} if self.usage is None else {"usage": self.usage}
        return {"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn", **usage}

    def events(self) -> list[dict[str, Any]]:
        if self.error is not None:
            return [{"type": "error", "error": self.error}]
        events = events_of({**self.message(), "usage": self.usage or {"output_tokens": 0}})
        for event in events:
            if self.usage is None:
                event.pop("usage", None)
                event.get("message", {}).pop("usage", None)
        return events[:-2] if self.breaks else events


class _Hand(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Listener

    def do_POST(self) -> None:
        told = self.server.told
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        told.asked.append(asked)
        told.begun.release()
        if told.waits:
            # Whoever waits for an answer says nothing more: this returns when they leave.
            self.connection.recv(1)
            told.left.release()
            self.close_connection = True
            return
        streams = asked.get("stream") and told.status == 200
        if streams:
            said = b"".join(b"data: %s\n\n" % json.dumps(event).encode() for event in told.events())
        else:
            failed = {"type": "error", "error": told.error}
            said = json.dumps(failed if told.error else told.message()).encode()
        self.send_response(told.status)
        self.send_header("Content-Type", "text/event-stream" if streams else "application/json")
        self.send_header("Content-Length", str(len(said) + (1 if told.breaks else 0)))
        self.end_headers()
        self.wfile.write(said)
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name
        """Say nothing."""


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    told: Server

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a run that ends leaves its calls open."""


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    listener = _Listener(("127.0.0.1", 0), _Hand)
    listener.told = server
    server.address = f"http://127.0.0.1:{listener.server_address[1]}"
    with listening(listener):
        yield server


@contextmanager
def relaying(server: Server, usd: float = 2.0) -> Iterator[tuple[Relay, Spending]]:
    spending = Spending(usd, lambda _: None)
    with serving(server), Relay(AnthropicApi("sk-real", server.address), MODELS, spending) as relay:
        yield relay, spending


def left_alone(relay: Relay, asked: dict[str, Any]) -> threading.Thread:
    """Ask beside the test; an answer that never comes is no accident there."""

    def run() -> None:
        with suppress(OSError, HTTPException):
            ask(relay, asked)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


# What a run may still ask when it is over: nothing.


def test_what_waits_in_the_relay_when_the_run_ends_is_never_sent() -> None:
    server = Server(waits=True)
    with relaying(server) as (relay, spending):
        callers = [left_alone(relay, LONG) for _ in range(20)]
        for _ in range(2):
            assert server.begun.acquire(timeout=60)
    # Those that were under way are cut off: the model stops writing, and we stop paying.
    for _ in range(2):
        assert server.left.acquire(timeout=60)
    for caller in callers:
        caller.join(60)
    assert len(server.asked) == 2
    assert spending.usd < 0.01


def test_after_a_stop_nothing_passes_although_the_agent_still_runs() -> None:
    server = Server(usage={"input_tokens": 10, "output_tokens": 10})
    with relaying(server) as (relay, _):
        assert ask(relay, ASKED)[0] == 200
        relay.stop()
        assert ask(relay, ASKED)[0] == 403
        assert ask(relay, ASKED, path="/v1/messages/count_tokens")[0] == 403
        assert len(server.asked) == 1
        assert relay.has_cut


def test_a_line_that_was_opened_during_the_run_leads_nowhere_after_it() -> None:
    server = Server(usage={"input_tokens": 10, "output_tokens": 10})
    with relaying(server) as (relay, _):
        connection = OverSocket(relay.path)
        connection.connect()
    status = 403
    with closing(connection), suppress(OSError):
        connection.request("POST", "/v1/messages", json.dumps(ASKED), {"x-api-key": relay.key})
        status = connection.getresponse().status
    assert (status, server.asked) == (403, [])


# The most that one answer can cost.


@pytest.mark.parametrize("streams", [False, True])
def test_an_answer_is_no_longer_than_the_money_lasts(*, streams: bool) -> None:
    server = Server(usage={"input_tokens": 40, "output_tokens": 6000})
    with relaying(server, usd=0.1) as (relay, _):
        assert ask(relay, {**LONG, "stream": streams})[0] == 200
    # 15 USD for a million: a tenth of a dollar is 6,666 tokens, and the question has its share.
    assert 6_600 < server.asked[0]["max_tokens"] < 6_667


def test_who_may_think_thinks_no_longer_than_the_answer_lasts() -> None:
    server = Server(usage={"input_tokens": 40, "output_tokens": 40})
    asked = {**LONG, "thinking": {"type": "enabled", "budget_tokens": 31_999}}
    with relaying(server, usd=0.1) as (relay, _):
        assert ask(relay, asked)[0] == 200
    assert server.asked[0]["thinking"]["budget_tokens"] == server.asked[0]["max_tokens"] - 1


def test_who_does_not_say_how_long_an_answer_may_be_is_bounded_too() -> None:
    server = Server(usage={"input_tokens": 40, "output_tokens": 40})
    with relaying(server, usd=0.1) as (relay, _):
        for wanted in ({}, {"max_tokens": 10**30}, {"max_tokens": -1}):
            asked = {name: value for name, value in {**LONG, **wanted}.items() if wanted or name != "max_tokens"}
            assert ask(relay, asked)[0] == 200
    assert all(0 < each["max_tokens"] < 6_667 for each in server.asked)


def test_a_question_that_the_money_does_not_pay_for_is_not_asked() -> None:
    server = Server(usage={"input_tokens": 40, "output_tokens": 40})
    long_one = {**ASKED, "messages": [{"role": "user", "content": "nine " * 40_000}]}
    with relaying(server, usd=0.1) as (relay, spending):
        status, said = ask(relay, long_one)
        assert (status, b"the money for this job is spent" in said) == (403, True)
        assert (server.asked, spending.is_over) == ([], True)
        with pytest.raises(OverBudget):
            judge_calls(relay, is_broken=True)


def test_a_picture_is_not_counted_by_its_letters() -> None:
    server = Server(usage={"input_tokens": 40, "output_tokens": 40})
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 4_000_000}}
    with relaying(server, usd=0.1) as (relay, _):
        assert ask(relay, {**LONG, "messages": [{"role": "user", "content": [picture]}]})[0] == 200


def test_the_limit_is_overshot_by_one_answer_at_most_and_only_by_what_its_question_was_counted_short() -> None:
    """The figure of the how-to: a server that counts a question as 200,000 tokens costs 0.60 USD more, once."""
    limit, full = 0.5, 200_000 * 3 / 1_000_000
    server = Server(usage={"input_tokens": 200_000, "output_tokens": 9})
    with relaying(server, usd=limit) as (relay, spending):
        threads = [left_alone(relay, LONG) for _ in range(8)]
        for thread in threads:
            thread.join(60)
        assert len(server.asked) == 1
        assert limit < spending.usd < limit + full


def test_an_honest_server_never_costs_more_than_the_limit() -> None:
    server = Server(text=WORDS * 100)
    with relaying(server, usd=0.02) as (relay, spending):
        statuses = [ask(relay, {**LONG, "stream": True})[0] for _ in range(12)]
        assert (statuses[0], statuses[-1]) == (200, 403)
        assert 0.01 < spending.usd <= 0.02


# What nobody says that it cost.


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("usage", [None, {}, {"input_tokens": 0, "output_tokens": 0}])
def test_a_server_that_reports_no_usage_is_counted_by_size(usage: dict[str, int] | None, *, streams: bool) -> None:
    server = Server(text=WORDS * 10_000, usage=usage)
    with relaying(server) as (relay, spending):
        assert (
            ask(relay, {**LONG, "stream": streams, "messages": [{"role": "user", "content": WORDS * 1000}]})[0] == 200
        )
        size = len(WORDS)
        assert spending.usd == pytest.approx((size * 10_000 * 15 + size * 1000 * 3) / 3 / 1_000_000, rel=0.05)


def test_a_stream_that_breaks_before_its_usage_is_counted_by_what_was_heard() -> None:
    server = Server(text=WORDS * 10_000, breaks=True, usage={"input_tokens": 1000, "output_tokens": 50_000})
    with relaying(server) as (relay, spending):
        left_alone(relay, {**LONG, "stream": True}).join(60)
        assert server.begun.acquire(timeout=60)
    assert spending.usd == pytest.approx(0.003 + len(WORDS) * 10_000 / 3 * 15 / 1_000_000, rel=0.01)


def test_a_server_that_reports_far_less_than_it_has_said_is_not_believed() -> None:
    server = Server(text=WORDS * 10_000, usage={"input_tokens": 1000, "output_tokens": 3})
    with relaying(server) as (relay, spending):
        assert ask(relay, LONG)[0] == 200
        assert spending.usd > len(WORDS) * 10_000 / 8 * 15 / 1_000_000


def test_a_question_that_was_read_and_never_answered_is_counted() -> None:
    server = Server(waits=True)
    asked = {**ASKED, "messages": [{"role": "user", "content": WORDS * 1000}]}
    with relaying(server) as (relay, spending):
        left_alone(relay, asked)
        assert server.begun.acquire(timeout=60)
    assert spending.usd == pytest.approx(len(WORDS) * 1000 * 3 / 3 / 1_000_000, rel=0.05)


# Whom a complaint is for.

CREDIT = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade."
ON_DEMAND = "Invocation of model ID anthropic.claude-x with on-demand throughput isn't supported."


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("status", "kind", "message", "remedy"),
    [
        (400, "invalid_request_error", CREDIT, "add credit"),
        (400, "invalid_request_error", "You have reached your specified API usage limits.", "raise its limit"),
        (402, "billing_error", "Pay first.", "add credit"),
        (429, "insufficient_quota", "You exceeded your current quota.", "add credit"),
        (400, "invalid_request_error", "This organization has been disabled.", "that right"),
        (401, "authentication_error", "invalid x-api-key", "agent.key"),
        (403, "permission_error", "You do not have access to the model.", "agent.key"),
        (404, "not_found_error", "model: claude-sonnet-9", "agent.model"),
        (400, "ValidationException", "The provided model identifier is invalid.", "agent.model"),
        (400, "ValidationException", ON_DEMAND, "agent.model"),
    ],
)
@pytest.mark.parametrize("streams", [False, True])
def test_what_only_the_agency_can_mend_is_told_to_it(
    status: int, kind: str, message: str, remedy: str, *, streams: bool
) -> None:
    server = Server(status=status, error={"type": kind, "message": message})
    with relaying(server) as (relay, spending):
        assert ask(relay, {**ASKED, "stream": streams})[0] == status
        with pytest.raises(Misconfigured, match=remedy):
            judge_calls(relay, is_broken=True)
        assert spending.usd == 0


@pytest.mark.parametrize(
    ("status", "kind", "message"),
    [
        (529, "overloaded_error", "Overloaded"),
        (
            429,
            "rate_limit_error",
            "This request would exceed your organization's rate limit of 30,000 tokens.",
        ),
        (429, "rate_limit_error", "Claude AI usage limit reached|1700000000"),
        (503, "ServiceUnavailableException", "Bedrock is unable to process your request."),
        (500, "api_error", "Overloaded"),
        (200, "overloaded_error", "Overloaded"),
    ],
)
def test_too_much_to_do_is_waited_for_and_costs_nothing(status: int, kind: str, message: str) -> None:
    server = Server(status=status, error={"type": kind, "message": message})
    with relaying(server) as (relay, spending):
        assert ask(relay, {**ASKED, "stream": True})[0] == status
        with pytest.raises(Overloaded):
            judge_calls(relay, is_broken=True)
        assert (spending.usd, relay.complaints.locked_out.is_set()) == (0, False)
        # One that was answered in the end is forgotten.
        server.status, server.error = 200, None
        assert ask(relay, ASKED)[0] == 200
        judge_calls(relay, is_broken=True)


def test_what_the_agent_itself_did_wrong_is_for_nobody_else() -> None:
    server = Server(status=400, error={"type": "invalid_request_error", "message": "prompt is too long: 9 > 8 tokens"})
    with relaying(server) as (relay, _):
        assert ask(relay, ASKED)[0] == 400
        judge_calls(relay, is_broken=True)


def test_a_smaller_model_that_is_not_there_is_no_trouble_while_another_answers() -> None:
    server = Server(status=404, error={"type": "not_found_error", "message": "model: claude-haiku-9"})
    with relaying(server) as (relay, _):
        assert ask(relay, ASKED)[0] == 404
        server.status, server.error, server.usage = 200, None, {"input_tokens": 5, "output_tokens": 5}
        assert ask(relay, ASKED)[0] == 200
        judge_calls(relay, is_broken=True)


class BrokenTill:
    """A store that cannot be reached."""

    def reserve(self, most: float, least: float) -> float:
        raise TryAgain(f"nobody is there for {most} or {least}")

    def charge(self, reserved: float, spent: float, tokens: TokenCount) -> None:
        raise TryAgain(f"nobody is there for {reserved}, {spent} or {tokens}")


def test_what_cannot_be_written_down_is_not_spent() -> None:
    server = Server()
    spending = Spending(2.0, lambda _: None, till=BrokenTill())
    with serving(server), Relay(AnthropicApi("sk-real", server.address), MODELS, spending) as relay:
        assert ask(relay, ASKED)[0] == 503
    assert server.asked == []
