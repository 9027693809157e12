"""The relay between a sandbox and a model, over real sockets."""

from __future__ import annotations

import base64
import http.client
import json
import os
import socket
import struct
import threading
import zlib
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from tests.serving import listening
from webordinary.agent.bedrock import BedrockApi
from webordinary.agent.relay import Relay
from webordinary.agent.spending import Spending, UsageReader
from webordinary.agent.upstream import AnthropicApi, ModelAnswer
from webordinary.engines.aws.signing import open_signer
from webordinary.testing.model import ModelStep, ScriptedModel, events_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping
    from pathlib import Path

    from webordinary.agent.errand import ModelRequest
    from webordinary.agent.upstream import Upstream

MODELS = ("*claude-*",)
ASKED = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}], "tools": []}


class OverSocket(http.client.HTTPConnection):
    """Speaks HTTP through a socket file, as the bridge in the sandbox does."""

    def __init__(self, path: Path) -> None:
        super().__init__("sandbox")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self._path))


def ask(
    relay: Relay, asked: dict[str, Any], *, path: str = "/v1/messages", key: str | None = None
) -> tuple[int, bytes]:
    with closing(OverSocket(relay.path)) as connection:
        connection.request("POST", path, json.dumps(asked), {"x-api-key": relay.key if key is None else key})
        answer = connection.getresponse()
        return answer.status, answer.read()


@contextmanager
def relaying(upstream: Upstream, usd: float = 2.0) -> Iterator[tuple[Relay, list[float]]]:
    told: list[float] = []
    with Relay(upstream, MODELS, Spending(usd, told.append)) as relay:
        yield relay, told


def test_a_question_passes_with_the_real_key_and_its_cost_is_counted() -> None:
    with ScriptedModel({}) as model, relaying(AnthropicApi("sk-real", model.address)) as (relay, told):
        status, said = ask(relay, ASKED)
        assert status == 200
        assert json.loads(said)["content"] == [{"type": "text", "text": "ok"}]
        assert model.keys == ["sk-real"]
        assert told == [pytest.approx(0.0045)]


def test_a_login_is_carried_as_a_bearer() -> None:
    with ScriptedModel({}) as model, relaying(AnthropicApi("oat-1", model.address, is_login=True)) as (relay, _):
        ask(relay, ASKED)
        assert model.keys == ["Bearer oat-1"]


def test_whoever_does_not_know_the_key_of_the_run_is_refused() -> None:
    with ScriptedModel({}) as model, relaying(AnthropicApi("sk-real", model.address)) as (relay, _):
        for key in ("", "sk-real", relay.key + "x"):
            assert ask(relay, ASKED, key=key)[0] == 403
        assert model.asked == []


def test_what_may_not_pass_is_answered_here_and_remembered() -> None:
    with ScriptedModel({}) as model, relaying(AnthropicApi("sk-real", model.address)) as (relay, _):
        assert ask(relay, ASKED, path="/v1/messages/batches")[0] == 403
        assert ask(relay, {**ASKED, "mcp_servers": []})[0] == 403
        assert model.asked == []
        assert len(relay.refused) == 2


def test_when_the_money_is_spent_nothing_passes_any_more() -> None:
    with ScriptedModel({}) as model, relaying(AnthropicApi("sk-real", model.address), usd=0.001) as (relay, _):
        assert ask(relay, ASKED)[0] == 200
        status, said = ask(relay, ASKED)
        assert (status, "the money for this job is spent" in said.decode()) == (403, True)
        assert len(model.asked) == 1


def test_a_server_that_cannot_be_reached_is_an_answer_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with relaying(AnthropicApi("sk-real", f"http://127.0.0.1:{port}")) as (relay, _):
        assert ask(relay, ASKED)[0] == 502


