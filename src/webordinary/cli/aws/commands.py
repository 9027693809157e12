"""`webordinary aws`: what only an installation on AWS needs: onboarding, a test mail, its status and dead letters."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import make_msgid
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.audit.entry import EventType
from webordinary.audit.story import tell
from webordinary.cli.aws.doctor import checks_of_account
from webordinary.cli.aws.local import local
from webordinary.cli.aws.onboard import SecretOption, bring_in
from webordinary.cli.checks import print_checks
from webordinary.cli.follow import entries_as_they_come, say_entry
from webordinary.cli.options import (
    ConfigOption,
    JsonOption,
    examples,
    operator,
    read_configuration,
    read_duration,
)
from webordinary.cli.output import print_json, print_pairs, print_table, readable, say, say_error
from webordinary.cli.records import job_record, lane_record
from webordinary.clock import SystemClock
from webordinary.errors import Refused
from webordinary.jobs.job import State
from webordinary.mail.outcomes import ENTRY_OF
from webordinary.overview import EVERY
from webordinary.routing.lane import Lane
from webordinary.routing.project import Editor, Project
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from webordinary.audit.entry import Entry
    from webordinary.config import Config
    from webordinary.engines.aws.account.account import Account
    from webordinary.engines.aws.account.parts import Depth
    from webordinary.jobs.job import Job
    from webordinary.overview import LaneView, WorkerView


app = typer.Typer(no_args_is_help=True, help="Run an installation on AWS: onboard projects, try it, see how it is.")

ProjectArgument = Annotated[str, typer.Argument(metavar="PROJECT", help="The project's id in the configuration.")]
TimeoutOption = Annotated[
    timedelta,
    typer.Option("--timeout", metavar="DURATION", parser=read_duration, help="How long to wait for the answer."),
]
_TEN_MINUTES: timedelta = "10m"  # type: ignore[assignment]  # typer parses the default like what a person types


def add_to(program: typer.Typer) -> None:
    """Give the program what operates AWS."""
    app.command(epilog=examples("webordinary aws local", "webordinary aws local --once"))(local)
    program.add_typer(app, name="aws")


@app.command(
    epilog=examples(
        "webordinary aws onboard amelia --test",
        "webordinary aws onboard amelia --git-secret deploy.token",
        "vault read amelia-token | webordinary aws onboard amelia --git-secret -",
    )
)
def onboard(
    project: ProjectArgument,
    *,
    git_secret: SecretOption = None,
    test: Annotated[bool, typer.Option("--test", help="Send it a sample mail and wait for the answer.")] = False,
    timeout: TimeoutOption = _TEN_MINUTES,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a project's queues, rows and site, and say what is left to do by hand; repeat it after every change.

    With --git-secret the token or the key of its repository goes to the table PREFIX-secrets, where workers read it.
    """
    chosen, account = _open(config)
    wanted = _project(chosen, project)
    bring_in(chosen, account, wanted, git_secret, as_json=as_json)
    if test:
        raise typer.Exit(_try_out(chosen, account, wanted, None, timeout, as_json=as_json))


