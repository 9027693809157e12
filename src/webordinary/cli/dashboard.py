"""`webordinary dashboard`: the way into the dashboard, which it serves itself where no `serve` does."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.options import ConfigOption, config_path, examples, open_installation, operator
from webordinary.cli.output import say

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation


def add_to(app: typer.Typer) -> None:
    """Give the program its face."""
    app.command(epilog=examples("webordinary dashboard", "webordinary dashboard --no-browser"))(dashboard)


def dashboard(
    *,
    config: ConfigOption = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the link in a browser here.")] = True,
    link: Annotated[bool, typer.Option("--link/--no-link", help="Print a link; logs should hold none.")] = True,
) -> None:
    """Print a link that lets you into the dashboard once; serve it too, until Ctrl-C, if nobody does yet.

    Where there is no configuration yet it shows the guided walk that writes one, as `webordinary setup` does.
    """
    path = config_path(config)
    if not path.exists() and link:
        from webordinary.dashboard.first_start import is_first_start, serve_first_start  # noqa: PLC0415 - heavy

        if is_first_start(path, os.environ):
            say(f"There is no {path} yet: the dashboard shows how to set it up, to this machine alone.")
            serve_first_start(path, os.environ, operator(), lambda address: _show(address, browser=browser))
            return
    from webordinary.serve.dashboard import DashboardKeeper, address_of  # noqa: PLC0415 - heavy

    here = open_installation(config)
    address = address_of(here.config)
    if address is not None:
        if link:
            let_in(here, address, browser=browser)
        return
    keeper = DashboardKeeper(here.config)
    keeper.start()
    try:
        if link:
            let_in(here, keeper.address, browser=browser)
        say("Ctrl-C ends the dashboard.")
        keeper.wait()
    finally:
        keeper.close()


def let_in(here: Installation, address: str, *, browser: bool) -> None:
    """Print a link that signs in the person who runs this, once, and open it where there is a screen."""
    from webordinary.dashboard.process import sessions_of  # noqa: PLC0415 - heavy
    from webordinary.dashboard.viewer import Role, Viewer  # noqa: PLC0415 - heavy

    secret = sessions_of(here).new_link(Viewer(operator(), Role.AGENCY))
    opened = here.config.dashboard.url or address
    link = f"{opened.rstrip('/')}/sign-in?link={secret}"
    _show(link, browser=browser)


def _show(link: str, *, browser: bool) -> None:
    say(link)
    say("It lets you in once, within the next ten minutes.")
    if browser and sys.stdout.isatty() and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        import webbrowser  # noqa: PLC0415 - only here

        webbrowser.open(link)
