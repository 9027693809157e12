"""The local AWS server keeps Amazon's promises, in each place where moto alone was seen to break them.

WITHOUT_FIX=late_answers shows which tests need that repair, WITHOUT_FIX=all which need any.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.exceptions import ClientError

from tests.aws.desk import LONG, ROLE, Desk, Tokens, new_name, waiting
from webordinary.child import run
from webordinary.errors import LostOwnership, Misconfigured
from webordinary_local_aws.server import LocalAws, check_moto, installed_moto

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary_local_aws.lambda_host import Context

WITHOUT = os.environ.get("WITHOUT_FIX", "").split()
DONE = '{"is": "done"}'


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with LocalAws(without=WITHOUT) as aws:
        yield aws


@pytest.fixture(scope="module")
def desk(aws: LocalAws) -> Iterator[Desk]:
    with Desk(aws) as desk:
        yield desk


def test_only_the_repaired_moto_is_accepted() -> None:
    check_moto(installed_moto())
    with pytest.raises(Misconfigured, match=r"needs moto 5\.2\.5 exactly, but moto 5\.3\.0 is installed"):
        check_moto("5.3.0")
    with pytest.raises(Misconfigured, match="it is not installed: pip install"):
        check_moto(None)


@pytest.mark.thorough
def test_a_process_with_its_environment_finds_the_server(aws: LocalAws, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in aws.environment().items():
        monkeypatch.setenv(name, value)

    client = boto3.Session().client("sts")

    assert client.get_caller_identity()["Account"] == aws.environment()["AWS_ACCOUNT_ID"]
    client.close()


@pytest.mark.thorough
def test_the_server_ends_when_it_is_closed() -> None:
    aws = LocalAws(without=WITHOUT)
    aws.close()
    aws.close()

    assert not Path(f"/proc/{aws.pid}").exists()


def test_a_function_answers_what_it_returns(desk: Desk) -> None:
    def greet(event: dict[str, str], context: Context) -> dict[str, object]:
        return {"hello": event["name"], "in time": context.get_remaining_time_in_millis() > 0}

    answer = desk.functions.invoke(FunctionName=desk.deploy(greet), Payload=b'{"name": "Scott"}')

    assert json.load(answer["Payload"]) == {"hello": "Scott", "in time": True}
    assert "FunctionError" not in answer


def test_a_function_that_raises_answers_with_the_name_of_its_error(desk: Desk) -> None:
    def lose(_: object, __: Context) -> None:
        raise LostOwnership("Another worker has the lane.")

    answer = desk.functions.invoke(FunctionName=desk.deploy(lose))
    error = json.load(answer["Payload"])

    assert answer["FunctionError"] == "Unhandled"
    assert (error["errorType"], error["errorMessage"]) == ("LostOwnership", "Another worker has the lane.")
    assert any("in lose" in frame for frame in error["stackTrace"])


def test_a_function_that_returns_no_json_is_told_so(desk: Desk) -> None:
    answer = desk.functions.invoke(FunctionName=desk.deploy(lambda _, __: object()))

    assert json.load(answer["Payload"])["errorType"] == "Runtime.MarshalError"


def test_a_function_called_for_later_is_not_waited_for(desk: Desk) -> None:
    may_end, ended = threading.Event(), threading.Event()

    def slow(_: object, __: Context) -> None:
        may_end.wait(LONG.total_seconds())
        ended.set()

    answer = desk.functions.invoke(FunctionName=desk.deploy(slow), InvocationType="Event")

    assert (answer["StatusCode"], ended.is_set()) == (202, False)
    may_end.set()
    assert ended.wait(LONG.total_seconds())


def test_an_answer_that_comes_before_its_task_waits_is_heard(desk: Desk) -> None:
    def answer(event: dict[str, str], _: Context) -> None:
        desk.states.send_task_success(taskToken=event["token"], output=DONE)

    task = waiting(desk.deploy(answer), HeartbeatSeconds=60, TimeoutSeconds=90)

    assert desk.end_of(desk.start(flow(Wait=task))) == ("SUCCEEDED", {"is": "done"})


def test_a_beat_that_comes_before_its_task_waits_is_accepted(desk: Desk) -> None:
    def beat(event: dict[str, str], _: Context) -> None:
        desk.states.send_task_heartbeat(taskToken=event["token"])
        desk.states.send_task_success(taskToken=event["token"], output=DONE)

    task = waiting(desk.deploy(beat), HeartbeatSeconds=60, TimeoutSeconds=90)

    assert desk.end_of(desk.start(flow(Wait=task))) == ("SUCCEEDED", {"is": "done"})


def test_an_answer_to_a_task_whose_heartbeat_timed_out_is_refused(desk: Desk) -> None:
    tokens = Tokens()
    function = desk.deploy(tokens)
    too_late = {"ErrorEquals": ["States.HeartbeatTimeout", "States.Timeout"], "Next": "Again"}
    execution = desk.start(
        flow(
            Wait=waiting(function, HeartbeatSeconds=1, TimeoutSeconds=90, Catch=[too_late]),
            Again=waiting(function, HeartbeatSeconds=60, TimeoutSeconds=90),
        )
    )

    first, second = tokens.next(), tokens.next()
    assert refusals(desk, first) == {"TaskTimedOut"}
    desk.states.send_task_success(taskToken=second, output=DONE)
    assert desk.end_of(execution) == ("SUCCEEDED", {"is": "done"})
    assert refusals(desk, second) == {"TaskTimedOut"}


def test_an_answer_to_a_task_whose_time_is_over_is_refused_though_it_may_still_beat(desk: Desk) -> None:
    tokens = Tokens()
    task = waiting(desk.deploy(tokens), TimeoutSecondsPath="$.time", HeartbeatSecondsPath="$.beat")
    execution = desk.start(flow(Wait=task), time=1, beat=60)

    assert desk.end_of(execution)[0] == "FAILED"
    assert refusals(desk, tokens.next()) == {"TaskTimedOut"}


def test_an_answer_to_a_branch_that_was_given_up_is_refused(desk: Desk) -> None:
    tokens, others = Tokens(), Tokens()
    branches = [
        flow(Wait=waiting(desk.deploy(kept), HeartbeatSeconds=60, TimeoutSeconds=90)) for kept in (tokens, others)
    ]
    execution = desk.start(flow(Both={"Type": "Parallel", "Branches": branches, "End": True}))

    given_up = tokens.next()
    desk.states.send_task_failure(taskToken=others.next(), error="Broken", cause="on purpose")

    assert desk.end_of(execution) == ("FAILED", ("Broken", "on purpose"))
    assert refusals(desk, given_up) == {"TaskTimedOut"}


def test_a_token_that_never_was_is_invalid(desk: Desk) -> None:
    assert refusals(desk, "no-such-token") == {"InvalidToken"}


def test_a_retried_task_has_a_token_of_its_own(desk: Desk) -> None:
    tokens = Tokens()
    again = {"ErrorEquals": ["Busy"], "IntervalSeconds": 1, "MaxAttempts": 1}
    execution = desk.start(flow(Wait=waiting(desk.deploy(tokens), TimeoutSeconds=90, Retry=[again])))

    first = tokens.next()
    desk.states.send_task_failure(taskToken=first, error="Busy")
    second = tokens.next()
    assert first != second
    desk.states.send_task_success(taskToken=second, output=DONE)
    assert desk.end_of(execution) == ("SUCCEEDED", {"is": "done"})


@pytest.mark.thorough
def test_a_task_that_beats_may_wait_for_longer_than_a_minute() -> None:
    # Asked of the interpreter itself, for nobody wants to wait that minute.
    script = f"""
