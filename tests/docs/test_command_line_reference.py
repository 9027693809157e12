from __future__ import annotations

from pathlib import Path

import pytest

from webordinary.cli.program import run
from webordinary.cli.reference import commands, reference_page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"
COMMAND = "python -m webordinary.cli.reference > docs/reference/command-line.md"
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
