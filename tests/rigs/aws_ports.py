"""The AWS engine's ports without processes, on the local AWS server: the real ones, over HTTP."""

from __future__ import annotations

import atexit
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

import boto3
import pytest

from tests.rigs.embedded_ports import AMELIA, Postman
from tests.rigs.ports import LIMITS, Ports
from tests.rigs.second_opinion import dynamodb_local, ministack_queues
from webordinary.engines.aws.clients import AwsSettings, Clients, open_clients
from webordinary.engines.aws.dynamodb.tables import definition, tables
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.open import open_engine
from webordinary.engines.aws.projects import DynamoProjects
from webordinary.engines.aws.sqs.queues import create_queues, installation_queues, lane_queues
from webordinary.routing.lane import Lane
from webordinary.testing.clock import ManualClock
from webordinary_local_aws.server import ACCOUNT, REGION, LocalAws

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@lru_cache(maxsize=1)
def aws_server() -> LocalAws:
    """Start one server for all tests of a process; it ends with the process."""
    server = LocalAws()
    atexit.register(server.close)
    return server


@lru_cache(maxsize=1)
def aws_clients() -> Clients:
    """Make clients once: that takes longer than most tests."""
    connection = aws_server().connection()
    session = boto3.Session(
        aws_access_key_id=connection["aws_access_key_id"],
        aws_secret_access_key=connection["aws_secret_access_key"],
        region_name=REGION,
    )
    return open_clients(AwsSettings(endpoint=connection["endpoint_url"], account=ACCOUNT), session)


@lru_cache(maxsize=1)
def second_clients() -> Clients:
    """Make clients as a person does who wants other tables and queues: by the environment alone."""
    with pytest.MonkeyPatch.context() as environment:
        for name, value in aws_server().environment().items():
            environment.setenv(name, value)
        environment.setenv("AWS_ENDPOINT_URL_DYNAMODB", dynamodb_local().endpoint)
        environment.setenv("AWS_ENDPOINT_URL_SQS", ministack_queues().endpoint)
        clients = open_clients(AwsSettings(account=ACCOUNT), boto3.Session())
        # Made when it is first asked for, which is after this environment.
        clients.more("secretsmanager")
        return clients


def open_aws_ports(folder: Path) -> Ports:
    """Open the installation of a folder; opening it a second time is what a new process does."""
    return _open_ports(folder, aws_clients)


def open_second_ports(folder: Path) -> Ports:
    """Open it on tables and queues that others wrote: what is true there too is no quirk of one local server."""
    return _open_ports(folder, second_clients)


def prefix_in(folder: Path) -> str:
    """Return what all names of the installation of a folder begin with."""
    return f"t{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"


def _open_ports(folder: Path, make_clients: Callable[[], Clients]) -> Ports:
    clients, limits, postman = make_clients(), LIMITS, Postman()
    settings = AwsSettings(prefix_in(folder))
    _set_up(settings, make_clients)
    engine = open_engine(settings, limits, clients, postman)
    return Ports(engine, ManualClock(), limits, postman.delivered, postman.refuse, leases_follow="wall")


@lru_cache(maxsize=1000)
def _set_up(settings: AwsSettings, make_clients: Callable[[], Clients]) -> None:
    """Make what contracts need and no more: how long rows stay and who may read a bucket is shown elsewhere."""
    clients, names = make_clients(), Names(settings.prefix)
    for table in tables(names):
        clients.dynamodb.create_table(**definition(table))
    for bucket in (names.mails_bucket, names.media_bucket, names.sites_bucket):
        clients.s3.create_bucket(
            Bucket=bucket(ACCOUNT), CreateBucketConfiguration={"LocationConstraint": "eu-central-1"}
        )
    create_queues(clients.sqs, installation_queues(names))
    DynamoProjects(clients.dynamodb, names).keep(AMELIA)
    for editor in AMELIA.editors:
        create_queues(clients.sqs, lane_queues(names, Lane(AMELIA.id, editor.user)))