import json
from webordinary_local_aws.moto_patches.every import apply
from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser
apply({WITHOUT})
program = AmazonStateLanguageParser.parse('''{json.dumps(flow(Wait=waiting("any", HeartbeatSeconds=600)))}''')[0]
print(program.states.states["Wait"].timeout.timeout_seconds)
"""
    asked = run([sys.executable, "-c", script], cwd=Path.cwd(), env=dict(os.environ), deadline=timedelta(minutes=1))

    assert int(asked.stdout) == 99_999_999, asked.stderr


def test_the_cause_of_a_failure_is_kept(desk: Desk) -> None:
    tokens = Tokens()
    execution = desk.start(flow(Wait=waiting(desk.deploy(tokens), TimeoutSeconds=90)))

    desk.states.send_task_failure(taskToken=tokens.next(), error="INTERRUPTED", cause="A newer mail came.")

    assert desk.end_of(execution) == ("FAILED", ("INTERRUPTED", "A newer mail came."))


def test_an_execution_that_waits_can_be_stopped(desk: Desk) -> None:
    tokens = Tokens()
    task = waiting(desk.deploy(tokens), HeartbeatSeconds=60, TimeoutSeconds=90)
    both = {"Type": "Parallel", "Branches": [flow(Wait=task), flow(Pass={"Type": "Pass", "End": True})], "End": True}
    execution = desk.start(flow(Both=both))

    token = tokens.next()
    desk.states.stop_execution(executionArn=execution, error="Stopped", cause="by the agency")

    assert desk.end_of(execution) == ("ABORTED", ("Stopped", "by the agency"))
    assert refusals(desk, token) == {"TaskTimedOut"}


def test_two_long_polls_never_share_a_group(desk: Desk) -> None:
    line = desk.line()
    with ThreadPoolExecutor() as pollers:
        polls = [pollers.submit(desk.receive, line, 20) for _ in range(2)]
        # Both shall wait before anything comes; how long they had is no part of the promise.
        for _ in range(20):
            desk.queues.get_queue_attributes(QueueUrl=line, AttributeNames=["All"])
        mail = [entry("first"), entry("second"), entry("third", group="another lane")]
        desk.queues.send_message_batch(QueueUrl=line, Entries=mail)
        received = {body for poll in polls for body, _ in poll.result()}

    assert received == {"first", "third"}


def test_a_long_poll_ends_when_the_group_is_free_again(desk: Desk) -> None:
    line = desk.line()
    desk.send(line, "first")
    desk.send(line, "second")
    [(_, receipt)] = desk.receive(line)

    with ThreadPoolExecutor() as pollers:
        poll = pollers.submit(desk.receive, line, 9)
        desk.queues.delete_message(QueueUrl=line, ReceiptHandle=receipt)

        assert [body for body, _ in poll.result()] == ["second"]


def test_a_long_poll_on_a_blocked_group_costs_nothing(desk: Desk) -> None:
    line = desk.line()
    desk.send(line, "first")
    desk.send(line, "second")
    desk.receive(line)
    before = processor_seconds(desk.aws.pid)

    assert desk.receive(line, wait=1) == []
    assert processor_seconds(desk.aws.pid) - before < 0.2


def test_a_duplicate_is_known_after_the_first_was_deleted(desk: Desk) -> None:
    line = desk.line()
    first = desk.send(line, "ring")
    [(_, receipt)] = desk.receive(line)
    desk.queues.delete_message(QueueUrl=line, ReceiptHandle=receipt)

    assert desk.send(line, "ring") == first
    assert desk.receive(line) == []
    desk.send(line, "another ring")
    assert [body for body, _ in desk.receive(line)] == ["another ring"]


def test_a_dead_letter_is_no_duplicate_of_itself(desk: Desk) -> None:
    dead = desk.line()
    arn = desk.queues.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    line = desk.line(redrive=json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": 1}))
    desk.send(dead, "ring")
    desk.send(line, "ring", group="other")
    [(_, receipt)] = desk.receive(line)
    desk.queues.change_message_visibility(QueueUrl=line, ReceiptHandle=receipt, VisibilityTimeout=0)

    assert desk.receive(line) == []
    assert [body for _ in range(2) for body, _ in desk.receive(dead)] == ["ring", "ring"]


def test_a_spent_receipt_deletes_nothing(desk: Desk) -> None:
    line = desk.line()
    desk.send(line, "ring")
    [(_, spent)] = desk.receive(line)
    desk.queues.change_message_visibility(QueueUrl=line, ReceiptHandle=spent, VisibilityTimeout=0)
    [(_, valid)] = desk.receive(line)

    with pytest.raises(ClientError, match="The receipt handle has expired"):
        desk.queues.delete_message(QueueUrl=line, ReceiptHandle=spent)
    desk.queues.change_message_visibility(QueueUrl=line, ReceiptHandle=valid, VisibilityTimeout=0)
    with pytest.raises(ClientError, match="MessageNotInflight"):
        desk.queues.change_message_visibility(QueueUrl=line, ReceiptHandle=valid, VisibilityTimeout=30)
    assert [body for body, _ in desk.receive(line)] == ["ring"]


def test_a_flow_of_a_template_is_interpreted(desk: Desk) -> None:
    name = new_name("flow")
    function = desk.deploy(lambda event, _: event)
    definition = flow(Call=call("${function}"))
    properties = {
        "StateMachineName": name,
        "DefinitionString": json.dumps(definition),
        "DefinitionSubstitutions": {"function": function},
        "RoleArn": ROLE,
    }

    desk.stack({"Flow": {"Type": "AWS::StepFunctions::StateMachine", "Properties": properties}})

    [made] = [one for one in desk.states.list_state_machines()["stateMachines"] if one["name"] == name]
    assert desk.end_of(desk.begin(made["stateMachineArn"], said="hello")) == ("SUCCEEDED", {"said": "hello"})


def test_a_table_of_a_template_forgets_by_itself(desk: Desk) -> None:
    name = new_name("table")
    properties = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "key", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "key", "AttributeType": "S"}],
        "TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": True},
    }

    desk.stack({"Table": {"Type": "AWS::DynamoDB::Table", "Properties": properties}})

    lifetime = desk.tables.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    assert lifetime == {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}


def test_a_bucket_of_a_template_tells_of_new_objects(desk: Desk) -> None:
    told: list[str] = []
    name = new_name("bucket")
    desk.aws.deploy(f"intake-of-{name}", lambda event, _: told.append(event["Records"][0]["s3"]["object"]["key"]))
    function = desk.functions.get_function(FunctionName=f"intake-of-{name}")["Configuration"]["FunctionArn"]
    only_mail = {"S3Key": {"Rules": [{"Name": "prefix", "Value": "mail/"}]}}
    notices = [{"Event": "s3:ObjectCreated:*", "Function": function, "Filter": only_mail}]
    properties = {"BucketName": name, "NotificationConfiguration": {"LambdaConfigurations": notices}}

    desk.stack({"Bucket": {"Type": "AWS::S3::Bucket", "Properties": properties}})
    for key in ("other/1", "mail/a b+c"):
        desk.objects.put_object(Bucket=name, Key=key, Body=b"")

    assert told == ["mail%2Fa+b%2Bc"]


@pytest.mark.parametrize("claimed", [True, False])
def test_a_whole_flow_rings_waits_and_replies(desk: Desk, *, claimed: bool) -> None:
    tokens = Tokens()
    rung: list[str] = []
    execution = desk.start(small_flow(desk, tokens, rung), claimed=claimed, patience=60)

    token = tokens.next()
    desk.states.send_task_heartbeat(taskToken=token)
    desk.states.send_task_success(taskToken=token, output='{"outcome": "published"}')

    assert desk.end_of(execution) == ("SUCCEEDED", {"replied": "published"})
    assert rung == ([] if claimed else ["unclaimed"])


def test_a_whole_flow_that_nobody_answers_ends_honestly(desk: Desk) -> None:
    tokens = Tokens()
    execution = desk.start(small_flow(desk, tokens, []), claimed=False, patience=1)

    assert desk.end_of(execution) == ("SUCCEEDED", {"replied": "timed out: States.Timeout"})
    assert refusals(desk, tokens.next()) == {"TaskTimedOut"}


def small_flow(desk: Desk, tokens: Tokens, rung: list[str]) -> dict[str, Any]:
    """Return a little brother of the real flow: a choice, two branches of which one waits, a caught time-out."""

    def ring(event: dict[str, str], _: Context) -> None:
        rung.append(event["queue"])
        raise RuntimeError("the doorbell is broken, and that must not matter")

    nobody = {"Variable": "$.claimed", "BooleanEquals": False, "Next": "SendToUnclaimedQueue"}
    give_up = {"ErrorEquals": ["States.ALL"], "Next": "Rung", "ResultPath": None}
    late = {"ErrorEquals": ["States.HeartbeatTimeout", "States.Timeout"], "Next": "HandleTimeout"}
    unclaimed = {"FunctionName": desk.deploy(ring), "Payload": {"queue": "unclaimed"}}
    branches = [
        flow(SendToContainer=waiting(desk.deploy(tokens), HeartbeatSecondsPath="$.patience", TimeoutSeconds=90)),
        flow(
            CheckIfClaimed={"Type": "Choice", "Choices": [nobody], "Default": "Rung"},
            SendToUnclaimedQueue=call("", Parameters=unclaimed, Catch=[give_up], Next="Rung"),
            Rung={"Type": "Succeed"},
        ),
    ]
    reply = desk.deploy(lambda event, _: {"replied": event[0]["outcome"]})
    apologise = desk.deploy(lambda event, _: {"replied": f"timed out: {event['Error']}"})
    return flow(
        Work={"Type": "Parallel", "Branches": branches, "Next": "SendReply", "Catch": [late]},
        SendReply=call(reply),
        HandleTimeout=call(apologise),
    )


def flow(**states: dict[str, Any]) -> dict[str, Any]:
    """Return a definition that begins with the first state; a state that names the next one does not end it."""
    ended = {
        name: {word: said for word, said in state.items() if not (word == "End" and "Next" in state)}
        for name, state in states.items()
    }
    return {"StartAt": next(iter(states)), "States": ended}


def call(function: str, **more: object) -> dict[str, Any]:
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke",
        "Parameters": {"FunctionName": function, "Payload.$": "$"},
        "OutputPath": "$.Payload",
        "End": True,
    } | more


def entry(body: str, group: str = "lane") -> Any:  # noqa: ANN401 - one entry of a batch, whose type only the stubs know
    return {"Id": body, "MessageBody": body, "MessageGroupId": group, "MessageDeduplicationId": body}


def refusals(desk: Desk, token: str) -> set[str]:
    """Return with which errors a success, a failure and a beat are refused; "accepted" when one is not."""
    calls = [
        lambda: desk.states.send_task_heartbeat(taskToken=token),
        lambda: desk.states.send_task_failure(taskToken=token, error="Late"),
        lambda: desk.states.send_task_success(taskToken=token, output="{}"),
    ]
    return {refusal(one) for one in calls}


def refusal(one: Any) -> str:  # noqa: ANN401 - any call of a client
    try:
        one()
    except ClientError as problem:
        return problem.response["Error"]["Code"]
    return "accepted"


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_what_is_repeated_is_repeated_after_a_moment_here(desk: Desk) -> None:
    tokens = Tokens()
    # Nobody would live to see the end of that pause.
    again = {"ErrorEquals": ["Busy"], "IntervalSeconds": 99_999_999, "MaxAttempts": 1}
    execution = desk.start(flow(Wait=waiting(desk.deploy(tokens), TimeoutSeconds=90, Retry=[again])))

    desk.states.send_task_failure(taskToken=tokens.next(), error="Busy")
    desk.states.send_task_success(taskToken=tokens.next(), output=DONE)
    assert desk.end_of(execution) == ("SUCCEEDED", {"is": "done"})
