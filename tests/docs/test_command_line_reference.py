from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from webordinary.cli.program import LISTED, program_for, program_of, run
from webordinary.cli.reference import commands, listed_commands, reference_page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"
COMMAND = "python -m webordinary.cli.reference > docs/reference/command-line.md"
LIST = "python -m webordinary.cli.reference listed > src/webordinary/cli/listed.json"
# What shows the help: of the rest of the program it needs nothing.
SHOWING = {
    "webordinary",
    *(f"webordinary.cli{part}" for part in ("", ".__main__", ".program", ".options", ".output")),
    "webordinary.errors",
}
LOADED = """
import sys
from webordinary.cli.program import run
run(sys.argv[1:])
print(*sorted(name for name in sys.modules if name.partition(".")[0] == "webordinary"), sep="\\n", file=sys.stderr)
"""
NAMES = [name for name, _ in commands()]


def test_the_reference_page_is_what_the_help_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference_page(), f"run `{COMMAND}`"


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_with_an_example_and_a_place_on_the_page(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*name.split()[1:], "--help"]) == 0

    said = capsys.readouterr().out
    assert f"Usage: {name}" in said
    assert f"## `{name}`\n" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name, command in commands() if not hasattr(command, "commands")])
def test_every_command_that_does_something_shows_an_example(name: str) -> None:
    command = dict(commands())[name]

    assert f"webordinary {name.partition(' ')[2]}" in (command.epilog or "")


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_explained_by_a_sentence(name: str) -> None:
    command = dict(commands())[name]

    assert command.help.partition("\n\n")[0].rstrip().endswith(".")
    assert [param.name for param in command.params if not (param.help or "").rstrip().endswith(".")] == []


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_an_explanation_is_lost_as_markup(name: str) -> None:
    assert [param.name for param in dict(commands())[name].params if "[" in (param.help or "")] == []


def test_the_page_says_how_it_is_made() -> None:
    assert COMMAND in reference_page()


def test_the_list_of_the_help_is_what_the_commands_say() -> None:
    listed = json.dumps(listed_commands(), indent=1)

    assert LISTED.read_text(encoding="utf-8") == f"{listed}\n", f"run `{LIST}`"


def test_the_help_of_the_program_imports_no_command() -> None:
    told = subprocess.run([sys.executable, "-c", LOADED, "--help"], capture_output=True, text=True, check=True)

    assert set(told.stderr.split()) <= SHOWING
    for name in NAMES[1:]:
        assert f" {name.split()[1]} " in told.stdout


def test_a_command_that_nobody_knows_is_looked_for_among_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["shwo"]) != 0

    assert "Did you mean 'show'?" in capsys.readouterr().err


def test_a_command_is_found_behind_options_and_among_the_words_of_another() -> None:
    whole = {each.name for each in program_of().registered_groups}
    for arguments in (["--config", "x.toml", "show", "jobs"], ["show", "--config", "token"]):
        registered = {each.name for each in program_for(arguments).registered_groups}
        assert "show" in registered < whole
