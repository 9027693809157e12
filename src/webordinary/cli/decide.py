"""`webordinary approve` and `withdraw`: an agency decides about a proposal at its terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from webordinary.actions import decide
from webordinary.actions.known import QUEUES
from webordinary.cli.ask import ENDED_BADLY, accept_and_wait
from webordinary.cli.operate import JobArgument
from webordinary.cli.options import (
    FIFTEEN_MINUTES,
    ConfigOption,
    JsonOption,
    TimeoutOption,
    examples,
    open_installation,
    operator,
)
from webordinary.cli.output import say, say_error
from webordinary.jobs.job import Outcome

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation


def add_to(app: typer.Typer) -> None:
    """Give the program the commands that decide about proposals."""
    panel = "The queue"
    app.command(rich_help_panel=panel, epilog=examples("webordinary approve job-1a2b3c4d5e6f"))(approve)
    app.command(rich_help_panel=panel, epilog=examples("webordinary withdraw job-1a2b3c4d5e6f"))(withdraw)


def approve(
    job: JobArgument,
    *,
    timeout: TimeoutOption = FIFTEEN_MINUTES,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say ok to what a job has proposed, also to what only the agency may decide; a person who asked by mail is told.

    It is published exactly as it was shown; if the live site has changed in between, it may have to be shown again.
    The exit code says what came of it, as with `ask --wait`.
    """
    here = open_installation(config)
    said = decide.ok_said(decide.waiting(here, job), operator(), here.clock)
    code = accept_and_wait(here, said, QUEUES, timeout, as_json=as_json)
    raise typer.Exit(_too_late(here, said.id, job) or code)


def _too_late(here: Installation, said: str, job: str) -> int:
    """Tell it if somebody else has decided between the ok and its turn; 0 if nobody has."""
    ended = here.engine.overview.job(said)
    if ended is None or ended.outcome != Outcome.ANSWERED:
        return 0
    say_error(f"Nothing was done: somebody else has decided about {job} by then; `webordinary show trail` tells who.")
    return ENDED_BADLY


def withdraw(job: JobArgument, config: ConfigOption = None) -> None:
    """Drop what a job has proposed: nothing of it is published; a person who asked by mail is told."""
    say(decide.withdraw(open_installation(config), job, operator()).at_terminal)
