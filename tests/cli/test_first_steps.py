from __future__ import annotations

import os
import signal
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import pytest

from webordinary.config import load_config

if TYPE_CHECKING:
    from tests.cli.program import Program

# What the doctor says depends on what is installed.
pytestmark = pytest.mark.programs


def test_init_writes_a_configuration_that_loads(program: Program) -> None:
    said = program.run("init", "agency", "--domain", "edit.example.net", "--agency", "me@example.net")

    assert "agency/webordinary.toml" in said
    config = load_config(program.folder / "agency" / "webordinary.toml", {})
    assert (config.domain, config.agency.address) == ("edit.example.net", "me@example.net")


def test_init_writes_a_configuration_for_aws(program: Program) -> None:
    said = program.run("init", "--engine", "aws", "--domain", "edit.example.net")

    assert "webordinary aws onboard" in said
    config = load_config(program.folder / "webordinary.toml", {})
    assert (config.engine, config.domain, config.aws.prefix) == ("aws", "edit.example.net", "webordinary")


def test_init_never_overwrites(program: Program) -> None:
    (program.folder / "webordinary.toml").write_text("mine")

    said = program.run("init", code=2)

    assert "exists already" in said
    assert (program.folder / "webordinary.toml").read_text() == "mine"


def test_init_refuses_a_domain_that_is_none(program: Program) -> None:
    assert "domain" in program.run("init", "--domain", "not a domain", code=2)

    assert list(program.folder.iterdir()) == []


def test_without_a_configuration_the_way_to_one_is_said(program: Program) -> None:
    said = program.run("show", "jobs", code=2)

    assert said.count("\n") == 1
    assert "webordinary init" in said


def test_an_unknown_key_is_refused_with_its_line(program: Program) -> None:
    program.run("init")
    text = (program.folder / "webordinary.toml").read_text()
    (program.folder / "webordinary.toml").write_text(f"colour = 1\n{text}")

    said = program.run("serve", code=2)

    assert "webordinary.toml, line 1" in said
    assert "colour" in said


@pytest.mark.parametrize("place", ["before", "after", "variable"])
def test_the_configuration_can_be_named_in_three_ways(
    program: Program, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.run("init", "elsewhere")
    path = "elsewhere/webordinary.toml"
    if place == "variable":
        monkeypatch.setitem(os.environ, "WEBORDINARY_CONFIG", path)

    named = {
        "before": ["--config", path, "project", "list"],
        "after": ["project", "list", "--config", path],
        "variable": ["project", "list"],
    }
    assert "no project yet" in program.run(*named[place])


def test_the_version_is_told(program: Program) -> None:
    try:
        expected = f"webordinary {version('webordinary')}"
    except PackageNotFoundError:
        expected = "webordinary, run from its source"

    assert expected in program.run("--version")


def test_a_wrong_option_is_a_sentence_and_code_two(program: Program) -> None:
    assert "No such option" in program.run("show", "jobs", "--colour", code=2)


def test_help_is_quick_because_nothing_heavy_is_loaded(program: Program) -> None:
    heavy = {"apsw", "aiosmtpd", "asyncio", "pydantic"}

    assert program.python(f"import sys, webordinary.cli; sys.exit(bool({heavy} & sys.modules.keys()))") == 0


def test_ctrl_c_is_quiet(bakery: Program) -> None:
    with bakery.start("show", "trail", "--follow") as follower:
        bakery.run("pause", "amelia", "--reason", "holidays")
        follower.line_with("amelia is paused: holidays")

        assert follower.end(signal.SIGINT) == 130
        assert "Traceback" not in follower.said
