"""The brief for an agent: what it gets with a job, from the request to what was said in the thread before."""

from __future__ import annotations

import hashlib
import uuid
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from webordinary.agent.agent import Allowance, OverBudget, Question, Task
from webordinary.audit.entry import Entry, EventType
from webordinary.errors import Refused
from webordinary.jobs.job import Outcome
from webordinary.jobs.journal import Journal, Noted, Step
from webordinary.jobs.schedules import Phase
from webordinary.mail.mime.charset import clean_text
from webordinary.worker.change.carried import earlier_in_thread, whole_request
from webordinary.worker.change.everywhere import spelled_out
from webordinary.worker.change.files import lay_out, refused_names, text_for_agent
from webordinary.worker.change.till import DayTill, payer_of, spent_on
from webordinary.worker.change.whereabouts import texts_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from pathlib import Path

    from webordinary.agent.agent import Event, Report
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.repairs import Findings
    from webordinary.routing.project import Budget, Project
    from webordinary.worker.change.hired import Hired
    from webordinary.worker.run import Run
    from webordinary.workspace.checkout import Checkout

NOTES = ("WEBORDINARY.md", "CLAUDE.md")
_LONGEST_NOTES = 64 * 1024
_MARGIN = timedelta(seconds=5)
_LONGEST_MEMORY = 20
_LONGEST_SAID = 500
_LONGEST_DENIED = 2_000


@dataclass(frozen=True, slots=True)
class Brief:
    """Puts together what one run of an agent needs, and pays for it."""

    engine: Engine
    clock: Clock

    def task(self, run: Run, home: Path, hired: Hired, findings: Findings | None = None) -> Task:
        job, project, checkout = run.job, run.project, run.checkout
        earlier = earlier_in_thread(self.engine, job)
        request = whole_request(self.engine, job)
        left = self._transcript(job, earlier, hired.name)
        texts = texts_of(checkout, project)
        notes = "\n\n".join(filter(None, (hired.notes.strip(), _read_notes(checkout))))
        return Task(
            checkout=checkout.path,
            home=home,
            request=text_for_agent(replace(request, text=spelled_out(self.engine, job))),
            allowance=self.allowance(job, project, is_repair=findings is not None),
            attachments=lay_out(request, self.engine.inbox.read_file, home),
            refused=refused_names(request),
            notes=notes,
            cut=job.request.cut,
            thread_so_far=tuple(_remember(each) for each in earlier[-_LONGEST_MEMORY:]),
            thread_since=tuple(_remember(each) for each in jobs_since(earlier, left)[-_LONGEST_MEMORY:]),
            question=_open_question(earlier),
            today=_today(job, project),
            holds="\n".join(filter(None, (_holds(job), self._waits(job)))),
            said_when=job.journal.said_when,
            session=self._session(job),
            transcript=left[0] if left else None,
            knows_notes=left is not None and left[1].journal.notes_told == mark_of_notes(notes),
            texts=texts.open,
            closed=texts.closed,
            findings=findings,
            lock=checkout.lock,
        )

    def _waits(self, job: Job) -> str:
        """Tell what is planned in the thread: it is not in the files, and a newer plan takes its place."""
        plans = self.engine.schedules.all(project=job.lane.project) if job.request.references else ()
        plan = next((each for each in plans if each.thread == job.thread and each.phase is Phase.PUBLISH), None)
        if plan is None:
            return ""
        until = f" until {plan.until.isoformat()}" if plan.until else ""
        return (
            f"A change of this conversation waits for its time, from {plan.at.isoformat()}{until}, and is not in these"
            " files. If the request is about that change, make the whole of it again as it should be and add its days:"
            " that takes the place of what waits."
        )

    def _session(self, job: Job) -> str:
        """Return the thread's session, known before the agent starts: an interrupted one is resumed by it."""
        is_first = job.request.opens_thread and Step.AGENT_STARTED not in job.journal
        return self.engine.threads.begin_session(job.thread, str(uuid.uuid4()), is_first=is_first)

    def _transcript(self, job: Job, earlier: Sequence[Job], agent: str) -> tuple[bytes, Job] | None:
        """Return what the session last left behind, on whichever machine; another agent than now had another one."""
        for each in (job, *reversed(earlier)):
            if (digest := each.journal.transcript) and each.journal.session_of in {"", agent}:
                # One that was forgotten after its time is no reason to stop: the agent begins anew.
                with suppress(Refused):
                    return self.engine.inbox.read_file(digest), each
        return None

    def allowance(self, job: Job, project: Project, *, is_repair: bool = False) -> Allowance:
        """Let the agent's own time end a little before the job's, so that its work is kept by us and in peace."""
        budget = project.rules.budget
        time, turns = _left(job, budget) if is_repair else (budget.time_limit, budget.turns)
        left = job.deadline_at - self.clock.now().wall_at - _MARGIN if job.deadline_at is not None else time
        if left > timedelta(0):
            # Else the clock was set: the heartbeat stops an attempt that is really over its deadline.
            time = min(time, left)
        # An attempt that was broken off has cost something too, also when its worker could not say so any more.
        spent = spent_on(self.engine.spending, job)
        if spent >= budget.usd:
            raise OverBudget(f"the request used up {spent:.2f} USD", limit=f"{budget.usd:g} USD")
        till = DayTill(self.engine, self.clock, payer_of(job, self.today(project)), budget, spent)
        till.require_some()
        return Allowance(budget.usd - spent, turns, time, till)

    def today(self, project: Project) -> date:
        return self.clock.now().wall_at.astimezone(ZoneInfo(project.rules.timezone)).date()


