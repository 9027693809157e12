"""One local server for all tests of a process, and a fresh installation on it for each test."""

from __future__ import annotations

import itertools

import pytest

from tests.rigs.aws_ports import aws_clients, second_clients
from webordinary.engines.aws.clients import AwsSettings, Clients
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.open import create_stores
from webordinary.engines.aws.s3.buckets import Buckets, buckets

CLIENTS = {"local": aws_clients, "second-opinion": second_clients}

_numbers = itertools.count(1)


class Place:
    """A fresh installation: clients, names, tables and buckets."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.settings = AwsSettings(prefix=f"place{next(_numbers)}")
        self.names = Names(self.settings.prefix)
        self.buckets: Buckets = buckets(clients.s3, self.settings.prefix, clients.account)
        create_stores(self.settings, clients)


@pytest.fixture(params=CLIENTS)
def place(request: pytest.FixtureRequest) -> Place:
    """Return a fresh installation on the local server, and one on tables and queues of others."""
    return Place(CLIENTS[request.param]())
