"""The daily digest: one mail to the agency about open proposals and failures; none when there is nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from webordinary.jobs.about import Errand, read_about
from webordinary.jobs.job import Outcome, State
from webordinary.mail.mime.charset import clean_line
from webordinary.mail.outcomes import MailOutcome
from webordinary.reply.held_answers import LONG, MOST_HELD
from webordinary.reply.outbox import Letter
from webordinary.routing.project import PublishRule
from webordinary.routing.route import is_postmaster
from webordinary.worker.chores.told_spending import spending_of_all, told_spending

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.proposals import Proposal
    from webordinary.overview import MailView
    from webordinary.reply.held_answers import HeldAnswer

DIGEST = "digest"
_DAY = timedelta(days=1)
_LOOKED_AT = 1000
# Shorter than any chore of another worker waits for this one.
_LONGEST_LOOK = timedelta(seconds=20)
_USED_UP = 0.9
_LINES = 30
_LONGEST = 160
_MAILS = {
    MailOutcome.HELD: "held",
    MailOutcome.QUARANTINED: "quarantined",
    MailOutcome.STRANGER: "strangers",
}


@dataclass(slots=True)
class Digest:
    """Says once a day, at an hour of the agency's own clock, what happened since the hour of the day before."""

    engine: Engine
    agency: str
    timezone: str
    hour: int
    clock: Clock
    _looked: date | None = field(default=None)

    def look(self) -> None:
        """Record today's digest when its hour has come; the second worker finds it recorded."""
        now = self.clock.now()
        here = now.wall_at.astimezone(ZoneInfo(self.timezone))
        today = here.date()
        if here.hour < self.hour or self._looked == today:
            return
        # Always the same span for the same day, so that it does not matter who looks, and when.
        until = datetime.combine(today, time(self.hour), here.tzinfo)
        facts = gather(self.engine, until - _DAY, until)
        if facts:
            letter = digest_letter(self.agency, today, facts)
            self.engine.outbox.add(letter, now)
        self._looked = today


def digest_letter(agency: str, day: date, facts: Mapping[str, str], *, mark: str = "") -> Letter:
    """Return the digest of a day; with a mark it is another one than that of the chores."""
    return Letter(f"{day.isoformat()}{mark}.{DIGEST}", DIGEST, agency, DIGEST, {"day": day.isoformat(), **facts})


def gather(engine: Engine, since: datetime, until: datetime) -> dict[str, str]:
    """Return the events of a span of time and the proposals that are open at its end; empty without either."""
    damage = engine.overview.examine(_LONGEST_LOOK).damage
    if damage is not None:
        # Nothing else can be asked for certain; this has to arrive.
        return {"damaged": _short(damage)}
    told: dict[str, list[str]] = {}
    for outcome, name in _MAILS.items():
        mails = engine.overview.mails(outcome=outcome, limit=_LOOKED_AT)
        told[name] = [_mail_line(mail) for mail in mails if since <= mail.received_at < until]
    mails = [mail for mail in engine.overview.mails(limit=_LOOKED_AT) if since <= mail.received_at < until]
    told["postmaster"] = [_mail_line(mail) for mail in mails if any(map(is_postmaster, mail.recipients))]
    told["failed"] = [_job_line(job) for job in _failed(engine) if job.finished_at and since <= job.finished_at < until]
    told["waiting"] = [_proposal_line(engine, each) for each in engine.proposals.all_open() if each.proposed_at < until]
    held = engine.held_answers.all(limit=MOST_HELD)
    told["unreleased"] = [_held_line(engine, each) for each in held if each.held_at < until - LONG]
    told["taken_back"] = [_job_line(job) for job in _taken_back(engine, since, until)]
    told["over_budget"] = list(_over_budget(engine, since, until))
    paused = [each for each in engine.overview.paused() if each.since_at < until]
    told["paused"] = [f"{each.project}: {_short(each.reason)}" for each in paused]
    returned = [each for each in engine.bounces.all(limit=_LOOKED_AT) if since <= each.bounced_at < until]
    told["unanswered"] = [f"{each.address}: {_short(each.reason)}" for each in returned]
    if any(told.values()):
        # Money alone is no reason for a mail: what is nearly spent stands above.
        told["spent"] = [told_spending(each) for each in spending_of_all(engine, until) if each.month.usd]
    return {name: _lines(lines) for name, lines in told.items() if lines}


def _failed(engine: Engine) -> Iterable[Job]:
    for state in (State.FAILED, State.DEAD):
        yield from engine.overview.jobs(state=state.value, limit=_LOOKED_AT)


def _taken_back(engine: Engine, since: datetime, until: datetime) -> Iterable[Job]:
    """Yield what editors took back by themselves where changes wait for an ok."""
    careful = {project.id for project in engine.projects.all() if project.rules.publish == PublishRule.APPROVE}
    for job in engine.overview.jobs(state=State.DONE.value, limit=_LOOKED_AT) if careful else ():
        about = read_about(job.about)
        is_undo = about is not None and about.errand is Errand.REVERT and job.outcome == Outcome.UNDONE
        if is_undo and job.lane.project in careful and job.finished_at and since <= job.finished_at < until:
            yield job


def _over_budget(engine: Engine, since: datetime, until: datetime) -> Iterable[str]:
    """Tell whose money is spent; no answer is asked for that the rest would not pay for, so it ends a little below."""
    for project in engine.projects.all():
        budget, zone = project.rules.budget, ZoneInfo(project.rules.timezone)
        for day in sorted({since.astimezone(zone).date(), until.astimezone(zone).date()}):
            spent, limit = engine.spending.spent(project.id, day), budget.usd_a_day
            if spent >= limit * _USED_UP > 0:
                yield f"{project.id}: {spent:.2f} of {limit:g} USD on {day.isoformat()}"
        today = until.astimezone(zone).date()
        if (whole := budget.usd_a_month) and (
            spent := engine.spending.month(project.id, today).usd
        ) >= whole * _USED_UP:
            yield f"{project.id}: {spent:.2f} of {whole:g} USD in {today:%Y-%m}"


def _mail_line(mail: MailView) -> str:
    subject = f": “{_short(mail.subject)}”" if mail.subject else ""
    return f"{mail.id}, {_short(mail.sender or '?')}{subject}"


def _job_line(job: Job) -> str:
    why = f" ({_short(job.error)})" if job.error else ""
    return f"{job.id}, {job.lane.key}: “{_short(job.subject)}”{why}"


def _proposal_line(engine: Engine, proposal: Proposal) -> str:
    job = engine.overview.job(proposal.id)
    subject = f": “{_short(job.subject)}”" if job else ""
    return f"{proposal.id}, {proposal.lane.key}{subject} ({proposal.proposed_at:%Y-%m-%d})"


def _held_line(engine: Engine, held: HeldAnswer) -> str:
    job = engine.overview.job(held.job)
    subject = f": “{_short(job.subject)}”" if job else ""
    return f"{held.job}, {held.lane}{subject} ({held.held_at:%Y-%m-%d})"


def _short(text: str) -> str:
    line = clean_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _lines(lines: list[str]) -> str:
    """Return at most a screen of lines, and how many more there are."""
    more = [f"+ {len(lines) - _LINES}"] if len(lines) > _LINES else []
    return "\n".join([*lines[:_LINES], *more])
