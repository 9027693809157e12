"""The scripted agent as a child process: a request on stdin, events on stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest

import webordinary

PACKAGE = str(Path(webordinary.__file__).parents[1])


def started(root: Path, **environment: str) -> subprocess.Popen[bytes]:
    # -P keeps the checkout off the path as -I does, and still lets an uninstalled package be found.
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "webordinary.agent.scripted"],
        cwd=root,
        env={"PATH": os.defpath, "PYTHONPATH": PACKAGE, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def asked(text: str, session: str | None = None) -> bytes:
    request: dict[str, Any] = {"request": text, "attachments": [], "notes": "", "session": session, "thread_so_far": []}
    return json.dumps(request).encode()


def events(output: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def next_event(stream: IO[bytes] | None) -> dict[str, Any]:
    assert stream
    event: dict[str, Any] = json.loads(stream.readline())
    return event


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "index.html").write_text("<p>Open 8:00 - 18:00</p>")
    # A checkout may hold anything: none of its modules may be imported.
    (root / "json.py").write_text("raise SystemExit(9)")
    return root


def test_a_request_is_told_step_by_step_and_ends_with_a_result(site: Path) -> None:
    with started(site) as child:
        output, _ = child.communicate(asked("we open at nine", session="s1"))
    told = events(output)
    assert child.returncode == 0
    assert [event["event"] for event in told] == ["started", "edited", "said", "result"]
    assert told[1]["path"] == "index.html"
    assert (told[3]["session"], told[3]["stopped"], told[3]["question"]) == ("s1", "done", None)
    assert (site / "index.html").read_text() == "<p>Open 9:00 - 18:00</p>"


def test_a_new_session_gets_a_name(site: Path) -> None:
    with started(site) as child:
        output, _ = child.communicate(asked("paint it red"))
    assert events(output)[-1]["stopped"] == "not_understood"
    assert events(output)[-1]["session"]


def test_a_gate_holds_the_agent_until_its_file_is_there(site: Path, tmp_path: Path) -> None:
    with started(site, WEBORDINARY_SCRIPTED_GATES=str(tmp_path)) as child:
        assert child.stdin
        child.stdin.write(asked("wait for the file go\nwe open at nine"))
        child.stdin.close()
        assert next_event(child.stdout) == {"event": "started"}
        assert next_event(child.stdout) == {"event": "said", "text": "waiting for go"}
        assert "8:00" in (site / "index.html").read_text()
        (tmp_path / "go").touch()
        assert child.stdout
        assert events(child.stdout.read())[-1]["stopped"] == "done"
    assert "9:00" in (site / "index.html").read_text()


def test_a_waiting_agent_can_be_killed_and_leaves_the_files_whole(site: Path, tmp_path: Path) -> None:
    with started(site, WEBORDINARY_SCRIPTED_GATES=str(tmp_path)) as child:
        assert child.stdin
        child.stdin.write(asked("wait for the file never\nwe open at nine"))
        child.stdin.close()
        next_event(child.stdout)
        next_event(child.stdout)
        child.kill()
    assert (site / "index.html").read_text() == "<p>Open 8:00 - 18:00</p>"


def test_without_gates_waiting_is_not_understood(site: Path) -> None:
    with started(site) as child:
        output, _ = child.communicate(asked("wait for the file go"))
    assert events(output)[-1]["stopped"] == "not_understood"


@pytest.mark.parametrize("message", [b"", b"[]", b'{"requests": 1}', b"\xff", b'{"request": "x", "attachments": [1]}'])
def test_a_message_that_is_no_request_is_refused(site: Path, message: bytes) -> None:
    with started(site) as child:
        output, complaint = child.communicate(message)
    assert (child.returncode, output) == (2, b"")
    assert b"must be one JSON object" in complaint


def test_letters_that_cannot_be_written_do_not_break_it(site: Path) -> None:
    with started(site) as child:
        output, _ = child.communicate(b'{"request": "replace \\"Open\\" with \\"\\ud800\\u0000 x\\""}')
    assert events(output)[-1]["stopped"] == "done"
    assert (site / "index.html").read_text() == "<p>? x 8:00 - 18:00</p>"
