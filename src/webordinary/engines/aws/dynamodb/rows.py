"""Rows of the job table as values, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.dispatch.job_row import WAITING, JobRow
from webordinary.engines.aws.dynamodb.items import Item, item_of, plain_of
from webordinary.engines.aws.dynamodb.records import KEPT_FOR, short_key
from webordinary.engines.stored_text import text_of
from webordinary.jobs.job import Kind, Outcome, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webordinary.clock import Moment
    from webordinary.jobs.job import Job

JOB_MARK = "job"


def job_item(row: JobRow, mark: str) -> Item:
    """Return a live job at its place in the line; the mark puts it into the list of all."""
    return item_of(_live_key(row.lane, row.sequence) | _job_values(row) | {"jobMark": mark})


def ended_item(row: JobRow, now: Moment, mark: str) -> Item:
    """Return a job that is over; it leaves the line, so that reading a line reads live jobs only."""
    ttl = int((now + KEPT_FOR).seconds)
    return item_of({**pointer_key(row.id), **_job_values(row), "jobMark": mark, "place": row.sequence, "ttl": ttl})


def live_key(job: Job | JobRow) -> Item:
    """Return where a live job stands."""
    return item_of(_live_key(str(job.lane), job.sequence))


def places_of(row: JobRow) -> Iterator[dict[str, Any]]:
    """Return the keys under which a live job is found besides its place in the lane: in its thread, and as a verb."""
    yield {"projectUserId": thread_key(row.lane, row.thread), "sequence": row.sequence}
    if row.kind == Kind.VERB:
        yield {"projectUserId": verbs_key(row.lane), "sequence": row.sequence}


def thread_key(lane: str, thread: str) -> str:
    return f"line#{lane}#{short_key(thread)}"


def verbs_key(lane: str) -> str:
    return f"verbs#{lane}"


def pointer_item(row: JobRow) -> Item:
    """Return the item that leads from a job's id to its place; the whole job is put there when it is over."""
    return item_of({**pointer_key(row.id), "lane": row.lane, "place": row.sequence})


def pointer_key(job: str) -> dict[str, Any]:
    return {"projectUserId": f"job#{job}", "sequence": 0}


def dedup_key(key: str) -> dict[str, Any]:
    return {"projectUserId": f"dedup#{short_key(key)}", "sequence": 0}


def _live_key(lane: str, sequence: int) -> dict[str, Any]:
    return {"projectUserId": lane, "sequence": sequence}


def _job_values(row: JobRow) -> dict[str, Any]:
    return {
        "jobId": row.id,
        "lane": row.lane,
        "threadId": row.thread,
        "kind": row.kind.value,
        "state": row.state.value,
        "subject": row.subject,
        "request": _text(row.kept_request),
        "receivedAt": row.received_at,
        "fence": row.fence,
        "attempt": row.attempt,
        "interruptions": row.interruptions,
        "outcome": row.outcome.value if row.outcome else None,
        "summary": row.summary,
        "error": row.error,
        "commit": row.commit,
        "mail": row.mail,
        "repeats": row.repeats,
        "about": row.about,
        "token": row.token,
        "flowToken": row.flow_token or None,
        "execution": row.execution,
        "interrupted": row.interrupted,
        "interruptedContainer": row.interrupted_owner,
        "words": row.words,
        # While it waits for its turn it is nobody's.
        "containerId": None if row.state in WAITING else row.worker,
        "claimedAt": row.started_at,
        "finishedAt": row.finished_at,
        "expiresAt": row.deadline_at,
        "journal": _text(row.kept_journal),
        "dedupKey": row.dedup_key,
        "prepareBy": row.prepare_by,
        "startBy": row.start_by,
        "patienceShift": row.patience_shift,
        "notBefore": row.not_before,
        "attemptAt": row.attempt_at,
        "cancel": row.cancel,
        "cancelBy": row.cancel_by,
        "cancelThread": row.cancel_thread,
        "cancelFence": row.cancel_fence,
        "cancelNotBefore": row.cancel_not_before,
    }


def job_from(item: Mapping[str, Any]) -> JobRow:
    """Read a job, live or over."""
    row = plain_of(item)
    return JobRow(
        id=row["jobId"],
        lane=row["lane"],
        thread=row["threadId"],
        sequence=row.get("place") or row["sequence"],
        kind=Kind(row["kind"]),
        state=State(row["state"]),
        subject=row["subject"],
        kept_request=row["request"],
        received_at=row["receivedAt"],
        fence=row["fence"],
        attempt=row["attempt"],
        interruptions=row["interruptions"],
        outcome=Outcome(row["outcome"]) if row.get("outcome") else None,
        summary=row["summary"],
        error=row.get("error"),
        commit=row.get("commit"),
        mail=row.get("mail"),
        repeats=row.get("repeats"),
        about=row.get("about"),
        token=row.get("token"),
        started_at=row.get("claimedAt"),
        finished_at=row.get("finishedAt"),
        deadline_at=row.get("expiresAt"),
        kept_journal=row["journal"],
        dedup_key=row["dedupKey"],
        prepare_by=row["prepareBy"],
        start_by=row["startBy"],
        patience_shift=row["patienceShift"],
        not_before=row["notBefore"],
        attempt_at=row.get("attemptAt"),
        cancel=row.get("cancel"),
        cancel_by=row.get("cancelBy"),
        cancel_thread=row.get("cancelThread"),
        cancel_fence=row.get("cancelFence"),
        cancel_not_before=row.get("cancelNotBefore"),
        flow_token=bool(row.get("flowToken")),
        execution=row.get("execution"),
        interrupted=row.get("interrupted"),
        interrupted_owner=row.get("interruptedContainer"),
        words=row.get("words"),
        worker=row.get("containerId"),
    )


def _text(kept: object) -> str:
    return kept if isinstance(kept, str) else text_of(kept)
