"""The AWS engine's ports without processes, on the local AWS server: the real ones, over HTTP."""

from __future__ import annotations

import atexit
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

import boto3

from tests.rigs.embedded_ports import AMELIA, Postman
from tests.rigs.ports import Ports
from webordinary.engine import Engine
from webordinary.engines.aws.attempts import DynamoAttempts
from webordinary.engines.aws.buckets import buckets, create_buckets
from webordinary.engines.aws.callbacks import StepFunctionsCallbacks
from webordinary.engines.aws.claims import DynamoClaims
from webordinary.engines.aws.clients import AwsSettings, Clients, open_clients
from webordinary.engines.aws.inbox import S3Inbox
from webordinary.engines.aws.lanes import DynamoLanes
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.outbox import SesOutbox
from webordinary.engines.aws.overview import DynamoOverview
from webordinary.engines.aws.projects import DynamoProjects
from webordinary.engines.aws.signals import SqsSignals
from webordinary.engines.aws.store import Store
from webordinary.engines.aws.tables import create_tables
from webordinary.engines.aws.threads import DynamoThreads
from webordinary.engines.aws.tokens import Flow
from webordinary.engines.aws.trail import DynamoTrail
from webordinary.jobs.limits import Limits
from webordinary.site.targets.folder import FolderSites
from webordinary.testing.aws.server import ACCOUNT, REGION, LocalAws
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from pathlib import Path

_made: set[str] = set()


@lru_cache(maxsize=1)
def aws_clients() -> Clients:
    """Start one server for all tests of a process; it ends with the process."""
    server = LocalAws()
    atexit.register(server.close)
    connection = server.connection()
    session = boto3.Session(
        aws_access_key_id=connection["aws_access_key_id"],
        aws_secret_access_key=connection["aws_secret_access_key"],
        region_name=REGION,
    )
    return open_clients(AwsSettings(endpoint=server.endpoint, account=ACCOUNT), session)


def open_aws_ports(folder: Path) -> Ports:
    """Open the engine of a folder; opening it a second time is what a new process does."""
    clients, limits, postman = aws_clients(), Limits(), Postman()
    names = Names(f"t{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}")
    kept = buckets(clients.s3, names.prefix, clients.account)
    projects = DynamoProjects(clients.dynamodb, names)
    if names.prefix not in _made:
        create_tables(clients.dynamodb, names)
        create_buckets(clients.s3, kept)
        projects.keep(AMELIA)
        _made.add(names.prefix)
    signals = SqsSignals(clients.bells, clients.sqs, names.prefix)
    store = Store(clients.dynamodb, names, signals, limits, Flow(clients.states))
    overview = DynamoOverview(store)
    engine = Engine(
        inbox=S3Inbox(clients.dynamodb, names, kept.mails, kept.media),
        projects=projects,
        threads=DynamoThreads(clients.dynamodb, names),
        lanes=DynamoLanes(store),
        callbacks=StepFunctionsCallbacks(store),
        claims=DynamoClaims(store),
        attempts=DynamoAttempts(store),
        signals=signals,
        sites=FolderSites(previews=folder / "previews", targets={"amelia": folder / "sites" / "amelia"}),
        outbox=SesOutbox(clients.dynamodb, names, kept.mails, postman, overview.job),
        trail=DynamoTrail(clients.dynamodb, names),
        overview=overview,
    )
    return Ports(engine, ManualClock(), limits, postman.delivered, postman.refuse, leases_follow="wall")
