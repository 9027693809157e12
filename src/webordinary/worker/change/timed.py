"""Timed changes: from when until when a request holds, and what a job leaves behind for those moments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypedDict
from zoneinfo import ZoneInfo

from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.lines import TroubleLine, write_line
from webordinary.jobs.schedules import Phase, Schedule, schedule_id
from webordinary.mail.when import Misread, Span, Trouble, judge_span, read_span
from webordinary.reply.language import detect_language
from webordinary.worker.change.left import LEFT

if TYPE_CHECKING:
    from webordinary.jobs.job import Job
    from webordinary.jobs.reported import Period
    from webordinary.routing.project import Project
    from webordinary.worker.run import Run

WHICH_DATE = "which_date"
TOLD = (Journal.changes, *LEFT, Journal.preview)
# A person who writes a last minute means the end of it.
_SAME = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Timing:
    """Finds out when a job's change holds, once: the next attempt reads the journal."""

    run: Run

    def find_moments(self) -> Ending | None:
        """Write the moments of the job into its journal; return a question when they cannot be kept."""
        job = self.run.job
        if Step.TIMED in job.journal:
            return None
        found = read_span(job.request.text, job.received_at, self._zone, languages_of(job, self.run.project))
        return self._note(self._beside_plan(found))

    @property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.run.project.rules.timezone)

    def _beside_plan(self, found: Span | Misread | None) -> Span | Misread | None:
        """Let an end alone keep the beginning of what waits in the thread: nobody wants it live before that."""
        job = self.run.job
        if not isinstance(found, Span) or found.starts_at is not None or not job.request.references:
            return found
        plans = self.run.engine.schedules.all(project=job.lane.project)
        starts = [plan.at for plan in plans if plan.thread == job.thread and plan.phase is Phase.PUBLISH]
        if not starts:
            return found
        if found.ends_at is not None and found.ends_at <= max(starts):
            return Misread(Trouble.BACKWARDS, found.said)
        return Span(max(starts), found.ends_at, found.said)

    def believe(self, period: Period | None) -> Ending | None:
        """Take the agent's word for what we have not read; where both say something else, the owner is asked.

        So our reading never lets a change begin earlier or last longer than the agent has understood it.
        """
        if period is None:
            return None
        job, zone = self.run.job, self._zone
        theirs = read_period_of(period, job.received_at, zone)
        if Step.TIMED not in job.journal:
            return self._note(self._beside_plan(theirs))
        if isinstance(theirs, Misread):
            return ask_for_date(theirs)
        ours = moments_of(job)
        told: Moments = {"starts_at": theirs.starts_at, "ends_at": theirs.ends_at} if theirs else _AT_ONCE_FOR_GOOD
        if not (_agrees(ours["starts_at"], told["starts_at"]) and _agrees(ours["ends_at"], told["ends_at"])):
            return ask_about_both(job, ours, told, zone)
        starts_at, ends_at = ours["starts_at"] or told["starts_at"], ours["ends_at"] or told["ends_at"]
        return self._note(Span(starts_at, ends_at, job.journal.said_when))

    def _note(self, found: Span | Misread | None) -> Ending | None:
        """Write the moments down in the owner's own time."""
        if isinstance(found, Span) and found.ends_at is not None and found.ends_at <= self.run.now.wall_at:
            # It waited for a worker until its time was over.
            found = Misread(Trouble.PAST, found.said)
        if found is None:
            return None
        if isinstance(found, Misread):
            return ask_for_date(found)
        request = self.run.job.request
        moments = ((Journal.starts_at, found.starts_at), (Journal.ends_at, found.ends_at))
        self.run.journal(
            Step.TIMED,
            *(fact(at.astimezone(self._zone)) for fact, at in moments if at is not None),
            Journal.said_when(found.said if found.said in request.text else ""),
            Journal.timed_for(request.reply_to or ""),
        )
        return None

    def inherit(self, asked: Job) -> None:
        """Take over the moments of what another job has asked for."""
        known = asked.journal
        if Step.TIMED in self.run.job.journal or Step.TIMED not in known:
            return
        moments = ((Journal.starts_at, known.starts_at), (Journal.ends_at, known.ends_at))
        self.run.journal(
            Step.TIMED,
            *(fact(at) for fact, at in moments if at is not None),
            *([Journal.timed_for(known.timed_for)] if known.timed_for else []),
            Journal.timed_job(known.timed_job or asked.id),
        )

    def resume(self, schedule: Schedule) -> None:
        """Take over what was planned, now that its moment has come."""
        if Step.TIMED in self.run.job.journal:
            return
        ends = [Journal.ends_at(schedule.until)] if schedule.until is not None else []
        owner, asked_by = Journal.timed_for(schedule.reply_to or ""), Journal.timed_job(schedule.job)
        self.run.journal(Step.TIMED, owner, asked_by, *ends)


