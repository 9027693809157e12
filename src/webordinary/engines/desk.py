"""The way in and the way out, joined over one engine: the same in every process of an installation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.intake import Intake
from webordinary.reply.write import Writer
from webordinary.worker.chores import Chores

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.config import Config
    from webordinary.engine import Engine


@dataclass(frozen=True, slots=True)
class Desk:
    """What takes mails in and sends answers out."""

    config: Config
    engine: Engine
    clock: Clock

    @property
    def intake(self) -> Intake:
        return Intake(self.engine, self.config.domain, self.clock, self.config.limits, self.config.media.limits())

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
        )
        return Chores(
            name,
            engine,
            writer,
            self.intake.decide_forgotten,
            self.clock,
            self.config.limits,
            self.config.agency.address,
        )
