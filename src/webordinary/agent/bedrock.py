"""Amazon's servers for the same models: the questions are signed and the answers come in frames, not in lines."""

from __future__ import annotations

import base64
import json
import struct
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from webordinary.agent.spending import UsageReader
from webordinary.agent.upstream import ModelAnswer, connect, read_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping
    from http.client import HTTPResponse

    from webordinary.agent.errand import ModelRequest

_VERSION = "bedrock-2023-05-31"
_NOT_THERE = ("model", "stream", "metadata", "betas", "diagnostics", "speed")
_PRELUDE, _CHECKSUM = 12, 4
_LONGEST_FRAME = 16 * 1024 * 1024
_OK = 200


@dataclass(frozen=True, slots=True)
class BedrockApi:
    """Bedrock in one region; who signs knows the credentials, the relay does not."""

    address: str
    sign: Callable[[str, str, Mapping[str, str], bytes], Mapping[str, str]]

    @contextmanager
    def ask(self, errand: ModelRequest, headers: Mapping[str, str]) -> Iterator[ModelAnswer]:
        if errand.is_counting:
            yield _estimate(errand)
            return
        body = _body(errand, headers.get("anthropic-beta", ""))
        how = "invoke-with-response-stream" if errand.streams else "invoke"
        path = f"/model/{quote(errand.model, safe='')}/{how}"
        plain = {"Content-Type": "application/json", "Accept": "*/*"}
        connection = connect(self.address)
        try:
            signed = self.sign("POST", f"{self.address.rstrip('/')}{path}", plain, body)
            errand.line.open(connection)
            connection.request("POST", path, body, dict(signed))
            response = connection.getresponse()
            if errand.streams and response.status == _OK:
                yield _frames_as_events(response)
            else:
                yield read_answer(response, is_events=False)
        finally:
            connection.close()


def _body(errand: ModelRequest, betas: str) -> bytes:
    asked: dict[str, Any] = json.loads(errand.body)
    kept = {name: value for name, value in asked.items() if name not in _NOT_THERE}
    kept["anthropic_version"] = _VERSION
    if named := [beta.strip() for beta in betas.split(",") if beta.strip()]:
        kept["anthropic_beta"] = named
    return json.dumps(kept).encode()


def _estimate(errand: ModelRequest) -> ModelAnswer:
    """Answer how long a text is, roughly: Bedrock counts only what it was asked to answer."""
    text = json.dumps({"input_tokens": max(1, len(errand.body) // 4)}).encode()

    def pieces() -> Generator[bytes]:
        yield text

    return ModelAnswer(_OK, {"content-type": "application/json"}, pieces)


def _frames_as_events(response: HTTPResponse) -> ModelAnswer:
    reader = UsageReader()

    def pieces() -> Generator[bytes]:
        try:
            for payload in read_frames(response.read):
                event = _event(payload)
                if event is None:
                    reader.complain(payload)
                else:
                    reader.note(event)
                    kind = json.loads(event).get("type", "message")
                    yield b"event: %s\ndata: %s\n\n" % (str(kind).encode(), event)
        finally:
            reader.close()

    return ModelAnswer(_OK, {"content-type": "text/event-stream"}, pieces, reader.usage, reader.trouble)


def read_frames(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Return the payload of each frame; a torn one ends the row, as a torn connection does."""
    while len(prelude := read(_PRELUDE)) == _PRELUDE:
        total, headers = struct.unpack(">II", prelude[:8])
        length = total - _PRELUDE
        if not headers + _CHECKSUM <= length <= _LONGEST_FRAME:
            return
        rest = read(length)
        if len(rest) < length:
            return
        yield rest[headers:-_CHECKSUM]


def _event(payload: bytes) -> bytes | None:
    try:
        return base64.b64decode(json.loads(payload)["bytes"], validate=True)
    except (ValueError, KeyError, TypeError):
        return None
