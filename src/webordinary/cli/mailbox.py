"""`webordinary mailbox login`: lets the installation into a mailbox whose provider wants tokens."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.options import ConfigOption, examples, open_installation
from webordinary.cli.output import say
from webordinary.errors import Misconfigured, Refused

if TYPE_CHECKING:
    from webordinary.config import Config
    from webordinary.oauth.login import Login
    from webordinary.oauth.server import Answer

_SECONDS_FOR_A_PERSON = 900.0
# Where a browser on another machine finds nobody, and shows the address that is to be pasted.
_NOBODYS_PORT = 8765


app = typer.Typer(
    no_args_is_help=True, help="Log in at mail providers that want tokens (OAuth 2.0) instead of a password."
)


def add_to(program: typer.Typer) -> None:
    """Give the program its way into mailboxes."""
    program.add_typer(app, name="mailbox", rich_help_panel="Mail")


@app.callback()
def mailbox() -> None:
    """Log in at mail providers that want tokens (OAuth 2.0) instead of a password."""


@app.command(
    epilog=examples(
        "webordinary mailbox login bakery",
        "webordinary mailbox login bakery --browser --port 8765",
        "webordinary mailbox login bakery --paste",
    )
)
def login(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The `name` of the login in its oauth table; not needed for one."),
    ] = None,
    *,
    browser: Annotated[
        bool, typer.Option("--browser", help="Say yes in a browser on this machine, also where a code would do.")
    ] = False,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="Where the browser comes back; else any port.")
    ] = 0,
    paste: Annotated[
        bool, typer.Option("--paste", help="Say yes in a browser elsewhere, and paste the address that it ends at.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Log in at a mail provider, and keep what it gives as a secret of this installation.

    With a code where the provider has the device flow, else in a browser. The mailbox and the outgoing server are tried
    before anything is kept; whatever waits for the login goes on by itself.
    """
    from webordinary.oauth.tokens import KeptLogin  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.serve.logins import keep_login, users_of  # noqa: PLC0415 - the same

    here = open_installation(config)
    chosen = _choose(here.config, name)
    user = next(iter(users_of(here.config, chosen.name)), None)
    wants_browser = browser or paste or port or chosen.device_url is None
    answer = _by_browser(chosen, user, port, paste=paste) if wants_browser else _by_code(chosen, user)
    now = here.clock.now().wall_at
    given = KeptLogin().renewed(answer, now).begun(now)
    if given.refresh_token is None:
        raise Refused(f"The provider gave no refresh token; let {chosen.name} ask for offline access in oauth.scopes.")
    for tried in keep_login(here, chosen, given):
        say(f"{tried.where}: {f'not tried, {tried.problem}' if tried.problem else 'lets us in'}")
    say(f"Logged in; it is kept as the secret {chosen.secret_name}. What waited goes on within five minutes.")


def _choose(config: Config, name: str | None) -> Login:
    known = [str(each.name) for each in config.oauth]
    if not known:
        raise Misconfigured("No login is configured; add an [[oauth]] table with name, provider and client_id.")
    if name is None and len(known) > 1:
        raise Misconfigured(f"Say which login you mean: {', '.join(known)}.")
    found = config.find_login(name or known[0])
    if found is None:
        raise Misconfigured(f"There is no login {name!r}; there is {', '.join(known)}.")
    if found.grant.value == "client_credentials":
        raise Misconfigured(f"{found.name} comes in by itself, nobody has to log in; `webordinary doctor` tries it.")
    return found


def _by_code(login: Login, user: str | None) -> Answer:
    from webordinary.oauth.device import ask_for_code, wait_for_yes  # noqa: PLC0415 - heavy

    asked = ask_for_code(login)
    say(f"Open {asked.address} in any browser{_as(user)}, and enter the code {asked.user_code} there.")
    return wait_for_yes(login, asked, time.sleep)


def _by_browser(login: Login, user: str | None, port: int, *, paste: bool) -> Answer:
    from webordinary.oauth.browser import code_in, open_landing, plan_visit, redeem  # noqa: PLC0415 - heavy

    if paste:
        visit = plan_visit(login, port or _NOBODYS_PORT, user)
        say(f"Open this address in a browser{_as(user)}, and say yes: {visit.address}")
        say("The browser then ends at an address that it cannot open; paste that address here, and press Enter.")
        return redeem(login, visit, code_in(visit, sys.stdin.readline().strip()))
    with open_landing(port) as landing:
        visit = plan_visit(login, landing.port, user)
        say(f"Open this address in a browser on this machine{_as(user)}, and say yes: {visit.address}")
        code = landing.wait(visit, _SECONDS_FOR_A_PERSON)
    return redeem(login, visit, code)


def _as(user: str | None) -> str:
    return f" as {user}" if user else ""
