"""The reference page of the commands, made from their help: `python -m webordinary.cli.reference`.

With `listed` behind it, what `webordinary --help` shows of each command.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from typer.main import get_command

from webordinary.cli.program import FAMILIES, program_of

if TYPE_CHECKING:
    from webordinary.cli.program import Listed

_INTRODUCTION = """\
# Command line

<!-- Made by `python -m webordinary.cli.reference > docs/reference/command-line.md`; do not edit. -->

Every command explains itself with `--help`. What is wrong is said in one sentence on the error stream; the exit
code is 0 when all went well, 1 when it did not, 2 when the command or the configuration has to be corrected and
130 when Ctrl-C broke it off; what runs until Ctrl-C, as `serve` and `demo` do, ends with 0. With `--json` the output
is for programs: moments are in ISO 8601, and keys are only ever added.

`--config PATH` may stand before or after the command's name. Without it the file that `WEBORDINARY_CONFIG` names
is read, and without that `webordinary.toml` in the folder where you are.
"""
# Said once for all commands.
_EXPLAINED_ABOVE = frozenset({"help", "config"})


def reference_page() -> str:
    """Return the whole page."""
    return "\n".join([_INTRODUCTION, *(_section(name, command) for name, command in commands())])


@cache
def commands() -> tuple[tuple[str, Any], ...]:
    """Return every command and every family of commands with its full name."""
    return tuple(_walk("webordinary", get_command(program_of())))


def listed_commands() -> Listed:
    """Return what the program's own help says of each command; `listed.json` keeps it."""
    return {family: dict(_listed(family)) for family in FAMILIES}


def _listed(family: str) -> Iterator[tuple[str, tuple[str, str | None]]]:
    program: Any = get_command(program_of([family]))
    for name, command in program.commands.items():
        panel = command.rich_help_panel
        line = inspect.cleandoc(command.short_help or command.help or "").split("\n\n")[0]
        yield name, (" ".join(line.split()), panel if isinstance(panel, str) else None)


def _walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - typer keeps these types to itself
    yield name, command
    for inner, each in getattr(command, "commands", {}).items():
        yield from _walk(f"{name} {inner}", each)


def _section(name: str, command: Any) -> str:  # noqa: ANN401 - see _walk
    sentence, *more = inspect.cleandoc(command.help or "").split("\n\n")
    params = [param for param in command.params if param.name not in _EXPLAINED_ABOVE]
    parts = [f"## `{name}`", "", " ".join(sentence.split()), "", "```", _usage(name, command, params), "```", ""]
    for paragraph in more:
        # Two blanks keep the end of a line where it is.
        parts += ["  \n".join(paragraph.splitlines()), ""]
    if params:
        parts += ["| | |", "|---|---|", *(_row(param) for param in params), ""]
    if command.epilog:
        shown = command.epilog.replace(r"\[", "[").splitlines()[1:]
        parts += ["```", *(line.strip() for line in shown), "```", ""]
    return "\n".join(parts)


def _usage(name: str, command: Any, params: list[Any]) -> str:  # noqa: ANN401 - see _walk
    words = [name, *(_argument(param) for param in params if _is_argument(param))]
    if hasattr(command, "commands"):
        words.append("[COMMAND]" if command.invoke_without_command else "COMMAND")
    if not all(_is_argument(param) for param in params):
        words.append("[OPTIONS]")
    return " ".join(words)


def _is_argument(param: Any) -> bool:  # noqa: ANN401 - see _walk
    return bool(param.param_type_name == "argument")


def _argument(param: Any) -> str:  # noqa: ANN401 - see _walk
    shown = _name_of(param)
    return shown if param.required else f"[{shown}]"


def _name_of(param: Any) -> str:  # noqa: ANN401 - see _walk
    return str(param.metavar or param.name.replace("_", "-")).upper()


def _row(param: Any) -> str:  # noqa: ANN401 - see _walk
    if _is_argument(param):
        shown = _name_of(param)
    else:
        shown = ", ".join(param.opts) + ("" if param.is_flag else f" {_name_of(param)}")
    default = "" if isinstance(param.default, bool) or param.default is None else str(param.default)
    ending = f" Default: `{default}`." if default else ""
    return f"| `{_cell(shown)}` | {param.help or ''}{ending} |"


def _cell(text: str) -> str:
    # A bar would begin the next cell, also inside of backticks.
    return text.replace("|", "\\|")


if __name__ == "__main__":
    is_list = sys.argv[1:] == ["listed"]
    sys.stdout.write(f"{json.dumps(listed_commands(), indent=1)}\n" if is_list else reference_page())
