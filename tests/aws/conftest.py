"""One local server for all tests of a process, and a fresh installation on it for each test."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import boto3
import pytest

from webordinary.engines.aws.buckets import Buckets, buckets, create_buckets
from webordinary.engines.aws.clients import AwsSettings, Clients, open_clients
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.tables import create_tables
from webordinary.testing.aws.server import ACCOUNT, REGION, LocalAws

if TYPE_CHECKING:
    from collections.abc import Iterator

_numbers = itertools.count(1)


class Place:
    """A fresh installation: clients, names, tables and buckets."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.names = Names(f"t{next(_numbers)}")
        self.buckets: Buckets = buckets(clients.s3, self.names.prefix, clients.account)
        create_tables(clients.dynamodb, self.names)
        create_buckets(clients.s3, self.buckets)


@pytest.fixture(scope="session")
def clients() -> Iterator[Clients]:
    with LocalAws() as server:
        connection = server.connection()
        session = boto3.Session(
            aws_access_key_id=connection["aws_access_key_id"],
            aws_secret_access_key=connection["aws_secret_access_key"],
            region_name=REGION,
        )
        yield open_clients(AwsSettings(endpoint=server.endpoint, account=ACCOUNT), session)


@pytest.fixture
def place(clients: Clients) -> Place:
    return Place(clients)
