"""How an installation on AWS is doing: claims, the depths of its queues, what waits longest and what was given up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from webordinary.cli.output import print_json, print_pairs, print_table, readable, say
from webordinary.cli.records import job_record, lane_record
from webordinary.clock import SystemClock
from webordinary.jobs.job import State
from webordinary.overview import EVERY
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from webordinary.engines.aws.account.account import Account
    from webordinary.engines.aws.account.parts import Depth
    from webordinary.jobs.job import Job
    from webordinary.overview import LaneView, WorkerView

_MOST_DEAD = 20


def print_status(account: Account, *, as_json: bool) -> None:
    """Look once and print it."""
    overview, now = account.opened.engine.overview, SystemClock().now()
    lanes = overview.lanes(now, limit=EVERY)
    projects = account.opened.engine.projects.all()
    known = {Lane(project.id, editor.user) for project in projects for editor in project.editors}
    depths = account.parts.depths(sorted(known | {Lane.parse(view.lane) for view in lanes}))
    oldest, dead = account.oldest_job(now), overview.jobs(state=State.DEAD.value, limit=_MOST_DEAD)
    workers = overview.workers()
    if as_json:
        print_json(
            {
                "account": account.number,
                "region": account.region,
                "prefix": account.names.prefix,
                "projects": [project.id for project in projects],
                "lanes": [lane_record(view) for view in lanes],
                "queues": [{"queue": x.queue, "waiting": x.waiting, "hidden": x.hidden} for x in depths],
                "oldest_job": job_record(oldest) if oldest else None,
                "workers": [_worker_record(worker) for worker in workers],
                "dead_letters": {"jobs": [job_record(job) for job in dead], "messages": _dead(account, depths)},
            }
        )
        return
    _say_where(account, [project.id for project in projects])
    _say_lanes(lanes, workers)
    _say_queues(depths)
    _say_oldest(oldest)
    _say_dead(dead, _dead(account, depths))


def _dead(account: Account, depths: Sequence[Depth]) -> int:
    prefix = account.names.prefix
    names = (f"{prefix}-dlq-", account.names.unclaimed_dead_letters, account.names.intake_dead_letters)
    return sum(depth.waiting + depth.hidden for depth in depths if depth.queue.startswith(names))


def _worker_record(worker: WorkerView) -> dict[str, object]:
    return {"worker": worker.worker, "idle": worker.idle, "seen_at": worker.seen_at.isoformat()}


def _say_where(account: Account, projects: Sequence[str]) -> None:
    where = f"account {account.number}, region {account.region}, prefix {account.names.prefix}"
    print_pairs([("aws", where), ("projects", ", ".join(projects) or "none is onboarded")])
    say("")


def _say_lanes(lanes: Sequence[LaneView], workers: Sequence[WorkerView]) -> None:
    rows = [(x.lane, x.owner, x.fence, x.pending, x.running, x.lease_until, x.paused) for x in lanes]
    columns = ("lane", "owner", "fence", "pending", "running", "lease until", "paused")
    print_table(columns, rows, "No lane has had a job yet.")
    owned = sum(view.owner is not None for view in lanes)
    waiting = sum(view.owner is None and view.pending > 0 for view in lanes)
    idle = sum(worker.idle for worker in workers)
    say(f"{owned} lanes are owned, {waiting} wait for a worker, {idle} workers said that they wait for a lane.")
    say("")


def _say_queues(depths: Sequence[Depth]) -> None:
    rows = [(depth.queue, depth.waiting, depth.hidden) for depth in depths if depth.waiting or depth.hidden]
    if rows:
        print_table(("queue", "waiting", "being read"), rows, "")
    say(f"{len(depths)} queues, {len(depths) - len(rows)} of them empty.")
    say("")


def _say_oldest(oldest: Job | None) -> None:
    if oldest is None:
        say("No job waits or runs.")
    else:
        say(f"The oldest job is {oldest.id} in {oldest.lane}, {oldest.state}, since {readable(oldest.received_at)}.")


def _say_dead(dead: Sequence[Job], messages: int) -> None:
    if not dead and not messages:
        say("There are no dead letters.")
        return
    rows = [(job.id, job.lane.key, job.finished_at, job.error) for job in dead]
    print_table(("dead job", "lane", "since", "reason"), rows, "No job was given up.")
    if messages:
        say(f"{messages} dead letters lie in queues; `webordinary aws redrive` takes them up again.")
