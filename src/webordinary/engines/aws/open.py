"""Opens the AWS engine: one place where its parts are joined."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dispatch.attempts import StoredAttempts
from webordinary.dispatch.callbacks import StoredCallbacks
from webordinary.dispatch.claims import StoredClaims
from webordinary.dispatch.lanes import StoredLanes
from webordinary.engine import Engine
from webordinary.engines.aws.bounces import DynamoBounces
from webordinary.engines.aws.clients import open_clients
from webordinary.engines.aws.dynamodb.store import DynamoStore
from webordinary.engines.aws.dynamodb.tables import create_tables
from webordinary.engines.aws.ecs.protection import TaskProtection
from webordinary.engines.aws.flow.references import References
from webordinary.engines.aws.flow.tokens import Flow
from webordinary.engines.aws.held_answers import DynamoHeldAnswers
from webordinary.engines.aws.inbox import S3Inbox
from webordinary.engines.aws.mail_transport import SesSender
from webordinary.engines.aws.mailboxes import DynamoMailboxes
from webordinary.engines.aws.outbox import SesOutbox
from webordinary.engines.aws.overview import DynamoOverview
from webordinary.engines.aws.people import DynamoPeople
from webordinary.engines.aws.projects import DynamoProjects
from webordinary.engines.aws.proposals import DynamoProposals
from webordinary.engines.aws.reply_keys import DynamoReplyKeys
from webordinary.engines.aws.retention import TimeToLive
from webordinary.engines.aws.s3.buckets import buckets, create_buckets
from webordinary.engines.aws.schedules import DynamoSchedules
from webordinary.engines.aws.search import DynamoSearch
from webordinary.engines.aws.secrets import TableSecrets
from webordinary.engines.aws.signals import SqsSignals
from webordinary.engines.aws.sites import S3Sites, Visitors
from webordinary.engines.aws.spending import DynamoSpending
from webordinary.engines.aws.sqs.queues import QueueAddresses, create_queues, installation_queues
from webordinary.engines.aws.sqs.wakeups import SqsWakeups
from webordinary.engines.aws.tallies import DynamoTallies
from webordinary.engines.aws.threads import DynamoThreads
from webordinary.engines.aws.totals import DynamoTotals
from webordinary.engines.aws.trail import DynamoTrail
from webordinary.engines.aws.versions import DynamoVersions
from webordinary.site.targets.by_target import SitesByTarget

if TYPE_CHECKING:
    from webordinary.engines.aws.clients import AwsSettings, Clients
    from webordinary.engines.aws.names import Names
    from webordinary.engines.aws.outbox import SesTransport
    from webordinary.jobs.limits import Limits
    from webordinary.metrics.meter import Meter


@dataclass(frozen=True, slots=True)
class AwsEngine:
    """The engine, and what only the flow and the account use of it directly."""

    engine: Engine
    clients: Clients
    store: DynamoStore
    inbox: S3Inbox
    lanes: StoredLanes
    references: References
    addresses: QueueAddresses
    sites: S3Sites
    outbox: SesOutbox
    overview: DynamoOverview
    projects: DynamoProjects


def open_engine(
    settings: AwsSettings,
    limits: Limits,
    clients: Clients | None = None,
    postman: SesTransport | None = None,
    meter: Meter | None = None,
) -> Engine:
    """Join all ports over the installation of that prefix; tests bring their own clients and postman."""
    return open_aws_engine(settings, limits, clients, postman, meter).engine


def open_aws_engine(
    settings: AwsSettings,
    limits: Limits,
    clients: Clients | None = None,
    postman: SesTransport | None = None,
    meter: Meter | None = None,
) -> AwsEngine:
    """Join all ports, and return them with what only AWS has."""
    clients = clients or open_clients(settings)
    names = settings.names
    kept = buckets(clients.s3, settings.prefix, clients.account)
    addresses = QueueAddresses(clients.sqs, names, settings.unclaimed_queue)
    called: dict[str, str] = {}
    store = DynamoStore(
        clients.dynamodb,
        names,
        SqsWakeups(clients.sqs, addresses),
        limits,
        Flow(clients.states, _machine(clients, names)),
        called,
        meter,
    )
    overview = DynamoOverview(store)
    postman = postman or SesSender(clients.ses, settings.mail_from)
    projects = DynamoProjects(clients.dynamodb, names)
    sites = S3Sites(kept.sites, _visitors(settings, clients, projects), meter)
    inbox, lanes = S3Inbox(clients.dynamodb, names, kept.mails, kept.media), StoredLanes(store)
    outbox = SesOutbox(clients.dynamodb, names, kept.mails, postman, overview.job)
    engine = Engine(
        inbox=inbox,
        mailboxes=DynamoMailboxes(clients.dynamodb, names),
        projects=projects,
        threads=DynamoThreads(clients.dynamodb, names, store.let_go_along),
        lanes=lanes,
        callbacks=StoredCallbacks(store),
        claims=StoredClaims(store),
        attempts=StoredAttempts(store),
        signals=SqsSignals(clients.wakeups, addresses, called, TaskProtection.of(os.environ)),
        sites=SitesByTarget(sites, projects.find_lately),
        outbox=outbox,
        held_answers=DynamoHeldAnswers(clients.dynamodb, names, overview.job),
        bounces=DynamoBounces(clients.dynamodb, names),
        trail=DynamoTrail(clients.dynamodb, names),
        overview=overview,
        tallies=DynamoTallies(clients.dynamodb, names),
        spending=DynamoSpending(clients.dynamodb, names),
        proposals=DynamoProposals(store),
        schedules=DynamoSchedules(store),
        reply_keys=DynamoReplyKeys(clients.dynamodb, names, settings.reply_key),
        secrets=TableSecrets(clients, names),
        retention=TimeToLive(),
        people=DynamoPeople(clients.dynamodb, names, kept.mails, kept.media),
        search=DynamoSearch(overview),
        totals=DynamoTotals(clients.dynamodb, names),
        versions=DynamoVersions(clients.dynamodb, names),
    )
    return AwsEngine(
        engine, clients, store, inbox, lanes, References(kept.mails), addresses, sites, outbox, overview, projects
    )


def _visitors(settings: AwsSettings, clients: Clients, projects: DynamoProjects) -> Visitors | None:
    if clients.visitor_routes is None or settings.key_value_store is None or settings.hosts is None:
        return None
    return Visitors(clients.visitor_routes, settings.key_value_store, settings.hosts, projects.find)


def _machine(clients: Clients, names: Names) -> str:
    return f"arn:aws:states:{clients.states.meta.region_name}:{clients.account}:stateMachine:{names.flow}"


def create_stores(settings: AwsSettings, clients: Clients) -> None:
    """Make tables, buckets and queues that are not there yet: for tests and for the stack on one's own machine."""
    names = settings.names
    create_tables(clients.dynamodb, names)
    create_queues(clients.sqs, installation_queues(names))
    create_buckets(clients.s3, buckets(clients.s3, settings.prefix, clients.account))
