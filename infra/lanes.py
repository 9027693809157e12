"""Lanes: the tables that hold the truth and the queues that wake, as the engine itself describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import RemovalPolicy
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from webordinary.engines.aws.dynamodb.tables import TIME_TO_LIVE, Table, definition, tables
from webordinary.engines.aws.sqs.queues import MOST_RECEIVES, Queue, installation_queues

if TYPE_CHECKING:
    from infra.arns import Arns

_ON_THE_WAY = "aws:SecureTransport"


class Lanes(Construct):
    """Tables outlive the stack; the queues of a lane are made at its onboarding."""

    def __init__(self, scope: Construct, arns: Arns) -> None:
        super().__init__(scope, "lanes")
        for table in tables(arns.names):
            self._keep(table, arns.names.prefix)
        queues = installation_queues(arns.names)
        for queue in queues:
            self._wake(queue, arns)

    def _keep(self, table: Table, prefix: str) -> None:
        made: dict[str, Any] = definition(table)
        kept = dynamodb.CfnTable(
            self,
            table.name.removeprefix(f"{prefix}-"),
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
                attribute_name=TIME_TO_LIVE, enabled=True
            ),
            point_in_time_recovery_specification=dynamodb.CfnTable.PointInTimeRecoverySpecificationProperty(
                point_in_time_recovery_enabled=True
            ),
            sse_specification=dynamodb.CfnTable.SSESpecificationProperty(sse_enabled=True),
        )
        kept.apply_removal_policy(RemovalPolicy.RETAIN)

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
