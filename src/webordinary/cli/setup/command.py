"""The command: which steps are gone through, and what a person or a program sees of them."""

from __future__ import annotations

import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.options import ConfigOption, JsonOption, config_path, examples, read_duration
from webordinary.cli.output import print_json, print_table, say
from webordinary.setup.kept import KeptWalk, StepState

if TYPE_CHECKING:
    from webordinary.setup.walk import SetupWalk

_NO_TIME: timedelta = "0s"  # type: ignore[assignment]  # typer parses the default like what a person types


def add_to(app: typer.Typer) -> None:
    """Give the program its guided walk."""
    app.command(
        epilog=examples(
            "webordinary setup",
            "webordinary setup --list",
            "webordinary setup --from dns --wait 2h",
            "webordinary setup --answers answers.toml --json",
        )
    )(setup)


def setup(
    *,
    answers: Annotated[
        Path | None,
        typer.Option("--answers", metavar="FILE", help="Answers in TOML, a table for each step; nobody is asked."),
    ] = None,
    first: Annotated[
        str | None, typer.Option("--from", metavar="STEP", help="Begin with this step, also if it is done.")
    ] = None,
    list_them: Annotated[bool, typer.Option("--list", help="Show the steps and how far each is.")] = False,
    wait: Annotated[
        timedelta,
        typer.Option(
            "--wait",
            metavar="DURATION",
            parser=read_duration,
            help="How long to wait with --answers for what takes time.",
        ),
    ] = _NO_TIME,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Walk from nothing to the first answered mail: a question at a time, and everything is shown before it is done.

    Each step can be left and taken up again; what was answered is kept beside the configuration, without secrets.
    """
    from webordinary.cli.setup.inside import run_inside  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.cli.setup.terminal import Terminal  # noqa: PLC0415 - the same
    from webordinary.setup.desk import Desk  # noqa: PLC0415 - the same
    from webordinary.setup.walk import SetupWalk  # noqa: PLC0415 - the same

    path = config_path(config)
    walk = SetupWalk(Desk(path, KeptWalk(path), run_inside, os.environ))
    if list_them:
        _list(walk, as_json=as_json)
        return
    begin = walk.find(first) if first else None
    if answers is not None:
        from webordinary.cli.setup.unwatched import Unwatched  # noqa: PLC0415 - the same

        done = Unwatched(walk, answers, wait, as_json=as_json).go(begin)
    else:
        if as_json:
            raise typer.BadParameter("--json is for --list and --answers; a person reads questions.")
        done = Terminal(walk).go(begin)
    if not done:
        raise typer.Exit(1)


def _list(walk: SetupWalk, *, as_json: bool) -> None:
    rows = [(step, walk.state(step)) for step in walk.steps]
    if as_json:
        print_json(
            [
                {"step": step.name, "title": step.title, "state": state.value, "answers": dict(walk.remembered(step))}
                for step, state in rows
            ]
        )
        return
    print_table(("step", "state", "what"), [(step.name, state.value, step.title) for step, state in rows], "")
    begin = walk.begins_at()
    if begin is None:
        say("All of it is done.")
    elif any(state is not StepState.OPEN for _, state in rows):
        say(f"`webordinary setup` goes on with {begin.name}.")
    sys.stdout.flush()