class Slow:
    """A model that answers each question when it is let, for a dollar; it says first that it has begun."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.may_answer = threading.Event()
        self.asked: list[ModelRequest] = []

    @contextmanager
    def ask(self, errand: ModelRequest, headers: Mapping[str, str]) -> Iterator[ModelAnswer]:
        del headers
        self.asked.append(errand)
        self.begun.release()
        assert self.may_answer.wait(60)
        usage: dict[str, Any] = {}

        def pieces() -> Generator[bytes]:
            usage["output_tokens"] = 1_000_000 // 15 + 1
            yield b"{}"

        yield ModelAnswer(200, {}, pieces, usage)


def test_many_questions_at_once_cannot_run_ahead_of_the_money() -> None:
    model, statuses = Slow(), []
    with relaying(model, usd=0.5) as (relay, _):
        callers = [threading.Thread(target=lambda: statuses.append(ask(relay, ASKED)[0])) for _ in range(8)]
        for caller in callers:
            caller.start()
        for _ in range(2):
            assert model.begun.acquire(timeout=60)
        assert not model.begun.acquire(timeout=0.2)
        model.may_answer.set()
        for caller in callers:
            caller.join(60)
    assert sorted(statuses) == [200, 200, *[403] * 6]
    assert len(model.asked) == 2


def test_many_questions_at_once_cannot_run_ahead_of_the_steps() -> None:
    model, statuses = Slow(), []
    model.may_answer.set()
    with Relay(model, MODELS, Spending(100, lambda _: None, 3)) as relay:
        callers = [threading.Thread(target=lambda: statuses.append(ask(relay, ASKED)[0])) for _ in range(8)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join(60)
        assert relay.had_enough.is_set()
        assert ask(relay, ASKED, path="/v1/messages/count_tokens")[0] == 200
    assert sorted(statuses) == [200, 200, 200, *[403] * 5]


class Streaming:
    """A model whose asker leaves in the middle of its answer."""

    def __init__(self, rest: list[dict[str, Any]]) -> None:
        self.left = threading.Event()
        self._rest = rest

    @contextmanager
    def ask(self, errand: ModelRequest, headers: Mapping[str, str]) -> Iterator[ModelAnswer]:
        del errand, headers
        reader = UsageReader()

        def pieces() -> Generator[bytes]:
            try:
                yield from self._pieces(reader)
            finally:
                reader.close()

        yield ModelAnswer(200, {"content-type": "text/event-stream"}, pieces, reader.usage)

    def _pieces(self, reader: UsageReader) -> Generator[bytes]:
        start = {"type": "message_start", "message": {"usage": {"input_tokens": 1000, "output_tokens": 1}}}
        for event in (start, *self._rest):
            piece = b"data: " + json.dumps(event).encode() + b"\n\n"
            reader.feed_events(piece)
            yield piece
            assert self.left.wait(60)


def leave(relay: Relay, model: Streaming) -> None:
    connection = OverSocket(relay.path)
    connection.request("POST", "/v1/messages", json.dumps({**ASKED, "stream": True}), {"x-api-key": relay.key})
    connection.getresponse().read1(10)
    connection.sock.shutdown(socket.SHUT_RDWR)
    connection.close()
    model.left.set()


def test_who_leaves_in_the_middle_of_an_answer_pays_for_all_of_it() -> None:
    words = {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "x" * 4000}}
    model = Streaming([words, words, words, {"type": "message_delta", "usage": {"output_tokens": 100_000}}])
    paid, told = threading.Event(), []

    def hear(usd: float) -> None:
        told.append(usd)
        if usd > 1:
            paid.set()

    with Relay(model, MODELS, Spending(2, hear)) as relay:
        leave(relay, model)
        assert paid.wait(60)
    assert told[-1] == pytest.approx(1.503)


def test_an_answer_that_never_says_what_it_cost_is_counted_by_its_words() -> None:
    words = {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "x" * 40_000}}
    model = Streaming([words, words])
    model.left.set()
    with relaying(model) as (relay, told):
        assert ask(relay, {**ASKED, "stream": True})[0] == 200
    assert told[-1] == pytest.approx(0.003 + 80_000 / 3 * 15 / 1_000_000, rel=0.01)


def test_the_socket_is_gone_with_the_run() -> None:
    with relaying(AnthropicApi("sk-real")) as (relay, _):
        place = relay.path.parent
        assert place.exists()
    assert not place.exists()


class Bedrock(ThreadingHTTPServer):
    """Answers in frames, as Amazon does."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), BedrockAsked)
        self.asked: list[tuple[str, str, dict[str, Any]]] = []


class BedrockAsked(BaseHTTPRequestHandler):
    server: Bedrock

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers.get("Authorization", ""), body))
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "x",
            "content": [{"type": "text", "text": "We open at nine."}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 1000, "output_tokens": 100},
        }
        said = json.dumps(message).encode()
        if self.path.endswith("-stream"):
            said = b"".join(frame(json.dumps(event).encode()) for event in events_of(message))
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name
        """Say nothing."""


def frame(event: bytes) -> bytes:
    """Write one message of Amazon's event stream: lengths, headers, payload, checksums."""
    name, value = b":event-type", b"chunk"
    headers = bytes([len(name)]) + name + b"\x07" + struct.pack(">H", len(value)) + value
    payload = json.dumps({"bytes": base64.b64encode(event).decode()}).encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    prelude += struct.pack(">I", zlib.crc32(prelude))
    whole = prelude + headers + payload
    return whole + struct.pack(">I", zlib.crc32(whole))


@contextmanager
def bedrock() -> Iterator[Bedrock]:
    server = Bedrock()
    with listening(server):
        yield server


@pytest.mark.parametrize("streams", [False, True])
def test_bedrock_is_asked_in_its_own_way_and_answers_in_ours(monkeypatch: pytest.MonkeyPatch, *, streams: bool) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    signer = open_signer("eu-central-1")
    name = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0"
    with bedrock() as server:
        upstream = BedrockApi(f"http://127.0.0.1:{server.server_address[1]}", signer.sign)
        with relaying(upstream) as (relay, told):
            status, said = ask(relay, {**ASKED, "model": name, "stream": streams})
    assert status == 200
    assert b"We open at nine." in said
    assert told[-1] == pytest.approx(0.0045)
    [(path, authorization, body)] = server.asked
    assert path.endswith("invoke-with-response-stream" if streams else "invoke")
    assert "/eu-central-1/bedrock/aws4_request" in authorization
    assert (body["anthropic_version"], "model" in body, "stream" in body) == ("bedrock-2023-05-31", False, False)


def test_a_torn_frame_ends_the_answer_and_nothing_else() -> None:
    from webordinary.agent.bedrock import read_frames  # noqa: PLC0415 - only here

    whole = frame(b'{"type": "ping"}')
    left = bytearray(whole + whole[:-3])

    def read(count: int) -> bytes:
        taken = bytes(left[:count])
        del left[:count]
        return taken

    assert len(list(read_frames(read))) == 1


def test_the_model_of_the_tests_can_be_out_of_order() -> None:
    with (
        ScriptedModel({"hi": (ModelStep(error=529),)}) as model,
        relaying(AnthropicApi("sk-real", model.address)) as (relay, told),
    ):
        assert ask(relay, {**ASKED, "tools": [{"name": "Read", "input_schema": {}}]})[0] == 529
        assert told == []
