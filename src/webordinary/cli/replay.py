"""`webordinary replay`: a kept mail is decided again from its raw bytes."""

from __future__ import annotations

from typing import Annotated

import typer

from webordinary.actions.mails import decide_again, sentence_about
from webordinary.cli.deliver import decision_record
from webordinary.cli.explain import explained_record
from webordinary.cli.options import ConfigOption, JsonOption, examples, open_installation, operator
from webordinary.cli.output import print_json, say


def add_to(app: typer.Typer) -> None:
    """Give the program its second look."""
    lines = ("webordinary replay mail-1a2b3c4d5e6f", "webordinary replay mail-1a2b3c4d5e6f --act")
    app.command(rich_help_panel="Mail", epilog=examples(*lines))(replay)


def replay(
    mail: Annotated[str, typer.Argument(metavar="MAIL", help="The mail's id, as `show mail` lists it.")],
    *,
    act: Annotated[bool, typer.Option("--act", help="Do it, once, instead of only saying what would happen.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what would become of a kept mail if it were decided now, for example after an editor was added.

    With --act it is taken in once more and decided for real. A mail that has become a job becomes no second one:
    that is what `webordinary redrive` is for.
    """
    if act:
        _act(mail, config, as_json=as_json)
    else:
        _look(mail, config, as_json=as_json)


def _look(mail: str, config: ConfigOption, *, as_json: bool) -> None:
    from webordinary.intake.replay import look_again  # noqa: PLC0415 - heavy, and --help should be quick

    explained = look_again(open_installation(config).intake, mail)
    if as_json:
        record = explained_record(mail, explained)
        print_json({"mail": record.pop("file"), **record})
        return
    say(mail)
    for line in (line for step in explained.steps for line in step.split("\n")):
        say(f"  {line}")


def _act(mail: str, config: ConfigOption, *, as_json: bool) -> None:
    again, decision = decide_again(open_installation(config), mail, operator())
    if as_json:
        print_json({"replays": mail, **decision_record(again, decision)})
    else:
        say(f"{mail}, again as {again}: {sentence_about(decision)}")
