"""`webordinary show`: what there is and what happened, for people and with `--json` for programs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated

import typer

from webordinary.agent.transcript import read_transcript
from webordinary.audit.entry import Entry
from webordinary.audit.story import tell
from webordinary.audit.trail import Trail
from webordinary.cli.answer import add_held_answers
from webordinary.cli.follow import entries_as_they_come, say_entry
from webordinary.cli.history import add_to_show
from webordinary.cli.options import ConfigOption, JsonOption, LimitOption, examples, open_installation
from webordinary.cli.output import print_json, print_pairs, print_table, readable, say
from webordinary.cli.pending import pending_answers, say_what_waits
from webordinary.cli.records import (
    bounce_record,
    entry_record,
    file_record,
    job_record,
    lane_record,
    mail_record,
    schedule_record,
)
from webordinary.cli.took import say_taken, seconds_taken
from webordinary.cli.used_up import say_used, used_record
from webordinary.errors import Refused
from webordinary.jobs.job import Job, State
from webordinary.mail.outcomes import MailOutcome
from webordinary.overview import MailView, Overview
from webordinary.reply.bounces import find_dead_end

app = typer.Typer(no_args_is_help=True, help="Show lanes, jobs, mails, the trail and dead letters.")

AfterOption = Annotated[
    str | None, typer.Option("--after", metavar="ID", help="Go on behind this one, the last one shown before.")
]
LaneOption = Annotated[str | None, typer.Option("--lane", metavar="LANE", help="Only this lane, written PROJECT#USER.")]


def add_to(program: typer.Typer) -> None:
    """Give the program what shows things."""
    add_to_show(app)
    add_held_answers(app)
    program.add_typer(app, name="show")


@app.command(epilog=examples("webordinary show lanes", "webordinary show lanes --json"))
def lanes(
    *,
    config: ConfigOption = None,
    after: AfterOption = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Show at most this many.")] = 100,
    as_json: JsonOption = False,
) -> None:
    """Show lanes by their names: who owns each until when, what runs in it and how many jobs wait."""
    here = open_installation(config)
    found = here.engine.overview.lanes(here.clock.now(), after=after or "", limit=limit)
    if as_json:
        print_json([lane_record(lane) for lane in found])
        return
    rows = [(x.lane, x.owner, x.fence, x.pending, x.running, x.lease_until, x.paused) for x in found]
    columns = ("lane", "owner", "fence", "pending", "running", "lease until", "paused")
    print_table(columns, rows, "There is no lane yet; the first mail of an editor makes one.")
    _say_that_there_is_more([each.lane for each in found], limit)


@app.command(epilog=examples("webordinary show jobs", "webordinary show jobs --state failed --limit 20 --json"))
def jobs(
    *,
    config: ConfigOption = None,
    state: Annotated[State | None, typer.Option("--state", help="Only jobs in this state.")] = None,
    lane: LaneOption = None,
    after: AfterOption = None,
    limit: LimitOption = 100,
    as_json: JsonOption = False,
) -> None:
    """Show jobs, the newest first."""
    overview = open_installation(config).engine.overview
    found = overview.jobs(state=state.value if state else None, lane=lane, after=after, limit=limit)
    _print_jobs(found, "There is no such job.", limit, as_json=as_json)


@app.command(epilog=examples("webordinary show dead", "webordinary redrive JOB"))
def dead(
    *, config: ConfigOption = None, after: AfterOption = None, limit: LimitOption = 100, as_json: JsonOption = False
) -> None:
    """Show dead letters: jobs that were given up, with the reason."""
    found = open_installation(config).engine.overview.jobs(state=State.DEAD.value, after=after, limit=limit)
    _print_jobs(found, "There are no dead letters.", limit, as_json=as_json)


@app.command(epilog=examples("webordinary show bounces", "webordinary forgive scott@example.com"))
def bounces(*, config: ConfigOption = None, limit: LimitOption = 100, as_json: JsonOption = False) -> None:
    """Show mails of ours that came back, the newest first; after three for good an address is not written to."""
    here = open_installation(config)
    found = here.engine.bounces.all(limit=limit)
    if as_json:
        print_json([bounce_record(each) for each in found])
        return
    now = here.clock.now().wall_at
    lost = {x.address for x in found if find_dead_end(here.engine.bounces, x.address, now)}
    rows = [
        (
            x.bounced_at,
            x.address,
            "yes" if x.is_for_good else "no",
            "no" if x.address in lost else "yes",
            x.letter,
            x.reason,
        )
        for x in found
    ]
    columns = ("when", "address", "for good", "written to", "letter", "why")
    print_table(columns, rows, "No mail has come back.")


@app.command(epilog=examples("webordinary show schedules", "webordinary show schedules --json"))
def schedules(*, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show what is planned: changes that go live or end by themselves, the earliest first."""
    engine = open_installation(config).engine
    found = engine.schedules.all()
    if as_json:
        print_json([schedule_record(each) for each in found])
        return
    subjects = {x.job: job.subject for x in found if (job := engine.overview.job(x.job)) is not None}
    rows = [(x.at, x.phase.value, x.until, x.lane.key, subjects.get(x.job, ""), x.job) for x in found]
    print_table(("when", "what", "until", "lane", "subject", "job"), rows, "Nothing is planned.")


