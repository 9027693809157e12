"""`webordinary serve` and `webordinary work`: the long-running commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.first_releases import FirstReleases
from webordinary.cli.follow import told_aloud
from webordinary.cli.options import ConfigOption, examples, open_installation, read_configuration
from webordinary.cli.output import print_json_line, say, say_error
from webordinary.config import Config, LogFormat, missing_repositories
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from webordinary.serve.doors import Doors


def add_to(app: typer.Typer) -> None:
    """Give the program what runs until it is stopped."""
    app.command(epilog=examples("webordinary serve", "webordinary --config /etc/webordinary.toml serve"))(serve)
    app.command(epilog=examples("webordinary work", "webordinary work --count 4", "webordinary work --healthy"))(work)


def serve(config: ConfigOption = None) -> None:
    """Run everything: the mail listener, the site server and the workers, until Ctrl-C or SIGTERM."""
    from webordinary.serve.everything import serve as serve_everything  # noqa: PLC0415 - heavy

    chosen = read_configuration(config)
    if not chosen.traits.is_one_machine:
        raise Misconfigured(
            "`serve` is for one machine. On AWS mail comes in by SES and the flow takes it from there: run `webordinary"
            " work` for workers, and `make aws-local` for all of it on your own machine."
        )

    as_json = chosen.logs.format is LogFormat.JSON

    def say_where(doors: Doors) -> None:
        if as_json:
            print_json_line(
                {
                    "level": "info",
                    "event": "listening",
                    "web": doors.web,
                    "dashboard": doors.dashboard,
                    **doors.listening,
                }
            )
            return
        say(f"Listening for mail on {doors.listening['smtp']}, showing sites on http://{doors.web}/.", "bold")
        say(f"The dashboard is on {doors.dashboard}; `webordinary dashboard` lets you in.")
        for sentence in doors.sentences:
            say(sentence)
        for project in chosen.projects:
            say(f"  {project.name}: {project.id}@{chosen.domain}")
        say(f"Starting {chosen.workers.count} workers; Ctrl-C ends everything.")

    for problem in missing_repositories(chosen):
        say_error(f"{problem} Until then every request to that project fails; the others are served.")
    first = FirstReleases(open_installation(config), aloud=not as_json)

    def begin(doors: Doors) -> None:
        say_where(doors)
        first.start()

    with told_aloud(config, as_json=as_json):
        try:
            serve_everything(chosen, begin)
        finally:
            first.close()
    if not as_json:
        say("Everything has ended.")


def work(
    count: Annotated[
        int | None,
        typer.Option("--count", metavar="N", min=1, max=1000, help="How many; else what the configuration says."),
    ] = None,
    healthy: Annotated[
        bool, typer.Option("--healthy", help="Start nothing; say whether the workers of this machine are well.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Run only workers, beside another `webordinary serve` on this machine or in a container on AWS.

    With --healthy the exit code is 0 if every worker's loop turned within the last minute and the store can be
    reached, else 1.
    """
    chosen = read_configuration(config)
    if healthy:
        _say_health(chosen)
        return
    from webordinary.serve.everything import work as run_workers  # noqa: PLC0415 - heavy

    number = count or chosen.workers.count
    with _told(chosen, config, f"Starting {number} workers; Ctrl-C ends them.", "Every worker has ended."):
        run_workers(chosen, number)


@contextmanager
def _told(chosen: Config, config: Path | None, first: str, last: str) -> Iterator[None]:
    """Say what happens, to people or as lines of JSON."""
    if not chosen.traits.has_free_looks:
        # Each look at the trail would be a request; every process logs what it writes.
        yield
        return
    as_json = chosen.logs.format is LogFormat.JSON
    if not as_json:
        say(first, "bold")
    with told_aloud(config, as_json=as_json):
        yield
    if not as_json:
        say(last)


def _say_health(config: Config) -> None:
    from webordinary.serve.worker_process import find_illness  # noqa: PLC0415 - heavy

    illness = find_illness(config)
    if illness is not None:
        say_error(illness)
        raise typer.Exit(1)
    say("The workers of this machine are well.")
