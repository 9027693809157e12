"""The repair loop: what was found goes back to the agent that made the edit, at most as often as the project allows.

A round is one more run of the same session, journaled before it begins and when it has ended. Nothing of it is resumed:
the attempt after a death or an interrupt builds and looks again, and repeats the round that has not ended.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.agent.agent import Mender
from webordinary.errors import JobFailed, Misconfigured
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.repairs import FoundKind, RepairEnd
from webordinary.jobs.reported import WhyStopped
from webordinary.worker.change.brief import noted_of
from webordinary.workspace.checkout import MergeConflict

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.agent.agent import Report
    from webordinary.jobs.journal import Noted
    from webordinary.jobs.repairs import Findings
    from webordinary.worker.change.agent_runs import AgentRuns
    from webordinary.worker.run import Run

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Repairs:
    """The rounds of one attempt."""

    agents: AgentRuns
    # Keeps what is committed where the next owner finds it.
    share: Callable[[Run], None]

    def may_mend(self, run: Run, findings: Findings) -> bool:
        """Tell whether there is a round left, and an agent that wants it."""
        journal, agent = run.job.journal, self.agents.agent
        if journal.repair_end not in {None, RepairEnd.CHANGED}:
            return False
        if (journal.repaired or 0) >= run.project.rules.budget.repairs:
            return False
        return isinstance(agent, Mender) and agent.mends(findings)

    def mend(self, run: Run, findings: Findings) -> bool:
        """Let the agent take one more turn; say whether it has changed anything."""
        number = (run.job.journal.repaired or 0) + 1
        # The agent may take its time: nobody has to wait for it who wants to publish.
        run.engine.attempts.leave_publish_slot(run.claim, run.job, run.now)
        run.journal(Step.REPAIR_STARTED, Journal.repairs(number), Journal.found(findings.in_short))
        run.checkout.discard_changes()
        self.share(run)
        if findings.has(FoundKind.CONFLICT):
            with suppress(MergeConflict):
                run.checkout.merge_seen_live(leave_conflict=True)
        try:
            report, used_up = self.agents.let_edit(run, replace(findings, round=number))
            commit = self.agents.commit(run)
        except (JobFailed, Misconfigured) as problem:
            # Also when the money is spent: the edit itself is there, and ends as it would have without this.
            _log.info("round %s of %s came to nothing: %s", number, run.job.id, problem)
            run.checkout.discard_changes()
            run.journal(Step.REPAIR_ENDED, Journal.repaired(number), Journal.repair_end(RepairEnd.GAVE_UP))
            return False
        end = RepairEnd.CHANGED if commit else RepairEnd.UNCHANGED
        noted = [*self._noted(run, report, commit), *used_up] if commit else used_up
        self.share(run)
        run.journal(Step.REPAIR_ENDED, Journal.repaired(number), Journal.repair_end(end), *noted)
        return commit is not None

    def _noted(self, run: Run, report: Report, commit: str) -> list[Noted]:
        """Note what the agent says now; a question is not asked: the owner is shown the change and asked about that."""
        summary = report.summary or run.job.journal.summary
        said = replace(report, stopped=WhyStopped.DONE, question=None, summary=summary)
        return [*noted_of(said, commit), *self.agents.used(run)]
