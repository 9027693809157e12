"""Opens the embedded engine: one place where its parts are joined."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from webordinary.clock import SystemClock
from webordinary.config import OutgoingRoute
from webordinary.config.live import LiveProjects
from webordinary.dispatch.attempts import StoredAttempts
from webordinary.dispatch.callbacks import StoredCallbacks
from webordinary.dispatch.claims import StoredClaims
from webordinary.dispatch.lanes import StoredLanes
from webordinary.engine import Engine
from webordinary.engines.embedded.bounces import SqliteBounces
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.held_answers import SqliteHeldAnswers
from webordinary.engines.embedded.inbox import FolderInbox
from webordinary.engines.embedded.mail_transport import MaildirTransport, SmtpTransport
from webordinary.engines.embedded.mailboxes import SqliteMailboxes
from webordinary.engines.embedded.outbox import SqliteOutbox
from webordinary.engines.embedded.overview import SqliteOverview
from webordinary.engines.embedded.people import SqlitePeople
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.engines.embedded.proposals import SqliteProposals
from webordinary.engines.embedded.reply_keys import FileReplyKeys
from webordinary.engines.embedded.retention import SqliteRetention
from webordinary.engines.embedded.schedules import SqliteSchedules
from webordinary.engines.embedded.search import SqliteSearch
from webordinary.engines.embedded.secrets import FileSecrets
from webordinary.engines.embedded.signals import DatagramSignals
from webordinary.engines.embedded.sites import open_sites
from webordinary.engines.embedded.spending import SqliteSpending
from webordinary.engines.embedded.store import SqliteStore
from webordinary.engines.embedded.tallies import SqliteTallies
from webordinary.engines.embedded.threads import SqliteThreads
from webordinary.engines.embedded.totals import SqliteTotals
from webordinary.engines.embedded.trail import SqliteTrail
from webordinary.engines.embedded.versions import OneVersion
from webordinary.errors import Misconfigured
from webordinary.oauth.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from webordinary.config import Config
    from webordinary.config.live import LiveConfig
    from webordinary.engines.embedded.mail_transport import MailTransport
    from webordinary.engines.embedded.signals import Wakeups
    from webordinary.jobs.limits import Limits
    from webordinary.routing.project import Project
    from webordinary.routing.secrets import Secrets
    from webordinary.site.sites import Sites

DATABASE = "webordinary.db"


def open_engine(live: LiveConfig, limits: Limits, in_buckets: Mapping[str, Sites] | None = None) -> Engine:
    """Open the one file and everything beside it; made anew when it does not exist yet."""
    config = live.config
    ports = Ports(
        config.data,
        limits,
        open_postman(config, FileSecrets(config.data)),
        open_sites(live, in_buckets or {}),
        reply_key=str(config.mail.reply_key) if config.mail.reply_key else None,
    )
    return replace(ports.on(open_database(config)), projects=LiveProjects(live))


@dataclass(frozen=True, slots=True)
class Ports:
    """What the ports of an engine are made of; tests and benchmarks bring their own."""

    data: Path
    limits: Limits
    postman: MailTransport
    sites: Sites
    projects: tuple[Project, ...] = ()
    signals: Wakeups | None = None
    reply_key: str | None = field(default=None, repr=False)

    def on(self, database: Database) -> Engine:
        """Join all ports over one open file."""
        signals = self.signals or DatagramSignals(self.data)
        store = SqliteStore(database, signals, self.limits)
        inbox = FolderInbox(database, self.data / "mail")
        return Engine(
            inbox=inbox,
            mailboxes=SqliteMailboxes(database),
            projects=ConfiguredProjects(self.projects),
            threads=SqliteThreads(database),
            lanes=StoredLanes(store),
            callbacks=StoredCallbacks(store),
            claims=StoredClaims(store),
            attempts=StoredAttempts(store),
            signals=signals,
            sites=self.sites,
            outbox=SqliteOutbox(database, self.postman, inbox),
            held_answers=SqliteHeldAnswers(database),
            bounces=SqliteBounces(database),
            trail=SqliteTrail(database),
            overview=SqliteOverview(database),
            tallies=SqliteTallies(database),
            spending=SqliteSpending(database),
            proposals=SqliteProposals(database),
            schedules=SqliteSchedules(database),
            reply_keys=FileReplyKeys(self.data, self.reply_key),
            secrets=FileSecrets(self.data),
            retention=SqliteRetention(database),
            people=SqlitePeople(database, inbox),
            search=SqliteSearch(database, inbox),
            totals=SqliteTotals(database),
            versions=OneVersion(),
        )


def open_database(config: Config) -> Database:
    """Open only the file, for what works below the ports: backup and restore."""
    return Database(config.data / DATABASE)


def open_postman(config: Config, secrets: Secrets) -> MailTransport:
    """Open only the mail transport, for a trial."""
    outgoing = config.outgoing
    match outgoing.kind:
        case OutgoingRoute.MAILDIR:
            if outgoing.path is None:
                raise Misconfigured("outgoing.url names no folder: write maildir:FOLDER")
            return MaildirTransport(outgoing.path)
        case OutgoingRoute.SMTP | OutgoingRoute.SMTPS:
            return SmtpTransport(
                outgoing.host,
                outgoing.port,
                tls=outgoing.kind == OutgoingRoute.SMTPS,
                user=outgoing.user,
                password=_tokens(config, secrets) or outgoing.read_password,
                plain_password=outgoing.plain_password,
                others=_people(config),
            )
        case OutgoingRoute.SES:
            raise Misconfigured('outgoing.url is "ses:", which needs engine = "aws"')


def _people(config: Config) -> list[str]:
    """Return whom this installation writes to, one of each domain first."""
    editors = [editor.address for project in config.projects for editor in project.editors]
    known = dict.fromkeys([*([config.agency.address] if config.agency.address else []), *editors])
    of_each_domain = {address.rpartition("@")[2].lower(): address for address in reversed(known)}
    return list(dict.fromkeys([*of_each_domain.values(), *known]))


def _tokens(config: Config, secrets: Secrets) -> Tokens | None:
    login = config.find_login(config.outgoing.oauth) if config.outgoing.oauth else None
    return Tokens(login, secrets, SystemClock()) if login else None
