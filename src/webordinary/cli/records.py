"""What programs read: lanes, jobs, mails and entries as plain objects, moments in ISO 8601."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from webordinary.reply.held_answers import free_words

if TYPE_CHECKING:
    from webordinary.audit.entry import Entry
    from webordinary.jobs.job import Attached, Job
    from webordinary.jobs.schedules import Schedule
    from webordinary.overview import LaneView, MailView
    from webordinary.reply.bounces import Bounce
    from webordinary.reply.held_answers import HeldAnswer

Record = dict[str, Any]


def lane_record(lane: LaneView) -> Record:
    return _plain(
        lane=lane.lane,
        owner=lane.owner,
        fence=lane.fence,
        pending=lane.pending,
        running=lane.running,
        lease_until=lane.lease_until,
        paused=lane.paused,
    )


def job_record(job: Job) -> Record:
    return _plain(
        id=job.id,
        project=job.lane.project,
        user=job.lane.user,
        thread=job.thread,
        lane=job.lane.key,
        sequence=job.sequence,
        kind=job.kind,
        state=job.state,
        outcome=job.outcome,
        subject=job.subject,
        received_at=job.received_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        error=job.error,
        summary=job.summary,
        commit=job.commit,
        attempt=job.attempt,
        interruptions=job.interruptions,
        mail=job.mail,
        repeats=job.repeats,
    )


def file_record(file: Attached) -> Record:
    versions = [
        _plain(
            content_type=each.content_type, bytes=each.size, width=each.width, height=each.height, digest=each.digest
        )
        for each in file.versions
    ]
    known = _plain(name=file.name, content_type=file.content_type, fate=file.fate, bytes=file.size, digest=file.digest)
    return known | _plain(problem=file.problem, limit=file.limit, about=file.about) | {"versions": versions}


def mail_record(mail: MailView, job: Job | None = None) -> Record:
    """Return a mail; its outcome is that of its job as soon as that is over, and `decided` what was said at first."""
    return _plain(
        id=mail.id,
        door=mail.door,
        sender=mail.sender,
        recipients=list(mail.recipients),
        subject=mail.subject,
        received_at=mail.received_at,
        state=mail.state,
        outcome=_outcome(mail, job),
        decided=mail.outcome,
        reason=mail.reason,
        job=mail.job,
        thread=mail.thread,
        project=mail.project,
        verdict=mail.verdict,
        method=mail.method,
        reasons=list(mail.reasons),
    )


def _outcome(mail: MailView, job: Job | None) -> str | None:
    if job is None or job.state.is_live:
        return mail.outcome
    return job.outcome or job.state


def bounce_record(bounce: Bounce) -> Record:
    return _plain(
        address=bounce.address,
        letter=bounce.letter,
        is_for_good=bounce.is_for_good,
        reason=bounce.reason,
        bounced_at=bounce.bounced_at,
    )


def schedule_record(schedule: Schedule) -> Record:
    return _plain(
        id=schedule.id,
        at=schedule.at,
        what=schedule.phase,
        until=schedule.until,
        lane=schedule.lane.key,
        thread=schedule.thread,
        job=schedule.job,
    )


def held_answer_record(held: HeldAnswer) -> Record:
    return {
        "job": held.job,
        "lane": held.lane,
        "to": held.letter.to,
        "answer": held.letter.words,
        "held_at": held.held_at.isoformat(),
        "words": free_words(held.letter),
        "seen": held.mark,
    }


def entry_record(entry: Entry) -> Record:
    return _plain(
        number=entry.number,
        at=entry.at,
        what=entry.what,
        lane=entry.lane,
        thread=entry.thread,
        job=entry.job,
        mail=entry.mail,
        worker=entry.worker,
        fence=entry.fence,
        text=entry.text,
        facts=dict(entry.facts),
    )


def _plain(**values: object) -> Record:
    return {name: _value(value) for name, value in values.items()}


def _value(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): str(each) for key, each in value.items()}
    return str(value) if isinstance(value, str) else value
