"""The clients of AWS, made once for a process: every call has a deadline, and repeats what may be repeated."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import boto3
import botocore.session
from botocore.config import Config
from botocore.loaders import Loader, create_loader

from webordinary.config.amazon import PREFIX_RULE, is_prefix
from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.names import Names
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Callable

    from botocore.awsrequest import AWSPreparedRequest
    from mypy_boto3_cloudfront_keyvaluestore import CloudFrontKeyValueStoreClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sesv2 import SESV2Client
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_stepfunctions import SFNClient

    from webordinary.config.shape import Aws
    from webordinary.engines.aws.s3.hosts import Hosts

_CONNECTING = 3
_BELOW_AN_ADDRESS = re.compile(r"^(https?://)\d{12}\.((?:\d{1,3}\.){3}\d{1,3}(?::\d+)?/)", re.ASCII)
_MOST_ATTEMPTS = 4
_REPEATED = {"mode": "standard", "total_max_attempts": _MOST_ATTEMPTS}
_MET, _A_MOMENT = "TransactionConflictException", 0.01
_ONCE = {"mode": "standard", "total_max_attempts": 1}


@dataclass(frozen=True, slots=True)
class AwsSettings:
    """Which installation in which account; without an endpoint it is Amazon's own, without an account it is asked.

    `mail_from` is the verified address that answers are sent from; without it each answer's own From is.
    """

    prefix: str = "webordinary"
    region: str | None = None
    endpoint: str | None = None
    account: str | None = None
    mail_from: str | None = None
    reply_key: str | None = field(default=None, repr=False)
    # What the infrastructure calls by other names than those of the prefix.
    unclaimed_queue: str | None = None
    ownership_table: str | None = None
    jobs_table: str | None = None
    restored: str = ""
    # Only a publisher knows hosts, and only with a store are they written anywhere.
    key_value_store: str | None = None
    hosts: Hosts | None = None

    @classmethod
    def of(cls, written: Aws, reply_key: str | None = None, hosts: Hosts | None = None) -> AwsSettings:
        """Take what a configuration says."""
        return cls(
            prefix=str(written.prefix),
            region=_plain(written.region),
            endpoint=_plain(written.endpoint),
            account=_plain(written.account),
            mail_from=_plain(written.mail_from),
            reply_key=_plain(reply_key),
            unclaimed_queue=_plain(written.unclaimed_queue),
            ownership_table=_plain(written.ownership_table),
            jobs_table=_plain(written.jobs_table),
            restored=_plain(written.restored) or "",
            key_value_store=_plain(written.key_value_store),
            hosts=hosts,
        )

    @property
    def names(self) -> Names:
        """What everything of this installation is called."""
        return Names(self.prefix, self.ownership_table, self.jobs_table, self.restored)

    def __post_init__(self) -> None:
        if not is_prefix(self.prefix):
            raise Misconfigured(f"the prefix of everything on AWS must be {PREFIX_RULE}, not {self.prefix[:60]!r}")


@dataclass(frozen=True, slots=True)
class Clients:
    """One client for each use; they may be shared between threads."""

    dynamodb: DynamoDBClient
    s3: S3Client
    sqs: SQSClient
    wakeups: SQSClient
    ses: SESV2Client
    states: SFNClient
    functions: LambdaClient
    account: str
    # Makes, once, a client for what only an operator's commands or workers use.
    more: Callable[[str], Any]
    visitor_routes: CloudFrontKeyValueStoreClient | None = None

    def queue_url(self, name: str) -> str:
        """Return a queue's address; all of an account are in one place, so that nobody has to ask for it."""
        return f"{self.sqs.meta.endpoint_url.rstrip('/')}/{self.account}/{name}"


