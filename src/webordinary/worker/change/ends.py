"""Ends of timed changes that lie on each other: the last of them brings back what was there before the first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.jobs.about import Errand, read_about
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.schedules import Phase, schedule_id
from webordinary.workspace.checkout import MergeConflict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.schedules import Schedule
    from webordinary.worker.run import Run
    from webordinary.workspace.checkout import Checkout

_MOST_LOOKED_AT = 200
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Ends:
    """What is still to end in a project."""

    engine: Engine
    clock: Clock

    def of(self, project: str, commit: str) -> Schedule | None:
        """Return the end of a commit that is live."""
        return next((each for each in self._open(project) if each.commits[0] == commit), None)

    def with_those_below(self, project: str, commit: str) -> tuple[str, ...]:
        """Return a commit together with those below it whose time is over: they must not come back without it."""
        end = self.of(project, commit)
        return end.commits if end else (commit,)

    def remember(self, run: Run, commit: str) -> None:
        """Write the end of what is taken back into the journal, so that it can be brought back with the change."""
        end = self.of(run.project.id, commit)
        if end is not None and Journal.took_end_at not in run.job.journal:
            run.journal(
                Step.END_REMEMBERED,
                Journal.took_end_at(end.at),
                Journal.end_owner(end.reply_to or ""),
                Journal.end_job(end.job),
            )

    def forget(self, project: str, commit: str, by: str) -> None:
        """Take the end of a change off the list that a person has taken back already."""
        end = self.of(project, commit)
        if end is not None:
            self.engine.schedules.close(end.id, by, self.clock.now())

    def above(self, run: Run, commits: tuple[str, ...]) -> list[Schedule]:
        """Return the ends of the timed changes without which these cannot be taken back, the newest first."""
        checkout, ends = run.checkout, [*self._open(run.project.id), *self._due(run.project.id)]
        found = [each for each in ends if self._is_above(each, commits, checkout)]
        newer = sorted(found, key=lambda each: sum(_is_newer(each, other, checkout) for other in found), reverse=True)
        if not newer or not _fits(newer, commits, checkout):
            return []
        for each in tuple(newer):
            without = [other for other in newer if other is not each]
            if _fits(without, commits, checkout):
                newer = without
        return newer

    def _is_above(self, end: Schedule, commits: tuple[str, ...], checkout: Checkout) -> bool:
        first = end.commits[0]
        return first not in commits and checkout.has_been_live(first) and checkout.descends(first, commits[0])

    def _open(self, project: str) -> list[Schedule]:
        return [each for each in self.engine.schedules.all(project=project) if each.phase is Phase.REVERT]

    def _due(self, project: str) -> list[Schedule]:
        """Return the ends that have come too, and whose jobs only wait for their turn."""
        jobs = self.engine.overview.jobs(state=State.QUEUED.value, limit=_MOST_LOOKED_AT)
        abouts = (read_about(each.about) for each in jobs if each.lane.project == project)
        names = [about.name for about in abouts if about is not None and about.errand == Errand.SCHEDULE]
        found = (self.engine.schedules.find(name) for name in names)
        return [each for each in found if each is not None and each.phase is Phase.REVERT]

    def cover(self, run: Run, commits: tuple[str, ...]) -> Ending | None:
        """Leave a change whose time is over to the end of the one that covers it; None when nothing timed does."""
        now = run.now
        for _ in range(_TRIES):
            name = run.job.journal.covered_by
            upper = self.engine.schedules.find(name) if name else _lowest(self.above(run, commits))
            if upper is None or upper.at <= now.wall_at:
                return None
            run.journal(Step.COVERED, Journal.covered_by(upper.id))
            if self.engine.schedules.close(upper.id, run.job.id, now) or self._is_mine(upper, run.job):
                both = replace(
                    upper,
                    id=schedule_id(run.job.id, Phase.REVERT),
                    about=" ".join((upper.about, *commits)),
                    closed_by="",
                )
                facts = {"ends": both.at.isoformat()}
                return Ending(State.DONE, Outcome.NOTHING_CHANGED, template="covered", facts=facts, schedules=(both,))
            run.journal(Step.COVERED, Journal.covered_by(""))
        return None

    def _is_mine(self, upper: Schedule, job: Job) -> bool:
        found = self.engine.schedules.find(upper.id)
        return found is not None and found.closed_by == job.id


def _lowest(ends: Sequence[Schedule]) -> Schedule | None:
    return ends[-1] if ends else None


def _is_newer(end: Schedule, other: Schedule, checkout: Checkout) -> bool:
    return end is not other and checkout.descends(end.commits[0], other.commits[0])


def _fits(ends: Sequence[Schedule], commits: tuple[str, ...], checkout: Checkout) -> bool:
    """Tell whether all of this can be taken back in its order."""
    return can_revert(checkout, [commit for each in ends for commit in each.commits] + list(commits))


def can_revert(checkout: Checkout, commits: Sequence[str]) -> bool:
    """Tell whether these can be taken out, one after the other; the folder stays as it is."""
    try:
        for commit in commits:
            checkout.revert(commit)
    except MergeConflict:
        return False
    checkout.discard_changes()
    return True
