"""`webordinary ask`: work without a mail, and waiting for what comes of it."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.actions.ask import new_request
from webordinary.cli.follow import entries_as_they_come, say_entry, wakeup_for
from webordinary.cli.options import (
    FIFTEEN_MINUTES,
    ConfigOption,
    JsonOption,
    TimeoutOption,
    examples,
    open_installation,
)
from webordinary.cli.output import print_json, say, say_error
from webordinary.cli.pending import pending_answers, say_what_waits
from webordinary.cli.records import job_record
from webordinary.clock import say_duration
from webordinary.errors import Refused
from webordinary.jobs.job import Job, State

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.interrupts.decide import InterruptRule
    from webordinary.jobs.job import NewJob

DONE, ENDED_BADLY, NOBODY_CAME, STILL_RUNS = 0, 1, 3, 4


def add_to(app: typer.Typer) -> None:
    """Give the program work without a mail."""
    app.command(
        epilog=examples(
            'webordinary ask amelia scott "We open at nine now."',
            'webordinary ask amelia scott "We open at nine now." --wait --timeout 5m',
        )
    )(ask)


def ask(
    project: Annotated[str, typer.Argument(help="The project's id.")],
    user: Annotated[str, typer.Argument(help="The editor in whose name and lane it is done.")],
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What should change, in quotation marks.")],
    *,
    wait: Annotated[bool, typer.Option("--wait", help="Show what happens and wait for the end.")] = False,
    timeout: TimeoutOption = FIFTEEN_MINUTES,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask for a change as if an editor had written a mail; nobody is answered by mail.

    With --wait the exit code says what came of it:
    0  it is done, or waits for an ok or an answer, which is said
    1  it failed, was stopped or was given up
    3  no worker came in time
    4  it still runs after that time
    """
    here = open_installation(config)
    asked, rule = new_request(here, project, user, words)
    if not wait:
        here.engine.lanes.accept(asked, here.clock.now(), ready=rule)
        _say_accepted(here, asked.id, as_json=as_json)
        return
    raise typer.Exit(accept_and_wait(here, asked, rule, timeout, as_json=as_json))


def _say_accepted(here: Installation, job: str, *, as_json: bool) -> None:
    if as_json:
        print_json(job_record(_job(here, job)))
    else:
        say(f"{job} is queued; `webordinary show job {job}` tells how it goes.")


def _job(here: Installation, job: str) -> Job:
    found = here.engine.overview.job(job)
    if found is None:
        raise Refused(f"There is no job {job} any more.")
    return found


def accept_and_wait(here: Installation, job: NewJob, rule: InterruptRule, timeout: timedelta, *, as_json: bool) -> int:
    """Put a job into its lane, tell what happens to it until it is over, and return the exit code for that."""
    before = here.engine.trail.last_number()
    here.engine.lanes.accept(job, here.clock.now(), ready=rule)
    return wait_for(here, job.id, before, timeout, as_json=as_json)


def wait_for(here: Installation, job: str, after: int, timeout: timedelta, *, as_json: bool) -> int:
    """Tell what happens to a job until it is over, and return the exit code for that."""
    ends_at = time.monotonic() + timeout.total_seconds()
    wait_a_moment = wakeup_for(here.config, _job(here, job))

    def is_over() -> bool:
        wait_a_moment()
        return not _job(here, job).state.is_live or time.monotonic() >= ends_at

    try:
        for entry in entries_as_they_come(here.engine.trail, after=after, job=job, is_over=is_over):
            if not as_json:
                say_entry(entry)
    except KeyboardInterrupt:
        say_error(f"{job} goes on; `webordinary stop {job}` would end it.")
        raise
    ended = _job(here, job)
    if as_json:
        print_json(job_record(ended) | pending_answers(here.engine, ended))
    else:
        say_what_waits(here.engine, ended)
    if ended.state.is_live:
        return explain_waiting(here, ended, timeout)
    return DONE if ended.state is State.DONE else ENDED_BADLY


def explain_waiting(here: Installation, job: Job, timeout: timedelta) -> int:
    """Say why it is not over, and what to do."""
    waited = f"After {say_duration(timeout)}"
    lane = here.engine.overview.lane(job.lane.key, here.clock.now())
    if lane and lane.paused:
        say_error(f"{waited} {job.id} still waits: {job.lane.project} is paused ({lane.paused}).")
        say_error(f"`webordinary resume {job.lane.project}` lets it go on.")
        return NOBODY_CAME
    if job.state in {State.RUNNING, State.COMMITTING} or job.attempt:
        say_error(f"{waited} {job.id} still runs; `webordinary show job {job.id}` tells how it goes.")
        return STILL_RUNS
    if lane and lane.owner and lane.running:
        say_error(f"{waited} {job.id} still waits for {lane.running}, which runs before it in {lane.lane}.")
        return STILL_RUNS
    workers = len(here.engine.overview.workers())
    say_error(f"{waited} no worker had come for {job.id} ({workers} are known); it goes on waiting.")
    say_error("Start workers with `webordinary serve` or `webordinary work`.")
    return NOBODY_CAME
