"""What is marked stands under many keys once much happens, and what was written before is found all the same."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.aws.accidents import counted_calls
from tests.aws.test_dispatch_in_dynamodb import store_of
from tests.contracts.test_lanes import DONE, take
from tests.embedded.test_chores import AGENCY
from tests.rigs.aws_ports import aws_clients, open_aws_ports
from tests.rigs.embedded_ports import AMELIA
from webordinary.audit.entry import Entry, EventType
from webordinary.engines.aws.dynamodb.lane_row import lane_from
from webordinary.engines.aws.dynamodb.records import CALLBACK, OUTBOX, TRAIL, token_id
from webordinary.engines.aws.dynamodb.shards import MANY
from webordinary.engines.aws.flow import sweeping
from webordinary.engines.aws.flow.gauges import measure_lanes
from webordinary.engines.aws.projects import DynamoProjects, address_key
from webordinary.jobs.job import Ending, State
from webordinary.mail.inbox import Envelope
from webordinary.metrics.meter import Metric
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports
    from webordinary.engines.aws.dynamodb.store import DynamoStore

FAILED = Ending(State.FAILED, error="no", template="failed")


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    return open_aws_ports(tmp_path)


class Gauge:
    """Keeps the last value of each measure."""

    def __init__(self) -> None:
        self.values: dict[Metric, float] = {}

    def record(self, metric: Metric, value: float = 1, **_: object) -> None:
        self.values[metric] = value


def rows_of(store: DynamoStore, table: str) -> list[dict[str, Any]]:
    return [dict(item) for item in store.client.scan(TableName=table)["Items"]]


def test_what_stands_under_one_key_and_under_many_is_found_together(ports: Ports) -> None:
    store, engine = store_of(ports), ports.engine
    before = ports.queue(lane="amelia#before", reply_to="scott@example.org")
    old = engine.inbox.keep(b"From: scott@example.org\n\nold", Envelope("smtp", ("amelia@example.com",)), ports.now)
    store.use_many_keys()
    jobs = [before, *(ports.queue(lane=f"amelia#user{number}", thread=f"t{number}") for number in range(12))]
    for number in range(12):
        raw = f"From: scott@example.org\n\n{number}".encode()
        engine.inbox.keep(raw, Envelope("smtp", ("amelia@example.com",)), ports.now)

    # Nothing of it stands under one key alone.
    lanes = Counter(row["readyMark"]["S"] for row in rows_of(store, store.names.ownership))
    kinds = Counter(row["kind"]["S"] for row in rows_of(store, store.names.records))
    assert len(lanes) > 3
    assert len([kind for kind in kinds if kind.startswith(TRAIL)]) > 3
    assert len([kind for kind in kinds if kind.startswith("mail#") or kind == "mail"]) > 3

    assert sorted(job.id for job in engine.overview.jobs()) == sorted(jobs)
    assert {mail.id for mail in engine.overview.mails()} >= {old.mail}
    assert len(engine.overview.mails()) == len(engine.inbox.undecided(ports.now.wall_at)) == 13
    numbers = [entry.number for entry in engine.trail.read()]
    assert numbers == sorted(numbers)
    assert engine.trail.last_number() == numbers[-1]
    assert [entry.number for entry in engine.trail.newest(limit=5)] == numbers[-5:]
    queued = [entry.lane for entry in engine.trail.read(lane="amelia#before")]
    assert set(queued) == {"amelia#before"}
    # A worker finds everybody, and every answer goes out.
    for _ in jobs:
        claim, job = take(ports)
        engine.attempts.finish(claim, job, FAILED, ports.now)
        engine.claims.release(claim, ports.now)
    assert engine.claims.claim("w1", ports.now) is None
    due = [letter for _ in jobs for letter in engine.outbox.take_due("one", ports.now, limit=1)]
    assert [letter.job for letter in due] == [before]


def test_an_installation_in_which_many_wait_gets_many_keys_and_others_learn_of_it(
    ports: Ports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "MOST_RUNG", 3)
    ports.queue(lane="amelia#one")
    ports.engine.lanes.sweep(ports.now)
    assert store_of(ports).names.shards.count == 1
    for name in ("two", "three"):
        ports.queue(lane=f"amelia#{name}")
    ports.engine.lanes.sweep(ports.now)
    assert store_of(ports).names.shards.count == MANY
    assert store_of(open_aws_ports(tmp_path)).names.shards.count == MANY


def test_many_who_wait_do_not_hide_a_lane_that_waited_when_the_clock_was_set_back(
    ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "MOST_RUNG", 1)
    ports.queue(lane="amelia#maria")
    ports.clock.jump(timedelta(days=-1))
    ports.queue(lane="amelia#scott")
    ports.clock.advance(timedelta(seconds=1))
    ports.engine.lanes.sweep(ports.now)
    assert {take(ports, worker)[0].lane.user for worker in ("w1", "w2")} == {"maria", "scott"}


def test_everybody_who_waits_is_counted_and_a_claim_reads_few_of_them(ports: Ports) -> None:
    store = store_of(ports)
    for number in range(25):
        ports.queue(lane=f"amelia#user{number}")
    claim, _ = take(ports)
    store.meter = gauge = Gauge()
    url = aws_clients().sqs.create_queue(QueueName="counted")["QueueUrl"]
    measure_lanes(store, aws_clients().sqs, url, ports.now)
    assert (gauge.values[Metric.LANES_WAITING], gauge.values[Metric.ACTIVE_CLAIMS]) == (24, 1)
    assert len(store.free_lanes(ports.now)) == 10
    assert claim.lane.key not in {row.lane for row in store.free_lanes(ports.now)}


def test_a_mail_for_a_lane_of_which_somebody_was_told_is_found_with_one_look(ports: Ports) -> None:
    store = store_of(ports)
    store.use_many_keys()
    ports.queue(lane="amelia#scott")
    store.called["w1"] = "amelia#scott"
    with counted_calls(store.client) as calls:
        assert store.free_lanes(ports.now)
    assert calls == ["Query"]


def test_what_an_earlier_version_wrote_is_noted_by_the_first_sweep(ports: Ports) -> None:
    store, engine = store_of(ports), ports.engine
    ports.queue(lane="amelia#scott")
    claim, job = take(ports)
    engine.attempts.finish(claim, job, Ending(State.DEAD, error="its worker died"), ports.now)
    engine.lanes.pause("amelia", "not now", ports.now)
    for row in rows_of(store, store.names.records):
        if row["kind"]["S"].startswith("lanes#") or row["kind"]["S"] in {"behind", "layout"}:
            store.client.delete_item(TableName=store.names.records, Key={name: row[name] for name in ("kind", "id")})
        elif row["kind"]["S"] in {"project", "dead"}:
            plain = {name: value for name, value in row.items() if name not in {"dueMark", "dueAt"}}
            store.client.put_item(TableName=store.names.records, Item=plain)
    store._notes_lanes = False  # noqa: SLF001 - as a process that has just begun

    assert [view.project for view in engine.overview.paused()] == ["amelia"]
    engine.lanes.sweep(ports.now)
    with counted_calls(store.client) as calls:
        assert [view.project for view in engine.overview.paused()] == ["amelia"]
        assert [dead.id for dead in engine.overview.dead_without_alarm()] == [job.id]
        assert store.lanes_behind("amelia") == ["amelia#scott"]
    assert "Scan" not in calls
    engine.outbox.add(Letter(f"{job.id}.alarm", "alarm", AGENCY, "buried", {}), ports.now)
    assert not engine.overview.dead_without_alarm()
    assert not list(store.marked("dead"))


def test_letters_and_tokens_of_an_earlier_version_lie_under_one_key_and_are_found(ports: Ports) -> None:
    store, engine = store_of(ports), ports.engine
    name = ports.queue(reply_to="scott@example.org")
    claim, job = take(ports)
    engine.attempts.finish(claim, job, FAILED, ports.now)
    assert job.token is not None
    for row in rows_of(store, store.names.records):
        kind = row["kind"]["S"].partition("#")[0]
        if kind in {OUTBOX, CALLBACK}:
            store.client.delete_item(TableName=store.names.records, Key={each: row[each] for each in ("kind", "id")})
            store.client.put_item(TableName=store.names.records, Item={**row, "kind": {"S": kind}})

    assert store.callback(job.token) is not None
    assert not engine.outbox.add(Letter(f"{name}.answer", "answer", "scott@example.org", "failed", {}), ports.now)
    (letter,) = engine.outbox.take_due("one", ports.now)
    engine.outbox.seal(letter, b"a letter", "<a@example.com>", ports.now)
    engine.outbox.deliver(letter, b"a letter")
    engine.outbox.mark_sent(letter, ports.now)
    assert engine.outbox.written(letter.key) == b"a letter"
    found = engine.outbox.find_sent("<a@example.com>".strip("<>"))
    assert found is not None
    assert found.key == letter.key
    kinds = {row["kind"]["S"] for row in rows_of(store, store.names.records) if row["id"]["S"] == letter.key}
    assert kinds == {OUTBOX}
    assert store.item(store.names.records, {"kind": CALLBACK, "id": token_id(job.token)}) is not None


def test_projects_of_an_earlier_version_are_found_by_address_before_and_after_the_next_onboarding(ports: Ports) -> None:
    store = store_of(ports)
    projects = DynamoProjects(store.client, store.names)
    for row in rows_of(store, store.names.projects):
        if row["id"]["S"].startswith("address"):
            store.client.delete_item(TableName=store.names.projects, Key={"id": row["id"]})
    address = AMELIA.editors[0].address
    assert [found.id for found in projects.find_by_address(address)] == ["amelia"]
    projects.keep(AMELIA)
    with counted_calls(store.client) as calls:
        assert [found.id for found in projects.find_by_address(address.upper())] == ["amelia"]
        assert not projects.find_by_address("nobody@example.org")
    assert "Scan" not in calls
    assert store.item(store.names.projects, {"id": address_key(address)}) is not None


def test_only_who_was_onboarded_since_is_looked_at_for_a_welcome(ports: Ports) -> None:
    projects = ports.engine.projects
    assert [project.id for project in projects.unwelcomed()] == ["amelia"]
    projects.note_welcomed("amelia")
    assert not projects.unwelcomed()


def test_a_lane_says_since_when_there_is_something_to_do(ports: Ports) -> None:
    store = store_of(ports)
    ports.queue()
    began = ports.now.seconds
    ports.clock.advance(timedelta(minutes=1))
    ports.queue()
    (row,) = map(lane_from, rows_of(store, store.names.ownership))
    assert row.busy_since == began
    for _ in range(2):
        claim, job = take(ports)
        engine = ports.engine
        engine.attempts.finish(claim, job, DONE, ports.now)
        engine.claims.give_back(claim, ports.now)
    (row,) = map(lane_from, rows_of(store, store.names.ownership))
    assert row.busy_since is None


def test_the_trail_of_a_small_installation_is_read_with_one_request(ports: Ports) -> None:
    trail, client = ports.engine.trail, store_of(ports).client
    trail.record(Entry(EventType.STEP, ports.now.wall_at, "amelia#scott", text="edited"))
    with counted_calls(client) as calls:
        assert [entry.text for entry in trail.read()] == ["edited"]
    assert calls.count("Query") == 1
