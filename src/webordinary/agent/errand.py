"""What may be asked of a model: exact addresses, named models, known fields, and only tools that run in the sandbox.

Tools that the model's own servers would run (fetching pages, searching, running code, remote tool servers) would lead
out of a sandbox whose network is off.
"""

from __future__ import annotations

import json
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, TypeGuard

from webordinary.agent.prices import NO_CORRECTIONS, PriceList, tokens_asked
from webordinary.errors import Refused

if TYPE_CHECKING:
    import http.client
    from collections.abc import Mapping


class ModelConnection:
    """Holds the connection of a question, so that another thread can end it in the middle of a word."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_cut = False
        # From here on somebody may have read the question, and wants to be paid for it.
        self.is_sent = False

    def open(self, connection: http.client.HTTPConnection) -> None:
        """Connect, and say that the question goes out now; Refused when the run has ended meanwhile."""
        connection.connect()
        with self._lock:
            if self._is_cut:
                connection.close()
                raise Refused("the run is over")
            # The socket itself: a connection forgets it as soon as the answer has begun.
            self._socket = connection.sock
            self.is_sent = True

    def cut(self) -> None:
        with self._lock:
            self._is_cut = True
            if self._socket is not None:
                # A reader or writer of it hears of it at once.
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)


_ADDRESSES = {
    ("POST", "/v1/messages", ""),
    ("POST", "/v1/messages", "beta=true"),
    ("POST", "/v1/messages/count_tokens", ""),
    ("POST", "/v1/messages/count_tokens", "beta=true"),
}
_FIELDS = frozenset({
    "model", "messages", "system", "max_tokens", "stream", "temperature", "top_p", "top_k", "stop_sequences", "tools",
    "tool_choice", "metadata", "thinking", "betas", "context_management", "output_config", "output_format",
    "cache_control", "anthropic_version", "anthropic_beta", "speed", "diagnostics",
})  # fmt: skip
# Tools of these kinds are only described by the model's maker; the agent itself runs them.
_TOOL_KINDS = ("custom", "bash_", "text_editor_", "memory_", "tool_search_tool_")
_LARGEST = 32 * 1024 * 1024
# What stands in the question itself; anything else the servers would fetch, and an address can tell what was read.
_CARRIED = frozenset({"base64", "text", "content"})
# Who does not say how long an answer may be gets one as long as most models write.
_LONGEST_ANSWER, _MOST_TOKENS = 32_000, 1_000_000
# Spending is counted in millionths.
_ROUNDED = 0.000_001
# Nobody pays for a whole question to read less than this; with room to think the servers want more.
_SHORTEST_ANSWER, _SHORTEST_THOUGHT = 256, 1024


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request to a model that may go out."""

    path: str
    model: str
    body: bytes
    streams: bool
    # What the question uses up by its size, and how long its answer may become.
    question: Mapping[str, int] = field(default_factory=dict)
    max_tokens: int = _LONGEST_ANSWER
    thinks: bool = False
    prices: PriceList = NO_CORRECTIONS
    line: ModelConnection = field(default_factory=ModelConnection, compare=False)

    @property
    def least(self) -> float:
        """What it costs at least to be of any use, in US dollars: the question and a short answer."""
        return self._cost(min(self.max_tokens, _SHORTEST_THOUGHT + 1 if self.thinks else _SHORTEST_ANSWER))

    @property
    def most(self) -> float:
        """What it can cost at most, if the question was counted rightly."""
        return self._cost(self.max_tokens)

    def within(self, usd: float) -> ModelRequest:
        """Return the same question with an answer that is no longer than the money lasts."""
        if usd + _ROUNDED >= self.most:
            return self
        question = self._cost(0)
        longest = int((usd - question) / (self._cost(1_000_000) - question) * 1_000_000)
        return self._shortened(max(1, longest))

    def cost(self, usage: Mapping[str, Any]) -> float:
        """Return what an answer costs of which the model's server says this."""
        return self.prices.cost_of(self.model, usage)

    def _cost(self, written: int) -> float:
        return self.prices.cost_of(self.model, {**self.question, "output_tokens": written})

    def _shortened(self, max_tokens: int) -> ModelRequest:
        asked = json.loads(self.body)
        asked["max_tokens"] = max_tokens
        if self.thinks and asked["thinking"]["budget_tokens"] >= max_tokens:
            asked["thinking"]["budget_tokens"] = max_tokens - 1
        return replace(self, body=json.dumps(asked).encode(), max_tokens=max_tokens)

    @property
    def is_counting(self) -> bool:
        """Whether it only asks how long a text is, which costs nothing."""
        return self.path.partition("?")[0].endswith("/count_tokens")