def read_period_of(period: Period, now: datetime, zone: ZoneInfo) -> Span | Misread | None:
    """Return what an agent's dates mean; a day at the end counts to its end, as with people."""
    said = " … ".join(filter(None, (period.starts, period.ends)))
    try:
        starts_at = _read_moment(period.starts, zone, at_end=False)
        ends_at = _read_moment(period.ends, zone, at_end=True)
    except (ValueError, OverflowError):
        return Misread(Trouble.IMPOSSIBLE, said)
    begins_today = starts_at is not None and starts_at.astimezone(zone).date() == now.astimezone(zone).date()
    return judge_span(starts_at, ends_at, now, said, begins_today=begins_today)


def _read_moment(text: str, zone: ZoneInfo, *, at_end: bool) -> datetime | None:
    if not text:
        return None
    at = datetime.fromisoformat(text)
    if at_end and len(text) == len("2026-12-24"):
        at += timedelta(days=1)
    return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)


def languages_of(job: Job, project: Project) -> tuple[str, ...]:
    """Return in which languages a mail is likely to say when."""
    return tuple(filter(None, (detect_language(job.request.text), project.rules.language)))


def _agrees(ours: datetime | None, theirs: datetime | None) -> bool:
    """Tell whether the agent says the same, or something that we have not read."""
    if ours is None or theirs is None:
        return ours is None
    return abs(ours - theirs) <= _SAME


class Moments(TypedDict):
    """From when until when, as a wish takes it."""

    starts_at: datetime | None
    ends_at: datetime | None


_AT_ONCE_FOR_GOOD: Moments = {"starts_at": None, "ends_at": None}


def moments_of(job: Job) -> Moments:
    """Return from when until when a job's change holds."""
    return {"starts_at": job.journal.starts_at, "ends_at": job.journal.ends_at}


def split_request(text: str, job: Job) -> tuple[str, tuple[str, ...]]:
    """Return the request without the words about its time, and those: they may stand on the site, but need not."""
    said = job.journal.said_when
    return (text.replace(said, " ", 1), (said,)) if said else (text, ())


def times_told(journal: Journal) -> dict[str, str]:
    """Return the facts with which an answer says from when until when."""
    told = {"starts": journal.starts_at, "ends": journal.ends_at}
    return {name: at.isoformat() for name, at in told.items() if at is not None}


def ask_for_date(wrong: Misread) -> Ending:
    """End with the question which date is meant; nothing was changed."""
    return _asked(TroubleLine(wrong.trouble.value, " ".join(wrong.said.split())), wrong.said)


def _asked(line: TroubleLine, error: str) -> Ending:
    facts = {"trouble": write_line(line)}
    summary = f"{line.trouble}: {error}"
    return Ending(State.DONE, Outcome.ASKED, summary=summary, template=WHICH_DATE, facts=facts)


def ask_about_both(job: Job, ours: Moments, theirs: Moments, zone: ZoneInfo) -> Ending:
    """End with the question which of two times is meant, each told on the owner's own clock."""
    whiles = tuple((_on(each["starts_at"], zone), _on(each["ends_at"], zone)) for each in (ours, theirs))
    said = " ".join((job.journal.said_when or job.subject).split())
    told = " ".join(at for each in whiles for at in each)
    return _asked(TroubleLine(Trouble.DIFFERS.value, said, whiles), f"{said}: {told}")


def _on(at: datetime | None, zone: ZoneInfo) -> str:
    return at.astimezone(zone).isoformat() if at else ""


def end_of(job: Job) -> Schedule | None:
    """Return the moment at which what a job has published is taken back."""
    at = job.journal.ends_at
    if at is None or not job.commit:
        return None
    return _schedule(job, Phase.REVERT, at, job.commit)


def planned_end(job: Job) -> Ending:
    """End with the moment of a change that is kept; from the journal alone."""
    at = job.journal.starts_at
    if at is None:
        raise AssertionError(f"{job.id} keeps a change for no moment")
    summary = job.journal.summary
    facts = {"summary": summary} | job.journal.told(*TOLD)
    schedule = _schedule(job, Phase.PUBLISH, at, job.journal.kept_commit)
    return Ending(
        State.DONE,
        Outcome.SCHEDULED,
        summary=summary,
        template="scheduled",
        facts=facts | times_told(job.journal),
        schedules=(schedule,),
    )


def missed(job: Job) -> Ending:
    """End without publishing: the while was over before anybody could."""
    return Ending(State.DONE, Outcome.NOTHING_CHANGED, template="missed", facts=times_told(job.journal))


def _schedule(job: Job, phase: Phase, at: datetime, about: str) -> Schedule:
    return Schedule(
        schedule_id(job.id, phase),
        job.thread,
        job.lane,
        phase,
        at,
        about,
        job.journal.timed_job or job.id,
        job.journal.timed_for or job.request.reply_to,
        until=job.journal.ends_at if phase is Phase.PUBLISH else None,
        receipt=job.journal.mark,
    )
