"""`webordinary token`: who may call the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.actions.known import require_project
from webordinary.actions.role import Role
from webordinary.cli.options import ConfigOption, JsonOption, examples, open_installation, operator
from webordinary.cli.output import print_json, print_table, say

if TYPE_CHECKING:
    from webordinary.dashboard.tokens import ApiTokens
    from webordinary.engines.installation import Installation

app = typer.Typer(no_args_is_help=True, help="Make, list and remove the tokens with which programs call the API.")


def add_to(program: typer.Typer) -> None:
    """Give the program its say about tokens."""
    program.add_typer(app, name="token")


@app.command(
    epilog=examples(
        "webordinary token add monitoring --role reader", "webordinary token add shop --role client --project amelia"
    )
)
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the trail calls the program that uses it.")],
    *,
    role: Annotated[Role, typer.Option("--role", help="What it may do.")] = Role.READER,
    project: Annotated[
        list[str] | None, typer.Option("--project", metavar="ID", help="A client's project; say it for each.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a token and print it, once: only its hash is kept, with the data of this machine."""
    here = open_installation(config)
    projects = [require_project(here, each).id for each in project or ()]
    secret = _tokens(here).add(name, role, projects, operator())
    if as_json:
        print_json({"name": name, "role": role.value, "projects": projects, "token": secret})
        return
    say(secret)
    say(f"Nobody can show it again; `webordinary token remove {name}` ends it.")


@app.command("list", epilog=examples("webordinary token list", "webordinary token list --json"))
def list_tokens(*, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show which tokens there are."""
    found = _tokens(open_installation(config)).all()
    rows = [
        (
            each.name,
            each.id,
            each.role.value,
            " ".join(each.projects),
            each.made_at.isoformat("T", "seconds"),
            each.made_by,
        )
        for each in found
    ]
    columns = ("name", "id", "role", "projects", "made_at", "made_by")
    if as_json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
        return
    print_table(columns, rows, "There is no token; `webordinary token add NAME` makes one.")


@app.command(epilog=examples("webordinary token remove monitoring"))
def remove(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The token's name or its id.")],
    config: ConfigOption = None,
) -> None:
    """Revoke a token: it lets nobody in any more."""
    removed = _tokens(open_installation(config)).remove(name)
    say(f"The token {removed.name} opens nothing any more.")


def _tokens(here: Installation) -> ApiTokens:
    from webordinary.dashboard.tokens import ApiTokens  # noqa: PLC0415 - heavy, and --help should be quick

    return ApiTokens(here.config.data / "dashboard", here.clock)
