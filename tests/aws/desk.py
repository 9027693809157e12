"""A desk with every client of one local AWS server, and short words for what the tests do with them."""

from __future__ import annotations

import itertools
import json
import queue
from contextlib import ExitStack, closing
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Self

import boto3

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_stepfunctions import SFNClient

    from webordinary_local_aws.lambda_host import Context, Function
    from webordinary_local_aws.server import LocalAws

ROLE = "arn:aws:iam::123456789012:role/local"
LONG = timedelta(seconds=60)

_numbers = itertools.count(1)


class Desk:
    """Names what it makes anew each time, so that the tests of one server do not meet."""

    def __init__(self, aws: LocalAws) -> None:
        self.aws = aws
        self._open = ExitStack()
        self.states: SFNClient = self._client("stepfunctions")
        self.queues: SQSClient = self._client("sqs")
        self.functions: LambdaClient = self._client("lambda")
        self.tables: DynamoDBClient = self._client("dynamodb")
        self.objects: S3Client = self._client("s3")
        self._stacks = self._client("cloudformation")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def deploy(self, function: Function) -> str:
        """Make a Lambda under a new name, which is returned."""
        name = new_name("function")
        self.aws.deploy(name, function)
        return name

    def start(self, definition: Mapping[str, Any], **given: object) -> str:
        flow = self.states.create_state_machine(name=new_name("flow"), definition=json.dumps(definition), roleArn=ROLE)
        return self.begin(flow["stateMachineArn"], **given)

    def begin(self, flow: str, **given: object) -> str:
        begun = self.states.start_execution(stateMachineArn=flow, name=new_name("execution"), input=json.dumps(given))
        return begun["executionArn"]

    def end_of(self, execution: str) -> tuple[str, Any]:
        """Wait for an execution to end; return its status, and its output or its error and cause."""
        end = self.aws.outcome_of(execution, LONG)
        if end["status"] == "SUCCEEDED":
            return "SUCCEEDED", json.loads(end["output"])
        return end["status"], (end.get("error"), end.get("cause"))

    def line(self, *, redrive: str = "{}") -> str:
        """Make a FIFO queue and return its address."""
        made = self.queues.create_queue(
            QueueName=f"{new_name('line')}.fifo", Attributes={"FifoQueue": "true", "RedrivePolicy": redrive}
        )
        return made["QueueUrl"]

    def send(self, line: str, body: str, *, group: str = "lane", same_as: str | None = None) -> str:
        sent = self.queues.send_message(
            QueueUrl=line, MessageBody=body, MessageGroupId=group, MessageDeduplicationId=same_as or body
        )
        return sent["MessageId"]

    def receive(self, line: str, wait: int = 0) -> list[tuple[str, str]]:
        """Take at most one message; return its body and its receipt."""
        found = self.queues.receive_message(QueueUrl=line, MaxNumberOfMessages=1, WaitTimeSeconds=wait)
        return [(one["Body"], one["ReceiptHandle"]) for one in found.get("Messages", [])]

    def stack(self, resources: Mapping[str, Any]) -> None:
        self._stacks.create_stack(StackName=new_name("stack"), TemplateBody=json.dumps({"Resources": resources}))

    def _client(self, name: str) -> Any:  # noqa: ANN401 - the stubs know the kind only by annotation
        return self._open.enter_context(closing(boto3.client(name, **self.aws.connection())))


class Tokens:
    """A function that keeps the token of each task that waits, for the test to answer."""

    def __init__(self) -> None:
        self._tokens: queue.Queue[str] = queue.Queue()

    def __call__(self, event: Mapping[str, str], _: Context) -> None:
        self._tokens.put(event["token"])

    def next(self) -> str:
        return self._tokens.get(timeout=LONG.total_seconds())


def waiting(function: str, **more: object) -> dict[str, object]:
    """Return a task that calls a function with its token and waits for the answer."""
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken",
        "Parameters": {"FunctionName": function, "Payload": {"token.$": "$$.Task.Token"}},
        "End": True,
    } | more


def new_name(kind: str) -> str:
    return f"{kind}-{next(_numbers)}"
