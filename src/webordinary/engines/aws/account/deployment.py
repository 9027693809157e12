"""What has to be right before and after the stack is deployed, as far as the account itself can tell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from webordinary.engines.aws.account.own_secrets import UNSET
from webordinary.engines.aws.faults import translated

if TYPE_CHECKING:
    from mypy_boto3_ecs import ECSClient
    from mypy_boto3_secretsmanager import SecretsManagerClient

    from webordinary.engines.aws.account.own_secrets import OwnSecret
    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.names import Names

# The one that reads what `make synth` writes; npm's `latest`, 3.0.0, refuses it.
CDK_CLI = "2.1147.0"
_NUMBERS = re.compile(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})", re.ASCII)
_BOOTSTRAP = "/cdk-bootstrap/hnb659fds/version"
# The templates ask for what this version made.
OLDEST_BOOTSTRAP = 6


def reads_templates(said: str) -> bool | None:
    """Tell from its version whether a command line of CDK reads our templates; None when it names none."""
    found, wanted = _numbers(said), _numbers(CDK_CLI)
    return None if found is None or wanted is None else found[0] == wanted[0] and found >= wanted


def _numbers(text: str) -> tuple[int, ...] | None:
    found = _NUMBERS.search(text)
    return tuple(map(int, found.groups())) if found else None


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

    def variables_of_workers(self) -> dict[str, str] | None:
        """Return what the workers in the account are told, which need not be what this machine's configuration says."""
        client: ECSClient = self.clients.more("ecs")
        try:
            # ECS has no better name for a family that it does not know.
            with translated("the task of the workers", let_through=frozenset({"ClientException"})):
                found = client.describe_task_definition(taskDefinition=self.names.workers)["taskDefinition"]
        except ClientError:
            return None
        told = [
            each for container in found.get("containerDefinitions", ()) for each in container.get("environment", ())
        ]
        return {each.get("name", ""): each.get("value", "") for each in told}

    def secret(self, secret: OwnSecret) -> SecretState:
        """Say whether somebody has put a value where the stack has only made room for it."""
        client: SecretsManagerClient = self.clients.more("secretsmanager")
        name = self.names.own_secret(secret.name)
        try:
            with translated(f"the secret {name}", let_through=frozenset({"ResourceNotFoundException"})):
                value = client.get_secret_value(SecretId=name).get("SecretString", "")
        except ClientError:
            return SecretState.MISSING
        return SecretState.UNSET if value in {"", UNSET} else SecretState.SET