@app.command(
    "send-test-mail",
    epilog=examples(
        "webordinary aws send-test-mail amelia --wait",
        'webordinary aws send-test-mail amelia --user scott --text "We open at nine now." --wait',
    ),
)
def send_mail(
    project: ProjectArgument,
    *,
    user: Annotated[
        str | None, typer.Option("--user", metavar="USER", help="Which editor writes; the first if it is left out.")
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", metavar="WORDS", help="What the mail says; else that nothing should change.")
    ] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Show what happens and wait for the answer.")] = False,
    timeout: TimeoutOption = _TEN_MINUTES,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put a mail of an editor into the bucket as SES does, on your word, and begin its flow.

    With --wait the exit code is 0 when an answer was sent, whatever it says, and 1 when none was.
    """
    chosen, account = _open(config)
    wanted = _project(chosen, project)
    editor = _editor(wanted, user)
    if wait:
        raise typer.Exit(_try_out(chosen, account, wanted, (editor, text), timeout, as_json=as_json))
    mail = send_test_mail(account, chosen.domain, wanted, editor, text)
    if as_json:
        print_json({"mail": mail})
    else:
        say(f"The mail was taken as {mail}; `webordinary show mail {mail}` tells what became of it.")


@app.command(epilog=examples("webordinary aws doctor", "webordinary aws doctor --json"))
def doctor(*, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Check the account before and after it is deployed to: CDK, region, parts, secrets, SES; say what to do."""
    chosen, account = _open(config)
    if print_checks(checks_of_account(chosen, account), as_json=as_json):
        raise typer.Exit(1)


@app.command(epilog=examples("webordinary aws status", "webordinary aws status --json"))
def status(*, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show claims, the depths of the queues, the oldest job, workers and dead letters."""
    _, account = _open(config)
    print_status(account, as_json=as_json)


@app.command(epilog=examples("webordinary aws redrive", "webordinary aws redrive --project amelia"))
def redrive(
    *,
    project: Annotated[str | None, typer.Option("--project", metavar="ID", help="Only the lanes of this one.")] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take up the dead letters again: jobs as new jobs that name the old ones, undecided mails from their beginning."""
    from webordinary.clock import SystemClock  # noqa: PLC0415 - only here

    _, account = _open(config)
    lanes = [lane for lane in lanes_of(account) if project in {None, lane.project}]
    if project is not None and not lanes:
        raise Refused(f"There is no lane of {project}; `webordinary aws status` shows all of them.")
    done = list(account.redriving.all(lanes, operator(), SystemClock().now()))
    if as_json:
        print_json([{"queue": x.queue, "about": x.about, "fate": x.fate.value, "what": x.what} for x in done])
        return
    rows = [(x.queue, x.about, x.fate.value, x.what) for x in done]
    print_table(("queue", "about", "fate", "what came of it"), rows, "There are no dead letters.")


def lanes_of(account: Account) -> list[Lane]:
    """Return the lanes that were onboarded and those in which something has happened."""
    from webordinary.clock import SystemClock  # noqa: PLC0415 - only here

    engine = account.opened.engine
    onboarded = {Lane(project.id, editor.user) for project in engine.projects.all() for editor in project.editors}
    seen = {Lane.parse(view.lane) for view in engine.overview.lanes(SystemClock().now(), limit=EVERY)}
    return sorted(onboarded | seen)


def _open(config: Path | None) -> tuple[Config, Account]:
    from webordinary.engines.choose import open_account  # noqa: PLC0415 - heavy, and --help should be quick

    chosen = read_configuration(config)
    return chosen, open_account(chosen)


def _project(config: Config, project: str) -> Project:
    found = config.find_project(project)
    if found is None:
        known = ", ".join(each.id for each in config.projects) or "none yet"
        raise Refused(f"There is no project {project} in {config.path}; known: {known}.")
    return found


def _editor(project: Project, user: str | None) -> Editor:
    found = project.editor(user) if user else next(iter(project.editors), None)
    if found is None:
        known = ", ".join(each.user for each in project.editors) or "none yet"
        raise Refused(f"{user or 'Nobody'} is no editor of {project.id}; known: {known}.")
    return found


def _try_out(
    config: Config,
    account: Account,
    project: Project,
    given: tuple[Editor, str | None] | None,
    timeout: timedelta,
    *,
    as_json: bool,
) -> int:
    editor, text = given or (_editor(project, None), None)
    before = account.opened.engine.trail.last_number()
    mail = send_test_mail(account, config.domain, project, editor, text)
    if not as_json:
        say(f"{editor.address} has sent the mail {mail}; waiting for the answer.")
    found = wait_for_answer(account, mail, before, timeout, aloud=not as_json)
    if as_json:
        print_json({"mail": mail, "job": found.job, "answered": found.answered, "outcome": found.outcome})
    elif not found.answered:
        say_error(f"No answer has been sent: {found.outcome}.")
    return ANSWERED if found.answered else 1


ANSWERED = 0
HARMLESS = "This is a test of our website's mail address. Please change nothing."
# Each look is a request that costs something.
_LOOK_EVERY_SECONDS = 1.0
_UNANSWERED = set(ENTRY_OF.values())


@dataclass(frozen=True, slots=True)
class Waited:
    """How far a mail came: its job, whether an answer was sent, and the last that is known of it."""

    job: str | None
    answered: bool
    outcome: str


def send_test_mail(account: Account, domain: str, project: Project, editor: Editor, text: str | None) -> str:
    """Write a mail in the name of an editor and let it in; return its id."""
    message_id = make_msgid(domain=editor.address.rpartition("@")[2])
    to = f"{project.id}@{domain}"
    raw = write_mail(
        sender=editor.address,
        to=to,
        text=text or HARMLESS,
        subject="A test",
        message_id=message_id,
        written_at=datetime.now(UTC),
    )
    return account.send_mail(message_id.strip("<>"), raw, sender=editor.address, recipient=to)


def wait_for_answer(account: Account, mail: str, after: int, timeout: timedelta, *, aloud: bool) -> Waited:
    """Follow the trail of one mail and its job until it is answered, or will not be."""
    ends_at = time.monotonic() + timeout.total_seconds()
    pause = threading.Event()

    def is_over() -> bool:
        pause.wait(_LOOK_EVERY_SECONDS)
        return time.monotonic() >= ends_at

    job: str | None = None
    last: Entry | None = None
    for entry in entries_as_they_come(account.opened.engine.trail, after=after, is_over=is_over):
        if entry.mail == mail and entry.job:
            job = entry.job
        if entry.mail != mail and (job is None or entry.job != job):
            continue
        last = entry
        if aloud:
            say_entry(entry)
        if entry.what is EventType.ANSWERED or entry.what in _UNANSWERED:
            break
    answered = last is not None and last.what is EventType.ANSWERED
    return Waited(job, answered, tell(last) if last else "nothing was heard of the mail")


_MOST_DEAD = 20


def print_status(account: Account, *, as_json: bool) -> None:
    """Look once and print it."""
    overview, now = account.opened.engine.overview, SystemClock().now()
    lanes = overview.lanes(now, limit=EVERY)
    projects = account.opened.engine.projects.all()
    known = {Lane(project.id, editor.user) for project in projects for editor in project.editors}
    depths = account.parts.depths(sorted(known | {Lane.parse(view.lane) for view in lanes}))
    oldest, dead = account.oldest_job(now), overview.jobs(state=State.DEAD.value, limit=_MOST_DEAD)
    workers = overview.workers()
    if as_json:
        print_json(
            {
                "account": account.number,
                "region": account.region,
                "prefix": account.names.prefix,
                "projects": [project.id for project in projects],
                "lanes": [lane_record(view) for view in lanes],
                "queues": [{"queue": x.queue, "waiting": x.waiting, "hidden": x.hidden} for x in depths],
                "oldest_job": job_record(oldest) if oldest else None,
                "workers": [_worker_record(worker) for worker in workers],
                "dead_letters": {"jobs": [job_record(job) for job in dead], "messages": _dead(account, depths)},
            }
        )
        return
    _say_where(account, [project.id for project in projects])
    _say_lanes(lanes, workers)
    _say_queues(depths)
    _say_oldest(oldest)
    _say_dead(dead, _dead(account, depths))


def _dead(account: Account, depths: Sequence[Depth]) -> int:
    prefix = account.names.prefix
    names = (f"{prefix}-dlq-", account.names.unclaimed_dead_letters, account.names.intake_dead_letters)
    return sum(depth.waiting + depth.hidden for depth in depths if depth.queue.startswith(names))


def _worker_record(worker: WorkerView) -> dict[str, object]:
    return {"worker": worker.worker, "idle": worker.idle, "seen_at": worker.seen_at.isoformat()}


def _say_where(account: Account, projects: Sequence[str]) -> None:
    where = f"account {account.number}, region {account.region}, prefix {account.names.prefix}"
    print_pairs([("aws", where), ("projects", ", ".join(projects) or "none is onboarded")])
    say("")


def _say_lanes(lanes: Sequence[LaneView], workers: Sequence[WorkerView]) -> None:
    rows = [(x.lane, x.owner, x.fence, x.pending, x.running, x.lease_until, x.paused) for x in lanes]
    columns = ("lane", "owner", "fence", "pending", "running", "lease until", "paused")
    print_table(columns, rows, "No lane has had a job yet.")
    owned = sum(view.owner is not None for view in lanes)
    waiting = sum(view.owner is None and view.pending > 0 for view in lanes)
    idle = sum(worker.idle for worker in workers)
    say(f"{owned} lanes are owned, {waiting} wait for a worker, {idle} workers said that they wait for a lane.")
    say("")


def _say_queues(depths: Sequence[Depth]) -> None:
    rows = [(depth.queue, depth.waiting, depth.hidden) for depth in depths if depth.waiting or depth.hidden]
    if rows:
        print_table(("queue", "waiting", "being read"), rows, "")
    say(f"{len(depths)} queues, {len(depths) - len(rows)} of them empty.")
    say("")


def _say_oldest(oldest: Job | None) -> None:
    if oldest is None:
        say("No job waits or runs.")
    else:
        say(f"The oldest job is {oldest.id} in {oldest.lane}, {oldest.state}, since {readable(oldest.received_at)}.")


def _say_dead(dead: Sequence[Job], messages: int) -> None:
    if not dead and not messages:
        say("There are no dead letters.")
        return
    rows = [(job.id, job.lane.key, job.finished_at, job.error) for job in dead]
    print_table(("dead job", "lane", "since", "reason"), rows, "No job was given up.")
    if messages:
        say(f"{messages} dead letters lie in queues; `webordinary aws redrive` takes them up again.")
