"""`webordinary init`: the first configuration of an installation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webordinary.cli.options import CONFIG_NAME, examples
from webordinary.cli.output import say
from webordinary.config import EngineKind, example_config, example_config_on_aws, read_config
from webordinary.errors import Misconfigured

_NEXT = {
    EngineKind.EMBEDDED: (
        "look through it, above all at domain and outgoing",
        "webordinary project add ID --from FOLDER --editor USER=ADDRESS",
        "webordinary doctor",
        "webordinary serve",
    ),
    EngineKind.AWS: (
        "look through it, above all at domain and prefix",
        "make the tables, buckets and functions of that prefix in your account",
        "webordinary project add ID --from REPOSITORY --editor USER=ADDRESS",
        "webordinary aws onboard ID --test",
        "webordinary doctor",
    ),
}


def add_to(app: typer.Typer) -> None:
    """Give the program its first command."""
    example = examples("webordinary init", "webordinary init bakeries --domain edit.example.com --engine aws")
    app.command("init", epilog=example)(init)


def init(
    folder: Annotated[Path, typer.Argument(help="Where the installation will live; made if it is missing.")] = Path(),
    domain: Annotated[
        str, typer.Option("--domain", help="The mail domain that people will write to.")
    ] = "edit.example.com",
    agency: Annotated[str | None, typer.Option("--agency", metavar="ADDRESS", help="Your own mail address.")] = None,
    engine: Annotated[EngineKind, typer.Option("--engine", help="What it runs on.")] = EngineKind.EMBEDDED,
) -> None:
    """Write a first webordinary.toml, with every choice explained in it; never over an existing one."""
    path = folder / CONFIG_NAME
    match engine:
        case EngineKind.EMBEDDED:
            text = example_config(domain=domain, agency=agency)
        case EngineKind.AWS:
            text = example_config_on_aws(domain=domain, agency=agency)
    read_config(text, path, {})
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Misconfigured(f"{path} exists already and was left as it is; edit it, or name another folder.") from None
    say(f"Wrote {path}. What now:", "bold")
    for number, line in enumerate(_NEXT[engine], start=1):
        say(f"  {number}. {line}")
