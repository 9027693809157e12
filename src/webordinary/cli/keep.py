"""Backup and restore: a copy while everything runs, and a way back that makes every older claim worthless."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webordinary.cli.options import ConfigOption, examples, read_configuration
from webordinary.cli.paper import say

FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the backup.")]


def add_to(app: typer.Typer) -> None:
    """Give the program backup and restore."""
    app.command(epilog=examples("webordinary backup /backups/monday"))(backup)
    app.command(epilog=examples("webordinary restore /backups/monday"))(restore)


def backup(folder: FolderArgument, config: ConfigOption = None) -> None:
    """Copy the database and all mails into a new folder; safe while everything runs."""
    from webordinary.engines.embedded.backup import back_up  # noqa: PLC0415 - opens the database driver

    data = read_configuration(config).data
    back_up(data, folder)
    say(f"Everything in {data} that cannot be made anew is in {folder}.")


def restore(folder: FolderArgument, config: ConfigOption = None) -> None:
    """Put a backup into an empty data folder; workers that still run from before can change nothing any more."""
    from webordinary.clock import SystemClock  # noqa: PLC0415 - only here
    from webordinary.engines.embedded.backup import restore as restore_into  # noqa: PLC0415 - opens the driver

    data = read_configuration(config).data
    lanes = restore_into(folder, data, SystemClock().now())
    say(f"{data} is as it was in {folder}; every fence of its {lanes} lanes was raised.")
    say("Start it with `webordinary serve`.")
