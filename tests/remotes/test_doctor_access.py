from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.inside import InsideProgram
from tests.remotes.web_server import TOKEN, USER, WebServer, web_server
from tests.unit.workspace.remote_repository import Remote

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebServer]:
    with web_server(tmp_path) as server:
        yield server


@pytest.fixture
def program(tmp_path: Path, web: WebServer) -> InsideProgram:
    """An installation whose only project lies at the server; it is given the right token."""
    here = InsideProgram(tmp_path, {"SITE_TOKEN": TOKEN})
    here.run("init", "--domain", "edit.localhost")
    with (tmp_path / "webordinary.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[git]\ntoken_variable = "SITE_TOKEN"\nuser = "{USER}"\n')
    address = web.address(Remote(tmp_path / "far").path)
    here.run("project", "add", "amelia", "--from", address, "--editor", "scott=scott@example.org")
    return here


def amelia(program: InsideProgram) -> tuple[str, str]:
    found = next(check for check in program.read("doctor") if check["name"] == "amelia")
    return found["state"], found["text"]


@pytest.mark.thorough
def test_a_project_behind_a_token_is_added_and_found_to_be_writable(program: InsideProgram, remote_head: str) -> None:
    assert amelia(program) == ("ok", f"{remote_head}, may be written to")


@pytest.fixture
def remote_head(program: InsideProgram, web: WebServer) -> str:
    repository = program.folder / "far" / "remote.git"
    commit = Remote.run(repository, "rev-parse", "main")
    return f"{web.address(repository)}, main at {commit[:9]}"


def test_a_repository_that_we_may_only_read_is_found(program: InsideProgram, web: WebServer) -> None:
    web.may_write = False
    state, said = _of(program)
    assert state == "fail"
    assert "does not let us in; correct its access" in said


@pytest.mark.thorough
def test_a_token_that_does_not_open_is_found(program: InsideProgram) -> None:
    program.environment["SITE_TOKEN"] = "of-yesterday"
    state, said = _of(program)
    assert state == "fail"
    assert "of-yesterday" not in said


def _of(program: InsideProgram) -> tuple[str, str]:
    lines = program.run("doctor", code=1).splitlines()
    line = next(line for line in lines if line.split()[1] == "amelia")
    return line.split()[0], line