def _say_that_there_is_more(shown: Sequence[str], limit: int) -> None:
    if len(shown) == limit:
        say(f"There may be more: add --after {shown[-1]}, or a larger --limit.")


def _print_jobs(found: Sequence[Job], nothing: str, limit: int, *, as_json: bool) -> None:
    if as_json:
        print_json([job_record(job) for job in found])
        return
    rows = [
        (x.id, x.lane.key, _standing(x), x.received_at, x.finished_at, x.subject, x.error or x.summary) for x in found
    ]
    print_table(("job", "lane", "state", "received", "finished", "subject", "what came of it"), rows, nothing)
    _say_that_there_is_more([each.id for each in found], limit)


def _standing(job: Job) -> str:
    return f"{job.state} ({job.outcome})" if job.outcome else str(job.state)


@app.command(
    epilog=examples("webordinary show job job-1a2b3c4d5e6f", "webordinary show job job-1a2b3c4d5e6f --transcript")
)
def job(
    job_id: Annotated[str, typer.Argument(metavar="ID", help="The job.")],
    *,
    config: ConfigOption = None,
    transcript: Annotated[bool, typer.Option("--transcript", help="Print what the agent said and did.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show one job with everything that happened to it."""
    engine = open_installation(config).engine
    found = engine.overview.job(job_id)
    if found is None:
        raise Refused(f"There is no job {job_id}; `webordinary show jobs` lists them.")
    if transcript:
        _print_transcript(found, engine.inbox.read_file, as_json=as_json)
        return
    trail = engine.trail.read(job=job_id)
    if as_json:
        files = [file_record(each) for each in found.request.attachments]
        request = {"request": found.request.text, "cut": found.request.cut}
        told = {**request, "files": files, "took": seconds_taken(trail), "trail": [entry_record(x) for x in trail]}
        print_json(job_record(found) | pending_answers(engine, found) | {"used": used_record(found)} | told)
        return
    shown = job_record(found) | {"received_at": found.received_at, "finished_at": found.finished_at}
    print_pairs(shown.items())
    print_pairs([("request", found.request.text), *([("cut", found.request.cut)] if found.request.cut else [])])
    print_pairs((each.fate.value, f"{each.name} {each.problem.value}".rstrip()) for each in found.request.attachments)
    print_pairs([("took", say_taken(trail)), ("used", say_used(found))])
    for entry in trail:
        say_entry(entry)
    say_what_waits(engine, found)


def _print_transcript(job: Job, read_file: Callable[[str], bytes], *, as_json: bool) -> None:
    digest = job.journal.transcript
    if digest is None:
        raise Refused(f"{job.id} has no transcript: its agent keeps none, or has not run yet.")
    lines = read_transcript(read_file(digest))
    if as_json:
        print_json([{"who": line.who, "text": line.text} for line in lines])
        return
    for line in lines:
        print_pairs([(line.who, line.text)])


@app.command(
    epilog=examples(
        "webordinary show mail", "webordinary show mail mail-1a2b3c", "webordinary show mail mail-1a2b3c --raw > it.eml"
    )
)
def mail(
    mail_id: Annotated[str | None, typer.Argument(metavar="ID", help="One mail; all if it is left out.")] = None,
    *,
    config: ConfigOption = None,
    raw: Annotated[bool, typer.Option("--raw", help="Print the one mail as it came.")] = False,
    after: AfterOption = None,
    limit: LimitOption = 100,
    as_json: JsonOption = False,
) -> None:
    """Show mails and what became of each, the newest first; also those that were held or refused."""
    engine = open_installation(config).engine
    if mail_id is None:
        mails = engine.overview.mails(after=after, limit=limit)
        _print_mails(engine.overview, mails, "No mail has come yet.", limit, as_json=as_json)
        return
    found = engine.overview.mail(mail_id)
    if found is None:
        raise Refused(f"There is no mail {mail_id}; `webordinary show mail` lists them.")
    record = mail_record(found, _job_of(engine.overview, found))
    if raw:
        sys.stdout.buffer.write(engine.inbox.read(mail_id))
    elif as_json:
        print_json(record)
    else:
        shown = {
            "recipients": ", ".join(found.recipients),
            "received_at": found.received_at,
            "reasons": "\n".join(found.reasons),
        }
        print_pairs((record | shown).items())


@app.command(epilog=examples("webordinary show held", "webordinary release-mail mail-1a2b3c4d5e6f"))
def held(
    *, config: ConfigOption = None, after: AfterOption = None, limit: LimitOption = 100, as_json: JsonOption = False
) -> None:
    """Show mails whose senders could not be verified and were asked to confirm, the newest first."""
    overview = open_installation(config).engine.overview
    found = overview.mails(outcome=MailOutcome.HELD, after=after, limit=limit)
    _print_mails(overview, found, "No mail is held.", limit, as_json=as_json)


def _job_of(overview: Overview, mail: MailView) -> Job | None:
    """Return the job of a mail: what became of the mail is what became of that."""
    return overview.job(mail.job) if mail.job else None


def _print_mails(overview: Overview, found: Sequence[MailView], nothing: str, limit: int, *, as_json: bool) -> None:
    records = [mail_record(each, _job_of(overview, each)) for each in found]
    if as_json:
        print_json(records)
        return
    rows = [
        (mail.id, mail.received_at, mail.sender, mail.subject, record["outcome"] or mail.state, mail.job, mail.reason)
        for mail, record in zip(found, records, strict=True)
    ]
    print_table(("mail", "received", "sender", "subject", "outcome", "job", "why"), rows, nothing)
    _say_that_there_is_more([each.id for each in found], limit)


@app.command(epilog=examples("webordinary show trail", "webordinary show trail --lane amelia#scott --follow"))
def trail(
    *,
    config: ConfigOption = None,
    job_id: Annotated[str | None, typer.Option("--job", metavar="ID", help="Only what happened to this job.")] = None,
    lane: LaneOption = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until Ctrl-C.")] = False,
    before: Annotated[
        int | None, typer.Option("--before", metavar="NUMBER", min=1, help="Only what happened before this entry.")
    ] = None,
    limit: LimitOption = 100,
    as_json: JsonOption = False,
) -> None:
    """Show what happened, the newest last."""
    here = open_installation(config)
    kept, pause = here.engine.trail, here.config.traits.seconds_between_looks
    found = kept.newest(limit=limit, job=job_id, lane=lane, before=before)
    if as_json:
        print_json([entry_record(entry) for entry in found])
        return
    for entry in found:
        say(f"{readable(entry.at)}  {tell(entry)}")
    if not found and not follow:
        say("Nothing has happened yet.")
    after = found[-1].number if found else kept.last_number()
    for entry in _come(kept, after, job_id, pause) if follow else ():
        if lane in {None, entry.lane}:
            say_entry(entry)


def _come(kept: Trail, after: int, job_id: str | None, pause: float) -> Iterator[Entry]:
    def wait() -> bool:
        time.sleep(pause)
        return False

    return entries_as_they_come(kept, after=after, job=job_id, is_over=wait)
