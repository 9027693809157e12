"""The first start, without a configuration: only the walk is shown, only to this machine, and only by a link."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.config import example_config, read_config
from webordinary.config.dashboard import Dashboard
from webordinary.dashboard.house import House
from webordinary.dashboard.server import DashboardServer
from webordinary.dashboard.sessions import Sessions
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.engines.installation import Installation
from webordinary.errors import Misconfigured
from webordinary.values import Listen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webordinary.config import Config

_DOMAIN = "edit.example.com"
_LISTEN = "WEBORDINARY_DASHBOARD_LISTEN"


def is_first_start(path: Path, environ: Mapping[str, str]) -> bool:
    """Whether there is nothing yet that a dashboard could show."""
    return not path.exists() and environ.get("WEBORDINARY_ENGINE") != "aws"


def first_house(path: Path, scratch: Path, environ: Mapping[str, str]) -> House:
    """Return a house in which there is only the walk; what it has to keep lies in a folder of its own."""
    here = Installation.open(_draft(path, scratch, environ))
    return House(here, Sessions(scratch / "dashboard", here.clock), is_first=True)


def serve_first_start(path: Path, environ: Mapping[str, str], who: str, tell: Callable[[str], None]) -> None:
    """Show the walk until Ctrl+C; `tell` is given the link that lets one person in, once."""
    with tempfile.TemporaryDirectory(prefix="webordinary-first-") as scratch:
        house = first_house(path, Path(scratch), environ)
        with _listen(house) as listening:
            host, port = listening.getsockname()[:2]
            secret = house.sessions.new_link(Viewer(who, Role.AGENCY))
            tell(f"http://{f'[{host}]' if ':' in host else host}:{port}/sign-in?link={secret}&next=/setup")
            asyncio.run(DashboardServer(house).serve([listening]))


def _draft(path: Path, scratch: Path, environ: Mapping[str, str]) -> Config:
    """Return what the dashboard needs of a configuration before there is one; nothing of it is ever written."""
    try:
        listen = Listen.read(environ[_LISTEN]) if environ.get(_LISTEN) else Dashboard().listen
    except ValueError as problem:
        raise Misconfigured(f"{_LISTEN} {problem}.") from None
    if not listen.is_loopback:
        why = f"Without a configuration the dashboard is for this machine alone, and {listen} is for others too"
        raise Misconfigured(f"{why}: listen on 127.0.0.1, and come from elsewhere by `ssh -L`.")
    config = read_config(example_config(domain=_DOMAIN, agency=None), path.absolute(), {})
    return replace(config, data=scratch, dashboard=Dashboard(listen=listen))


def _listen(house: House) -> socket.socket:
    wanted = house.here.config.dashboard.listen
    family = socket.AF_INET6 if ":" in wanted.host else socket.AF_INET
    try:
        return socket.create_server((wanted.host, wanted.port), family=family)
    except OSError as problem:
        why = f"The dashboard cannot listen on {wanted}: {problem.strerror or problem}."
        raise Misconfigured(f"{why} End the other program, or name another port in {_LISTEN}.") from None
