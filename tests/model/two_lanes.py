"""The model of two lanes of one project: one job each, one slot, one live branch, one pointer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.jobs.job import State as JobState

from .explorer import Step
from .lane_state import TERMINAL
from .promises import Broken
from .two_lanes_state import (
    FREE_PUBLISHER,
    NO_FAULTS,
    NONE,
    Commit,
    Faults,
    Project,
    Publisher,
    PublishGuards,
    Row,
    Slot,
    Stage,
    raised,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class TwoLanesModel:
    """Publishing as the protocol orders it, under a budget of faults."""

    guards: PublishGuards = field(default_factory=PublishGuards)
    faults: Faults = NO_FAULTS
    has_slot: bool = True

    def start(self) -> Project:
        return Project(self.faults)

    def steps(self, project: Project) -> Iterator[Step[Project]]:
        for step in self._untidy_steps(project):
            first, second = step.state.publishers
            # The workers are alike: one order for both halves the number of states.
            tidy = step.state if first <= second else step.state._replace(publishers=(second, first))
            yield step._replace(state=tidy)

    def _untidy_steps(self, project: Project) -> Iterator[Step[Project]]:
        yield from _pass_time(project)
        for publisher in dict.fromkeys(project.publishers):
            if publisher.is_paused:
                awake = publisher._replace(is_paused=False)
                yield Step(f"{publisher} wakes up", project.with_publisher(publisher, awake))
            elif publisher.stage is Stage.FREE:
                yield from _claim(project, publisher)
            else:
                yield from _faults(project, publisher)
                yield from _beat(project, publisher)
                yield from self._next(project, publisher)

    def _next(self, project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
        return {
            Stage.WANTING_SLOT: self._take_slot,
            Stage.REBASING: _rebase,
            Stage.BUILT: self._pass_commit_point,
            Stage.PUSHING: self._push,
            Stage.POINTING: self._switch_pointer,
            Stage.FINISHING: _finish,
            Stage.FENCING_REMOTE: self._fence_remote,
            Stage.FENCING_POINTER: self._fence_pointer,
            Stage.LOOKING: _look,
        }[publisher.stage](project, publisher)

    def broken(self, project: Project) -> str | None:
        first, second = project.publishers
        is_same = first.lane != NONE and (first.lane, first.fence) == (second.lane, second.fence)
        return Broken.FENCE_REPEATED if is_same else None

    def is_end(self, project: Project) -> bool:
        return all(row.job in TERMINAL for row in project.rows)

    def _take_slot(self, project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
        """Wait for the slot; it saves rebuilds in vain, and nothing else depends on it."""
        yield from _fail(project, publisher)
        slot = project.slot
        if not self.has_slot or (slot.is_held_by(publisher) and not slot.is_lapsed):
            yield Step(f"{publisher}: may rebase", project.move(publisher, Stage.REBASING))
        elif (slot.lane == NONE or slot.is_lapsed) and project.is_held_by(publisher):
            ticket = slot.ticket + 1
            taken = project._replace(slot=Slot(ticket, publisher.lane))
            holder = publisher.at(Stage.REBASING)._replace(ticket=ticket)
            yield Step(f"{publisher}: takes the slot", taken.with_publisher(publisher, holder))

    def _pass_commit_point(self, project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
        row = project.rows[publisher.lane]
        if not project.is_held_by(publisher):
            yield _drop(project, publisher, "commit point")
        elif row.job is JobState.RUNNING:
            recorded = row._replace(job=JobState.COMMITTING, recorded_base=publisher.base)
            after = project.with_row(publisher.lane, recorded).move(publisher, Stage.PUSHING)
            yield Step(f"{publisher}: commit point, upon {publisher.base}", after)
        elif not self.guards.refusal_returns_to_running:
            yield Step(f"{publisher}: skips the commit point", project.move(publisher, Stage.PUSHING))

    def _push(self, project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
        """Push with lease and fence ref: live must be where the rebase saw it, and the fence not older."""
        is_behind = publisher.fence < project.remote.fences[self._ref(publisher)]
        if is_behind and self.guards.push_needs_the_fence:
            yield _refuse_fence(project, publisher, "push")
        elif len(project.remote.live) != publisher.base and self.guards.push_needs_the_lease:
            yield self._return_to_running(project, publisher)
        else:
            remote = project.remote._replace(
                live=(*project.remote.live, Commit(publisher.lane, publisher.base)),
                fences=raised(project.remote.fences, self._ref(publisher), publisher.fence),
            )
            pushed = project._replace(remote=remote).move(publisher, Stage.POINTING)
            yield Step(f"{publisher}: pushes", pushed.decided_by(publisher), _check_push(project, publisher))

    def _ref(self, publisher: Publisher) -> int:
        return publisher.lane if self.guards.fence_ref_is_per_lane else 0

    def _return_to_running(self, project: Project, publisher: Publisher) -> Step[Project]:
        if not project.is_held_by(publisher):
            return _drop(project, publisher, "push")
        if not self.guards.refusal_returns_to_running:
            label = f"{publisher}: live has moved, rebases again inside of committing"
            return Step(label, project.move(publisher, Stage.WANTING_SLOT))
        return Step(f"{publisher}: live has moved, back to running", _run_again(project, publisher))

    def _switch_pointer(self, project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
        """Move the pointer to a descendant; an ancestor of what is shown is live already."""
        remote, position = project.remote, project.remote.position(publisher.lane)
        finishing = project.move(publisher, Stage.FINISHING)
        if position <= remote.pointer and self.guards.pointer_moves_only_forward:
            yield Step(f"{publisher}: is live already", finishing)
        elif publisher.fence < remote.pointer_fences[publisher.lane] and self.guards.pointer_needs_the_fence:
            yield _refuse_fence(project, publisher, "pointer")
        else:
            fences = raised(remote.pointer_fences, publisher.lane, publisher.fence)
            shown = finishing._replace(remote=remote._replace(pointer=position, pointer_fences=fences))
            breaks = _check_pointer(project, publisher, position)
            yield Step(f"{publisher}: pointer to {position}", shown.decided_by(publisher), breaks)

    def _fence_remote(self, project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
        if not self.guards.settle_advances_the_fences:
            yield Step(f"{publisher}: settles without a fence", project.move(publisher, Stage.LOOKING))
        elif publisher.fence < project.remote.fences[self._ref(publisher)]:
            yield _refuse_fence(project, publisher, "settling")
        else:
            fences = raised(project.remote.fences, self._ref(publisher), publisher.fence)
            fenced = project._replace(remote=project.remote._replace(fences=fences))
            yield Step(f"{publisher}: fences the remote", fenced.move(publisher, Stage.FENCING_POINTER))

    def _fence_pointer(self, project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
        if publisher.fence < project.remote.pointer_fences[publisher.lane]:
            yield _refuse_fence(project, publisher, "settling")
        else:
            fences = raised(project.remote.pointer_fences, publisher.lane, publisher.fence)
            fenced = project._replace(remote=project.remote._replace(pointer_fences=fences))
            yield Step(f"{publisher}: fences the pointer", fenced.move(publisher, Stage.LOOKING))


def _claim(project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
    for lane, row in enumerate(project.rows):
        if row.job in TERMINAL or (row.is_owned and not row.is_lapsed):
            continue
        is_committing = row.job is JobState.COMMITTING
        job = row.job if is_committing else JobState.RUNNING
        stage = Stage.FENCING_REMOTE if is_committing else Stage.WANTING_SLOT
        owner = Publisher(lane, row.fence + 1, stage)
        owned = Row(owner.fence, is_owned=True, job=job, recorded_base=row.recorded_base)
        after = project.with_row(lane, owned).with_publisher(publisher, owner)
        yield Step(f"a free worker claims {owner}, {job}", after)


def _beat(project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
    if not project.is_held_by(publisher) or project.rows[publisher.lane].is_lapsed:
        yield _drop(project, publisher, "beat")


def _rebase(project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
    base = len(project.remote.live)
    built = publisher.at(Stage.BUILT)._replace(base=base)
    yield Step(f"{publisher}: rebases onto {base} and builds", project.with_publisher(publisher, built))


def _look(project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
    """Is the recorded commit live? If it is fenced out and not there, the job runs again."""
    recorded = Commit(publisher.lane, project.rows[publisher.lane].recorded_base)
    if recorded in project.remote.live:
        seen = project.move(publisher, Stage.POINTING).decided_by(publisher)
        yield Step(f"{publisher}: looks, its commit is live", seen)
    elif project.is_held_by(publisher):
        back = _run_again(project, publisher).decided_by(publisher)
        yield Step(f"{publisher}: looks, its commit is not live, back to running", back)
    else:
        yield _drop(project, publisher, "settling")


def _run_again(project: Project, publisher: Publisher) -> Project:
    row = project.rows[publisher.lane]._replace(job=JobState.RUNNING, recorded_base=NONE)
    return project.with_row(publisher.lane, row).move(publisher, Stage.WANTING_SLOT)


def _finish(project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
    if not project.is_held_by(publisher):
        yield _drop(project, publisher, "finish")
        return
    position = project.remote.position(publisher.lane)
    is_shown = 0 < position <= project.remote.pointer
    breaks = None if is_shown else Broken.DONE_BUT_NOT_LIVE
    yield Step(f"{publisher}: finishes, published", _end(project, publisher, JobState.DONE), breaks)


def _fail(project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
    if project.faults.failures and project.is_held_by(publisher):
        failed = _end(project, publisher, JobState.FAILED).spend("failures")
        breaks = Broken.LIVE_BUT_DENIED if project.remote.position(publisher.lane) else None
        yield Step(f"{publisher}: finishes, failed", failed, breaks, is_fault=True)


def _end(project: Project, publisher: Publisher, outcome: JobState) -> Project:
    row = Row(publisher.fence, job=outcome, recorded_base=project.rows[publisher.lane].recorded_base)
    ended = project.with_row(publisher.lane, row).with_publisher(publisher, FREE_PUBLISHER)
    return ended.decided_by(publisher).without_slot_of(publisher)


def _drop(project: Project, publisher: Publisher, what: str) -> Step[Project]:
    dropped = project.with_publisher(publisher, FREE_PUBLISHER)
    return Step(f"{publisher}: {what} refused, drops the lane", dropped)


def _refuse_fence(project: Project, publisher: Publisher, what: str) -> Step[Project]:
    breaks = Broken.CURRENT_OWNER_REFUSED if project.is_held_by(publisher) else None
    return _drop(project, publisher, what)._replace(breaks=breaks)


def _check_push(project: Project, publisher: Publisher) -> Broken | None:
    if project.remote.position(publisher.lane):
        return Broken.PUBLISHED_TWICE
    if project.rows[publisher.lane].job in TERMINAL:
        return Broken.PUBLISHED_AFTER_END
    if len(project.remote.live) != publisher.base:
        return Broken.COMMIT_LOST
    return Broken.STALE_FENCE_PUBLISHED if publisher.fence < project.newest[publisher.lane] else None


def _check_pointer(project: Project, publisher: Publisher, position: int) -> Broken | None:
    if position < project.remote.pointer:
        return Broken.POINTER_WENT_BACK
    return Broken.STALE_FENCE_PUBLISHED if publisher.fence < project.newest[publisher.lane] else None


def _faults(project: Project, publisher: Publisher) -> Iterator[Step[Project]]:
    if project.faults.crashes:
        crashed = project.with_publisher(publisher, FREE_PUBLISHER).spend("crashes")
        yield Step(f"{publisher} crashes while {publisher.stage}", crashed, is_fault=True)
    if project.faults.pauses:
        asleep = project.with_publisher(publisher, publisher._replace(is_paused=True)).spend("pauses")
        yield Step(f"{publisher} falls asleep while {publisher.stage}", asleep, is_fault=True)


def _pass_time(project: Project) -> Iterator[Step[Project]]:
    awake = [publisher for publisher in project.publishers if not publisher.is_paused]
    for lane, row in enumerate(project.rows):
        is_renewed = any((one.lane, one.fence) == (lane, row.fence) for one in awake)
        if row.is_owned and not row.is_lapsed and not is_renewed:
            lapsed = project.with_row(lane, row._replace(is_lapsed=True))
            yield Step(f"the lease of lane {'ab'[lane]}@{row.fence} lapses", lapsed)
    slot = project.slot
    if slot.lane != NONE and not slot.is_lapsed and not any(slot.is_held_by(one) for one in awake):
        yield Step("the slot's lease lapses", project._replace(slot=slot._replace(is_lapsed=True)))
