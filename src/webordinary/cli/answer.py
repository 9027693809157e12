"""`webordinary answer`: what somebody of the agency does with answers that wait for their eye."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.actions import answers
from webordinary.cli.operate import JobArgument
from webordinary.cli.options import ConfigOption, JsonOption, LimitOption, examples, open_installation, operator
from webordinary.cli.output import print_json, print_table, say
from webordinary.cli.records import held_answer_record

if TYPE_CHECKING:
    from webordinary.actions.done import Done

app = typer.Typer(
    no_args_is_help=True, help='Release, edit or take back answers that wait, where a project has `answers = "hold"`.'
)


def add_to(program: typer.Typer) -> None:
    """Give the program what decides about held answers."""
    program.add_typer(app, name="answer", rich_help_panel="The queue")


def add_held_answers(program: typer.Typer) -> None:
    """Give `webordinary show` its list of them."""
    program.command("held-answers", epilog=examples("webordinary show held-answers --json"))(held_answers)


def held_answers(*, config: ConfigOption = None, limit: LimitOption = 100, as_json: JsonOption = False) -> None:
    """Show answers that wait until somebody of the agency releases them, the oldest first."""
    found = open_installation(config).engine.held_answers.all(limit=limit)
    if as_json:
        print_json([held_answer_record(each) for each in found])
        return
    rows = [(each.held_at, each.job, each.lane, each.letter.to, each.letter.words) for each in found]
    print_table(("since", "job", "lane", "to", "answer"), rows, "No answer waits for the agency.")


@app.command(epilog=examples("webordinary answer show job-1a2b3c4d5e6f"))
def show(job: JobArgument, *, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show an answer as it would go out now."""
    here = open_installation(config)
    held = answers.held_answer(here, job)
    mail = answers.as_it_would_go_out(here, held)
    if as_json:
        print_json(held_answer_record(held) | {"subject": mail.subject, "text": mail.text})
        return
    say(f"To: {mail.to}")
    say(f"Subject: {mail.subject}")
    say("")
    for line in mail.text.splitlines():
        say(line)


@app.command(epilog=examples("webordinary answer release job-1a2b3c4d5e6f"))
def release(job: JobArgument, *, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Let an answer go out as it is."""
    _tell(answers.let_go(open_installation(config), job, operator()), as_json=as_json)


@app.command(epilog=examples('webordinary answer edit job-1a2b3c4d5e6f "We open at nine from Monday on."'))
def edit(
    job: JobArgument,
    words: Annotated[str, typer.Argument(metavar="WORDS", help="The words instead of the agent's; - reads them.")],
    *,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put your words into an answer instead of those of the agent; it goes on waiting.

    What changed on the site, and whatever our checks state, stays as it is.
    """
    said = sys.stdin.read(answers.LONGEST_WORDS + 1) if words == "-" else words
    _tell(answers.edit(open_installation(config), job, operator(), said), as_json=as_json)


@app.command("take-back", epilog=examples("webordinary answer take-back job-1a2b3c4d5e6f --tell"))
def take_back(
    job: JobArgument,
    *,
    tell: Annotated[bool, typer.Option("--tell", help="Tell the owner that it was taken back.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Undo what the job has published, and never send its answer."""
    _tell(answers.take_back(open_installation(config), job, operator(), tells=tell), as_json=as_json)


def _tell(done: Done, *, as_json: bool) -> None:
    if as_json:
        print_json({"job": done.job, "done": done.sentence})
    else:
        say(done.at_terminal)
