"""Secrets in a table and under a key of their own: a row costs next to nothing, a managed secret 0.40 a month.

Onboarding writes them and workers read them; functions of the flow need none of them. What earlier versions put into
Secrets Manager is found there as long as the table does not know it.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.faults import translated
from webordinary.engines.turn import take_turn
from webordinary.errors import Misconfigured
from webordinary.routing.secrets import check_secret_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_boto3_secretsmanager import SecretsManagerClient

    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.names import Names

_MISSING = "ResourceNotFoundException"
# Somebody deleted it: Amazon keeps it for some days, and nobody can read or write it meanwhile.
_GOING = "InvalidRequestException"


class TableSecrets:
    """One row for each secret."""

    def __init__(self, clients: Clients, names: Names) -> None:
        self._client = clients.dynamodb
        self._table = names.secrets
        self._earlier = ManagedSecrets(clients, names)

    def has(self, name: str) -> bool:
        return self._row(name) is not None or self._earlier.has(name)

    def read(self, name: str) -> str:
        found = self._row(name)
        return self._earlier.read(name) if found is None else found

    def keep(self, name: str, secret: str) -> None:
        row = item_of({"name": check_secret_name(name), "secret": secret})
        with translated(self._what):
            self._client.put_item(TableName=self._table, Item=row)

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        # A row has no lock: two machines that renew the same one are told apart by reading it again.
        mark = hashlib.sha256(f"{self._table}/{check_secret_name(name)}".encode()).hexdigest()[:16]
        place = Path(tempfile.gettempdir()) / f".webordinary-{os.getuid()}-{mark}.turn"
        with take_turn(place, f"the secret {name}"):
            yield

    @property
    def _what(self) -> str:
        return f"the table {self._table}"

    def _row(self, name: str) -> str | None:
        key = item_of({"name": check_secret_name(name)})
        with translated(self._what):
            found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        value = plain_of(found.get("Item", {})).get("secret")
        return None if value is None else str(value)


class ManagedSecrets:
    """One secret of Amazon's for each of ours, which is only read; the client is made when the first is asked for."""

    def __init__(self, clients: Clients, names: Names) -> None:
        self._clients = clients
        self._names = names

    def has(self, name: str) -> bool:
        try:
            with translated(self._what(name), let_through=frozenset({_MISSING})):
                found = self._client.describe_secret(SecretId=self._id(name))
        except ClientError:
            return False
        return "DeletedDate" not in found

    def read(self, name: str) -> str:
        try:
            with translated(self._what(name), let_through=frozenset({_MISSING, _GOING})):
                return self._client.get_secret_value(SecretId=self._id(name))["SecretString"]
        except (ClientError, KeyError):
            how = "`webordinary aws onboard PROJECT --git-secret FILE` puts it there"
            raise Misconfigured(f"There is no secret {name} in {self._names.secrets}; {how}.") from None

    @property
    def _client(self) -> SecretsManagerClient:
        client: SecretsManagerClient = self._clients.more("secretsmanager")
        return client

    def _id(self, name: str) -> str:
        return self._names.secret(check_secret_name(name))

    def _what(self, name: str) -> str:
        return f"the secret {self._id(name)}"
