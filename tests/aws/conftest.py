"""One local server for all tests of a process, and a fresh installation on it for each test."""

from __future__ import annotations

import itertools

import pytest

from tests.rigs.aws_ports import aws_clients
from webordinary.engines.aws.buckets import Buckets, buckets
from webordinary.engines.aws.clients import AwsSettings, Clients
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.open import create_stores

_numbers = itertools.count(1)


class Place:
    """A fresh installation: clients, names, tables and buckets."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.settings = AwsSettings(prefix=f"place{next(_numbers)}")
        self.names = Names(self.settings.prefix)
        self.buckets: Buckets = buckets(clients.s3, self.settings.prefix, clients.account)
        create_stores(self.settings, clients)


@pytest.fixture
def place() -> Place:
    return Place(aws_clients())
