"""Key-value stores of CloudFront on the local server, for tests."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import boto3

from tests.rigs.aws_ports import aws_server
from webordinary.engines.aws.clients import AwsSettings, open_clients
from webordinary.engines.aws.s3.hosts import Hosts
from webordinary_local_aws.server import ACCOUNT

if TYPE_CHECKING:
    from webordinary.engines.aws.clients import Clients

HOSTS = Hosts("edit.example.com", "https://{thread}--{project}.edit.example.com/")
_numbers = itertools.count(1)


def new_store() -> str:
    """Make a store as the infrastructure does, and return its ARN."""
    control = boto3.client("cloudfront", **aws_server().connection())
    made = control.create_key_value_store(Name=f"sites-{next(_numbers)}")
    control.close()
    return str(made["KeyValueStore"]["ARN"])


def clients_for(store: str) -> Clients:
    connection = aws_server().connection()
    session = boto3.Session("local", "local", region_name=connection["region_name"])
    settings = AwsSettings(endpoint=connection["endpoint_url"], account=ACCOUNT, key_value_store=store, hosts=HOSTS)
    return open_clients(settings, session)


def shown_in(store: str) -> dict[str, str]:
    """Return where each host leads."""
    client = clients_for(store).visitor_routes
    assert client is not None
    return {item["Key"]: item["Value"] for item in client.list_keys(KvsARN=store)["Items"]}
