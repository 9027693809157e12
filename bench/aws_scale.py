"""`make scale-aws`: replays a synthetic day of a hundred thousand sites against DynamoDB Local, key by key."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import msgspec

from bench.figures import print_table
from bench.table_proxy import MOST_WRITES, TableProxy
from bench.table_units import Tariff
from tests.rigs.second_opinion import dynamodb_local
from webordinary.audit.entry import Entry, EventType
from webordinary.config import read_config
from webordinary.dispatch.flow import Waiting
from webordinary.engines.aws import projects
from webordinary.engines.aws.clients import AwsSettings, open_clients
from webordinary.engines.aws.dynamodb.items import item_of
from webordinary.engines.aws.dynamodb.lane_row import VersionedLane, lane_item
from webordinary.engines.aws.dynamodb.rows import JOB_MARK, job_item, places_of, pointer_item
from webordinary.engines.aws.dynamodb.tables import tables
from webordinary.engines.aws.flow.events import ses_notification
from webordinary.engines.aws.flow.functions import definition
from webordinary.engines.aws.flow.gauges import measure_lanes
from webordinary.engines.aws.flow.handover import Handover
from webordinary.engines.aws.flow.steps import MailSteps
from webordinary.engines.aws.flow.tokens import Flow
from webordinary.engines.aws.open import create_stores, open_aws_engine
from webordinary.engines.aws.projects import DynamoProjects
from webordinary.engines.aws.s3.visitor_routes import sites_that_fit
from webordinary.engines.aws.sqs.dead_letters import DeadLetters
from webordinary.engines.installation import Installation
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.spending import DayLimit, Payer
from webordinary.metrics.meter import Metric
from webordinary.routing.lane import Lane
from webordinary.testing.clock import ManualClock
from webordinary.testing.mail import write_mail
from webordinary_local_aws.server import LocalAws

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bench.table_proxy import Account
    from webordinary.routing.project import Project

_PLACE = Path("build")
SITES, MAILS_A_DAY, NOON = 100_000, 1_000_000, 5
MAILS_A_SECOND = MAILS_A_DAY * NOON / 86_400
_NOON_AT = 12
# No key may take more than that: a third of what it could.
MOST_OF_A_KEY = 300
# What a table of an account may take unless more was asked for.
_MOST_OF_A_TABLE = 40_000
_SWEEPS = 2
_AT_ONCE = 25
_CONFIG = """
domain = "scale.example.com"
engine = "aws"
[aws]
prefix = "scale"
region = "eu-central-1"
account = "123456789012"
[[project]]
id = "site0"
repository = "https://git.example.com/site0.git"
[[project.editor]]
user = "owner"
address = "owner@site0.example"
"""
_DONE = Ending(
    State.DONE,
    Outcome.PUBLISHED,
    summary="The hours were changed.",
    template="published",
    facts={"summary": "The hours were changed.", "changes": "changed index.html", "address": "http://site.example/"},
)
_STEPS = ("workspace", "edited", "checked", "built", "previewed", "merged", "published")
_SAID = 6
_BEATS = 3


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is replayed: the seconds of each hour, and the sizes of the installations."""

    noon_seconds: float = 4.0
    mails_of_other_hours: int = 1
    few: int = 10
    many: int = 10_000
    waiting: int = 2_500
    mails_read: int = 3


QUICK = Extent(noon_seconds=0.1, mails_of_other_hours=0, many=40, waiting=30, mails_read=2)


class Silent:
    """Wakes nobody: queues are no part of this."""

    def wake(self, _wakeup: object) -> None:
        return


@dataclass(slots=True)
class Beats(Flow):
    """A flow that notes for whom somebody speaks."""

    tokens: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        Flow.__init__(self)

    @property
    def is_open(self) -> bool:
        return True

    def beat(self, token: str) -> None:
        self.tokens.add(token)


@dataclass(slots=True)
class Gauge:
    """Keeps the last value of each measure."""

    values: dict[Metric, float] = field(default_factory=dict)

    def record(self, metric: Metric, value: float = 1, **_: object) -> None:
        self.values[metric] = value


