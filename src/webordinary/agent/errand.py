"""What may be asked of a model: exact addresses, named models, known fields, and only tools that run in the sandbox.

Tools that the model's own servers would run (fetching pages, searching, running code, remote tool servers) would lead
out of a sandbox whose network is off.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from webordinary.errors import Refused

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


@dataclass(frozen=True, slots=True)
class Errand:
    """One request to a model that may go out."""

    path: str
    model: str
    body: bytes
    streams: bool

    @property
    def is_counting(self) -> bool:
        """Whether it only asks how long a text is, which costs nothing."""
        return self.path.endswith("/count_tokens")


def read_errand(method: str, address: str, body: bytes, models: tuple[str, ...]) -> Errand:
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
    # Written anew: what was checked is what goes out, whatever a second reader would make of the same bytes.
    return Errand(address, model, json.dumps(asked).encode(), asked.get("stream") is True)


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
