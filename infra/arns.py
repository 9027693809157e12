"""How AWS names each part of an installation in a policy; the account is filled in when it is deployed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aws_cdk import Aws

from webordinary.engines.aws.dynamodb.tables import tables

if TYPE_CHECKING:
    from infra.settings import Settings
    from webordinary.engines.aws.names import Names


@dataclass(frozen=True, slots=True)
class Arns:
    """Made from names alone, so that no part has to wait for another one to be there."""

    region: str
    names: Names
    # The one exception: AWS makes up what the store that leads visitors is called.
    visitor_routes: str = ""

    @classmethod
    def of(cls, settings: Settings) -> Arns:
        return cls(settings.region, settings.names)

    def table(self, name: str) -> str:
        return self._here("dynamodb", f"table/{name}")

    def indexes(self, name: str) -> list[str]:
        (table,) = (each for each in tables(self.names) if each.name == name)
        return [self._here("dynamodb", f"table/{name}/index/{index.name}") for index in table.indexes]

    def queue(self, name: str) -> str:
        return self._here("sqs", name)

    def lane_queues(self, kind: str) -> str:
        """All queues of one kind: those of a lane are made at its onboarding."""
        return self.queue(f"{self.names.prefix}-{kind}-*")

    def function(self, name: str) -> str:
        return self._here("lambda", f"function:{self.names.function(name)}")

    def secret(self, name: str) -> str:
        """Amazon appends six letters of its own."""
        return self._here("secretsmanager", f"secret:{name}-??????")

    @property
    def git_secrets(self) -> str:
        return self._here("secretsmanager", f"secret:{self.names.own_secret('git/*')}")

    @property
    def keys(self) -> str:
        """Every key of the account; which one is meant says its alias, because AWS makes up what a key is called."""
        return self._here("kms", "key/*")

    def log_of(self, function: str) -> str:
        return self._here("logs", f"log-group:/aws/lambda/{self.names.function(function)}")

    @property
    def flow(self) -> str:
        return self._here("states", f"stateMachine:{self.names.flow}")

    def identity(self, name: str) -> str:
        return self._here("ses", f"identity/{name}")

    @property
    def answers(self) -> str:
        return self._here("ses", f"configuration-set/{self.names.answers}")

    def receipt_rule(self, name: str) -> str:
        return self._here("ses", f"receipt-rule-set/{self.names.receipt_rules}:receipt-rule/{name}")

    @property
    def models(self) -> str:
        """Anthropic's models in any region, because a profile may lead to another one."""
        return "arn:aws:bedrock:*::foundation-model/anthropic.*"

    @property
    def profiles(self) -> str:
        """Ways to Anthropic's models across regions."""
        return self._here("bedrock", "inference-profile/*anthropic.*")

    @property
    def tasks(self) -> str:
        return self._here("ecs", f"task/{self.names.cluster}/*")

    @property
    def repository(self) -> str:
        return self._here("ecr", f"repository/{self.names.repository}")

    @property
    def alarms(self) -> str:
        return self._here("cloudwatch", f"alarm:{self.names.prefix}-*")

    @property
    def mails(self) -> str:
        return self.bucket(self.names.mails_bucket(Aws.ACCOUNT_ID))

    @property
    def media(self) -> str:
        return self.bucket(self.names.media_bucket(Aws.ACCOUNT_ID))

    @property
    def sites(self) -> str:
        return self.bucket(self.names.sites_bucket(Aws.ACCOUNT_ID))

    @staticmethod
    def bucket(name: str) -> str:
        return f"arn:aws:s3:::{name}"

    def _here(self, kind: str, rest: str) -> str:
        return f"arn:aws:{kind}:{self.region}:{Aws.ACCOUNT_ID}:{rest}"
