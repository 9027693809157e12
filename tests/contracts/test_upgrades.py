"""Lanes that an earlier version has left in the middle of everything go on where they were, on every engine.

What lies in `earlier` was written by the code of commit 7eaff22 itself, before places of threads (AWS) and the row that
knows its line (embedded): a lane whose first request was set aside, one that may be half published, one that was asked
to make room, one that backs off, and one that prepares a request. Nobody had time to let them run empty.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from tests.contracts.test_lanes import DONE
from tests.rigs.aws_ports import aws_clients, open_aws_ports, prefix_in
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.rows import thread_key
from webordinary.engines.aws.names import Names
from webordinary.engines.embedded.database import APPLICATION_ID, migrations
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Kind, State
from webordinary.ownership.claims import LostClaim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.rigs.ports import Ports
    from webordinary.ownership.claim import Claimed

EARLIER = Path(__file__).parent / "earlier"
KEPT: dict[str, Any] = json.loads((EARLIER / "lanes.json").read_text(encoding="utf-8"))
JOBS: dict[str, str] = KEPT["jobs"]
NAMES = {job: name for name, job in JOBS.items()}
QUEUE = InterruptRule("queue")
MORE = 120


def open_earlier_file(folder: Path) -> Ports:
    older = apsw.Connection(str(folder / "webordinary.db"))
    for number, script in migrations()[:10]:
        older.execute(script)
        older.pragma("user_version", number)
    older.pragma("application_id", APPLICATION_ID)
    older.execute((EARLIER / "lanes.sql").read_text(encoding="utf-8"))
    older.close()
    return after_the_upgrade(open_embedded_ports(folder))


def open_earlier_tables(folder: Path) -> Ports:
    ports, names = open_aws_ports(folder), Names(prefix_in(folder))
    for table in (names.ownership, names.jobs, names.records, names.threads):
        for item in KEPT["tables"][table.removeprefix(f"{names.prefix}-")]:
            aws_clients().dynamodb.put_item(TableName=table, Item=item)
    return after_the_upgrade(ports)


def after_the_upgrade(ports: Ports) -> Ports:
    """Let the leases of those who worked then be over."""
    ports.clock.advance(ports.limits.lease + timedelta(seconds=2))
    for _ in JOBS:
        # These names are taken.
        ports.new_job()
    return ports


@pytest.fixture(params=[open_earlier_file, pytest.param(open_earlier_tables, marks=pytest.mark.thorough)])
def ports(request: pytest.FixtureRequest, tmp_path: Path) -> Ports:
    opened: Callable[[Path], Ports] = request.param
    return opened(tmp_path)


def work(ports: Ports) -> Iterator[str]:
    """Let one worker do whatever it finds, each for a second, and name it."""
    claimed = ports.engine.claims.claim("w1", ports.now)
    while claimed is not None:
        claim, job = claimed.claim, claimed.job
        while job is not None:
            yield NAMES.get(job.id, job.id)
            ports.clock.advance(timedelta(seconds=1))
            after = ports.engine.attempts.finish(claim, job, DONE, ports.now, give_way=True)
            if after.claimed is not None:
                claim, job = after.claimed.claim, after.claimed.job
            else:
                job = after.job
        ports.engine.claims.give_back(claim, ports.now)
        claimed = ports.engine.claims.claim("w1", ports.now)


def test_lanes_of_an_earlier_version_go_on_in_their_order(ports: Ports) -> None:
    assert list(work(ports)) == [
        "committing",
        "interrupter",
        "newer",
        "verb",
        "parked",
        "running",
        "correction",
        "behind",
        "second",
    ]
    ports.clock.advance(timedelta(seconds=60))
    ports.engine.lanes.enqueue(JOBS["preparing"], QUEUE, ports.now)
    assert list(work(ports)) == ["backing off", "preparing", "ready"]
    assert [view.pending for view in ports.engine.overview.lanes(ports.now)] == [0] * 5
    assert {ports.job(job).state for job in JOBS.values()} == {State.DONE}


def test_mails_that_come_after_the_upgrade_find_their_place_among_earlier_ones(ports: Ports) -> None:
    later = ports.queue(lane="amelia#scott", thread="t3", rule=QUEUE)
    late_verb = ports.queue(lane="amelia#scott", thread="t3", kind=Kind.VERB)
    done = [each for each in work(ports) if each in {"committing", "verb", "correction", later, late_verb}]
    assert done == ["committing", "verb", "correction", later, late_verb]


def test_what_waited_too_long_before_the_upgrade_fails_after_it(ports: Ports) -> None:
    ports.clock.advance(ports.limits.patience)
    ports.engine.lanes.sweep(ports.now)
    states = {name: ports.job(job).state for name, job in JOBS.items()}
    assert {name for name, state in states.items() if state != State.FAILED} == {"committing", "running"}


def _lengthen(folder: Path) -> None:
    """Let scott have more requests than one transaction can hold, each as the earlier version wrote it."""
    client, names = aws_clients().dynamodb, Names(prefix_in(folder))
    items = [plain_of(item) for item in KEPT["tables"]["active-jobs"]]
    model = next(item for item in items if item.get("jobId") == JOBS["correction"] and "state" in item)
    lanes = {row["projectKey"]: row for row in map(plain_of, KEPT["tables"]["container-ownership"])}
    lane = lanes[model["lane"]]
    for number in range(MORE):
        place = lane["nextSequence"] + number
        verb = number == MORE - 1
        about = {"jobId": f"more-{number}", "sequence": place, "threadId": f"u{number % 3}", "token": f"t-{number}"}
        job = {**model, **about, "dedupKey": f"more-{number}", "kind": "verb" if verb else "instruction"}
        pointer = {"projectUserId": f"job#more-{number}", "sequence": 0, "lane": model["lane"], "place": place}
        for item in (job, pointer):
            client.put_item(TableName=names.jobs, Item=item_of(item))
    more = {"pending": lane["pending"] + MORE, "nextSequence": lane["nextSequence"] + MORE}
    client.put_item(TableName=names.ownership, Item=item_of({**lane, **more}))


@pytest.mark.thorough
def test_a_line_longer_than_a_transaction_is_healed_by_several_workers_at_once(tmp_path: Path) -> None:
    ports = open_earlier_tables(tmp_path)
    _lengthen(tmp_path)

    def claim(number: int) -> Claimed | None:
        try:
            return ports.engine.claims.claim(f"w{number}", ports.now)
        except LostClaim:
            return None

    with ThreadPoolExecutor(4) as pool:
        claimed = [each for each in pool.map(claim, range(4)) if each is not None]
    mine = next(each for each in claimed if each.claim.lane.user == "scott")
    assert mine.job is not None
    assert mine.job.id == JOBS["committing"]
    done: list[str] = []
    following = ports.engine.attempts.finish(mine.claim, mine.job, DONE, ports.now)
    for each in claimed:
        if each is not mine:
            ports.engine.claims.lapse(each.claim.worker, ports.now)
    while len(done) < 4 and (job := following.job or ports.engine.claims.start(mine.claim, ports.now).job) is not None:
        done.append(NAMES.get(job.id, job.id))
        following = ports.engine.attempts.finish(mine.claim, job, DONE, ports.now)
    assert done == ["verb", "correction", "more-0", "more-1"]


@pytest.mark.thorough
def test_places_that_an_earlier_version_leaves_behind_keep_nobody_from_its_turn(tmp_path: Path) -> None:
    ports = open_earlier_tables(tmp_path)
    assert "committing" in list(work(ports))
    names, mine = Names(prefix_in(tmp_path)), [ports.queue(thread="t1", rule=QUEUE) for _ in range(3)]
    for sequence in range(-5, 0):
        # Its job is over, and the earlier version did not know of this place.
        place: dict[str, str | int] = {"projectUserId": thread_key("amelia#scott", "t1"), "sequence": sequence}
        left = item_of({**place, "jobId": f"gone{sequence}"})
        aws_clients().dynamodb.put_item(TableName=names.jobs, Item=left)
    verb = ports.queue(thread="t1", kind=Kind.VERB)
    assert [each for each in work(ports) if each in {*mine, verb}] == [*mine, verb]


@pytest.mark.thorough
def test_more_verbs_than_one_request_can_read_are_done_in_their_order(tmp_path: Path) -> None:
    ports = open_aws_ports(tmp_path)
    verbs = [ports.queue(thread=f"t{number}", kind=Kind.VERB) for number in range(101)]
    claimed = ports.engine.claims.claim("w1", ports.now)
    assert claimed is not None
    assert claimed.job is not None
    assert claimed.job.id == verbs[0]
