from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from webordinary.agent.transcript import TranscriptLine, read_transcript

SESSION = [
    {"type": "mode", "mode": "normal"},
    {"type": "user", "message": {"role": "user", "content": "We open at nine"}},
    {
        "type": "assistant",
        "message": {
            "content": [
                {"type": "text", "text": "I read the page."},
                {"type": "tool_use", "name": "Read", "input": {"file_path": "index.html"}},
            ]
        },
    },
    {"type": "user", "message": {"content": [{"type": "tool_result", "content": "<p>8:00</p>"}]}},
]


def test_a_session_is_told_line_by_line() -> None:
    raw = "\n".join(json.dumps(each) for each in SESSION).encode()
    assert read_transcript(raw) == [
        TranscriptLine("user", "We open at nine"),
        TranscriptLine("assistant", "I read the page."),
        TranscriptLine("tool", 'Read {"file_path": "index.html"}'),
        TranscriptLine("result", "<p>8:00</p>"),
    ]


@given(st.binary())
def test_whatever_an_agent_left_can_be_looked_at(raw: bytes) -> None:
    read_transcript(raw + b"\n" + b'{"type": "user", "message": {"content": [7, null, {"type": "text"}]}}')
