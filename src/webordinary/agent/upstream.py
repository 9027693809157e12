"""The model's servers as the relay sees them: Anthropic's own, or a cloud that speaks otherwise."""

from __future__ import annotations

import http.client
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from webordinary.agent.spending import UsageReader

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping
    from contextlib import AbstractContextManager

    from webordinary.agent.errand import ModelRequest

_SECONDS = 600
_PIECE = 65536
_OK = 200
_HANDED_BACK = frozenset({"content-type", "request-id", "retry-after", "x-should-retry"})
ANTHROPIC = "https://api.anthropic.com"
_OAUTH = "oauth-2025-04-20"


@dataclass(slots=True)
class ModelAnswer:
    """What a model says; `usage` is known when all pieces have passed, or when they are closed.

    Without any usage nothing was said: `trouble` tells why.
    """

    status: int
    headers: Mapping[str, str]
    pieces: Callable[[], Generator[bytes]]
    usage: dict[str, Any] = field(default_factory=dict)
    trouble: list[dict[str, Any]] = field(default_factory=list)


class Upstream(Protocol):
    """A way to a model, with the key that opens it; each question goes out on its own line."""

    def ask(self, errand: ModelRequest, headers: Mapping[str, str]) -> AbstractContextManager[ModelAnswer]: ...


@dataclass(frozen=True, slots=True)
class AnthropicApi:
    """Anthropic's own servers, or a gateway that speaks like them; a login's token is carried otherwise than a key."""

    key: str = field(repr=False)
    address: str = ANTHROPIC
    is_login: bool = False

    @contextmanager
    def ask(self, errand: ModelRequest, headers: Mapping[str, str]) -> Iterator[ModelAnswer]:
        place = urlsplit(self.address)
        connection = connect(self.address)
        try:
            path = place.path.rstrip("/") + errand.path
            errand.line.open(connection)
            connection.request("POST", path, errand.body, {**headers, **self._rights(headers)})
            response = connection.getresponse()
            yield read_answer(response, is_events="event-stream" in (response.headers.get("Content-Type") or ""))
        finally:
            connection.close()

    def _rights(self, headers: Mapping[str, str]) -> dict[str, str]:
        rights = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if not self.is_login:
            return {**rights, "x-api-key": self.key}
        betas = ",".join(part for part in (headers.get("anthropic-beta", ""), _OAUTH) if part)
        return {**rights, "Authorization": f"Bearer {self.key}", "anthropic-beta": betas}


def connect(address: str) -> http.client.HTTPConnection:
    """Open a connection to the host of an address."""
    place = urlsplit(address)
    kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
    return kind(place.netloc, timeout=_SECONDS)


def read_answer(response: http.client.HTTPResponse, *, is_events: bool) -> ModelAnswer:
    """Let an answer pass piece by piece and note what it costs."""
    reader = UsageReader()

    def pieces() -> Generator[bytes]:
        if not is_events:
            # Read as a whole: what it costs stands anywhere in it, and has to be known before it passes.
            whole = response.read()
            reader.feed_whole(whole)
            if response.status == _OK:
                reader.close()
            yield whole
            return
        try:
            while piece := response.read1(_PIECE):
                reader.feed_events(piece)
                yield piece
        finally:
            reader.close()

    return ModelAnswer(response.status, _headers(response), pieces, reader.usage, reader.trouble)


def _headers(response: http.client.HTTPResponse) -> dict[str, str]:
    return {name: value for name, value in response.getheaders() if name.lower() in _HANDED_BACK}
