"""The way in and the way out, joined over one engine: the same in every process of an installation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from webordinary.intake import Intake
from webordinary.intake.trust import MailLimits, Trust
from webordinary.mail.identity.dns import Resolver
from webordinary.mail.identity.judge import Judge
from webordinary.reply.write import Writer
from webordinary.worker.chores.ack import Ack
from webordinary.worker.chores.digest import Digest
from webordinary.worker.chores.punctual import Punctual
from webordinary.worker.chores.rounds import Chores
from webordinary.worker.chores.welcome import Welcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import timedelta

    from webordinary.clock import Clock
    from webordinary.config import Config
    from webordinary.engine import Engine


@lru_cache(maxsize=8)
def _resolver(timeout: timedelta, server: tuple[str, int] | None) -> Resolver:
    # One for the whole process: it remembers answers, and servers that do not answer.
    return Resolver(timeout, server)


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
class Desk:
    """What takes mails in and sends answers out."""

    config: Config
    engine: Engine
    clock: Clock

    @property
    def intake(self) -> Intake:
        config = self.config
        media, trust = config.media.limits(), trust_of(config)
        return Intake(self.engine, config.domain, self.clock, config.limits, media, trust)

    def chores(self, name: str) -> Chores:
        engine = self.engine
        writer = Writer(
            engine.outbox,
            engine.overview,
            engine.inbox,
            engine.projects,
            engine.reply_keys,
            self.config.domain,
            self.clock,
            self.config.language,
            self.config.outgoing.sender,
        )
        return Chores(
            name,
            engine,
            writer,
            self.intake.decide_forgotten,
            self.config.limits,
            self.config.agency.address,
            [
                Punctual(self.engine, self.clock).look,
                Ack(self.engine, self.clock).look,
                *self._welcome(),
                *self._digest(),
            ],
        )

    def _welcome(self) -> Iterator[Callable[[], None]]:
        # In the demo everybody reads along already.
        if self.config.agency.welcome and not self.config.demo:
            yield Welcome(self.engine, self.config.domain, self.clock).look

    def _digest(self) -> Iterator[Callable[[], None]]:
        agency = self.config.agency
        if agency.digest and agency.address is not None:
            yield Digest(self.engine, agency.address, self.config.timezone, agency.digest_hour, self.clock).look
