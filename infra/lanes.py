"""Lanes: the tables that hold the truth and the queues that wake, as the engine itself describes them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from aws_cdk import RemovalPolicy
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from webordinary.engines.aws.dynamodb.tables import TIME_TO_LIVE, Table, definition, tables
from webordinary.engines.aws.sqs.queues import MOST_RECEIVES, Queue, installation_queues

if TYPE_CHECKING:
    from infra.arns import Arns
    from webordinary.engines.aws.names import Names

_ON_THE_WAY = "aws:SecureTransport"


class Lanes(Construct):
    """Tables outlive the stack; the queues of a lane are made at its onboarding."""

    def __init__(self, scope: Construct, arns: Arns) -> None:
        super().__init__(scope, "lanes")
        # Those that were restored beside them are not the stack's: who has restored them removes the old ones some day.
        own = replace(arns.names, restored="")
        for table in tables(own):
            self._keep(table, own)
        queues = installation_queues(arns.names)
        for queue in queues:
            self._wake(queue, arns)

    def _keep(self, table: Table, names: Names) -> None:
        made: dict[str, Any] = definition(table)
        kept = dynamodb.CfnTable(
            self,
            table.name.removeprefix(f"{names.prefix}-"),
            table_name=made["TableName"],
            key_schema=[_key(each) for each in made["KeySchema"]],
            attribute_definitions=[
                dynamodb.CfnTable.AttributeDefinitionProperty(
                    attribute_name=each["AttributeName"], attribute_type=each["AttributeType"]
                )
                for each in made["AttributeDefinitions"]
            ],
            billing_mode=made["BillingMode"],
            global_secondary_indexes=[_index(each) for each in made.get("GlobalSecondaryIndexes", ())] or None,
            time_to_live_specification=dynamodb.CfnTable.TimeToLiveSpecificationProperty(
                attribute_name=TIME_TO_LIVE, enabled=table.forgets
            ),
            point_in_time_recovery_specification=dynamodb.CfnTable.PointInTimeRecoverySpecificationProperty(
                point_in_time_recovery_enabled=True
            ),
            sse_specification=self._sealed(names) if table.is_sealed else _encrypted(),
        )
        kept.apply_removal_policy(RemovalPolicy.RETAIN)

    def _sealed(self, names: Names) -> dynamodb.CfnTable.SSESpecificationProperty:
        """Make a key that outlives the stack as its table does: without it nobody could read that again."""
        key = kms.Key(
            self, "secrets-key", alias=secrets_key(names), enable_key_rotation=True, removal_policy=RemovalPolicy.RETAIN
        )
        return dynamodb.CfnTable.SSESpecificationProperty(
            sse_enabled=True, sse_type="KMS", kms_master_key_id=key.key_arn
        )

    def _wake(self, queue: Queue, arns: Arns) -> None:
        name = queue.name.removeprefix(f"{arns.names.prefix}-")
        dead = {"deadLetterTargetArn": arns.queue(queue.dead_letters or ""), "maxReceiveCount": MOST_RECEIVES}
        made = sqs.CfnQueue(
            self,
            name,
            queue_name=queue.name,
            message_retention_period=queue.kept_for,
            visibility_timeout=queue.hidden_for,
            fifo_queue=True if queue.is_fifo else None,
            redrive_policy=dead if queue.dead_letters else None,
            sqs_managed_sse_enabled=True,
        )
        if queue.dead_letters:
            made.node.add_dependency(self.node.find_child(queue.dead_letters.removeprefix(f"{arns.names.prefix}-")))
        sqs.CfnQueuePolicy(
            self,
            f"{name}-policy",
            queues=[made.ref],
            policy_document=refuse_plain("sqs:*", arns.queue(queue.name)),
        )


def secrets_key(names: Names) -> str:
    """Return by which name the key of the secrets is known."""
    return f"alias/{names.secrets}"


def _encrypted() -> dynamodb.CfnTable.SSESpecificationProperty:
    return dynamodb.CfnTable.SSESpecificationProperty(sse_enabled=True)


def refuse_plain(actions: str, *resources: str) -> dict[str, Any]:
    """Return a policy by which nobody may talk to a thing without encryption."""
    return {"Version": "2012-10-17", "Statement": [plain_refused(actions, *resources)]}


def plain_refused(actions: str, *resources: str) -> dict[str, Any]:
    """Return the one statement of it."""
    return {
        "Sid": "OnlyEncrypted",
        "Effect": "Deny",
        "Principal": "*",
        "Action": actions,
        "Resource": list(resources),
        "Condition": {"Bool": {_ON_THE_WAY: "false"}},
    }


def _key(said: dict[str, str]) -> dynamodb.CfnTable.KeySchemaProperty:
    return dynamodb.CfnTable.KeySchemaProperty(attribute_name=said["AttributeName"], key_type=said["KeyType"])


def _index(said: dict[str, Any]) -> dynamodb.CfnTable.GlobalSecondaryIndexProperty:
    return dynamodb.CfnTable.GlobalSecondaryIndexProperty(
        index_name=said["IndexName"],
        key_schema=[_key(each) for each in said["KeySchema"]],
        projection=dynamodb.CfnTable.ProjectionProperty(projection_type=said["Projection"]["ProjectionType"]),
    )
