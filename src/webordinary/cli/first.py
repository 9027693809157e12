"""`webordinary init`: the first configuration of an installation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webordinary.cli.options import CONFIG_NAME, examples
from webordinary.cli.paper import say
from webordinary.config import example_config, read_config
from webordinary.errors import Misconfigured


def add_to(app: typer.Typer) -> None:
    """Give the program its first command."""
    app.command("init", epilog=examples("webordinary init", "webordinary init bakeries --domain edit.example.com"))(
        init
    )


def init(
    folder: Annotated[Path, typer.Argument(help="Where the installation will live; made if it is missing.")] = Path(),
    domain: Annotated[
        str, typer.Option("--domain", help="The mail domain that people will write to.")
    ] = "edit.example.com",
    agency: Annotated[str | None, typer.Option("--agency", metavar="ADDRESS", help="Your own mail address.")] = None,
) -> None:
    """Write a first webordinary.toml, with every choice explained in it; never over an existing one."""
    path = folder / CONFIG_NAME
    text = example_config(domain=domain, agency=agency)
    read_config(text, path, {})
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Misconfigured(f"{path} exists already and was left as it is; edit it, or name another folder.") from None
    say(f"Wrote {path}. What now:", "bold")
    say("  1. look through it, above all at domain and outgoing")
    say("  2. webordinary project add ID --from FOLDER --editor USER=ADDRESS")
    say("  3. webordinary doctor")
    say("  4. webordinary serve")
