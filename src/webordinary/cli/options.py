"""What the commands share on their command line: the configuration file, `--json`, examples and durations."""

from __future__ import annotations

import getpass
import os
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from webordinary.config import Config
    from webordinary.engines.installation import Installation

CONFIG_VARIABLE = "WEBORDINARY_CONFIG"
CONFIG_NAME = "webordinary.toml"


def _given_anywhere(context: typer.Context, here: Path | None) -> Path | None:
    """Take `--config` also from before the command's name."""
    before = context.find_root().params.get("config")
    return here or (Path(before) if before else None)


def read_duration(text: str) -> timedelta:
    """Read `90s`, `15m` or `2h`; also what the configuration accepts, such as `15 min`."""
    from webordinary.config import Duration  # noqa: PLC0415 - heavy, and --help should be quick

    given = text.strip().lower()
    try:
        return Duration.read(f"{given}in" if given.endswith("m") and not given.endswith("mm") else given)
    except ValueError:
        raise typer.BadParameter('write a duration such as "90s", "15m" or "2h".') from None


ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="PATH",
        callback=_given_anywhere,
        help=f"The configuration; else what {CONFIG_VARIABLE} names, else ./{CONFIG_NAME}.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text for people.")]
TimeoutOption = Annotated[
    timedelta, typer.Option("--timeout", metavar="DURATION", parser=read_duration, help="How long to wait at most.")
]
# typer parses the default like what a person types.
FIFTEEN_MINUTES: timedelta = "15m"  # type: ignore[assignment]  # see above
LimitOption = Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Show at most this many, the newest.")]


def examples(*lines: str) -> str:
    """Return an epilog with one example on each line."""
    # A bracket would begin markup.
    return "\n".join(("Examples:", *(f"  {line}".replace("[", r"\[") for line in lines)))


def config_path(given: Path | None) -> Path:
    """Return the configuration that is meant, whether it exists or not."""
    return given or Path(os.environ.get(CONFIG_VARIABLE) or CONFIG_NAME)


def read_configuration(given: Path | None) -> Config:
    """Load the configuration that is meant."""
    from webordinary.config import find_config  # noqa: PLC0415 - see read_duration

    return find_config(config_path(given), os.environ)


def open_installation(given: Path | None) -> Installation:
    """Open everything that the configuration describes."""
    from webordinary.engines.installation import Installation  # noqa: PLC0415 - see read_duration

    return Installation.open(read_configuration(given))


def operator() -> str:
    """Return who is typing, for the trail."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # A container may run under a number that has no name.
        return f"user {os.getuid()}"
