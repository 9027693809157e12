"""The steps of the flow from a lane to the answer; each is harmless when it is repeated."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from webordinary.dispatch.flow import GivenUp
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.rows import job_from, pointer_key
from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.flow.gauges import measure_answers, measure_lanes
from webordinary.engines.aws.sqs.wakeups import Call, QueuedWakeup
from webordinary.errors import Refused, TryAgain
from webordinary.intake import interrupt_rule, rule_for
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Attached, Ending, State
from webordinary.metrics.meter import Metric, NoMeter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.dispatch.flow import Waiting
    from webordinary.dispatch.job_row import JobRow
    from webordinary.engines.aws.open import AwsEngine
    from webordinary.engines.aws.sqs.dead_letters import DeadLetters
    from webordinary.engines.installation import Installation
    from webordinary.routing.lane import Lane
    from webordinary.worker.chores.rounds import Chores

_KEPT_INTERRUPTIONS = timedelta(days=30)
_TIMED_OUT = "States.Timeout"
# Only executions that an earlier version began end by it.
_SILENCE = "States.HeartbeatTimeout"


@dataclass(frozen=True, slots=True)
class StepFailure:
    """What a state has caught: the error's name, and its cause where AWS tells one, which it need not."""

    error: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class KnownPlace:
    """What a mail's own execution knows of its job: how it may interrupt, and its place; else it is looked up.

    A flow that an earlier version began knows neither.
    """

    on_new_thread: str = ""
    sequence: int = 0


_UNKNOWN = KnownPlace()


