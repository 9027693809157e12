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
from webordinary.jobs.repairs import BeforeRepair, FoundKind, Prospect, RepairEnd
from webordinary.jobs.reported import WhyStopped
from webordinary.worker.change.brief import noted_of
from webordinary.worker.change.to_mend import ToMend, findings_of
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
    # Keeps what is committed where the next owner finds it, and leaves aside what nobody should find there.
    share: Callable[[Run], None]
    leave_aside: Callable[[Run, str, str], None]

    def may_mend(self, run: Run, findings: Findings) -> bool:
        """Tell whether there is a round left, and an agent that wants it."""
        journal, agent = run.job.journal, self.agents.agent
        if journal.repair_end not in {None, RepairEnd.CHANGED}:
            return False
        if (journal.repaired or 0) >= run.project.rules.budget.repairs:
            return False
        return isinstance(agent, Mender) and agent.mends(findings)

    def wants(self, run: Run, findings: Findings) -> bool:
        """Tell whether this is not the end of it: another round mends it, or what was there before them was better."""
        return self.may_mend(run, findings) or self._was_better(run, findings.prospect)

    def go_on(self, run: Run, problem: JobFailed) -> bool:
        """Mend what keeps a change from being right, or go back before the rounds; False when neither is of use."""
        findings = findings_of(problem)
        if findings is not None and self.may_mend(run, findings) and self.mend(run, findings):
            return True
        now = findings.prospect if findings is not None else Prospect.FAILED
        # What was only found is no failure: without another round it ends as it is.
        return self.take_back(run, now) or isinstance(problem, ToMend)

    def take_back(self, run: Run, now: Prospect = Prospect.FAILED) -> bool:
        """Go back to what was there before the rounds if all they have made of it is worse; say whether that is so."""
        before = run.job.journal.before_repair
        if before is None or not self._was_better(run, now):
            return False
        there_again = (Journal.commit(before.commit), Journal.summary(before.summary))
        run.journal(Step.REPAIR_ENDED, Journal.repair_end(RepairEnd.TAKEN_BACK), *there_again)
        self.stay_back(run)
        return True

    def stay_back(self, run: Run) -> None:
        """Be where the branch was before rounds that are taken back; who said so may have died before it was done."""
        journal = run.job.journal
        before = journal.before_repair if journal.repair_end is RepairEnd.TAKEN_BACK else None
        if before is not None and before.commit != _commit_of(run) and run.checkout.has(before.tip):
            self.leave_aside(run, run.job.id, before.tip)

    def _was_better(self, run: Run, now: Prospect) -> bool:
        before = run.job.journal.before_repair
        if before is None or run.job.journal.repair_end is RepairEnd.TAKEN_BACK:
            return False
        has_changed = before.commit != _commit_of(run)
        return has_changed and before.prospect < now and run.checkout.has(before.tip)

    def mend(self, run: Run, findings: Findings) -> bool:
        """Let the agent take one more turn; say whether it has changed anything."""
        number = (run.job.journal.repaired or 0) + 1
        # The agent may take its time: nobody has to wait for it who wants to publish.
        run.engine.attempts.leave_publish_slot(run.claim, run.job, run.now)
        begun = [Journal.repairs(number), Journal.found(findings.in_short), *_noted_before(run, findings.prospect)]
        run.journal(Step.REPAIR_STARTED, *begun)
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


def _noted_before(run: Run, prospect: Prospect) -> list[Noted]:
    """Note what would become of the change without this round, unless it was better before an earlier one."""
    best = run.job.journal.before_repair
    if best is not None and best.prospect < prospect:
        return []
    before = BeforeRepair(prospect, run.checkout.tip, _commit_of(run), run.job.journal.summary)
    return [Journal.before_repair(before)]


def _commit_of(run: Run) -> str:
    """Return what the agent committed last, also if its worker died before it could say so."""
    return run.checkout.commit_of(run.job.id) or run.job.journal.commit
