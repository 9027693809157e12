"""Writes of an owner about its own job without reading anything first: half the requests of a step.

Nobody else writes a journal, and every condition is in the transaction itself. If one does not hold, the operation is
decided again the long way, which knows what to say. The lane's version grows as with every other write, so whoever has
read the job before reads it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.items import item_of
from webordinary.engines.aws.rows import live_key
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.engines.aws.write import Write
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim

_STILL_MINE = "#containerId = :worker AND #fence = :fence AND #running = :job"
_RUNS = "#jobId = :job AND #fence = :fence AND #state IN (:running, :committing)"
# An interrupt that is not due yet has come too late; one that is due has to be obeyed.
_MAY_COMMIT = (
    "#jobId = :job AND #fence = :fence AND #state = :running"
    " AND (attribute_not_exists(#cancel) OR #cancelNotBefore > :now)"
)
_CANCEL = ("cancel", "cancelBy", "cancelThread", "cancelFence", "cancelNotBefore")


def write_journal(write: Write, claim: Claim, job: Job, journal: str) -> None:
    """Replace the journal of a job that runs under this claim."""
    _touch_lane(write, claim, job)
    values = {":running": State.RUNNING.value, ":committing": State.COMMITTING.value, ":journal": journal}
    names = {"#jobId": "jobId", "#fence": "fence", "#state": "state", "#journal": "journal"}
    _update_job(write, claim, job, "SET #journal = :journal", _RUNS, names, values)


def write_commit_point(write: Write, claim: Claim, job: Job, commit: str) -> None:
    """Let a job pass its commit point, unless somebody wants it to stop now."""
    _touch_lane(write, claim, job, ", #committing = :yes")
    values = {
        ":running": State.RUNNING.value,
        ":committing": State.COMMITTING.value,
        ":commit": commit,
        ":now": write.now.seconds,
    }
    gone = {f"#{name}": name for name in _CANCEL}
    names = {"#jobId": "jobId", "#fence": "fence", "#state": "state", "#commit": "commit"}
    change = f"SET #state = :committing, #commit = :commit REMOVE {', '.join(gone)}"
    _update_job(write, claim, job, change, _MAY_COMMIT, {**names, **gone}, values)


def _touch_lane(write: Write, claim: Claim, job: Job, more: str = "") -> None:
    names = {"#containerId": "containerId", "#fence": "fence", "#running": "running"}
    values: dict[str, Any] = {":worker": claim.worker, ":fence": claim.fence, ":job": job.id}
    written = {"#writeId": "writeId", "#version": "version"} | ({"#committing": "committing"} if more else {})
    write.unread.append(claim.lane.key)
    write.add(
        "Update",
        {
            "TableName": write.store.names.ownership,
            "Key": item_of({"projectKey": claim.lane.key}),
            "UpdateExpression": f"SET #writeId = :id{more} ADD #version :one",
            "ConditionExpression": _STILL_MINE,
            "ExpressionAttributeNames": {**names, **written},
            "ExpressionAttributeValues": item_of(
                {**values, ":id": write.id, ":one": 1, **({":yes": True} if more else {})}
            ),
        },
    )


def _update_job(
    write: Write,
    claim: Claim,
    job: Job,
    change: str,
    condition: str,
    names: Mapping[str, str],
    values: Mapping[str, Any],
) -> None:
    write.add(
        "Update",
        {
            "TableName": write.store.names.jobs,
            "Key": live_key(job),
            "UpdateExpression": change,
            "ConditionExpression": condition,
            "ExpressionAttributeNames": dict(names),
            "ExpressionAttributeValues": item_of({":job": job.id, ":fence": claim.fence, **values}),
        },
    )
