"""One harmless call for each need of the engine, and calls that no role of ours may ever make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from webordinary.engines.aws.account.own_secrets import MODEL, REPLY_KEY
from webordinary.engines.aws.dynamodb.items import item_of
from webordinary.engines.aws.flow.functions import Need
from webordinary.routing.lane import Lane
from webordinary_local_aws.server import ACCOUNT, REGION

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy_boto3_sesv2.type_defs import DestinationTypeDef

    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.names import Names

LANE = Lane("probe", "nobody")
_REFUSALS = {"AccessDenied", "AccessDeniedException", "403"}


def is_allowed(call: Callable[[], object]) -> bool:
    """Say whether a call passes the gate; that there is nothing behind it is no refusal."""
    try:
        call()
    except ClientError as error:
        return error.response["Error"]["Code"] not in _REFUSALS
    return True


def _job(names: Names) -> dict[str, Any]:
    return {"TableName": names.jobs, "Key": item_of({"projectUserId": "probe#nobody", "sequence": 1})}


def _row(names: Names) -> dict[str, Any]:
    return {"TableName": names.records, "Key": item_of({"kind": "probe", "id": "probe"})}


def _thread(names: Names) -> dict[str, Any]:
    return {"TableName": names.threads, "Key": item_of({"threadId": "probe"})}


def _url(clients: Clients, name: str) -> str:
    return clients.queue_url(name)


def _wake(clients: Clients, queue: str) -> object:
    return clients.sqs.send_message(QueueUrl=_url(clients, queue), MessageBody="{}")


def _letter(clients: Clients) -> object:
    content: Any = {"Raw": {"Data": b"From: amelia@example.com\n\nProbe\n"}}
    to: DestinationTypeDef = {"ToAddresses": ["nobody@example.net"]}
    return clients.ses.send_email(FromEmailAddress="amelia@example.com", Destination=to, Content=content)


def _secret(clients: Clients, name: str) -> object:
    return clients.more("secretsmanager").get_secret_value(SecretId=name)


def _machine(names: Names) -> str:
    return f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:{names.flow}"


PROBES: dict[Need, Callable[[Clients, Names], object]] = {
    Need.MAILS_READ: lambda c, n: c.s3.get_object(Bucket=n.mails_bucket(ACCOUNT), Key="probe"),
    Need.MAILS_WRITE: lambda c, n: c.s3.put_object(Bucket=n.mails_bucket(ACCOUNT), Key="probe", Body=b""),
    Need.MEDIA_READ: lambda c, n: c.s3.get_object(Bucket=n.media_bucket(ACCOUNT), Key="probe"),
    Need.MEDIA_WRITE: lambda c, n: c.s3.put_object(Bucket=n.media_bucket(ACCOUNT), Key="probe", Body=b""),
    Need.SITES: lambda c, n: c.s3.put_object(Bucket=n.sites_bucket(ACCOUNT), Key="probe", Body=b""),
    Need.LANES_READ: lambda c, n: c.dynamodb.get_item(**_job(n)),
    Need.LANES_WRITE: lambda c, n: c.dynamodb.delete_item(**_job(n)),
    Need.RECORDS: lambda c, n: c.dynamodb.delete_item(**_row(n)),
    Need.ROUTING_READ: lambda c, n: c.dynamodb.get_item(TableName=n.projects, Key=item_of({"id": "probe"})),
    Need.THREADS_WRITE: lambda c, n: c.dynamodb.delete_item(**_thread(n)),
    Need.INTERRUPTIONS: lambda c, n: c.dynamodb.put_item(
        TableName=n.interruptions, Item=item_of({"messageId": "probe"})
    ),
    Need.WAKE: lambda c, n: _wake(c, n.interrupts(LANE)),
    Need.HEAR: lambda c, n: c.wakeups.receive_message(QueueUrl=_url(c, n.unclaimed), VisibilityTimeout=0),
    Need.DEAD_LETTERS: lambda c, n: _wake(c, n.unclaimed_dead_letters),
    Need.START_FLOW: lambda c, n: c.states.start_execution(stateMachineArn=_machine(n), name="probe", input="no JSON"),
    Need.SEND_MAIL: lambda c, _: _letter(c),
    Need.REPLY_KEY: lambda c, n: _secret(c, n.own_secret(REPLY_KEY.name)),
    Need.GIT_SECRETS: lambda c, n: c.dynamodb.get_item(TableName=n.secrets, Key=item_of({"name": "probe"})),
}

FORBIDDEN: dict[str, Callable[[Clients, Names], object]] = {
    "delete the bucket of mails": lambda c, n: c.s3.delete_bucket(Bucket=n.mails_bucket(ACCOUNT)),
    "open the bucket of sites": lambda c, n: c.s3.put_bucket_policy(Bucket=n.sites_bucket(ACCOUNT), Policy="{}"),
    "delete a table": lambda c, n: c.dynamodb.delete_table(TableName=n.jobs),
    "write a project": lambda c, n: c.dynamodb.put_item(TableName=n.projects, Item=item_of({"id": "probe"})),
    "read another table": lambda c, _: c.dynamodb.get_item(TableName="other", Key=item_of({"id": "probe"})),
    "read the model's key": lambda c, n: _secret(c, n.own_secret(MODEL.name)),
    "change a secret of a project": lambda c, n: c.dynamodb.put_item(
        TableName=n.secrets, Item=item_of({"name": "probe"})
    ),
    "read all secrets": lambda c, n: c.dynamodb.scan(TableName=n.secrets),
    "change a secret": lambda c, n: c.more("secretsmanager").put_secret_value(
        SecretId=n.own_secret(REPLY_KEY.name), SecretString="probe"
    ),
    "delete a queue": lambda c, n: c.sqs.delete_queue(QueueUrl=_url(c, n.unclaimed)),
    "send mail as somebody else": lambda c, _: c.ses.send_email(
        FromEmailAddress="someone@bank.example",
        Destination={"ToAddresses": ["nobody@example.net"]},
        Content={"Raw": {"Data": b"From: someone@bank.example\n\nProbe\n"}},
    ),
    "change a function": lambda c, n: c.functions.delete_function(FunctionName=n.function("intake")),
    "stop an execution": lambda c, n: c.states.delete_state_machine(stateMachineArn=_machine(n)),
    "make a role": lambda c, _: c.more("iam").create_role(RoleName="probe", AssumeRolePolicyDocument="{}"),
}