@dataclass(frozen=True, slots=True)
class Handover:
    """What happens to a job from its place in the lane on."""

    aws: AwsEngine
    here: Installation
    chores: Chores
    dead_letters: DeadLetters

    def check_active_job(self, lane: Lane, thread: str) -> dict[str, Any]:
        """Say whether a living owner has the lane, and runs a job of another thread in it; decides nothing.

        What an owner left running whose lease is over is not active: nobody would hear the interrupt. The next owner
        obeys it, for the cancel stands on the job.
        """
        row = self.aws.store.lane(lane.key)
        if row is None or not row.is_owned(self.here.clock.now()):
            return {"claimed": False, "interrupts": False}
        running = self.aws.store.running(row, row.running) if row.running else None
        return {"claimed": True, "interrupts": running is not None and running.thread != thread}

    def send_to_container(
        self, job: str, lane: Lane, files: tuple[Attached, ...], waiting: Waiting, known: KnownPlace = _UNKNOWN
    ) -> None:
        """Let the job wait for its turn and this execution for the job, in one transaction; wake-ups follow."""
        self.aws.lanes.enqueue(
            job,
            self._rule(lane, known.on_new_thread),
            self.here.clock.now(),
            attachments=files or None,
            waiting=waiting,
            lane=lane.key,
            sequence=known.sequence or None,
        )

    def _rule(self, lane: Lane, on_new_thread: str) -> InterruptRule:
        """Return how the job may interrupt, as its project said when the mail was read, or as it says now."""
        if on_new_thread:
            return interrupt_rule(on_new_thread, self.here.limits)
        known = self.aws.engine.projects.find(lane.project)
        return rule_for(known, self.here.limits) if known else InterruptRule()

    def files_of(self, mail: str, indexes: Sequence[int]) -> tuple[Attached, ...]:
        """Return the files that an earlier step has prepared."""
        return tuple(self.aws.references.find(mail, f"file-{index}", Attached) for index in indexes)

    def send_interrupt(self, job: str) -> dict[str, str]:
        """Tell the owner of what the newcomer interrupts, and say whose job it was; an earlier bell may be lost."""
        mine = self._row(job)
        if mine.state == State.PREPARING:
            raise TryAgain(f"{job} has not been handed over yet")
        asked = self.aws.store.find(mine.interrupted) if mine.interrupted else None
        if asked is not None and asked.cancel_by == job:
            self.aws.store.wakeups.wake(QueuedWakeup(Call.INTERRUPT, asked.lane, asked.job))
        return {"interrupted": mine.interrupted or "", "container": mine.interrupted_owner or ""}

    def record_interruption(self, job: str, by: str, container: str, why: str) -> str:
        """Write down who made room for whom; nothing when nobody did."""
        row = self.aws.store.find(job) if job else None
        if row is None:
            return ""
        newcomer = self.aws.store.find(by) if by else None
        message = row.mail or row.id
        record = hashlib.sha256(f"{message}\0{by}\0{why}".encode()).hexdigest()[:32]
        now = self.here.clock.now()
        with translated(f"the table {self.aws.store.names.interruptions}"):
            self.aws.clients.dynamodb.put_item(
                TableName=self.aws.store.names.interruptions,
                Item=item_of(
                    {
                        "messageId": f"{message}#{record[:8]}",
                        "recordId": record,
                        "jobId": job,
                        "lane": row.lane,
                        "interruptedContainer": container or None,
                        "newThreadId": newcomer.thread if newcomer else None,
                        "by": by or None,
                        "reason": why,
                        "timestamp": now.seconds,
                        "ttl": int((now + _KEPT_INTERRUPTIONS).seconds),
                    }
                ),
            )
        return record

    def give_up(self, job: str, execution: str, problem: StepFailure) -> dict[str, str]:
        """End a job for which the flow waited in vain, with an honest answer, unless it has to wait on."""
        row = self._row(job)
        has_waited, now = problem.error == _TIMED_OUT, self.here.clock.now()
        ending = None if problem.error == _SILENCE else _ending(row, problem)
        given_up = self.aws.lanes.give_up(job, execution, ending, now, has_waited=has_waited)
        if given_up == GivenUp.ENDED:
            self.record_interruption(job, "", "", problem.error)
            self.dead_letters.bury(row.job, problem.error)
            self.aws.store.meter.record(Metric.DEAD_LETTERS)
            if problem.error == _TIMED_OUT:
                self.aws.store.meter.record(Metric.TIMEOUTS)
        return {"next": given_up.value}

    def give_up_mail(self, mail: str, problem: StepFailure) -> dict[str, str]:
        """Leave a mail that no step could decide to the sweep, which holds it for a person, and say so aloud."""
        self.dead_letters.bury_mail(mail, problem.error)
        self.aws.store.meter.record(Metric.DEAD_LETTERS)
        return {"next": "failed"}

    def send_reply(self, job: str, project: str = "") -> None:
        """Send the job's answer, which was recorded with its end; whoever comes here has heard how it ended."""
        if project:
            self._look_ahead(job, project)
        self.aws.outbox.note_heard(job)
        self.chores.send(f"{job}.answer")

    def _look_ahead(self, job: str, project: str) -> None:
        """Read with one request what whoever writes the answer will ask for."""
        names = self.aws.store.names
        row, known = self.aws.store.items((names.jobs, pointer_key(job)), (names.projects, {"id": project}))
        if row is not None and "state" in row:
            self.aws.overview.remember(job_from(row).job)
        if known is not None:
            self.aws.projects.remember(plain_of(known))

    def sweep(self) -> None:
        """Do what every worker does on its timer, also when there is none, and measure what it leaves."""
        self.chores.tidy_up()
        if not isinstance(self.aws.store.meter, NoMeter):
            measure_lanes(self.aws.store, self.aws.clients.sqs, self.aws.addresses.unclaimed, self.here.clock.now())
            measure_answers(self.aws.store, self.aws.inbox, self.here.clock.now())

    def _row(self, job: str) -> JobRow:
        found = self.aws.store.find(job)
        if found is None:
            raise Refused(f"there is no job {job}")
        return found


def _ending(row: JobRow, problem: StepFailure) -> Ending:
    error = problem.error
    if error == _TIMED_OUT:
        why = "it took too long" if row.state == State.RUNNING else "no worker came in time"
        return Ending(State.FAILED, error=f"{why}, and the flow gave up ({error})", template="timed_out")
    return Ending(
        State.FAILED, error=f"a step of the flow broke: {error} {problem.cause[:500]}".strip(), template="our_fault"
    )
