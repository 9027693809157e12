"""Backup and restore: a copy while everything runs, and a way back that makes every older claim worthless."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.options import ConfigOption, config_path, examples, read_configuration
from webordinary.cli.output import say
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from webordinary.engines.embedded.backup import Progress

_SILENT_SECONDS = 2.0
_MEGABYTE = 1024**2
FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the backup.")]


def add_to(app: typer.Typer) -> None:
    """Give the program backup and restore."""
    app.command(epilog=examples("webordinary backup /backups/monday"))(backup)
    app.command(epilog=examples("webordinary restore /backups/monday"))(restore)


def backup(folder: FolderArgument, config: ConfigOption = None) -> None:
    """Copy the database and all mails into a new folder, and check the copy; safe while everything runs."""
    from webordinary.engines.embedded.backup import back_up  # noqa: PLC0415 - opens the database driver

    data = _data_here(config)
    back_up(data, folder, _tell_now_and_then())
    say(f"The database, the mails and their files, the repositories and the key for replies are in {folder}.")
    say(f"Not in it, because it can be made anew: sites, previews, workspace and scratch in {data}.")
    say(f"Not in it, and yours to keep: {config_path(config)}, files that it names, repositories elsewhere.")


def restore(folder: FolderArgument, config: ConfigOption = None) -> None:
    """Put a backup into an empty data folder; workers that still run from before can change nothing any more."""
    from webordinary.clock import SystemClock  # noqa: PLC0415 - only here
    from webordinary.engines.embedded.backup import restore as restore_into  # noqa: PLC0415 - opens the driver

    data = _data_here(config)
    lanes = restore_into(folder, data, SystemClock().now(), _tell_now_and_then())
    say(f"{data} is as it was in {folder}; every fence of its {lanes} lanes was raised.")
    say("Start it with `webordinary serve`.")


def _tell_now_and_then() -> Callable[[Progress], None]:
    """Return what says how far a long work is: each of its parts once, and a long part every few seconds."""
    said: dict[str, float] = {}

    def tell(progress: Progress) -> None:
        now = time.monotonic()
        if now - said.get(progress.doing, -_SILENT_SECONDS) >= _SILENT_SECONDS:
            said[progress.doing] = now
            of = f": {progress.done * 100 // progress.of} % of {progress.of // _MEGABYTE} MB" if progress.of else ""
            say(f"{progress.doing[0].upper()}{progress.doing[1:]}{of}.")

    return tell


def _data_here(config: Path | None) -> Path:
    """Return the folder that holds everything, which only the embedded engine has."""
    chosen = read_configuration(config)
    if not chosen.traits.is_one_machine:
        raise Misconfigured(
            'With `engine = "aws"` nothing that cannot be made anew is on this machine: turn on point-in-time recovery'
            " of the tables and versions of the buckets instead."
        )
    return chosen.data
