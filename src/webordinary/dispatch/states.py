"""How a job enters and leaves a state; each rule changes a line in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.dispatch.job_row import NEVER_PARKED
from webordinary.interrupts.decide import Running, decide_interrupt
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.figures import VERDICT, end_facts, start_facts
from webordinary.jobs.job import Ending, Kind, State
from webordinary.reply.outbox import ANSWER, Letter

if TYPE_CHECKING:
    from datetime import timedelta

    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.line import Line
    from webordinary.interrupts.decide import InterruptRule
    from webordinary.ownership.claim import Claim

# A person does not wait, whatever the wall clock is set to meanwhile.
AT_ONCE = 0.0
_ENDED = {
    State.DONE: EventType.JOB_DONE,
    State.FAILED: EventType.JOB_FAILED,
    State.STOPPED: EventType.JOB_STOPPED,
    State.DEAD: EventType.JOB_DEAD,
    State.REFUSED: EventType.JOB_FAILED,
}


def accept(line: Line, row: JobRow, verdict: str = "") -> None:
    """Give a new job its place; the trail says how sure we are of who asked for it by mail."""
    line.add(row)
    facts = {"sequence": str(row.sequence), "kind": row.kind.value} | ({VERDICT: verdict} if verdict else {})
    line.effects.tell(EventType.JOB_ACCEPTED, row, line.now, text=row.subject, facts=facts)


def enqueue(line: Line, row: JobRow, rule: InterruptRule) -> None:
    """Let a prepared job wait for its turn, and ask what runs to make room if the rule says so."""
    row.wait_until(line.now + line.limits.patience, line.row)
    row.state = State.QUEUED
    line.change(row)
    if line.row.running is not None:
        _interrupt_if_allowed(line, row, rule)
    line.effects.tell(EventType.JOB_QUEUED, row, line.now)
    if not row.flow_token:
        line.effects.alone.append(row.id)


def start(line: Line, claim: Claim, row: JobRow) -> JobRow:
    """Let the job run under the claim: queued, parked or left running by an owner that is gone."""
    now = line.now
    row.not_before, row.attempt_at = 0, now.seconds
    row.state, row.fence, row.worker = State.RUNNING, claim.fence, claim.worker
    row.attempt += 1
    row.started_at = row.started_at or now.seconds
    until = now + line.limits.deadline
    row.deadline_at = until.seconds
    line.change(row)
    line.row.running, line.row.last_activity = row.id, now.seconds
    line.row.run_until(until)
    if line.row.is_owned(now):
        # Starting is a sign of life: an owner of many short jobs would lose its lane before its first beat.
        line.row.lease_to(now + line.limits.lease)
    is_first = row.attempt <= 1 and not row.interruptions
    what = EventType.JOB_STARTED if is_first else EventType.JOB_RESUMED
    facts = start_facts(row.attempt, row.received_at if is_first else None, now)
    line.effects.tell(what, row, now, worker=claim.worker, facts=facts)
    return row


def start_head(line: Line, claim: Claim) -> JobRow | None:
    """Start the head if it can start and nothing runs."""
    if line.row.running is not None or line.row.paused is not None:
        return None
    head = line.head
    if head is None or not head.can_start(line.now):
        return None
    row = line.find(head.id)
    return start(line, claim, row) if row is not None else None


def end(line: Line, row: JobRow, ending: Ending, *, worker: str | None = None) -> None:
    """Give the job its one final state, with the answer in the same transaction."""
    now = line.now
    facts = end_facts(row.journal, row.started_at, ending, now)
    text = ending.error or ending.summary
    line.effects.tell(_ENDED[ending.state], row, now, worker=worker, text=text, facts=facts)
    row.drop_cancel()
    row.state, row.outcome, row.words = ending.state, ending.outcome, ending.template
    row.summary, row.error, row.finished_at = ending.summary, ending.error, now.seconds
    line.remove(row)
    if line.row.running == row.id:
        line.row.running, line.is_cut_short = None, worker is None
        line.row.last_activity = now.seconds
    if ending.template and row.request.reply_to is not None:
        answer = Letter(
            f"{row.id}.{ANSWER}", ANSWER, row.request.reply_to, ending.template, ending.facts, row.id, row.mail
        )
        line.effects.letters.append(answer)


def park(line: Line, row: JobRow, *, worker: str | None) -> None:
    """Set the job aside for the thread that interrupted it; an interruption is not a failed attempt."""
    facts = {"by": row.cancel_by or "", "interruption": str(row.interruptions + 1)}
    line.effects.tell(
        EventType.JOB_PARKED, row, line.now, worker=worker, text="set aside for a newer mail", facts=facts
    )
    line.row.running = None
    line.favour(row.cancel_thread or line.row.first_thread)
    row.wait_until(line.now + line.limits.patience, line.row)
    row.drop_cancel()
    row.state, row.deadline_at = State.PARKED, None
    row.interruptions += 1
    row.attempt -= 1
    line.change(row)


def put_back(line: Line, row: JobRow, worker: str) -> None:
    """Return a running job to its place; giving back is not a failed attempt."""
    row.state, row.deadline_at = State.QUEUED, None
    row.attempt -= 1
    line.change(row)
    line.effects.tell(EventType.JOB_GIVEN_BACK, row, line.now, worker=worker)


def try_again_later(
    line: Line, row: JobRow, worker: str, error: str, wait: timedelta, *, is_counted: bool, prolongs: timedelta
) -> None:
    """Put a running job back to its place, not to be started before the wait is over; its attempt may not count.

    Its patience is prolonged by what it waits for others to decide.
    """
    facts = {"attempt": str(row.attempt), "wait_s": f"{wait.total_seconds():g}"}
    line.effects.tell(EventType.JOB_RETRIED, row, line.now, worker=worker, text=error, facts=facts)
    row.state, row.error, row.deadline_at = State.QUEUED, error, None
    row.not_before, line.row.running = (line.now + wait).seconds, None
    row.start_by += prolongs.total_seconds()
    row.attempt -= not is_counted
    line.change(row)


def set_cancel(line: Line, row: JobRow, why: Why, by: str, due: float, *, thread: str | None = None) -> None:
    """Ask exactly this attempt of this job to stop."""
    row.cancel, row.cancel_by, row.cancel_thread = why.value, by, thread
    row.cancel_fence, row.cancel_not_before = row.fence, due
    line.change(row)


def obey_cancel(line: Line, row: JobRow, worker: str) -> bool:
    """Park or end a running job that was asked to stop; False when nobody asked."""
    if row.cancel is None:
        return False
    if row.cancel == Why.INTERRUPT:
        park(line, row, worker=worker)
    else:
        end(line, row, _ending_for(Why(row.cancel), row.cancel_by or ""), worker=worker)
    return True


def _ending_for(why: Why, by: str) -> Ending:
    if why == Why.STOP:
        return stopped_by(by)
    return Ending(State.STOPPED, error=f"dropped for the newer {by}", template="dropped", facts={"newer_job": by})


def stopped_by(person: str) -> Ending:
    """Return how a job ends that a person has stopped."""
    return Ending(State.STOPPED, error=f"stopped by {person}", template="stopped")


def _interrupt_if_allowed(line: Line, newcomer: JobRow, rule: InterruptRule) -> None:
    running = line.running
    if running is None:
        return
    now = line.now
    why = decide_interrupt(
        rule,
        Running(
            thread=running.thread,
            interruptible=running.state == State.RUNNING and running.kind not in NEVER_PARKED,
            interruptions=running.interruptions,
            has_cancel=running.cancel is not None,
        ),
        newcomer_thread=newcomer.thread,
        newcomer_can_start=line.row.paused is None and _thread_can_start(line, newcomer.thread),
        is_instruction=newcomer.kind in {Kind.INSTRUCTION, Kind.ASKED},
    )
    if why is None:
        return
    due = max(now.seconds, (running.attempt_at or 0) + rule.first_after.total_seconds())
    set_cancel(line, running, why, newcomer.id, due, thread=newcomer.thread)
    newcomer.interrupted, newcomer.interrupted_owner = running.id, line.row.owner
    facts = {
        "by": newcomer.id,
        "thread": newcomer.thread,
        "why": f"a newer mail in another thread ({why.value})",
    }
    line.effects.tell(EventType.INTERRUPT_ASKED, running, now, facts=facts)


def _thread_can_start(line: Line, thread: str) -> bool:
    """Tell whether interrupting would be of use: the newcomer's thread must be able to start at once."""
    first = line.first_of(thread)
    return first is not None and first.can_start(line.now)
