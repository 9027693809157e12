"""The scripted agent as a process of its own: one JSON request on stdin, JSON lines on stdout."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from webordinary.agent.scripted.carry_out import Event, ScriptedRequest, gates_of_the_environment
from webordinary.agent.scripted.instruction import RequestPicture
from webordinary.agent.scripted.on_live import carry_out_on_live

_BAD_REQUEST = 2


def main() -> int:
    """Carry out the request on stdin in the current folder."""
    try:
        given = json.loads(sys.stdin.buffer.read())
        request = _request(given)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        sys.stderr.write("The request on stdin must be one JSON object with the key “request”.\n")
        return _BAD_REQUEST
    _emit({"event": "started"})
    conflicts = [str(each) for each in given.get("conflicts") or ()]
    result = carry_out_on_live(request, conflicts, Path.cwd(), _emit, gates_of_the_environment())
    # The agent keeps no memory of its own; the name of the session only ties its runs together.
    session = str(given.get("session") or os.urandom(16).hex())
    _emit(
        {
            "event": "result",
            "session": session,
            "summary": result.summary,
            "stopped": result.stopped,
            "question": result.question,
            "unfound": [asdict(each) for each in result.unfound],
            "undescribed": list(result.undescribed),
            "wants": result.wants,
        }
    )
    return 0


def _request(given: dict[str, Any]) -> ScriptedRequest:
    attachments = tuple(
        RequestPicture(
            str(each["name"]),
            str(each["path"]),
            str(each.get("content_type") or ""),
            str(each.get("about") or ""),
            int(each.get("width") or 0),
            int(each.get("height") or 0),
        )
        for each in given.get("attachments") or ()
    )
    texts = given.get("texts")
    return ScriptedRequest(
        str(given["request"]),
        attachments,
        tuple(str(each) for each in given.get("thread_so_far") or ()),
        tuple(str(each) for each in given.get("refused") or ()),
        None if texts is None else tuple(str(each) for each in texts),
        {str(path): str(why) for path, why in (given.get("closed") or {}).items()},
    )


def _emit(event: Event | dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
