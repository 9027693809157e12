"""Secrets in Secrets Manager, which onboarding writes and workers read; functions of the flow need none of them."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

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


class ManagedSecrets:
    """One secret of Amazon's for each of ours; the client is made when the first is asked for."""

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
            raise Misconfigured(f"There is no secret {self._id(name)}; {how}.") from None

    def keep(self, name: str, secret: str) -> None:
        place = self._id(name)
        with translated(self._what(name)):
            if not self._put(place, secret):
                self._client.create_secret(Name=place, SecretString=secret, Description="Made by webordinary.")

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        # Amazon has no lock for a secret: two machines that renew the same one are told apart by reading it again.
        mark = hashlib.sha256(self._id(name).encode()).hexdigest()[:16]
        place = Path(tempfile.gettempdir()) / f".webordinary-{os.getuid()}-{mark}.turn"
        with take_turn(place, self._what(name)):
            yield

    def _put(self, place: str, secret: str) -> bool:
        """Replace what is there, also what somebody has begun to delete; False when nothing is."""
        client = self._client
        try:
            client.put_secret_value(SecretId=place, SecretString=secret)
        except client.exceptions.ResourceNotFoundException:
            return False
        except client.exceptions.InvalidRequestException:
            client.restore_secret(SecretId=place)
            client.put_secret_value(SecretId=place, SecretString=secret)
        return True

    @property
    def _client(self) -> SecretsManagerClient:
        client: SecretsManagerClient = self._clients.more("secretsmanager")
        return client

    def _id(self, name: str) -> str:
        return self._names.secret(check_secret_name(name))

    def _what(self, name: str) -> str:
        return f"the secret {self._id(name)}"
