"""A job's story: everything that its page tells, gathered once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.story.chain import TAKES_BACK, ChainLink, chain_of
from webordinary.dashboard.story.difference import CommitDifference, difference_of
from webordinary.dashboard.story.excerpt import ShownText, end_of
from webordinary.dashboard.story.files import Scenery, ShownFile, scenes_of, shown_files
from webordinary.dashboard.story.findings import FindingGroup, findings_of, receipt_of
from webordinary.dashboard.story.for_clients import is_unread, job_for
from webordinary.dashboard.story.letters import SentLetter, is_for_agency, letters_of
from webordinary.dashboard.story.standing import StandingFact, where_it_stands
from webordinary.dashboard.story.steps import StepPage, newest_steps
from webordinary.dashboard.story.talk import TranscriptPage, talk_of
from webordinary.errors import WebOrdinaryError
from webordinary.jobs.job import Outcome, State

if TYPE_CHECKING:
    from datetime import timedelta

    from webordinary.engine import Engine
    from webordinary.engines.installation import Installation
    from webordinary.jobs.job import Job
    from webordinary.overview import MailView
    from webordinary.routing.project import Project


@dataclass(frozen=True, slots=True)
class JobStory:
    """What is known of a job; what only the agency sees is empty for a client."""

    job: Job
    project: Project | None
    mail: MailView | None
    standing: list[StandingFact]
    files: list[ShownFile]
    steps: StepPage
    talk: TranscriptPage
    change: CommitDifference | None
    receipt: list[str]
    scenes: list[Scenery]
    log: ShownText | None
    findings: list[FindingGroup]
    letters: list[SentLetter]
    # Whether its answer waits for the agency's eye.
    chain: list[ChainLink]
    preview: str
    live: str

    @property
    def took(self) -> timedelta | None:
        ends = self.job.finished_at
        return ends - self.job.received_at if ends else None

    @property
    def usd(self) -> float:
        return self.job.journal.spent or self.job.journal.usd or 0.0

    @property
    def is_running(self) -> bool:
        return self.job.state is State.RUNNING

    @property
    def undone_by(self) -> list[ChainLink]:
        return [link for link in self.chain if link.relation == TAKES_BACK and link.job.outcome is Outcome.UNDONE]

    @property
    def is_live_change(self) -> bool:
        return self.job.outcome in {Outcome.PUBLISHED, Outcome.UNDONE}


def tell_story(here: Installation, job: Job, *, to_agency: bool) -> JobStory:
    """Gather what somebody may see of a job."""
    engine = here.engine
    steps = newest_steps(engine.trail, job.id, to_agency=to_agency, is_unread=is_unread(engine, job))
    job = job_for(engine, job, to_agency=to_agency)
    letters = letters_of(engine.outbox, job.id, steps.entries)
    project = engine.projects.find(job.lane.project)
    standing = where_it_stands(engine, job, here.clock.now(), to_agency=to_agency)
    return JobStory(
        job=job,
        project=project,
        mail=engine.overview.mail(job.mail) if job.mail else None,
        standing=[each for each in standing if to_agency or not each.for_agency],
        files=shown_files(job),
        steps=steps,
        talk=talk_of(engine.inbox, job, steps.entries) if to_agency else TranscriptPage(()),
        change=difference_of(here, job) if to_agency else None,
        receipt=receipt_of(job),
        scenes=scenes_of(job),
        log=_log(engine, job) if to_agency else None,
        findings=findings_of(job, steps.entries) if to_agency else [],
        letters=[each for each in letters if to_agency or not is_for_agency(each.kind, each.to, here.config)],
        chain=chain_of(engine.overview, job),
        preview=job.journal.preview,
        live=here.live_address(project) if project else "",
    )


def _log(engine: Engine, job: Job) -> ShownText | None:
    """Return the end of what the last build said; None when there was none, or it is no longer kept."""
    if not job.journal.build_log:
        return None
    try:
        return end_of(engine.inbox.read_file(job.journal.build_log))
    except WebOrdinaryError:
        return None