def _left(job: Job, budget: Budget) -> tuple[timedelta, int]:
    """Return what the edit and earlier rounds have left of a job's time and steps; OverBudget when that is nothing."""
    time = budget.time_limit - (job.journal.worked or timedelta(0))
    turns = budget.turns - (job.journal.turns or 0)
    if time <= timedelta(0):
        raise OverBudget.of_time(Allowance(time=budget.time_limit))
    if turns <= 0:
        raise OverBudget.of_turns(Allowance(turns=budget.turns))
    return time, turns


@dataclass(slots=True)
class AgentEvents:
    """Hears one run: its events go to the trail, bounded in number."""

    engine: Engine
    clock: Clock
    job: Job
    left: int = 200

    def hear(self, event: Event) -> None:
        if self.left > 0:
            self.left -= 1
            self._tell(event)

    def _tell(self, event: Event) -> None:
        facts = {"kind": event.kind.value} | ({"usd": f"{event.usd:.4f}"} if event.usd is not None else {})
        job, now = self.job, self.clock.now().wall_at
        entry = Entry(
            EventType.AGENT_SAID,
            now,
            lane=job.lane.key,
            thread=job.thread,
            job=job.id,
            text=_said(event.text),
            facts=facts,
        )
        self.engine.trail.record(entry)


def _said(text: str) -> str:
    return clean_text(text[:_LONGEST_SAID])


def noted_of(report: Report, commit: str | None) -> list[Noted]:
    """Return what the journal keeps of a run that came to its end."""
    noted = [Journal.commit(commit or ""), Journal.summary(report.summary), Journal.stopped(report.stopped)]
    if report.question is not None:
        noted.append(Journal.question(report.question))
    if report.period is not None:
        noted.append(Journal.period(report.period))
    if report.unfound:
        noted.append(Journal.unfound(report.unfound))
    if report.undescribed:
        noted.append(Journal.undescribed(", ".join(report.undescribed)))
    if report.wants:
        noted.append(Journal.wants(report.wants))
    if report.usd:
        noted.append(Journal.usd(report.usd))
    if report.denied:
        noted.append(Journal.denied("\n".join(report.denied)[:_LONGEST_DENIED]))
    return noted


def _today(job: Job, project: Project) -> str:
    at = job.received_at.astimezone(ZoneInfo(project.rules.timezone))
    return f"The owner wrote on {at:%A, %Y-%m-%d} at {at:%H:%M}, in the time zone {project.rules.timezone}."


def _holds(job: Job) -> str:
    """Tell what is known about when the change holds: nobody has to say it again, or to write a program for it."""
    if Step.TIMED not in job.journal:
        return ""
    starts_at, ends_at = job.journal.starts_at, job.journal.ends_at
    starts = starts_at.isoformat() if starts_at else "at once"
    ends = ends_at.isoformat() if ends_at else "for good"
    return (
        f"This is known: the whole change goes live by itself ({starts}) and is taken back by itself ({ends})."
        " Change the site as it should look in between. Only if the owner clearly means other days, add those."
    )


def _open_question(earlier: Sequence[Job]) -> Question | None:
    over = [each for each in earlier if not each.state.is_live]
    return over[-1].journal.question if over and over[-1].outcome == Outcome.ASKED else None


def jobs_since(earlier: Sequence[Job], left: tuple[bytes, Job] | None) -> Sequence[Job]:
    """Return what was asked for in the thread after the job whose session goes on: another agent, or none, did it."""
    known = [each.id for each in earlier]
    return earlier[known.index(left[1].id) + 1 :] if left is not None and left[1].id in known else []


def _remember(job: Job) -> str:
    became = job.journal.summary or job.summary or (job.outcome or job.state).value
    return f"The owner wrote:\n{job.request.text.strip()}\n\nWhat became of it:\n{became}"


def mark_of_notes(notes: str) -> str:
    """Name notes as they are now."""
    return hashlib.sha256(notes.encode(errors="replace")).hexdigest()[:16]


def _read_notes(checkout: Checkout) -> str:
    """Read the project's notes for agents as they are live: what a thread has made of them nobody has agreed to yet."""
    live = checkout.live_commit()
    for name in NOTES:
        found = checkout.file_at(live, name)
        if found is not None:
            return found[:_LONGEST_NOTES].decode(errors="replace")
    return ""
