"""One run of an agent in a checkout: its brief, its child, its money and what its session leaves behind."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import LostOwnership
from webordinary.jobs.journal import Journal, Step
from webordinary.worker.change.authorship import authorship
from webordinary.worker.change.brief import AgentEvents, Brief, mark_of_notes
from webordinary.worker.change.carried import whole_request
from webordinary.worker.change.eyes import noted_looks
from webordinary.worker.change.files import brought_paths
from webordinary.worker.change.till import noted_at_begin, noted_at_end
from webordinary.workspace.leaving import named_folder

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.agent.agent import Agent, Report, Task
    from webordinary.child import Child
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.journal import Noted
    from webordinary.jobs.repairs import Findings
    from webordinary.worker.change.eyes import Onlooker, SiteEyes
    from webordinary.worker.change.hired import Hired
    from webordinary.worker.run import Run


@dataclass(frozen=True, slots=True)
class AgentRuns:
    """Lets an agent edit, and commits what it did."""

    engine: Engine
    clock: Clock
    hired: Hired
    scratch: Path
    onlooker: Onlooker

    @property
    def agent(self) -> Agent:
        return self.hired.agent

    def let_edit(self, run: Run, findings: Findings | None = None) -> tuple[Report, list[Noted]]:
        """Run the agent to its end and note what it used up; with findings it goes on in the session of its edit."""
        before, began = (run.job.journal if findings else Journal()), self.clock.now()
        report = self._run(run, findings)
        worked = timedelta(seconds=self.clock.now().boot - began.boot)
        return report, [
            Journal.worked((before.worked or timedelta(0)) + worked),
            Journal.turns((before.turns or 0) + (report.turns or 0)),
        ]

    def _run(self, run: Run, findings: Findings | None) -> Report:
        with named_folder(self.scratch, _name_of(run)) as folder, self.onlooker.eyes_of(run) as eyes:
            task = replace(Brief(self.engine, self.clock).task(run, folder, self.hired, findings), eyes=eyes)
            run.pulse.check()
            run.journal(Step.AGENT_STARTED, *noted_at_begin(task.allowance))
            events = AgentEvents(self.engine, self.clock, run.job)

            def watch(child: Child) -> None:
                run.checkout.record_agent(child)
                run.pulse.watch(child)

            is_told = False
            try:
                report = self.agent.run(task, watch, events.hear)
                is_told = True
            finally:
                self._keep_traces(run, task, eyes, is_told=is_told)
            run.pulse.check()
            return report

    def commit(self, run: Run) -> str | None:
        """Commit what lies in the folder in the name of the person who asked for it; None when nothing has changed."""
        said = authorship(run.job, run.project)
        return run.checkout.commit(
            said.message, author_name=said.name, author_email=said.address, trailers=said.trailers
        )

    def used(self, run: Run) -> list[Noted]:
        """Note which files of the request are on the site now."""
        names = dict.fromkeys(brought_paths(whole_request(self.engine, run.job), run.checkout).values())
        return [Journal.used(tuple(names))] if names else []

    def _keep_traces(self, run: Run, task: Task, eyes: SiteEyes | None, *, is_told: bool) -> None:
        """Keep what the session left, also of a run that was stopped: another machine may resume it."""
        transcript = self.agent.transcript(task)
        noted: list[Noted] = []
        if transcript is not None:
            noted += [Journal.transcript(self.engine.inbox.keep_file(transcript)), Journal.session_of(self.hired.name)]
            noted.append(Journal.notes_told(mark_of_notes(task.notes) if is_told else None))
        paid = noted_at_end(task.allowance, run.job.journal)
        run.pulse.has_paid = run.pulse.has_paid or bool(paid)
        noted += paid + noted_looks(run.job.journal, eyes)
        if noted:
            with suppress(LostOwnership):
                run.journal(Step.AGENT_ENDED, *noted)


def _name_of(run: Run) -> str:
    """Name the agent's home alike for each run in a thread: agents tell their models where it lies.

    A question that begins otherwise than the last one is read, and paid, as a whole. Nobody else uses the name: a
    checkout that is in use is locked.
    """
    return f"home-{hashlib.sha256(f'{run.checkout.path} {run.checkout.branch}'.encode()).hexdigest()[:16]}"
