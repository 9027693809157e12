"""What Claude Code says on its output, line by line, as events and as one result.

"success" is not success there: a run whose edits were denied and one whose model was dead both say so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from webordinary.agent.agent import Event, EventKind

_MOST_DENIED = 100
_ON_A_FILE = ("file_path", "path", "pattern", "notebook_path")


@dataclass(slots=True)
class Stream:
    """One run as far as it has been heard."""

    result: dict[str, Any] | None = None
    denied: list[str] = field(default_factory=list)

    def hear(self, line: str) -> list[Event]:
        """Take in one line and return what there is to tell about it."""
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            return []
        match said:
            case {"type": "assistant", "message": {"content": list(blocks)}}:
                return [event for block in blocks if (event := _event(block)) is not None]
            case {"type": "result"}:
                self.result = said
                denials = said.get("permission_denials")
                self.denied = [_denial(each) for each in denials[:_MOST_DENIED]] if isinstance(denials, list) else []
            case _:
                pass
        return []

    @property
    def summary(self) -> str:
        return str(self.result.get("result") or "") if self.result else ""

    @property
    def turns(self) -> int | None:
        turns = self.result.get("num_turns") if self.result else None
        return turns if isinstance(turns, int) else None

    @property
    def problem(self) -> str:
        """Return why the run did not come to a good end, in its own words; empty when it did."""
        if self.result is None:
            return "it ended without a word"
        if self.result.get("is_error") or self.result.get("subtype") != "success":
            return str(self.result.get("subtype") if self.result.get("subtype") != "success" else self.summary)
        return ""

    @property
    def is_out_of_turns(self) -> bool:
        return bool(self.result) and self.result is not None and self.result.get("subtype") == "error_max_turns"

    @property
    def is_out_of_money(self) -> bool:
        return self.result is not None and self.result.get("subtype") == "error_max_budget_usd"


def _event(block: object) -> Event | None:
    match block:
        case {"type": "text", "text": str(text)} if text.strip():
            return Event(EventKind.SAID, text.strip())
        case {"type": "tool_use", "name": str(name), "input": dict(given)}:
            place = next((str(given[key]) for key in _ON_A_FILE if key in given), "")
            return Event(EventKind.USED, f"{name} {place}".strip())
        case _:
            return None


def _denial(each: object) -> str:
    match each:
        case {"tool_name": str(name), "tool_input": dict(given)}:
            place = next((str(given[key]) for key in (*_ON_A_FILE, "command", "url") if key in given), "")
            return f"{name} {place}".strip()
        case _:
            return "a tool"
