"""A model on the loopback that plays scripts: real agents run against it with no account and no network.

It keeps no memory: each request carries the whole conversation, so that the script and its step follow from it, and
retries and resumed sessions need no coordination.
"""

from __future__ import annotations

import json
import re
import threading
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_FOLDER = re.compile(r"(?:[Ww]orking directory|CWD)[^:\n]*:\s*(/\S*)")
_CHUNK = 24

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ModelStep:
    """What the model says next: words, tools to use, an error, or nothing at all until the asker leaves."""

    text: str = ""
    tools: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    usage: Mapping[str, int] = field(default_factory=lambda: {"input_tokens": 1000, "output_tokens": 100})
    error: int | None = None
    hangs: bool = False
    # What an error says about itself.
    kind: str = "api_error"
    says: str = "scripted"


Scripts = Mapping[str, Sequence[ModelStep]]


class ScriptedModel:
    """Answers like Anthropic's Messages API; `scripts` maps a pattern in the request to the steps that follow."""

    def __init__(self, scripts: Scripts) -> None:
        self.asked: list[Json] = []
        self.keys: list[str] = []
        self.begun = threading.Event()
        self._scripts = scripts
        self._server = _Server(("127.0.0.1", 0), _Asker)
        self._server.model = self
        self._thread = threading.Thread(target=self._server.serve_forever, name="model", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def step_for(self, asked: Json) -> ModelStep:
        """Find the script by what the person said last, and the step by how often the model answered since."""
        if not asked.get("tools"):
            return ModelStep("ok")
        said, answered = _last_words(asked.get("messages", []))
        for pattern, steps in self._scripts.items():
            if re.search(pattern, said):
                step = steps[answered] if answered < len(steps) else ModelStep("The script is at its end.")
                return _filled(step, {"folder": _folder_of(asked)})
        return ModelStep("There is no script for this.")


def _last_words(messages: Sequence[Json]) -> tuple[str, int]:
    answered = 0
    for message in reversed(messages):
        if message.get("role") == "assistant":
            answered += 1
        elif message.get("role") == "user" and (said := _REMINDER.sub("", _text_of(message.get("content"))).strip()):
            return said, answered
    return "", answered


def _text_of(content: str | Sequence[Json] | None) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(block["text"]) for block in content or () if block.get("type") == "text")


def _folder_of(asked: Json) -> str:
    spoken = [_text_of(asked.get("system")), *(_text_of(each.get("content")) for each in asked.get("messages", ()))]
    found = _FOLDER.search("\n".join(spoken))
    return found[1] if found else ""


def _filled(step: ModelStep, words: Mapping[str, str]) -> ModelStep:
    def fill(value: object) -> object:
        if isinstance(value, str):
            return re.sub(r"\{\{(\w+)\}\}", lambda found: words.get(found[1], found[0]), value)
        if isinstance(value, Mapping):
            return {name: fill(each) for name, each in value.items()}
        return value

    tools = tuple((name, {key: fill(value) for key, value in given.items()}) for name, given in step.tools)
    return replace(step, tools=tools)


def _message(step: ModelStep, model: str) -> Json:
    content: list[Json] = [{"type": "text", "text": step.text}] if step.text else []
    for name, given in step.tools:
        content.append({"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:24]}", "name": name, "input": dict(given)})
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if step.tools else "end_turn",
        "stop_sequence": None,
        "usage": dict(step.usage),
    }


def events_of(message: Json) -> list[Json]:
    """Return the events in which a message is streamed."""
    opening = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 1}}
    events: list[Json] = [{"type": "message_start", "message": opening}]
    for index, block in enumerate(message["content"]):
        events += _events_of_block(index, block)
    closing = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [
        *events,
        {"type": "message_delta", "delta": closing, "usage": message["usage"]},
        {"type": "message_stop"},
    ]


def _events_of_block(index: int, block: Json) -> list[Json]:
    empty: Json
    if block["type"] == "text":
        empty, text = {"type": "text", "text": ""}, block["text"]
        deltas = [{"type": "text_delta", "text": text[at : at + _CHUNK]} for at in range(0, len(text), _CHUNK)]
    else:
        empty = {**block, "input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
    return [
        {"type": "content_block_start", "index": index, "content_block": empty},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: ScriptedModel

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: an agent that was stopped leaves its calls open."""


class _Asker(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_HEAD(self) -> None:
        self._say(200, {})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        if self.path.split("?")[0] != "/v1/messages":
            self._say(200, {"input_tokens": 1})
            return
        model = self.server.model
        model.asked.append(asked)
        model.keys.append(self.headers.get("x-api-key") or self.headers.get("Authorization") or "")
        step = model.step_for(asked)
        model.begun.set()
        if step.error is not None:
            self._say(step.error, {"type": "error", "error": {"type": step.kind, "message": step.says}})
        elif asked.get("stream"):
            self._stream(step, str(asked.get("model")))
        else:
            self._say(200, _message(step, str(asked.get("model"))))

    def _stream(self, step: ModelStep, name: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events_of(_message(step, name)):
            data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()
            if step.hangs:
                # Somebody who waits for an answer says nothing more: this returns when they leave.
                self.connection.recv(1)
                self.close_connection = True
                return
        self.wfile.write(b"0\r\n\r\n")

    def _say(self, status: int, answer: Json) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name
        """Say nothing: `asked` is the log."""
