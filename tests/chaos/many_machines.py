"""Chaos on AWS: the local server, processes whose clocks differ as those of machines do, and a bad network."""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import boto3

from tests.chaos.bad_network import BadNetwork
from tests.chaos.feeder import Feeder, lane_of
from tests.chaos.ground import LIMITS, STEPS, Ground
from webordinary.clock import SystemClock
from webordinary.engines.aws.clients import AwsSettings, Clients, open_clients
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.open import create_stores, open_engine
from webordinary.engines.aws.sqs.queues import create_queues, lane_queues
from webordinary_local_aws.server import ACCOUNT, LocalAws

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from tests.chaos.plan import Plan, Result
    from webordinary.clock import Moment

# A call takes some milliseconds here and may be repeated: everything lasts longer than on one machine.
LIMITS_ON_AWS = replace(
    LIMITS,
    lease=timedelta(seconds=3),
    beat=timedelta(seconds=0.7),
    idle_lease=timedelta(seconds=3),
    idle_beat=timedelta(seconds=1),
    look=timedelta(seconds=1),
    sweep=timedelta(seconds=1),
    idle_release=timedelta(seconds=2),
    backoff=(timedelta(seconds=0.1),),
)
_SKEW = timedelta(milliseconds=30)
_SKEWS = 7
_MOST_LANES = 12


class ManyMachines:
    """The AWS engine; each process is a machine of its own."""

    steps = (*STEPS, "before a write", "after a write")
    look_again = timedelta(milliseconds=50)

    @contextmanager
    def opened(self, folder: Path) -> Iterator[Mapping[str, str]]:
        with LocalAws() as server:
            environment = server.environment()
            settings = settings_of(folder)
            clients = clients_of(settings, environment)
            create_stores(settings, clients)
            for user in range(_MOST_LANES):
                create_queues(clients.sqs, lane_queues(Names(settings.prefix), lane_of(user)))
            yield environment

    def ground(self, folder: Path, environment: Mapping[str, str], *, troubled: bool) -> Ground:
        settings = settings_of(folder)
        clients = clients_of(settings, environment)
        network = BadNetwork(folder / "accidents")
        if troubled:
            network.between(clients.dynamodb)
            network.between(clients.states)
            network.between_wakeups(clients.sqs)

        def watch_writes(obey: Callable[[str], None]) -> None:
            network.watch(clients.dynamodb, obey)

        engine = open_engine(settings, LIMITS_ON_AWS, clients, _Nobody())
        return Ground(engine, SkewedClock(), LIMITS_ON_AWS, lambda: False, lambda: None, watch_writes)

    def feeder(self, door: Ground, plan: Plan, result: Result) -> Feeder:
        return Feeder(door, plan, result)


class SkewedClock(SystemClock):
    """The clock of a machine that is a little before or behind the others."""

    def __init__(self) -> None:
        super().__init__()
        self._skew = _SKEW * (os.getpid() % _SKEWS - _SKEWS // 2)

    def now(self) -> Moment:
        now = super().now()
        return replace(now, wall_at=now.wall_at + self._skew)


class _Nobody:
    """Takes every letter; the chaos is about jobs."""

    def deliver(self, raw: bytes, to: str) -> None: ...


def settings_of(folder: Path) -> AwsSettings:
    return AwsSettings(f"c{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}")


def clients_of(settings: AwsSettings, environment: Mapping[str, str]) -> Clients:
    session = boto3.Session(
        aws_access_key_id=environment["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=environment["AWS_SECRET_ACCESS_KEY"],
        region_name=environment["AWS_REGION"],
    )
    return open_clients(replace(settings, endpoint=environment["AWS_ENDPOINT_URL"], account=ACCOUNT), session)