def read_errand(
    method: str, address: str, body: bytes, models: tuple[str, ...], prices: PriceList = NO_CORRECTIONS
) -> ModelRequest:
    """Return what may go out, written anew; Refused says why something may not."""
    path, _, query = address.partition("?")
    if (method, path, query) not in _ADDRESSES:
        raise Refused(f"{method} {path[:80]} is not one of the addresses that an agent may ask")
    if len(body) > _LARGEST:
        raise Refused("the request is too large")
    asked = _read(body)
    unknown = sorted(set(asked) - _FIELDS)
    if unknown:
        raise Refused(f"the field {unknown[0][:60]!r} may not be used by an agent")
    model = asked.get("model")
    if not isinstance(model, str) or not any(fnmatchcase(model, each) for each in models):
        raise Refused(f"the model {str(model)[:60]!r} is not one of those that are allowed")
    if asked.get("speed", "standard") not in ("standard", None):
        raise Refused("a faster answer costs more than is counted for it")
    _check_tools(asked.get("tools", []))
    _check_content(asked.get("system"))
    messages = asked.get("messages")
    for message in messages if isinstance(messages, list) else ():
        _check_content(message.get("content") if isinstance(message, dict) else message)
    is_answered = not path.endswith("/count_tokens")
    if is_answered:
        wanted = asked.get("max_tokens")
        asked["max_tokens"] = min(wanted, _MOST_TOKENS) if _is_count(wanted) else _LONGEST_ANSWER
    # Written anew: what was checked is what goes out, whatever a second reader would make of the same bytes.
    body = json.dumps(asked).encode()
    return ModelRequest(
        address,
        model,
        body,
        asked.get("stream") is True,
        _question(asked, body),
        asked["max_tokens"] if is_answered else 0,
        _thinks(asked.get("thinking")),
        prices,
    )


def _question(asked: dict[str, Any], body: bytes) -> dict[str, int]:
    """Count a question as if all of it were new: whether the servers still remember it nobody knows."""
    tokens = tokens_asked(asked)
    if b'"cache_control"' not in body:
        return {"input_tokens": tokens}
    longer = {"ephemeral_1h_input_tokens": tokens} if b'"1h"' in body else {}
    return {"cache_creation_input_tokens": tokens, **longer}


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _thinks(thinking: object) -> bool:
    """Whether the answer has a share for thinking, which has to be shorter than the answer."""
    return isinstance(thinking, dict) and _is_count(thinking.get("budget_tokens"))


def _read(body: bytes) -> dict[str, Any]:
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused("the request is no JSON") from None
    if not isinstance(asked, dict):
        raise Refused("the request is no JSON object")
    return asked


def _check_tools(tools: object) -> None:
    if not isinstance(tools, list):
        raise Refused("the tools are no list")
    for tool in tools:
        kind = tool.get("type", "custom") if isinstance(tool, dict) else None
        if not isinstance(kind, str) or not kind.startswith(_TOOL_KINDS):
            raise Refused(f"the tool type {str(kind)[:60]!r} would run outside of the sandbox")


def _check_content(content: object) -> None:
    """Let nothing be fetched for a question; what a tool was told is only words."""
    for block in content if isinstance(content, list) else (content,):
        if not isinstance(block, dict) or block.get("type") == "tool_use":
            continue
        source = block.get("source")
        if (isinstance(source, dict) and str(source.get("type")) not in _CARRIED) or "file_id" in block:
            raise Refused("what a question shows has to stand in it: nothing is fetched for an agent")
        _check_content(source.get("content") if isinstance(source, dict) else None)
        _check_content(block.get("content"))