class Place:
    """One installation on DynamoDB Local behind the proxy; its steps are called one by one, on a clock of their own."""

    def __init__(self, proxy: TableProxy, clock: ManualClock) -> None:
        self.proxy, self.clock = proxy, clock
        self.config = read_config(_CONFIG, Path("/nowhere/webordinary.toml"), {})
        self.settings = AwsSettings.of(self.config.aws)
        self.clients = open_clients(self.settings, boto3.Session())
        create_stores(self.settings, self.clients)
        self.gauge = Gauge()
        self.aws = open_aws_engine(self.settings, self.config.limits, self.clients, Postman(), self.gauge)
        self.aws.store.wakeups = Silent()  # type: ignore[assignment]  # see there
        self.aws.store.flow = Flow()
        # How many keys there are is looked up by the minute of the machine, and not by that of the day.
        self.aws.store.names.shards.look_up = None
        here = Installation(self.config, self.aws.engine, clock)
        chores = here.chores("flow")
        self.mails = MailSteps(self.aws, here, chores)
        self.jobs = Handover(self.aws, here, chores, DeadLetters(self.clients.sqs, self.aws.store.names))
        self._number = 0
        self.template = self.config.projects[0]
        DynamoProjects(self.clients.dynamodb, self.aws.store.names).keep(self.template)

    def add_projects(self, first: int, last: int) -> None:
        """Onboard sites, each with a lane that rests, past the proxy."""
        names = self.aws.store.names
        puts: list[tuple[str, Any]] = []
        for number in range(first, last):
            name = f"site{number}"
            puts.append((names.projects, item_of({"id": name, "project": _text(self.template, name)})))
            puts.append((names.ownership, lane_item(VersionedLane(f"{name}#owner", 1, version=1), names.shards)))
        self.put(puts)

    def put(self, puts: list[tuple[str, Any]]) -> None:
        client = boto3.client("dynamodb", endpoint_url=dynamodb_local().endpoint)
        for at in range(0, len(puts), _AT_ONCE):
            asked: dict[str, Any] = {}
            for table, item in puts[at : at + _AT_ONCE]:
                asked.setdefault(table, []).append({"PutRequest": {"Item": item}})
            client.batch_write_item(RequestItems=asked)

    def one_mail(self, site: int) -> None:
        """Let a mail go all the way, as the flow and a worker do it."""
        engine = self.aws.engine
        lane, job = self.hand_over(f"site{site}")
        worker = f"worker{self._number % 500}"
        self.aws.store.called[worker] = lane.key
        claimed = engine.claims.claim(worker, self.clock.now())
        if claimed is None or claimed.job is None or claimed.claim.lane != lane:
            raise AssertionError(f"{lane.key} was not claimed")
        claim, running, now = claimed.claim, claimed.job, self.clock.now()
        engine.threads.begin_session(running.thread, "session")
        payer = Payer(lane, now.wall_at.date(), running.id)
        reserved = engine.spending.reserve(payer, 2.0, 0.1, DayLimit(20.0), now)
        for number in range(_SAID):
            said = Entry(EventType.AGENT_SAID, now.wall_at, lane.key, running.thread, running.id, text=f"Step {number}")
            engine.trail.record(said)
        for step in _STEPS:
            running = engine.attempts.journal(claim, running, step, {"seconds": "1.2"}, now)
        for _ in range(_BEATS):
            engine.claims.beat(claim, running.id, now)
        engine.spending.charge(payer, reserved, 0.31, now)
        engine.attempts.take_publish_slot(claim, running, now)
        running = engine.attempts.pass_commit_point(claim, running, "c0ffee" * 6, now)
        engine.attempts.leave_publish_slot(claim, running, now)
        engine.attempts.finish(claim, running, _DONE, now)
        engine.claims.release(claim, now)
        self.jobs.send_reply(job)

    def hand_over(self, project: str) -> tuple[Lane, str]:
        """Let a mail come as far as its lane."""
        self._number += 1
        key, sender, to = f"mail-{self._number}", f"owner@{project}.example", f"{project}@{self.config.domain}"
        words = "Please change the opening hours on the page about us: we open at nine on Saturdays now.\n" * 6
        raw = write_mail(
            sender=sender, to=to, text=words, subject=f"Hours {self._number}", written_at=self.clock.now().wall_at
        )
        self.clients.s3.put_object(Bucket=self.aws.inbox.bucket, Key=key, Body=raw)
        event = ses_notification(self.aws.inbox.bucket, key, sender=sender, recipients=[to], verdict="PASS")
        (mail,) = self.mails.receive(event)
        parsed = self.mails.parse_email(mail)
        if parsed["outcome"] != "wanted":
            raise AssertionError(f"a mail to {to} came to {parsed}")
        wanted = self.mails.register(mail)
        lane, job = Lane(wanted["project"], wanted["user"]), str(wanted["job"])
        self.jobs.check_active_job(lane, wanted["thread"])
        token = f"{job}{'AQ' * 300}"
        self.jobs.send_to_container(job, lane, (), Waiting(token, f"mail-{self._number}"))
        return lane, job


