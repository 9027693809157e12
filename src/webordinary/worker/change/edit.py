"""The edit: checkout, agent, commit, build, preview, publish; each step is journaled and never done twice."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from webordinary.errors import BuildFailed, Interrupted, Refused, WebOrdinaryError
from webordinary.jobs.about import About, Errand, first_asked, read_about
from webordinary.jobs.job import Ending, Job, Kind, Outcome, State
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.proposals import Standing
from webordinary.jobs.reported import WhyStopped
from webordinary.jobs.schedules import Phase, timed_name
from webordinary.reply.outbox import Letter
from webordinary.routing.project import fold_address
from webordinary.worker.attempt import Work, work_after
from webordinary.worker.change.agent_runs import AgentRuns
from webordinary.worker.change.beyond import BeyondLimits, find_in_change
from webordinary.worker.change.brief import noted_of
from webordinary.worker.change.carried import earlier_in_thread, whole_request
from webordinary.worker.change.conflicted import Conflicts
from webordinary.worker.change.errands import Errands
from webordinary.worker.change.examine import Leaked
from webordinary.worker.change.eyes import Onlooker
from webordinary.worker.change.from_git import is_gone
from webordinary.worker.change.plans import Plans
from webordinary.worker.change.repair import Repairs
from webordinary.worker.change.stopped_short import ask_about_files, ending_without_change
from webordinary.worker.change.timed import WHICH_DATE, Timing, moments_of
from webordinary.worker.change.to_mend import ToMend, findings_of
from webordinary.worker.change.whereabouts import Whereabouts
from webordinary.worker.change.wish import wish_of
from webordinary.worker.heartbeat import AskedToStop
from webordinary.worker.run import Run
from webordinary.workspace.access import Access
from webordinary.workspace.checkout import MergeConflict
from webordinary.workspace.mirror import BranchGone

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.jobs.repairs import Findings
    from webordinary.ownership.claim import Claim
    from webordinary.routing.project import Project
    from webordinary.worker.change.hired import Hired
    from webordinary.worker.change.publish import Publish
    from webordinary.worker.heartbeat import AttemptControl
    from webordinary.workspace.checkout import Checkout, Workspace


def branch_of(engine: Engine, job: Job) -> str:
    """Return the branch's name.

    An undo has its own, because its thread's may hold what waits for an ok; a timed change has one too, in which also
    an ok works that it turned out to need.
    """
    match read_about(job.about):
        case About(Errand.REVERT, _):
            return job.id
        case About(Errand.SCHEDULE, name):
            schedule = engine.schedules.find(name)
            return schedule.name if schedule else timed_name(name)
        case About(Errand.APPROVE, proposal):
            proposed = engine.overview.job(proposal)
            return branch_of(engine, proposed) if proposed else job.thread
        case _:
            return job.thread


def still_allowed(engine: Engine, agency: str | None, job: Job) -> Project:
    """Return the project of the job; Refused when the person who asked was removed since the mail came."""
    project = engine.projects.find(job.lane.project)
    if project is None:
        raise Refused(f"the project {job.lane.project} is no longer configured")
    if job.state != State.COMMITTING and not _may(engine, agency, job, project):
        # What may be live already is settled first, also if its editor has left since.
        raise Refused(f"{job.request.reply_to or job.lane.user} may no longer edit {project.id}")
    return project


def _may(engine: Engine, agency: str | None, job: Job, project: Project) -> bool:
    address, about = job.request.reply_to, read_about(job.about)
    if about is not None and about.name.endswith(f".{Phase.REVERT}"):
        # What was meant for a while ends, also if its editor has left since.
        return True
    if address is None:
        return project.editor(job.lane.user) is not None
    if about is None or about.errand != Errand.APPROVE:
        return project.editor_by_address(address) is not None
    proposal = engine.proposals.find(job.thread)
    if proposal is not None and proposal.for_agency:
        return agency is not None and fold_address(address) == fold_address(agency)
    # Who approves need not edit; the agency always may.
    return project.may_approve(address, agency)


def follow_up(engine: Engine, job: Job, ending: Ending, now: Moment) -> None:
    """Close an earlier proposal before the end is recorded; each letter has its name and is written only once."""
    # Only what begins no thread can find one there; for all others the question would be a request for nothing.
    may_have = ending.outcome == Outcome.PROPOSED or (ending.outcome == Outcome.PUBLISHED and job.request.references)
    before = engine.proposals.find(job.thread) if may_have else None
    if before is None or before.standing != Standing.OPEN or before.id == job.id:
        return
    if ending.outcome == Outcome.PUBLISHED:
        # A thread goes live as a whole: nobody may be reminded of what is live already.
        engine.proposals.close(before, Standing.APPROVED, job.request.reply_to or job.lane.user, now)
        return
    asked = first_asked(engine.overview.job(before.id), engine.overview.job)
    asker, by = asked.request.reply_to if asked else None, job.request.reply_to
    if asker and by and fold_address(asker) != fold_address(by):
        letter = Letter(f"{before.id}.replaced", "replaced", asker, "replaced", {"by": by}, job=before.id)
        engine.outbox.add(letter, now)


_log = logging.getLogger(__name__)

# The thread waits for a person, and whatever comes next may run elsewhere.
_GOES_ON = {Outcome.PROPOSED, Outcome.ASKED, Outcome.SCHEDULED}
_CAME_TO_NOTHING = {Standing.WITHDRAWN, Standing.EXPIRED}


@dataclass(frozen=True, slots=True)
class Edit:
    """What a worker does with a job of a website."""

    engine: Engine
    workspace: Workspace
    agent_of: Callable[[Project], Hired]
    publish: Publish
    clock: Clock
    scratch: Path
    agency: str | None = None
    # Whether another machine may go on with a thread, which then has to find its work at the remote.
    shares_threads: bool = False

    def run(self, claim: Claim, job: Job, pulse: AttemptControl) -> Ending:
        project = still_allowed(self.engine, self.agency, job)
        # Somebody may have tidied up behind us.
        self.scratch.mkdir(parents=True, exist_ok=True)
        try:
            checkout = self._open(job, project)
        except BranchGone:
            if self.engine.sites.live(project.id) is None:
                # There never was one: somebody has to configure another one, or push the first version.
                raise
            return self._without_branch(claim, job, project, pulse)
        with checkout:
            run = Run(self.engine, self.clock, claim, job, project, checkout, pulse)
            # A commit that may be live is settled first: nothing else must keep it from that.
            if job.state != State.COMMITTING:
                self._drop_stopped(run)
                self._bring_in_live(run)
            return self._run(run)

    def _open(self, job: Job, project: Project) -> Checkout:
        return self.workspace.open_checkout(
            project.id,
            Access(project.repository, project.git, self.engine.secrets),
            project.branch,
            job.lane.user,
            branch_of(self.engine, job),
            merge=False,
        )

    def _without_branch(self, claim: Claim, job: Job, project: Project, pulse: AttemptControl) -> Ending:
        """Wait for the live branch that somebody has deleted; what may be live is settled first."""
        if job.state == State.COMMITTING:
            settled = self.publish.settle_without_branch(claim, job, project, pulse)
            if settled is not None:
                return self._told(job, settled)
            self.engine.attempts.reopen(claim, job, "the live branch is gone", self.clock.now())
            pulse.reopen()
        raise is_gone(project)

    def _bring_in_live(self, run: Run) -> None:
        """Begin with what is live, after what came from git; what was planned long ago tells of conflicts itself."""
        self.publish.from_git.catch_up_early(run)
        if run.job.kind == Kind.SCHEDULED:
            return
        conflicts = Conflicts(self.engine, self.clock)
        try:
            run.checkout.merge_seen_live()
        except MergeConflict as conflict:
            if conflicts.may_begin_anew(run.job):
                conflicts.begin_anew(run.job, partial(self._leave_aside, run), run.checkout.live_commit())
            elif not self._is_for_agent(run, conflict):
                raise

    def _is_for_agent(self, run: Run, conflict: MergeConflict) -> bool:
        """Tell whether the agent joins both when its edit is made, instead of a person who is asked now."""
        findings = findings_of(conflict) if read_about(run.job.about) is None else None
        return findings is not None and self._repairs(run).may_mend(run, findings)

    def _run(self, run: Run) -> Ending:
        job, checkout = run.job, run.checkout
        self._drop_withdrawn(run)
        began = job.journal.began or checkout.tip
        run.journal(Step.CHECKED_OUT, Journal.branch(checkout.branch), Journal.began(began), may_wait=True)
        if job.state == State.COMMITTING:
            settled = self.publish.settle(run)
            if settled is not None:
                return self._told(run.job, settled)
            run.reopen("its commit is not live")
            self.publish.from_git.catch_up_early(run)
        try:
            ending = self._carry_out(run)
            self._refuse_without_agency(ending)
            if ending.outcome == Outcome.NOTHING_CHANGED or ending.template == WHICH_DATE:
                self._leave_aside(run, job.id, began)
            if ending.outcome in _GOES_ON:
                # It may wait for days, and must survive the loss of this machine.
                self._keep_at_remote(run)
            return self._told(run.job, ending)
        except Interrupted as stopped:
            checkout.set_aside(f"Unfinished: {job.subject or job.id}")
            asked = self._who_asked(run, stopped)
            self._put_away(run, work_after(asked), began)
            raise asked from stopped
        except WebOrdinaryError as problem:
            self._put_away(run, work_after(problem), began)
            raise

    def _put_away(self, run: Run, work: Work, began: str) -> None:
        """Do with the work in the folder what an error means for it."""
        job, checkout = run.job, run.checkout
        if work in {Work.WAITS, Work.IN_VAIN}:
            said = "Unfinished" if work is Work.WAITS else "Not published"
            checkout.set_aside(f"{said}: {job.subject or job.id}")
        if work in {Work.WAITS, Work.GOES_ON}:
            self._share(run)
        if work in {Work.IN_VAIN, Work.CALLED_OFF}:
            self._leave_aside(run, job.id, began)

    def _leave_aside(self, run: Run, name: str, began: str) -> None:
        """Let the thread go on as it was before; at the remote too, for else it would go on with the rest after all."""
        if run.checkout.leave_aside(name, began):
            self._push_thread(run)

    def _drop_stopped(self, run: Run) -> None:
        """Begin without what the request before had begun, if somebody stopped it while it waited for its turn."""
        job, checkout = run.job, run.checkout
        is_new = Journal.began not in job.journal and read_about(job.about) is None
        earlier = earlier_in_thread(self.engine, job) if is_new and job.request.references else []
        if not earlier or earlier[-1].state is not State.STOPPED or read_about(earlier[-1].about) is not None:
            return
        stopped, proposal = earlier[-1], self.engine.proposals.find(job.thread)
        is_proposed = proposal is not None and proposal.id == stopped.id
        if stopped.journal.began and not is_proposed and checkout.has(stopped.journal.began):
            self._leave_aside(run, stopped.id, stopped.journal.began)

    def _drop_withdrawn(self, run: Run) -> None:
        """Begin with what is live if the last proposal came to nothing: it must not go live with the next."""
        job, checkout = run.job, run.checkout
        is_new = Journal.began not in job.journal and job.state != State.COMMITTING and not job.request.opens_thread
        proposal = self.engine.proposals.find(job.thread) if is_new else None
        if proposal is not None and proposal.standing in _CAME_TO_NOTHING and checkout.has(proposal.commit):
            self._leave_aside(run, proposal.id, checkout.live_commit())

    def _carry_out(self, run: Run) -> Ending:
        if Step.KEPT in run.job.journal:
            return Plans(run).put_aside()
        if read_about(run.job.about) is not None:
            return self._run_errand(run)
        ending = (
            ask_about_files(self.engine, run.job)
            or Plans(run).move_by_words(self.publish.address_of(run.project))
            or Timing(run).find_moments()
        )
        if ending is not None:
            return ending
        if not _is_edited(run.job, run.checkout):
            self._edited(run)
        self._whereabouts.look_again(run, lambda: self.publish.candidates.live_index(run))
        return self._mended(run)

    def _run_errand(self, run: Run) -> Ending:
        errands = Errands(self.engine, self.publish, self.clock)
        match read_about(run.job.about):
            case About(Errand.APPROVE, proposal):
                return errands.approve(run, proposal)
            case About(Errand.REVERT, commit):
                return errands.undo(run, commit)
            case About(Errand.ROLLBACK, commit):
                return errands.roll_back(run, commit)
            case About(Errand.SCHEDULE, schedule):
                return errands.keep_time(run, schedule)
            case About(Errand.FROM_GIT, _):
                # What every job begins with is all of this one.
                is_released = bool(run.job.journal.git_released)
                return Ending(State.DONE, Outcome.PUBLISHED if is_released else Outcome.NOTHING_CHANGED)
            case _:
                raise AssertionError(f"{run.job.id} is about {run.job.about}, which nobody knows how to do")

    def _told(self, job: Job, ending: Ending) -> Ending:
        errands = Errands(self.engine, self.publish, self.clock)
        match read_about(job.about):
            case About(Errand.APPROVE, _):
                errands.tell_owner(job, ending)
            case About(Errand.REVERT, commit):
                errands.forget_end(job, ending, commit)
            case None:
                ending = self._whereabouts.tell(job, ending)
                follow_up(self.engine, job, ending, self.clock.now())
            case _:
                pass
        return ending

    @property
    def _whereabouts(self) -> Whereabouts:
        return Whereabouts(self.engine, self.clock, self.agency)

    def _share(self, run: Run) -> None:
        if self.shares_threads:
            self._keep_at_remote(run)

    def _keep_at_remote(self, run: Run) -> None:
        """Keep the thread's committed work at the remote; without that only this machine can go on with it."""
        if run.checkout.is_ahead:
            self._push_thread(run)

    def _push_thread(self, run: Run) -> None:
        try:
            run.checkout.push_thread(lane=run.claim.lane.key, fence=run.claim.fence, job=run.job.id)
        except (WebOrdinaryError, OSError):
            # The work is not lost: another machine does it again, this one goes on with it.
            _log.warning("the branch of %s could not be shared", run.job.id, exc_info=True)

    def _who_asked(self, run: Run, stopped: Interrupted) -> AskedToStop:
        """Find out what becomes of the job: its unfinished work waits on the branch only if it will be resumed."""
        if isinstance(stopped, AskedToStop):
            return stopped
        if (asked := run.pulse.who_asked()) is not None:
            return asked
        interrupt = self.engine.claims.beat(run.claim, run.job.id, run.now).interrupt
        return AskedToStop(interrupt.why, interrupt.by) if interrupt else AskedToStop(None, "somebody")

    def _edited(self, run: Run) -> None:
        """Let the agent edit, unless it did and only its record is missing because its worker died."""
        agents, commit = self._agents(run.project), run.checkout.commit_of(run.job.id)
        if commit is None:
            report, used_up = agents.let_edit(run)
            noted = [*noted_of(report, agents.commit(run)), *used_up]
        else:
            noted = [Journal.commit(commit), Journal.summary(""), Journal.stopped(WhyStopped.DONE)]
        # Where its change goes live, that is written with the right to publish, which comes next.
        run.journal(Step.EDITED, *noted, *agents.used(run), may_wait=True)

    def _agents(self, project: Project) -> AgentRuns:
        onlooker = Onlooker(self.publish.candidates, self.publish.pictures)
        return AgentRuns(self.engine, self.clock, self.agent_of(project), self.scratch, onlooker)

    def _repairs(self, run: Run) -> Repairs:
        return Repairs(self._agents(run.project), self._share, self._leave_aside)

    def _mended(self, run: Run) -> Ending:
        """Bring the change live; what the agent can mend goes back to it first, as often as the project allows."""
        repairs = self._repairs(run)
        repairs.stay_back(run)
        while True:
            try:
                ending = self._bring_live(run, partial(repairs.wants, run))
            except (BeyondLimits, BuildFailed, Leaked, MergeConflict, ToMend) as problem:
                if not repairs.go_on(run, problem):
                    raise
            else:
                if ending.outcome != Outcome.NOTHING_CHANGED or not repairs.take_back(run):
                    return ending

    def _bring_live(self, run: Run, may_mend: Callable[[Findings], bool]) -> Ending:
        ending = ending_without_change(self.engine, run.job) or Timing(run).believe(run.job.journal.period)
        if ending is not None:
            return ending
        run.checkout.merge_seen_live()  # A job to settle came in without: what others did since is not its change.
        if not run.checkout.differs_from_live():
            moved = Plans(run).move_as_timed(self.publish.address_of(run.project))
            summary = run.job.journal.summary
            return moved or Ending(State.DONE, Outcome.NOTHING_CHANGED, summary=summary, template="nothing_changed")
        job, beyond = run.job, self._beyond(run)
        wish = replace(
            wish_of(self.engine, job),
            summary=job.journal.summary,
            beyond=beyond,
            may_mend=may_mend,
            **moments_of(job),
        )
        return self.publish.run(run, wish)

    def _beyond(self, run: Run) -> str:
        problem = find_in_change(whole_request(self.engine, run.job), run.checkout, run.project)
        if problem and self.agency is None:
            raise BeyondLimits(str(problem), problem.reason)
        return problem.reason if problem else ""

    def _refuse_without_agency(self, ending: Ending) -> None:
        """End a change that only the built site has shown to be for the agency, where there is none to ask."""
        if self.agency is None and ending.proposal is not None and ending.proposal.for_agency:
            reason = ending.proposal.reason
            raise BeyondLimits(f"the agency would have to look at it ({' '.join(reason.split())})", reason)


def _is_edited(job: Job, checkout: Checkout) -> bool:
    """Tell whether the agent's work is there; the journal alone is not enough when the machine lost its folder."""
    if Step.EDITED not in job.journal:
        return False
    commit = job.journal.commit
    return not commit or checkout.has(commit)
