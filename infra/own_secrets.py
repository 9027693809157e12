"""Secrets of the installation itself; what nobody can make up says so until somebody sets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import RemovalPolicy
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from webordinary.engines.aws.account.own_secrets import SECRETS, UNSET

if TYPE_CHECKING:
    from webordinary.engines.aws.names import Names

_LENGTH = 64


class OwnSecrets(Construct):
    """Kept when the stack goes: with a new reply key, answers to older mails would be refused."""

    def __init__(self, scope: Construct, names: Names) -> None:
        super().__init__(scope, "secrets")
        made_up = secretsmanager.CfnSecret.GenerateSecretStringProperty(
            password_length=_LENGTH, exclude_punctuation=True, require_each_included_type=True
        )
        for secret in SECRETS:
            made = secretsmanager.CfnSecret(
                self,
                secret.name,
                name=names.own_secret(secret.name),
                description=secret.what,
                generate_secret_string=made_up if secret.is_made_up else None,
                secret_string=None if secret.is_made_up else UNSET,
            )
            made.apply_removal_policy(RemovalPolicy.RETAIN)