def open_clients(settings: AwsSettings, session: boto3.Session | None = None) -> Clients:
    """Make the clients; nothing is asked of AWS yet, except whose account it is when nobody says."""
    with translated("this installation"):
        session = session or _session(settings.region)
        endpoint = settings.endpoint
        return Clients(
            dynamodb=_tables(session, endpoint),
            s3=session.client("s3", endpoint_url=endpoint, config=_config(60)),
            # Ringing must never keep anybody: what rings for long is left to the next sweep.
            sqs=session.client("sqs", endpoint_url=endpoint, config=_config(5, _ONCE)),
            # Outlasts the longest long poll of 20 seconds.
            wakeups=session.client("sqs", endpoint_url=endpoint, config=_config(30)),
            # A repeated request would be a second mail.
            ses=session.client("sesv2", endpoint_url=endpoint, config=_config(60, _ONCE)),
            states=session.client("stepfunctions", endpoint_url=endpoint, config=_config(10)),
            # Functions may take minutes; a call that is repeated would be two.
            functions=session.client("lambda", endpoint_url=endpoint, config=_config(150, _ONCE)),
            account=settings.account or _account(session, endpoint),
            more=cache(lambda name: session.client(name, endpoint_url=endpoint, config=_config(30))),
            visitor_routes=_visitor_routes(session, endpoint) if settings.key_value_store and settings.hosts else None,
        )


def open_s3(region: str | None, endpoint: str | None) -> S3Client:
    """Make the one client that a site in a bucket needs, wherever the rest of the installation is."""
    with translated("the bucket of a site"):
        client: S3Client = _session(region).client("s3", endpoint_url=endpoint, config=_config(60))
        return client


def _session(region: str | None) -> boto3.Session:
    driver = botocore.session.get_session()
    session = boto3.Session(region_name=region, botocore_session=driver)
    # Reading what Amazon's services look like takes most of the time of making clients: once a process is enough.
    driver.register_component("data_loader", _descriptions(driver.get_config_variable("data_path")))
    return session


@cache
def _descriptions(folder: str | None) -> Loader:
    return create_loader(folder)


def _plain(text: str | None) -> str | None:
    return None if text is None else str(text)


def _config(reading: int, retries: object = _REPEATED) -> Config:
    return Config(
        connect_timeout=_CONNECTING,
        read_timeout=reading,
        retries=retries,  # type: ignore[arg-type]  # the driver's own dictionary type is closed
        max_pool_connections=16,
        tcp_keepalive=True,
    )


def _tables(session: boto3.Session, endpoint: str | None) -> DynamoDBClient:
    client: DynamoDBClient = session.client("dynamodb", endpoint_url=endpoint, config=_config(10))
    client.meta.events.register("needs-retry.dynamodb", _wait_for_transaction)  # type: ignore[arg-type]  # the stubs forget that answers count
    return client


def _wait_for_transaction(response: tuple[object, dict[str, Any]] | None, attempts: int, **_: object) -> float | None:
    """Let a write that met somebody's transaction be repeated: that one is over in a moment, and the driver gives up.

    The caller decides conflicting transactions anew instead.
    """
    code = response[1].get("Error", {}).get("Code") if response else None
    return _A_MOMENT * 2**attempts if code == _MET and attempts < _MOST_ATTEMPTS else None


def _visitor_routes(session: boto3.Session, endpoint: str | None) -> CloudFrontKeyValueStoreClient:
    client: CloudFrontKeyValueStoreClient = session.client(
        "cloudfront-keyvaluestore", endpoint_url=endpoint, config=_config(10)
    )
    client.meta.events.register("before-send", _to_an_address)
    return client


def _to_an_address(request: AWSPreparedRequest, **_: object) -> None:
    """Take the account out of the host where that is no name: there are no names below an address on loopback."""
    request.url = _BELOW_AN_ADDRESS.sub(r"\1\2", request.url)


def _account(session: boto3.Session, endpoint: str | None) -> str:
    identity = session.client("sts", endpoint_url=endpoint, config=_config(10))
    return str(identity.get_caller_identity()["Account"])
