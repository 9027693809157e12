"""One conversation in the Agent Client Protocol: JSON-RPC, a line for each message, both sides may ask."""

from __future__ import annotations

import json
import queue
import threading
from typing import TYPE_CHECKING, Any

from webordinary.agent.agent import Event, EventKind
from webordinary.agent.said import LONGEST_SAID
from webordinary.errors import AgentFailed

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from webordinary.child import Child

Json = dict[str, Any]

# What may be done without asking a person; running programs is not among it.
_ALLOWED = frozenset({"read", "edit", "delete", "move", "search", "think", "other"})
_METHOD_NOT_FOUND = -32601
_MOST_DENIED, _LONGEST_DENIED = 100, 200
# More than any session asks for; each is answered, and an agent that does not read would fill our memory.
_MOST_ASKED, _LONGEST_NUMBER = 10_000, 100


class AgentLeft(AgentFailed):
    """The agent ended before it had answered."""


class Talk:
    """Asks and is asked; what the agent says meanwhile becomes events."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self._tell = tell
        self._child: Child | None = None
        self._answers: dict[int, queue.SimpleQueue[Json]] = {}
        self._next = 0
        self._lock = threading.Lock()
        self._said: list[str] = []
        self._letters = self._asked = 0
        self.denied: list[str] = []
        self.session = ""

    def begin(self, child: Child) -> None:
        self._child = child

    @property
    def said(self) -> str:
        """Return what the agent has said since it was last asked something."""
        return "".join(self._said).strip()

    def cancel_line(self) -> bytes:
        """Return what asks the agent to stop its turn and keep its session in order."""
        return _line({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": self.session}})

    def ask(self, method: str, params: Json, patience: timedelta) -> Json:
        """Ask and wait for the answer; AgentLeft when it does not come."""
        with self._lock:
            self._next += 1
            number = self._next
            self._answers[number] = queue.SimpleQueue()
        self._said.clear()
        self._letters = 0
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        try:
            answer = self._answers[number].get(timeout=max(0.0, patience.total_seconds()))
        except queue.Empty:
            raise AgentLeft(f"the agent did not answer {method} in time") from None
        if "error" in answer:
            error = answer["error"]
            why = error.get("message") if isinstance(error, dict) else error
            raise AgentFailed(f"the agent refused {method}: {str(why)[:200]}")
        result = answer.get("result")
        return result if isinstance(result, dict) else {}

    def hang_up(self) -> None:
        """Let nobody wait any longer: the agent is gone."""
        for waiting in self._answers.values():
            waiting.put({"error": {"message": "the agent has ended"}})

    def hear(self, line: str) -> None:
        """Take in one line of the agent's output; what is no message of the protocol is ignored."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        match message:
            case {"method": "session/update", "params": {"update": dict(update)}}:
                self._note(update)
            case {"method": "session/request_permission", "id": number, "params": dict(params)}:
                self._answer(number, {"result": {"outcome": self._permit(params)}})
            case {"method": str(), "id": number}:
                self._answer(number, {"error": {"code": _METHOD_NOT_FOUND, "message": "not offered here"}})
            case {"id": int(number)} if number in self._answers:
                self._answers[number].put(message)
            case _:
                pass

    def _answer(self, number: object, answer: Json) -> None:
        self._asked += 1
        if self._asked > _MOST_ASKED:
            raise AgentFailed(f"the agent asks for more than {_MOST_ASKED} permissions")
        line = {"jsonrpc": "2.0", "id": number, **answer}
        # What nobody would name a question by is not sent back.
        if isinstance(number, int | str) and len(str(number)) <= _LONGEST_NUMBER:
            self._send(line)

    def _note(self, update: Json) -> None:
        match update:
            case {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": str(text)}}:
                if self._letters < LONGEST_SAID:
                    self._said.append(text[: LONGEST_SAID - self._letters])
                    self._letters += len(self._said[-1])
            case {"sessionUpdate": "tool_call", "title": str(title)}:
                places = [str(each.get("path", "")) for each in _dicts(update.get("locations"))]
                self._tell(Event(EventKind.USED, " ".join([title, *places]).strip()))
            case _:
                pass

    def _permit(self, params: Json) -> Json:
        call = params.get("toolCall")
        kind = str(call.get("kind", "other")) if isinstance(call, dict) else "other"
        wanted = "allow" if kind in _ALLOWED else "reject"
        if wanted == "reject" and isinstance(call, dict) and len(self.denied) < _MOST_DENIED:
            self.denied.append(str(call.get("title", kind))[:_LONGEST_DENIED])
        options = _dicts(params.get("options"))
        for option in (f"{wanted}_once", f"{wanted}_always"):
            for each in options:
                if each.get("kind") == option and len(str(each.get("optionId"))) <= _LONGEST_NUMBER:
                    return {"outcome": "selected", "optionId": each.get("optionId")}
        return {"outcome": "cancelled"}

    def _send(self, message: Json) -> None:
        if self._child is not None:
            self._child.send(_line(message))


def _dicts(value: object) -> list[Json]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _line(message: Json) -> bytes:
    return json.dumps(message).encode() + b"\n"
