"""An installation: the one place where everything is known."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from webordinary.audit.log import write_logs_to
from webordinary.clock import SystemClock
from webordinary.config import LogFormat
from webordinary.config.clock import clock_of
from webordinary.engines.choose import open_engine
from webordinary.intake import Intake
from webordinary.intake.trust import MailLimits, Trust
from webordinary.mail.door import DOORS
from webordinary.mail.identity.dns import Resolver
from webordinary.mail.identity.judge import Judge
from webordinary.metrics.emf import EmfMeter
from webordinary.metrics.meter import NoMeter
from webordinary.metrics.otlp import OtlpTraces
from webordinary.oauth.tokens import Tokens
from webordinary.reply.write import Writer
from webordinary.worker.chores.ack import Ack
from webordinary.worker.chores.digest import Digest
from webordinary.worker.chores.disk_watch import DiskWatch
from webordinary.worker.chores.housekeeping import Housekeeping
from webordinary.worker.chores.prune import Prune
from webordinary.worker.chores.punctual import Punctual
from webordinary.worker.chores.rounds import Chores
from webordinary.worker.chores.traces import Traces
from webordinary.worker.chores.welcome import Welcome
from webordinary.worker.hooks.deliver import Webhooks
from webordinary.workspace.privacy import close_to_others

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from webordinary.clock import Clock
    from webordinary.config import Config
    from webordinary.engine import Engine
    from webordinary.jobs.limits import Limits
    from webordinary.metrics.meter import Meter
    from webordinary.routing.project import Project

# Where several machines write the trail, their clocks differ: what is younger than this may have a neighbour to come.
_TRAIL_LAG = timedelta(seconds=15)
# Where each look is a paid request, once a day is enough.
# A worker that others can replace is gone soon after its work; what it has to tidy up is only that.
_TIDY_OFTEN, _TIDY_SOON = timedelta(hours=1), timedelta(minutes=20)


@lru_cache(maxsize=8)
def _resolver(timeout: timedelta, server: tuple[str, int] | None) -> Resolver:
    # One for the whole process: it remembers answers, and servers that do not answer.
    return Resolver(timeout, server)


def log_as_configured(config: Config) -> None:
    """Let this process log lines of JSON, if that is asked for."""
    if config.logs.format is LogFormat.JSON:
        write_logs_to(sys.stdout)


def trust_of(config: Config) -> Trust:
    """Return whom this installation believes, and how much mail is too much."""
    mail = config.mail
    authserv_id = str(mail.authserv_id) if mail.authserv_id else None
    addresses = frozenset(address.lower() for address in mail.addresses)
    resolver = _resolver(mail.dns_timeout, mail.dns_server)
    judge = Judge(resolver, config.domain, tuple(mail.relays), authserv_id, addresses, tuple(mail.hosts))
    limits = MailLimits(
        sender_an_hour=mail.sender_an_hour,
        project_a_day=mail.project_a_day,
        thread_a_day=mail.thread_a_day,
        dns_tries=mail.dns_tries,
    )
    return Trust(judge, config.agency.address, limits)


@dataclass(frozen=True, slots=True)
class Installation:
    """Everything that one configuration file describes, joined over one engine: the same in every process."""

    config: Config
    engine: Engine
    clock: Clock
    meter: Meter = field(default_factory=NoMeter)

    @classmethod
    def open(cls, config: Config, meter: Meter | None = None) -> Installation:
        meter = meter or NoMeter()
        close_to_others(config.data, _meant_for_others(config))
        return cls(config, open_engine(config, config.limits, meter), clock_of(config), meter)

    @classmethod
    def open_to_work(cls, config: Config) -> Installation:
        """Open it for a worker process: what happens is logged and measured as the configuration says."""
        log_as_configured(config)
        logs = config.traits.measures_by_logs
        return cls.open(config, EmfMeter(sys.stdout, SystemClock(), str(config.aws.prefix)) if logs else None)

    @property
    def limits(self) -> Limits:
        return self.config.limits

    @property
    def does_chores(self) -> bool:
        """Whether each worker sweeps and sends answers; on AWS a function of its own does, also when there is none."""
        return self.config.traits.is_one_machine

    def tokens(self, login: str | None) -> Tokens | None:
        """Return the tokens of a login at a mail provider; None where a password is used."""
        found = self.config.find_login(login) if login else None
        return Tokens(found, self.engine.secrets, self.clock) if found else None

    def live_address(self, project: Project) -> str:
        """Return where the public sees the site."""
        if self.config.traits.is_one_machine:
            return project.site.url or f"http://{project.id}.localhost:{self.config.preview.listen.port}/"
        return project.site.url or f"https://{project.id}.{self.config.domain}/"

    def preview_address(self, project: Project, thread: str) -> str:
        return self.config.preview.address(thread, project.id, self.config.preview.listen.port)

    @property
    def intake(self) -> Intake:
        config = self.config
        media, trust = config.media.limits(), trust_of(config)
        return Intake(self.engine, config.domain, self.clock, config.limits, media, trust)

    @property
    def writer(self) -> Writer:
        """Return who writes the letters of this installation."""
        engine = self.engine
        return Writer(
            engine.outbox,
            engine.overview,
            engine.inbox,
            engine.projects,
            engine.reply_keys,
            self.config.domain,
            self.clock,
            self.config.language,
            self.config.outgoing.sender,
            str(self.config.dashboard.url) if self.config.dashboard.url else None,
        )

    def chores(self, name: str) -> Chores:
        return Chores(
            name,
            self.engine,
            self.writer,
            self.intake.decide_forgotten,
            self.config.limits,
            self.config.agency.address,
            [
                Punctual(self.engine, self.clock).look,
                Ack(self.engine, self.clock).look,
                *self._welcome(),
                *self._digest(),
                *self._disk_watch(),
                self._catch_up,
                *self._webhooks(),
                Prune(self.engine, self.clock, self.config.lifetimes).look,
                *self._traces(name),
            ],
        )

    def housekeeping(self) -> Housekeeping:
        """Return what tidies up on this machine while it works."""
        config = self.config
        return Housekeeping(
            self.engine,
            self.clock,
            config.lifetimes,
            config.data,
            prunes_remotes=config.retention.remote_branches,
            every=_TIDY_OFTEN if config.traits.has_free_looks else _TIDY_SOON,
            is_one_of_many=not config.traits.is_one_machine,
        )

    def _welcome(self) -> Iterator[Callable[[], None]]:
        # In the demo everybody reads along already.
        if self.config.agency.welcome and not self.config.demo:
            yield Welcome(self.engine, self.config.domain, self.clock).look

    def _disk_watch(self) -> Iterator[Callable[[], None]]:
        # Where others keep what is stored, their disks are not ours to look at.
        config = self.config
        if config.agency.address is not None and config.traits.is_one_machine:
            yield DiskWatch(config.data, self.engine.outbox, self.clock, config.agency.address).look

    def _catch_up(self) -> None:
        """Read what is new for the search, a small piece in each round."""
        self.engine.search.catch_up()

    def webhooks(self) -> Webhooks:
        """Return what tells other programs; it keeps on this machine how far it is."""
        folder = self.config.data / "webhooks"
        return Webhooks(self.config.webhooks, self.engine.trail, self.clock, folder, behind=self.trail_lag)

    @property
    def trail_lag(self) -> timedelta:
        """Return how far behind its end the trail may still be written to."""
        return timedelta() if self.config.traits.is_one_machine else _TRAIL_LAG

    def _webhooks(self) -> Iterator[Callable[[], None]]:
        # They keep in a folder how far they are: where chores have no disk of their own, there are none.
        if self.config.webhooks and self.config.traits.is_one_machine:
            yield self.webhooks().look

    def _traces(self, name: str) -> Iterator[Callable[[], None]]:
        endpoint = self.config.telemetry.endpoint
        if endpoint is not None:
            yield Traces(name, self.engine, self.clock, OtlpTraces(str(endpoint), str(self.config.domain))).look

    def _digest(self) -> Iterator[Callable[[], None]]:
        agency = self.config.agency
        if agency.digest and agency.address is not None:
            yield Digest(self.engine, agency.address, self.config.timezone, agency.digest_hour, self.clock).look


def _meant_for_others(config: Config) -> Iterator[Path]:
    """Return what other programs of the machine are to reach: where a mail server delivers, and sites with a place."""
    for door in config.doors:
        yield from DOORS.find(door.kind).meeting_places(door.options)
    yield from (folder for name, folder in config.site_folders.items() if folder != config.data / "sites" / name)
