"""Whoever has taken a role on the local server may do what its policies say, to what they say, and nothing else."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.exceptions import ClientError

from tests.aws.conftest import Place
from tests.rigs.aws_ports import aws_clients, aws_server
from webordinary.engines.aws.clients import AwsSettings, Clients, open_clients
from webordinary.engines.aws.dynamodb.items import item_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = "eu-central-1:123456789012"


@pytest.fixture
def here() -> Place:
    return Place(aws_clients())


@contextmanager
def role(name: str, *statements: dict[str, Any]) -> Iterator[Clients]:
    """Return the clients of somebody who has taken a role with these rights."""
    connection = aws_server().connection()
    iam, sts = boto3.client("iam", **connection), boto3.client("sts", **connection)
    made = iam.create_role(RoleName=name, AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    document = {"Version": "2012-10-17", "Statement": list(statements)}
    iam.put_role_policy(RoleName=name, PolicyName="rights", PolicyDocument=json.dumps(document))
    taken = sts.assume_role(RoleArn=made, RoleSessionName="test")["Credentials"]
    session = boto3.Session(
        taken["AccessKeyId"], taken["SecretAccessKey"], taken["SessionToken"], connection["region_name"]
    )
    yield open_clients(AwsSettings(endpoint=connection["endpoint_url"], account=aws_clients().account), session)
    for client in (iam, sts):
        client.close()


def refused(call: Callable[[], object]) -> bool:
    """Say whether a call is refused for want of a right; any other error is one of the test."""
    try:
        call()
    except ClientError as error:
        if error.response["Error"]["Code"] in {"AccessDenied", "AccessDeniedException"}:
            return True
        raise
    return False


def test_a_role_may_write_to_its_own_table_and_to_no_other(here: Place) -> None:
    names = here.names
    mine = f"arn:aws:dynamodb:{HERE}:table/{names.threads}"
    rights = {"Effect": "Allow", "Action": ["dynamodb:PutItem", "dynamodb:ConditionCheckItem"], "Resource": mine}
    item = item_of({"threadId": "t1", "id": "t1"})
    both: list[Any] = [{"Put": {"TableName": name, "Item": item}} for name in (names.threads, names.projects)]
    with role(f"{names.prefix}-tables", rights) as clients:
        table = clients.dynamodb
        assert not refused(lambda: table.put_item(TableName=names.threads, Item=item))
        assert not refused(lambda: table.transact_write_items(TransactItems=both[:1]))
        assert refused(lambda: table.transact_write_items(TransactItems=both))
        assert refused(lambda: table.put_item(TableName=names.projects, Item=item))
        assert refused(lambda: table.get_item(TableName=names.threads, Key=item_of({"threadId": "t1"})))
        assert refused(lambda: table.delete_table(TableName=names.threads))


def test_a_role_may_read_under_its_prefix_and_not_delete(here: Place) -> None:
    bucket = here.buckets.mails.name
    here.buckets.mails.put("inbound/a", b"a")
    here.buckets.mails.put("kept/b", b"b")
    rights = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{bucket}/inbound/*"}
    with role(f"{here.names.prefix}-bucket", rights) as clients:
        assert not refused(lambda: clients.s3.get_object(Bucket=bucket, Key="inbound/a"))
        assert refused(lambda: clients.s3.get_object(Bucket=bucket, Key="kept/b"))
        assert refused(lambda: clients.s3.put_object(Bucket=bucket, Key="inbound/c", Body=b""))
        assert refused(lambda: clients.s3.list_objects_v2(Bucket=bucket))
        gone = {"Objects": [{"Key": "inbound/a"}]}
        assert refused(lambda: clients.s3.delete_objects(Bucket=bucket, Delete=gone))  # type: ignore[arg-type]  # the driver's own dictionary type is closed
        assert refused(lambda: clients.s3.delete_bucket(Bucket=bucket))


def test_a_role_may_ring_read_secrets_and_send_as_itself_only_where_that_is_said(here: Place) -> None:
    names = here.names
    clients = aws_clients()
    for name in ("mine", "theirs"):
        clients.more("secretsmanager").create_secret(Name=f"{names.prefix}/git/{name}", SecretString="x")
    urls = [
        clients.sqs.get_queue_url(QueueName=each)["QueueUrl"]
        for each in (names.unclaimed, names.unclaimed_dead_letters)
    ]
    rights = [
        {"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": f"arn:aws:sqs:{HERE}:{names.unclaimed}"},
        {
            "Effect": "Allow",
            "Action": "secretsmanager:GetSecretValue",
            "Resource": f"arn:aws:secretsmanager:{HERE}:secret:{names.prefix}/git/mine-??????",
        },
    ]
    with role(f"{names.prefix}-many", *rights) as taken:
        assert not refused(lambda: taken.sqs.send_message(QueueUrl=urls[0], MessageBody="ring"))
        assert refused(lambda: taken.sqs.send_message(QueueUrl=urls[1], MessageBody="ring"))
        assert refused(lambda: taken.sqs.receive_message(QueueUrl=urls[0]))
        secrets = taken.more("secretsmanager")
        assert not refused(lambda: secrets.get_secret_value(SecretId=f"{names.prefix}/git/mine"))
        assert refused(lambda: secrets.get_secret_value(SecretId=f"{names.prefix}/git/theirs"))
        assert refused(lambda: taken.functions.invoke(FunctionName="any"))
        assert refused(taken.states.list_state_machines)
        letter = {"Raw": {"Data": b"From: a@b.example\n\n"}}
        assert refused(lambda: taken.ses.send_email(FromEmailAddress="a@b.example", Content=letter))  # type: ignore[arg-type]  # the same


def test_a_bucket_that_is_only_for_tls_and_for_cloudfront_is_open_to_us(here: Place) -> None:
    bucket = here.buckets.sites.name
    arns = [f"arn:aws:s3:::{bucket}", f"arn:aws:s3:::{bucket}/*"]
    condition = {"Bool": {"aws:SecureTransport": "false"}}
    only_tls = {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": arns, "Condition": condition}
    document = {"Version": "2012-10-17", "Statement": [only_tls]}
    aws_clients().s3.put_bucket_policy(Bucket=bucket, Policy=json.dumps(document))

    here.buckets.sites.put("a", b"a")
    assert here.buckets.sites.read("a") is not None
