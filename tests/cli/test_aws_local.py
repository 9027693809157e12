"""The whole of AWS on one machine, as `make aws-local` starts it."""

from __future__ import annotations

import signal
import sys
import urllib.request
from typing import TYPE_CHECKING

import pytest

from tests.cli.inside import InsideProgram
from tests.cli.program import Program

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A process of its own: what it starts, and what it leaves behind, is looked at."""
    return Program(tmp_path)


@pytest.mark.thorough
def test_a_mail_goes_through_every_state_to_its_answer_and_everything_ends(program: Program) -> None:
    said = program.run("aws", "local", "--once")

    states = [line.rpartition(": ")[2] for line in said.splitlines() if "  flow mail-" in line]
    wanted = ["ParseEmail", "ClaimJob", "SendToContainer", "SendToUnclaimedQueue", "SendReply"]
    first, second, *beside, last = [state for state in states if state in wanted]
    # Two of them are branches of one state, and either may be the first.
    assert [first, second, *sorted(beside), last] == wanted
    assert "Done, your change is live." in said
    assert "+Open Monday to Friday 9:00" in said
    assert said.rstrip().endswith("It works.")
    assert program.processes() == []


@pytest.mark.thorough
def test_ctrl_c_ends_the_server_and_the_workers(program: Program) -> None:
    with program.start("aws", "local") as stack:
        address = stack.line_with("in your browser").split()[-1]
        with urllib.request.urlopen(address, timeout=30) as page:  # noqa: S310 - our own, on loopback
            assert page.headers.get_content_type() == "text/html"
            assert b"Open Monday to Friday 9:00" in page.read()
        assert stack.end(signal.SIGINT) == 0

    assert "Everything has ended." in stack.said
    assert program.processes() == []


@pytest.mark.thorough
def test_a_folder_with_something_else_in_it_is_left_alone(program: Program) -> None:
    (program.folder / "aws-local").mkdir()
    (program.folder / "aws-local" / "mine").touch()

    assert "name another one with --folder" in program.run("aws", "local", "--once", code=2)
    assert (program.folder / "aws-local" / "mine").exists()


def test_without_the_local_server_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("webordinary_local_aws", "webordinary_local_aws.server"):
        monkeypatch.setitem(sys.modules, module, None)

    assert "pip install ./local-aws" in InsideProgram(tmp_path).run("aws", "local", "--once", code=2)
