"""The AWS engine's ports without processes, on the local AWS server: the real ones, over HTTP."""

from __future__ import annotations

import atexit
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

import boto3

from tests.rigs.embedded_ports import AMELIA, Postman
from tests.rigs.ports import Ports
from webordinary.engines.aws.clients import AwsSettings, Clients, open_clients
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.open import create_stores, open_engine
from webordinary.engines.aws.projects import DynamoProjects
from webordinary.jobs.limits import Limits
from webordinary.testing.aws.server import ACCOUNT, REGION, LocalAws
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
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


def open_aws_ports(folder: Path) -> Ports:
    """Open the installation of a folder; opening it a second time is what a new process does."""
    clients, limits, postman = aws_clients(), Limits(), Postman()
    settings = AwsSettings(f"t{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}")
    _set_up(settings)
    engine = open_engine(settings, limits, clients, postman)
    return Ports(engine, ManualClock(), limits, postman.delivered, postman.refuse, leases_follow="wall")


@lru_cache(maxsize=1000)
def _set_up(settings: AwsSettings) -> None:
    create_stores(settings, aws_clients())
    DynamoProjects(aws_clients().dynamodb, Names(settings.prefix)).keep(AMELIA)
