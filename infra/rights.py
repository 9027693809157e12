"""What each need of the engine is in the words of IAM: exactly these actions on exactly these things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Aws
from aws_cdk import aws_iam as iam

from infra.lanes import secrets_key
from webordinary.engines.aws.account.own_secrets import REPLY_KEY
from webordinary.engines.aws.flow.functions import Need

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from infra.arns import Arns

READ_ROWS = ("dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:ConditionCheckItem")
WRITE_ROWS = ("dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem")
_RING = ("sqs:SendMessage", "sqs:GetQueueUrl", "sqs:GetQueueAttributes")
_HEAR = ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueUrl")


def statements(needs: Iterable[Need], arns: Arns, domain: str) -> list[iam.PolicyStatement]:
    """Return what a role must be allowed to do, in an order that does not change by itself."""
    return [statement for need in sorted(needs) for statement in _of(need, arns, domain)]


def allow(actions: Iterable[str], *resources: str) -> iam.PolicyStatement:
    """Return one statement."""
    return iam.PolicyStatement(actions=sorted(actions), resources=list(resources))


def _of(need: Need, arns: Arns, domain: str) -> Iterator[iam.PolicyStatement]:  # noqa: C901, PLR0912, PLR0915 - one line for each need
    names = arns.names
    match need:
        case Need.MAILS_READ:
            yield from _read_objects(arns.mails)
        case Need.MAILS_WRITE:
            yield allow(["s3:PutObject"], f"{arns.mails}/*")
        case Need.MEDIA_READ:
            yield from _read_objects(arns.media)
        case Need.MEDIA_WRITE:
            yield allow(["s3:PutObject"], f"{arns.media}/*")
        case Need.SITES:
            yield from _read_objects(arns.sites)
            yield allow(["s3:PutObject", "s3:DeleteObject"], f"{arns.sites}/*")
        case Need.VISITOR_ROUTES:
            changes = ("DescribeKeyValueStore", "GetKey", "UpdateKeys")
            yield allow([f"cloudfront-keyvaluestore:{each}" for each in changes], arns.visitor_routes)
        case Need.LANES_READ:
            yield _rows(READ_ROWS, arns, names.ownership, names.jobs)
            yield allow(["dynamodb:Scan"], arns.table(names.ownership))
        case Need.LANES_WRITE:
            yield _rows(WRITE_ROWS, arns, names.ownership, names.jobs)
        case Need.RECORDS:
            yield _rows((*READ_ROWS, *WRITE_ROWS), arns, names.records)
        case Need.ROUTING_READ:
            yield _rows(READ_ROWS, arns, names.projects, names.threads)
            # Whoever writes to nobody in particular is looked for in all projects.
            yield allow(["dynamodb:Scan"], arns.table(names.projects))
        case Need.THREADS_WRITE:
            yield _rows(WRITE_ROWS, arns, names.threads)
        case Need.INTERRUPTIONS:
            yield _rows((*READ_ROWS, "dynamodb:PutItem"), arns, names.interruptions)
        case Need.WAKE:
            rung = [arns.lane_queues(kind) for kind in ("input", "interrupts", "output")]
            yield allow(_RING, arns.queue(names.unclaimed), *rung)
        case Need.HEAR:
            heard = [arns.lane_queues(kind) for kind in ("input", "interrupts")]
            yield allow(_HEAR, arns.queue(names.unclaimed), *heard)
        case Need.DEAD_LETTERS:
            buried = (arns.queue(names.unclaimed_dead_letters), arns.lane_queues("dlq"))
            yield allow(["sqs:SendMessage", "sqs:GetQueueUrl"], *buried)
        case Need.START_FLOW:
            yield allow(["states:StartExecution"], arns.flow)
        case Need.ANSWER_FLOW:
            answers = ("states:SendTaskSuccess", "states:SendTaskFailure", "states:SendTaskHeartbeat")
            yield allow(answers, arns.flow)
        case Need.SEND_MAIL:
            yield _send_mail(arns, domain)
        case Need.REPLY_KEY:
            yield allow(["secretsmanager:GetSecretValue"], arns.secret(names.own_secret(REPLY_KEY.name)))
        case Need.GIT_SECRETS:
            yield allow(["dynamodb:GetItem"], arns.table(names.secrets))
            yield _opened(arns)
            # Where earlier versions kept them.
            yield allow(["secretsmanager:DescribeSecret", "secretsmanager:GetSecretValue"], arns.git_secrets)


def _send_mail(arns: Arns, domain: str) -> iam.PolicyStatement:
    """In the sandbox of SES the recipient is a verified identity too, and sending needs the right on both."""
    allowed = allow(["ses:SendEmail", "ses:SendRawEmail"], arns.identity("*"), arns.answers)
    allowed.add_condition("StringLike", {"ses:FromAddress": f"*@{domain}"})
    return allowed


def _rows(actions: Iterable[str], arns: Arns, *tables: str) -> iam.PolicyStatement:
    places = [place for table in tables for place in (arns.table(table), *arns.indexes(table))]
    return allow(actions, *places)


def _opened(arns: Arns) -> iam.PolicyStatement:
    """Let the key of the secrets be used, by whoever reads their table and for nothing else."""
    by = {"kms:ViaService": f"dynamodb.{arns.region}.amazonaws.com"}
    return iam.PolicyStatement(
        actions=["kms:Decrypt", "kms:DescribeKey"],
        resources=[arns.keys],
        conditions={
            "StringEquals": by,
            "ForAnyValue:StringEquals": {"kms:ResourceAliases": secrets_key(arns.names)},
        },
    )


def _read_objects(bucket: str) -> Iterator[iam.PolicyStatement]:
    yield allow(["s3:GetObject"], f"{bucket}/*")
    # Without it a missing object is a forbidden one, and nobody could tell them apart.
    yield allow(["s3:ListBucket"], bucket)


def trusted(kind: str) -> iam.ServicePrincipal:
    """Return a part of AWS that may take a role, for this account alone."""
    return iam.ServicePrincipal(kind, conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}})
