"""Opens the AWS engine: one place where its parts are joined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engine import Engine
from webordinary.engines.aws.attempts import DynamoAttempts
from webordinary.engines.aws.buckets import buckets, create_buckets
from webordinary.engines.aws.callbacks import StepFunctionsCallbacks
from webordinary.engines.aws.claims import DynamoClaims
from webordinary.engines.aws.clients import open_clients
from webordinary.engines.aws.inbox import S3Inbox
from webordinary.engines.aws.lanes import DynamoLanes
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.outbox import SesOutbox
from webordinary.engines.aws.overview import DynamoOverview
from webordinary.engines.aws.postman import SesPostman
from webordinary.engines.aws.projects import DynamoProjects
from webordinary.engines.aws.reply_keys import DynamoReplyKeys
from webordinary.engines.aws.signals import SqsSignals
from webordinary.engines.aws.sites import S3Sites
from webordinary.engines.aws.store import Store
from webordinary.engines.aws.tables import create_tables
from webordinary.engines.aws.threads import DynamoThreads
from webordinary.engines.aws.tokens import Flow
from webordinary.engines.aws.trail import DynamoTrail

if TYPE_CHECKING:
    from webordinary.engines.aws.clients import AwsSettings, Clients
    from webordinary.engines.aws.outbox import Postman
    from webordinary.jobs.limits import Limits


def open_engine(
    settings: AwsSettings, limits: Limits, clients: Clients | None = None, postman: Postman | None = None
) -> Engine:
    """Join all ports over the installation of that prefix; tests bring their own clients and postman."""
    clients = clients or open_clients(settings)
    names = Names(settings.prefix)
    kept = buckets(clients.s3, settings.prefix, clients.account)
    signals = SqsSignals(clients.bells, clients.sqs, settings.prefix)
    store = Store(clients.dynamodb, names, signals, limits, Flow(clients.states))
    overview = DynamoOverview(store)
    postman = postman or SesPostman(clients.ses, settings.mail_from)
    return Engine(
        inbox=S3Inbox(clients.dynamodb, names, kept.mails, kept.media),
        projects=DynamoProjects(clients.dynamodb, names),
        threads=DynamoThreads(clients.dynamodb, names),
        lanes=DynamoLanes(store),
        callbacks=StepFunctionsCallbacks(store),
        claims=DynamoClaims(store),
        attempts=DynamoAttempts(store),
        signals=signals,
        sites=S3Sites(kept.sites),
        outbox=SesOutbox(clients.dynamodb, names, kept.mails, postman, overview.job),
        trail=DynamoTrail(clients.dynamodb, names),
        overview=overview,
        reply_keys=DynamoReplyKeys(clients.dynamodb, names, settings.reply_key),
    )


def create_stores(settings: AwsSettings, clients: Clients) -> None:
    """Make the tables and buckets that are not there yet: for tests and for the stack on one's own machine."""
    create_tables(clients.dynamodb, Names(settings.prefix))
    create_buckets(clients.s3, buckets(clients.s3, settings.prefix, clients.account))
