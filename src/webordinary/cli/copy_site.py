"""`webordinary project copy`: a site that is on the web, as a folder to begin with."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from webordinary.cli.options import ConfigOption, examples
from webordinary.cli.output import say
from webordinary.values import WebAddress


def add_to_projects(app: typer.Typer) -> None:
    """Give the projects their way to a first copy."""
    app.command(
        "copy",
        epilog=examples(
            "webordinary project copy https://www.example.com/ ./bakery",
            "webordinary project copy https://www.example.com/ ./bakery --pages 50",
        ),
    )(copy)


def copy(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Where the site is shown now.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the copy will lie; made by this.")],
    *,
    pages: Annotated[int, typer.Option("--pages", metavar="N", min=1, max=5000, help="How many pages at most.")] = 500,
    loopback: Annotated[
        bool, typer.Option("--loopback", help="The site runs on this machine; private networks are refused anyway.")
    ] = False,
    config: ConfigOption = None,  # noqa: ARG001 - it is the same for all commands
) -> None:
    """Copy a site page by page into a folder, for `project add --from`; the site itself stays as it is.

    Only one host is asked, within what its robots.txt allows, and nothing of a private network.
    """
    from webordinary.setup.copying.copy import CopyLimits, copy_site, told  # noqa: PLC0415 - heavy
    from webordinary.setup.copying.reach import WebReach  # noqa: PLC0415 - the same

    try:
        WebAddress.read(address)
    except ValueError as problem:
        raise typer.BadParameter(f"ADDRESS {problem}.") from None
    limits = CopyLimits(pages=pages)
    copied = copy_site(address, folder.expanduser().absolute(), limits, WebReach(loopback=loopback), datetime.now(UTC))
    told(copied, say)
