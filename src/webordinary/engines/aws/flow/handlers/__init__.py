"""The Lambda functions of the flow, one module each, and what they have in common: one installation per process."""

from __future__ import annotations

import functools
import logging
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.audit.log import about, write_logs_to
from webordinary.clock import SystemClock
from webordinary.config import config_of_surroundings
from webordinary.engines.aws.account.own_secrets import with_secrets
from webordinary.engines.aws.clients import AwsSettings
from webordinary.engines.aws.flow.handover import Handover
from webordinary.engines.aws.flow.steps import MailSteps
from webordinary.engines.aws.open import open_aws_engine
from webordinary.engines.aws.sqs.dead_letters import DeadLetters
from webordinary.engines.installation import Installation
from webordinary.errors import TryAgain
from webordinary.metrics.emf import EmfMeter

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.clock import Clock
    from webordinary.config import Config
    from webordinary.engines.aws.clients import Clients
    from webordinary.metrics.meter import Meter

Event = dict[str, Any]

_log = logging.getLogger(__name__)
# What a step's event says about whom it is for.
_TOLD = ("mail", "job", "execution", "project", "user", "thread")


@dataclass(frozen=True, slots=True)
class Here:
    """The steps of one installation."""

    mails: MailSteps
    jobs: Handover


def open_here(
    config: Config, clients: Clients | None = None, meter: Meter | None = None, clock: Clock | None = None
) -> Here:
    """Join the steps over an engine; tests bring their own clients, and their own clock."""
    aws = open_aws_engine(AwsSettings.of(config.aws, config.mail.reply_key), config.limits, clients, meter=meter)
    installation = Installation(config, aws.engine, clock or SystemClock())
    chores = installation.chores("flow")
    letters = DeadLetters(aws.clients.sqs, aws.store.names)
    return Here(MailSteps(aws, installation, chores), Handover(aws, installation, chores, letters))


@functools.lru_cache(maxsize=1)
def here() -> Here:
    """Open the installation that the variables of the function name, once for each process."""
    config = config_of_surroundings(with_secrets(os.environ))
    write_logs_to(sys.stdout)
    return open_here(config, meter=EmfMeter(sys.stdout, SystemClock(), str(config.aws.prefix)))


def step(function: Callable[[Here, Event], object]) -> Callable[[Event, object], object]:
    """Make what Lambda calls; `__wrapped__` is the step itself, for a caller that brings an installation."""

    @functools.wraps(function)
    def handler(event: Event, _context: object) -> object:
        return answer(function, here(), event)

    return handler


def answer(function: Callable[[Here, Event], object], where: Here, event: Event) -> object:
    """Call a step; every error that may pass has one name, by which the flow's states repeat it."""
    name = function.__module__.rpartition(".")[2].replace("_", "-")
    with about(function=name, **{key: event[key] for key in _TOLD if isinstance(event.get(key), str)}):
        try:
            told = function(where, event)
        except TryAgain as passing:
            _log.warning("a step is to be repeated", exc_info=True)
            raise TryAgain(str(passing)) from passing
        except Exception:
            _log.exception("a step broke")
            raise
        _log.info("a step was done")
        return told
