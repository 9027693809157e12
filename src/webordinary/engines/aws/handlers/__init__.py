"""The Lambda functions of the flow, one module each, and what they have in common: one installation per process."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.clock import SystemClock
from webordinary.config import config_of_surroundings
from webordinary.engines.aws.clients import AwsSettings
from webordinary.engines.aws.dead_letters import DeadLetters
from webordinary.engines.aws.handover import Handover
from webordinary.engines.aws.open import open_everything
from webordinary.engines.aws.steps import MailSteps
from webordinary.engines.desk import Desk
from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.config import Config
    from webordinary.engines.aws.clients import Clients

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Here:
    """The steps of one installation."""

    mails: MailSteps
    jobs: Handover


def open_here(config: Config, clients: Clients | None = None) -> Here:
    """Join the steps over an engine; tests bring their own clients."""
    clock = SystemClock()
    aws = open_everything(AwsSettings.of(config.aws), config.limits, clients)
    desk = Desk(config, aws.engine, clock)
    chores = desk.chores("flow")
    letters = DeadLetters(aws.clients.sqs, aws.store.names)
    return Here(
        MailSteps(aws, desk.intake, chores, clock, config.limits),
        Handover(aws, chores, letters, clock, config.limits),
    )


@functools.lru_cache(maxsize=1)
def here() -> Here:
    """Open the installation that the variables of the function name, once for each process."""
    return open_here(config_of_surroundings(os.environ))


def step(function: Callable[[Here, Event], object]) -> Callable[[Event, object], object]:
    """Make what Lambda calls; `__wrapped__` is the step itself, for whoever brings an installation."""

    @functools.wraps(function)
    def handler(event: Event, _context: object) -> object:
        return answer(function, here(), event)

    return handler


def answer(function: Callable[[Here, Event], object], where: Here, event: Event) -> object:
    """Call a step; every error that may pass has one name, by which the flow's states repeat it."""
    try:
        return function(where, event)
    except TryAgain as passing:
        raise TryAgain(str(passing)) from passing