class Postman:
    """Takes every letter."""

    def deliver(self, raw: bytes, to: str) -> str | None:
        del raw, to
        return None


def measure(extent: Extent) -> dict[str, object]:
    """Replay everything, and return the figures."""
    clock = ManualClock()
    # What was read a moment ago is remembered, and how long a moment is depends on the machine.
    projects._REMEMBERED_SECONDS = 0.0  # noqa: SLF001 - nobody else has a reason to change it
    with LocalAws() as server, environment(server):
        names = AwsSettings("scale").names
        tariff = Tariff({table.name: table for table in tables(names)})
        with TableProxy(dynamodb_local().endpoint, tariff, lambda: clock.now().seconds) as proxy:
            os.environ["AWS_ENDPOINT_URL_DYNAMODB"] = proxy.endpoint
            place = Place(proxy, clock)
            figures = _reads(place, extent)
            figures |= _day(place, extent)
            figures |= _waiting(place, extent)
            return figures


def _reads(place: Place, extent: Extent) -> dict[str, object]:
    """Count what a mail reads among few and among many."""
    place.add_projects(1, extent.few)
    place.aws.engine.lanes.sweep(place.clock.now())
    place.one_mail(1)
    found = {}
    for count, name in ((extent.few, "10"), (extent.many, "10000")):
        place.add_projects(extent.few, count)
        dearest = 0.0
        for _ in range(extent.mails_read):
            place.proxy.begin()
            place.clock.advance(timedelta(minutes=2))
            place.one_mail(1)
            dearest = max(dearest, sum(place.proxy.account.total().reads.values()))
        found[f"read_units_per_mail_at_{name}_projects"] = dearest
    return dict(found)


def _day(place: Place, extent: Extent) -> dict[str, object]:
    """Replay a sample of each hour, at its own rate; noon decides."""
    place.aws.store.use_many_keys()
    place.proxy.begin()
    site = mails = 0
    for hour in range(24):
        rate = MAILS_A_SECOND * (1.0 if hour == _NOON_AT else 1 / NOON)
        sample = math.ceil(rate * extent.noon_seconds) if hour == _NOON_AT else extent.mails_of_other_hours
        for _ in range(sample):
            place.clock.advance(timedelta(seconds=1 / rate))
            site, mails = site % (extent.many - 1) + 1, mails + 1
            place.one_mail(site)
        place.clock.advance(timedelta(minutes=30))
    return _figures_of_day(place.proxy.account, mails, extent)


def _figures_of_day(account: Account, mails: int, extent: Extent) -> dict[str, object]:
    (where, key), units = account.hottest()
    most = units / max(1.0, extent.noon_seconds)
    writes = account.total().writes
    by_table: Counter[str] = Counter()
    for (table, _), units in writes.items():
        by_table[table] += units
    largest = max(by_table.values()) / mails * MAILS_A_SECOND
    return {
        "hottest_key_wcu_per_s": round(most, 1),
        "hottest_key": f"{where} {key}",
        "write_units_per_mail": round(sum(writes.values()) / mails, 1),
        "throttled": account.throttled,
        "mails_replayed": mails,
        "sites_in_one_region": min(int(SITES * min(MOST_WRITES / most, _MOST_OF_A_TABLE / largest)), sites_that_fit()),
        "most_written_keys": {
            f"{table} {name}": round(units / mails, 2) for (table, name), units in writes.most_common(12)
        },
    }


