"""Which engine a configuration asks for; the machinery of the other one is not even loaded."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from webordinary.config import EngineKind
from webordinary.config.live import LiveConfig
from webordinary.errors import Misconfigured
from webordinary.routing.project import S3

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.clock import Moment
    from webordinary.config import Config
    from webordinary.engine import Engine
    from webordinary.engines.aws.account.account import Account
    from webordinary.engines.embedded.mail_transport import SmtpTransport
    from webordinary.jobs.limits import Limits
    from webordinary.metrics.meter import Meter
    from webordinary.routing.secrets import Secrets
    from webordinary.site.sites import Sites


def open_engine(config: Config, limits: Limits, meter: Meter | None = None) -> Engine:
    """Open the engine that the configuration names; on AWS each process measures what it writes."""
    match config.engine:
        case EngineKind.EMBEDDED:
            from webordinary.engines.embedded.open import open_engine as open_embedded  # noqa: PLC0415 - one of two

            live = LiveConfig(config)
            return open_embedded(live, limits, _SitesInBuckets(live))
        case EngineKind.AWS:
            return _open_aws(config, limits, meter)


def is_blocked_in(config: Config) -> Callable[[], bool]:
    """Return what tells whether a stopped process keeps all others from writing, which only one file can."""
    if not config.traits.is_one_machine:
        return lambda: False
    from webordinary.engines.embedded.open import open_database  # noqa: PLC0415 - one of two

    return open_database(config).is_blocked


def container_name(config: Config, environ: Mapping[str, str], now: Moment) -> str | None:
    """Return the name of the container that this process lives in; None where workers are no containers."""
    if not config.traits.has_container_workers:
        return None
    from webordinary.engines.aws.ecs.container import container_id  # noqa: PLC0415 - one of two

    return container_id(environ, now)


def open_outgoing(config: Config, secrets: Secrets) -> SmtpTransport:
    """Open the connection to the outgoing server with these secrets, for a trial."""
    from webordinary.engines.embedded.mail_transport import SmtpTransport  # noqa: PLC0415 - the same
    from webordinary.engines.embedded.open import open_postman  # noqa: PLC0415 - one of two

    postman = open_postman(config, secrets)
    if not isinstance(postman, SmtpTransport):
        raise Misconfigured("outgoing.url names no mail server, so there is nowhere to log in.")
    return postman


def open_account(config: Config) -> Account:
    """Open the installation's account, for what only AWS has."""
    if config.engine is not EngineKind.AWS:
        raise Misconfigured('This is only for `engine = "aws"`, and the configuration says `engine = "embedded"`.')
    with _driver_needed():
        from webordinary.engines.aws.account.account import Account  # noqa: PLC0415 - boto3 is an extra
        from webordinary.engines.aws.clients import AwsSettings  # noqa: PLC0415 - the same
        from webordinary.engines.aws.s3.hosts import Hosts  # noqa: PLC0415 - the same
    return Account.open(AwsSettings.of(config.aws, config.mail.reply_key, Hosts.of(config)), config.limits)


class _SitesInBuckets(Mapping[str, "Sites"]):
    """The sites of this machine's projects that visitors find in a bucket; without any nothing is loaded."""

    def __init__(self, live: LiveConfig) -> None:
        self._live = live
        self._open: dict[str, Sites] = {}
        for project in self:
            self[project]

    def __getitem__(self, project: str) -> Sites:
        found = self._live.config.find_project(project)
        if found is None or found.site.target != S3:
            raise KeyError(project)
        if found.site.to not in self._open:
            self._open[found.site.to] = _open_bucket(self._live.config, found.site.to)
        return self._open[found.site.to]

    def __iter__(self) -> Iterator[str]:
        return (project.id for project in self._live.config.projects if project.site.target == S3)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _open_bucket(config: Config, name: str) -> Sites:
    with _driver_needed('A site with target = "s3"'):
        from webordinary.engines.aws.clients import open_s3  # noqa: PLC0415 - the same
        from webordinary.engines.aws.s3.bucket import Bucket  # noqa: PLC0415 - boto3 is an extra
        from webordinary.engines.aws.sites import S3Sites  # noqa: PLC0415 - the same
    region, endpoint = config.aws.region, config.aws.endpoint
    client = open_s3(str(region) if region else None, str(endpoint) if endpoint else None)
    return S3Sites(Bucket(client, name))


@contextmanager
def _driver_needed(what: str = 'engine = "aws"') -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in {"boto3", "botocore"}:
            raise
        raise Misconfigured(f'{what} needs boto3, which is not installed: pip install "webordinary[aws]"') from missing


def _open_aws(config: Config, limits: Limits, meter: Meter | None) -> Engine:
    with _driver_needed():
        from webordinary.engines.aws.clients import AwsSettings  # noqa: PLC0415 - boto3 is an extra
        from webordinary.engines.aws.open import open_engine as open_aws  # noqa: PLC0415 - the same
        from webordinary.engines.aws.s3.hosts import Hosts  # noqa: PLC0415 - the same
    return open_aws(AwsSettings.of(config.aws, config.mail.reply_key, Hosts.of(config)), limits, meter=meter)
