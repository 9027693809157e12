"""What has to be right before and after the stack is deployed, as far as the account itself can tell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.own_secrets import UNSET

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient

    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.names import Names
    from webordinary.engines.aws.own_secrets import Secret

# The oldest that reads what `make synth` writes; npm's `latest` may be older than the library's own.
CDK_CLI = "2.1147.0"
_BOOTSTRAP = "/cdk-bootstrap/hnb659fds/version"
# The templates ask for what this version made.
OLDEST_BOOTSTRAP = 6


class SecretState(StrEnum):
    """Whether a secret of the installation can be used."""

    SET = "set"
    UNSET = "unset"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Deployment:
    """Looks, never changes anything."""

    clients: Clients
    names: Names

    def bootstrap(self) -> int | None:
        """Return the version of what `cdk bootstrap` has made in the region, or nothing."""
        client = self.clients.more("ssm")
        try:
            with translated("the bootstrap of CDK", let_through=frozenset({"ParameterNotFound"})):
                found = str(client.get_parameter(Name=_BOOTSTRAP)["Parameter"]["Value"])
        except ClientError:
            return None
        return int(found) if found.isdecimal() else None

    def secret(self, secret: Secret) -> SecretState:
        """Say whether somebody has put a value where the stack has only made room for it."""
        client: SecretsManagerClient = self.clients.more("secretsmanager")
        name = self.names.own_secret(secret.name)
        try:
            with translated(f"the secret {name}", let_through=frozenset({"ResourceNotFoundException"})):
                value = client.get_secret_value(SecretId=name).get("SecretString", "")
        except ClientError:
            return SecretState.MISSING
        return SecretState.UNSET if value in {"", UNSET} else SecretState.SET