def _waiting(place: Place, extent: Extent) -> dict[str, object]:
    """Let many lanes wait with nobody who works, and sweep for longer than silence was once allowed."""
    lane, job = place.hand_over("site1")
    _copy_lane(place, lane, job, extent.waiting)
    flow, store = Beats(), place.aws.store
    store.flow = flow
    for _ in range(_SWEEPS):
        place.clock.advance(timedelta(minutes=1))
        place.aws.engine.lanes.sweep(place.clock.now())
    measure_lanes(store, place.clients.sqs, place.aws.addresses.unclaimed, place.clock.now())
    counted = place.gauge.values[Metric.LANES_WAITING]
    needs_beats = "HeartbeatSeconds" in definition("scale")
    return {
        "lanes_waiting": extent.waiting + 1,
        "lanes_waiting_counted": int(counted),
        "lanes_without_beat": extent.waiting + 1 - len(flow.tokens) if needs_beats else 0,
    }


def _copy_lane(place: Place, lane: Lane, job: str, count: int) -> None:
    store = place.aws.store
    row, waiting = store.lane(lane.key), store.find(job)
    if row is None or waiting is None:
        raise AssertionError(f"nothing waits in {lane.key}")
    names, puts = store.names, []
    for number in range(count):
        name, new = f"wait{number}#owner", f"job-{number:012x}"
        copy = replace(waiting, lane=name, id=new, thread=f"t{number}")
        mark = names.shards.key(JOB_MARK, new)
        puts.append((names.ownership, lane_item(replace(row, lane=name), names.shards)))
        items = [job_item(copy, mark), pointer_item(copy), *(item_of({**key, "jobId": new}) for key in places_of(copy))]
        puts += [(names.jobs, item) for item in items]
    place.put(puts)


@contextmanager
def environment(server: LocalAws) -> Iterator[None]:
    """Let every client of this process find the local servers."""
    before = dict(os.environ)
    os.environ.update(server.environment())
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _text(project: Project, name: str) -> str:
    editors = [{"user": "owner", "address": f"owner@{name}.example"}]
    plain = msgspec.json.decode(
        msgspec.json.encode(project, enc_hook=lambda value: timedelta(seconds=value.total_seconds()))
    )
    return msgspec.json.encode({**plain, "id": name, "editors": editors}).decode()


def main() -> int:
    """Measure, and say what is above what it may be."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="only see that it works")
    options.add_argument("--out", type=Path, default=_PLACE / "scale-aws.json", help="where the figures are written")
    chosen = options.parse_args()
    chosen.out.parent.mkdir(exist_ok=True, parents=True)
    figures = measure(QUICK if chosen.quick else Extent())
    chosen.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print_table({name: value for name, value in figures.items() if not isinstance(value, dict)})
    missed = missed_by(figures)
    sys.stdout.write(f"\nmissed: {', '.join(missed) or 'nothing'}\n")
    return 1 if missed else 0


def missed_by(figures: Mapping[str, Any]) -> list[str]:
    """Return which promises do not hold."""
    few, many = (figures[f"read_units_per_mail_at_{count}_projects"] for count in (10, 10_000))
    found = {
        "hottest_key_wcu_per_s": figures["hottest_key_wcu_per_s"] <= MOST_OF_A_KEY,
        "read_units_per_mail_at_10000_projects": few == many,
        "lanes_without_beat": figures["lanes_without_beat"] == 0,
        "lanes_waiting_counted": figures["lanes_waiting_counted"] == figures["lanes_waiting"],
        "throttled": figures["throttled"] == 0,
        "sites_in_one_region": figures["sites_in_one_region"] >= SITES,
    }
    return [name for name, holds in found.items() if not holds]


if __name__ == "__main__":
    sys.exit(main())
