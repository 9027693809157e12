"""Which engine a configuration asks for; the machinery of the other one is not even loaded."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from webordinary.config import EngineKind
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from webordinary.clock import Moment
    from webordinary.config import Config
    from webordinary.engine import Engine
    from webordinary.engines.aws.account import Account
    from webordinary.jobs.limits import Limits
    from webordinary.metrics.meter import Meter


def open_engine(config: Config, limits: Limits, meter: Meter | None = None) -> Engine:
    """Open the engine that the configuration names; on AWS each process measures what it writes."""
    match config.engine:
        case EngineKind.EMBEDDED:
            from webordinary.engines.embedded.open import open_engine as open_embedded  # noqa: PLC0415 - one of two

            return open_embedded(config, limits)
        case EngineKind.AWS:
            return _open_aws(config, limits, meter)


def is_blocked_in(config: Config) -> Callable[[], bool]:
    """Return what tells whether a stopped process keeps all others from writing, which only one file can."""
    if config.engine is EngineKind.AWS:
        return lambda: False
    from webordinary.engines.embedded.open import open_database  # noqa: PLC0415 - one of two

    return open_database(config).is_blocked


def container_name(config: Config, environ: Mapping[str, str], now: Moment) -> str | None:
    """Return the name of the container that this process lives in; None where workers are no containers."""
    if config.engine is not EngineKind.AWS:
        return None
    from webordinary.engines.aws.container import container_id  # noqa: PLC0415 - one of two

    return container_id(environ, now)


def open_account(config: Config) -> Account:
    """Open the installation's account, for what only AWS has."""
    if config.engine is not EngineKind.AWS:
        raise Misconfigured('This is only for `engine = "aws"`, and the configuration says `engine = "embedded"`.')
    with _driver_needed():
        from webordinary.engines.aws.account import Account  # noqa: PLC0415 - boto3 is an extra
        from webordinary.engines.aws.clients import AwsSettings  # noqa: PLC0415 - the same
        from webordinary.engines.aws.hosts import Hosts  # noqa: PLC0415 - the same
    return Account.open(AwsSettings.of(config.aws, config.mail.reply_key, Hosts.of(config)), config.limits)


@contextmanager
def _driver_needed() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name not in {"boto3", "botocore"}:
            raise
        raise Misconfigured(
            'engine = "aws" needs boto3, which is not installed: pip install "webordinary[aws]"'
        ) from missing


def _open_aws(config: Config, limits: Limits, meter: Meter | None) -> Engine:
    with _driver_needed():
        from webordinary.engines.aws.clients import AwsSettings  # noqa: PLC0415 - boto3 is an extra
        from webordinary.engines.aws.hosts import Hosts  # noqa: PLC0415 - the same
        from webordinary.engines.aws.open import open_engine as open_aws  # noqa: PLC0415 - the same
    return open_aws(AwsSettings.of(config.aws, config.mail.reply_key, Hosts.of(config)), limits, meter=meter)
