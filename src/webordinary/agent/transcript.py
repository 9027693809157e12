"""A session's transcript as people read it: who said what, and which tool was used on which file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One moment of a session."""

    who: str
    text: str


def read_transcript(raw: bytes) -> list[TranscriptLine]:
    """Return the moments of a session; a line that nobody understands is left out."""
    return [line for text in raw.decode(errors="replace").splitlines() for line in _lines(text)]


def _lines(text: str) -> list[TranscriptLine]:
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return []
    match entry:
        case {"type": "user" | "assistant" as who, "message": {"content": str(said)}}:
            return [TranscriptLine(who, said[:_LONGEST])]
        case {"type": "user" | "assistant" as who, "message": {"content": list(blocks)}}:
            return [line for block in blocks if (line := _line(who, block)) is not None]
        case _:
            return []


def _line(who: str, block: object) -> TranscriptLine | None:
    match block:
        case {"type": "text", "text": str(text)} if text.strip():
            return TranscriptLine(who, text.strip()[:_LONGEST])
        case {"type": "tool_use", "name": str(name), "input": dict(given)}:
            return TranscriptLine("tool", f"{name} {_short(given)}")
        case {"type": "tool_result", "content": str(said)}:
            return TranscriptLine("result", said[:_LONGEST])
        case _:
            return None


def _short(given: dict[str, Any]) -> str:
    return json.dumps(given, ensure_ascii=False)[:_LONGEST]
