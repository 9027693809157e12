"""An agent of the Agent Client Protocol that wants out: what it leaves in its home must not lead us anywhere."""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from webordinary.agent.acp import AcpAgent
from webordinary.agent.acp_home import note_session, pack_home, unpack_home
from webordinary.agent.agent import Allowance, Task
from webordinary.agent.upstream import AnthropicApi
from webordinary.errors import AgentFailed, TryAgain
from webordinary.workspace.leaving import remove_tree

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.agent.agent import Report

# Speaks just enough of the protocol; HOME is the only folder besides the site that it may write.
_AGENT = """\
import json, os, sys
from pathlib import Path
home = Path(os.environ["HOME"])
{begin}
for line in sys.stdin:
    asked = json.loads(line)
    answers = {{
        "initialize": {{"protocolVersion": 1}},
        "session/new": {{"sessionId": "evil"}},
        "session/load": {{}},
        "session/prompt": {{"stopReason": "end_turn"}},
    }}
    if asked["method"] == "session/load":
        (home / "told").write_text(asked["params"]["sessionId"])
    answer = {{"jsonrpc": "2.0", "id": asked.get("id"), "result": answers.get(asked["method"], {{}})}}
    {each}
    print(json.dumps(answer), flush=True)
"""


class Desk:
    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "site"
        self.home = folder / "home"
        self.secret = folder / "secret"
        self.program = folder / "agent.py"
        for place in (self.checkout, self.home):
            place.mkdir()
        self.secret.write_text("hunter2")

    def task(self, transcript: bytes | None = None) -> Task:
        allowance = Allowance(time=timedelta(minutes=2))
        return Task(self.checkout, self.home, "change it", allowance, session="s", transcript=transcript)

    def agent(self, begin: str = "pass", each: str = "pass") -> AcpAgent:
        self.program.write_text(_AGENT.format(begin=begin, each=each))
        code = f"exec({self.program.read_text()!r})"
        return AcpAgent(
            (sys.executable, "-I", "-c", code),
            {},
            lambda: AnthropicApi("sk-real", "http://127.0.0.1:9"),
            need_sandbox,
            ("claude-*",),
        )

    def run(self, agent: AcpAgent, transcript: bytes | None = None) -> Report:
        return agent.run(self.task(transcript), lambda _: None, lambda _: None)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def _link_to(place: Path) -> str:
    note = "home / '.webordinary-session'"
    return f"({note}).unlink(missing_ok=True); os.symlink({str(place)!r}, {note})"


def test_a_link_in_its_home_does_not_make_us_write_elsewhere(desk: Desk) -> None:
    agent = desk.agent(_link_to(desk.secret))
    desk.run(agent)
    assert desk.secret.read_text() == "hunter2"
    assert agent.transcript(desk.task()) is not None


def test_a_link_in_its_home_does_not_make_us_tell_what_it_leads_to(desk: Desk) -> None:
    desk.run(desk.agent())
    kept = desk.agent().transcript(desk.task())
    desk.run(desk.agent(_link_to(desk.secret)), kept)
    assert (desk.home / "told").read_text() == "evil"


def test_a_folder_where_the_session_is_noted_fails_the_run_and_nothing_else(desk: Desk) -> None:
    with pytest.raises((AgentFailed, TryAgain)):
        desk.run(desk.agent("(home / '.webordinary-session').mkdir()"))


def test_an_answer_of_the_wrong_shape_ends_the_run_at_once(desk: Desk) -> None:
    for each in ("answer = {'id': asked['id'], 'error': 'no'}", "answer = {'id': asked['id'], 'error': None}"):
        with pytest.raises(TryAgain):
            desk.run(desk.agent(each=each))


def test_an_update_of_the_wrong_shape_is_passed_over(desk: Desk) -> None:
    update = {"sessionUpdate": "tool_call", "title": "x", "locations": 7}
    message = {"jsonrpc": "2.0", "method": "session/update", "params": {"update": update}}
    desk.run(desk.agent(each=f"print(json.dumps({message!r}))"))


@pytest.mark.thorough
def test_a_home_that_would_unpack_to_too_much_is_neither_kept_nor_unpacked(desk: Desk) -> None:
    (desk.home / ".webordinary-session").write_text("s")
    with (desk.home / "sparse").open("wb") as file:
        file.truncate(2**31)
    assert desk.agent().transcript(desk.task()) is None
    (desk.home / "sparse").unlink()
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as zipped, tarfile.open(fileobj=zipped, mode="w|") as tar:
        member = tarfile.TarInfo("bomb")
        member.size = 2**29
        with (desk.home.parent / "zeros").open("w+b") as zeros:
            zeros.truncate(member.size)
            tar.addfile(member, zeros)
    desk.run(desk.agent(), packed.getvalue())
    assert not (desk.home / "bomb").exists()


def packed_home(folder: Path) -> bytes:
    folder.mkdir()
    note_session(folder, "ses_1")
    (folder / "memory").write_text("We open at nine.")
    packed = pack_home(folder)
    assert packed is not None
    return packed


def test_a_home_that_was_damaged_is_begun_anew(tmp_path: Path) -> None:
    packed = packed_home(tmp_path / "home")
    assert unpack_home(packed, tmp_path / "whole") == "ses_1"
    for place in range(len(packed)):
        again = tmp_path / "again" / str(place)
        cut, spoilt = packed[:place], packed[:place] + bytes([packed[place] ^ 0xFF]) + packed[place + 1 :]
        assert unpack_home(cut, again) is None
        # Some bytes say nothing about what is packed, such as when that was done.
        assert unpack_home(spoilt, again) == ("ses_1" if again.exists() else None)


def test_a_home_that_is_read_to_an_end_that_does_not_fit_is_begun_anew(tmp_path: Path) -> None:
    files = gzip.decompress(packed_home(tmp_path / "home"))
    # Without the empty blocks behind the last file the reader comes to the sum that is wrong.
    spoilt = bytearray(gzip.compress(files.rstrip(b"\0").ljust(1024 * 2, b"\0"), mtime=0))
    spoilt[-8] ^= 0xFF
    assert unpack_home(bytes(spoilt), tmp_path / "again") is None
    assert not (tmp_path / "again").exists()


@pytest.mark.thorough
def test_a_home_that_nobody_can_climb_down_is_not_kept(desk: Desk) -> None:
    note_session(desk.home, "s\ud800")
    assert pack_home(desk.home) is not None
    folder = desk.home
    for _ in range(1_200):
        folder /= "d"
        folder.mkdir()
    assert pack_home(desk.home) is None
    # Python cannot remove it either.
    remove_tree(desk.home)
