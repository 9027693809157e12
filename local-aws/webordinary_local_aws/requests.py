"""What a call wants to do to what, in the words of policies: one request for each resource that it touches."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from email import message_from_bytes
from email.utils import parseaddr
from typing import Any
from urllib.parse import unquote

from moto.secretsmanager.models import secretsmanager_backends
from moto.stepfunctions.parser.models import stepfunctions_parser_backends

from webordinary_local_aws.rights import Request

_OBJECT_KEY = re.compile(r"<Key>([^<]*)</Key>")
# Where the name of a call is not that of the right it needs.
_S3_RIGHTS = {
    "HeadObject": "GetObject",
    "HeadBucket": "ListBucket",
    "ListObjects": "ListBucket",
    "ListObjectsV2": "ListBucket",
    "DeleteObjects": "DeleteObject",
}
_IN_TRANSACTION = {
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "Get": "GetItem",
    "ConditionCheck": "ConditionCheckItem",
}
Facts = Mapping[str, str]


def requests_of(response: Any, resource: str, facts: Facts) -> Iterator[Request]:  # noqa: ANN401 - moto's insides
    """Read a call as the service itself would; `resource` is what moto knows of it."""
    service = _service(response)
    named = response._get_action()  # noqa: SLF001 - moto's only word for it
    action = named[0] if isinstance(named, list) else named
    place = f"arn:aws:{service}:{response.region}:{response.current_account}"
    if service == "s3":
        yield from _of_bucket(response, action, resource, facts)
    elif service == "ses":
        yield from _of_letters(response, action, place, facts)
    else:
        read = _READERS.get(service, _of_anything)
        for right, touched in read(response, action, place):
            yield Request(f"{service}:{right}", touched, facts)


def _service(response: Any) -> str:  # noqa: ANN401 - moto's insides
    scope = response.headers["Authorization"].partition("Credential=")[2].partition(",")[0]
    return str(scope.split("/")[3])


def _of_bucket(response: Any, action: str, resource: str, facts: Facts) -> Iterator[Request]:  # noqa: ANN401 - the same
    right = f"s3:{_S3_RIGHTS.get(action, action)}"
    if action == "DeleteObjects" or (action == "DeleteObject" and "/" not in resource):
        body = response.body.decode() if isinstance(response.body, bytes) else response.body
        for key in _OBJECT_KEY.findall(body):
            yield Request(right, f"{resource}/{key}", facts)
        return
    prefix = response.querystring.get("prefix") or [""]
    yield Request(right, unquote(resource), {**facts, "s3:prefix": prefix[0]})


def _of_tables(response: Any, action: str, place: str) -> Iterable[tuple[str, str]]:  # noqa: ANN401 - the same
    asked = _body(response)
    if "TransactItems" in asked:
        for item in asked["TransactItems"]:
            ((kind, wanted),) = item.items()
            yield _IN_TRANSACTION[kind], f"{place}:table/{wanted['TableName']}"
    elif "RequestItems" in asked:
        yield from ((action, f"{place}:table/{name}") for name in asked["RequestItems"])
    elif "TableName" in asked:
        index = f"/index/{asked['IndexName']}" if "IndexName" in asked else ""
        yield action, f"{place}:table/{asked['TableName']}{index}"
    else:
        yield action, "*"


def _of_queues(response: Any, action: str, place: str) -> Iterable[tuple[str, str]]:  # noqa: ANN401 - the same
    asked = _body(response)
    name = asked.get("QueueName") or str(asked.get("QueueUrl", "")).rpartition("/")[2]
    yield action, f"{place}:{name}" if name else "*"


def _of_flows(response: Any, action: str, place: str) -> Iterable[tuple[str, str]]:  # noqa: ANN401 - the same
    asked = _body(response)
    named = asked.get("stateMachineArn") or asked.get("executionArn")
    if token := asked.get("taskToken"):
        named = _machine_of(response, token)
    yield action, named or f"{place}:stateMachine:*"


def _machine_of(response: Any, token: str) -> str | None:  # noqa: ANN401 - the same
    """Return the machine that waits for an answer: rights to answer are given for it."""
    running = stepfunctions_parser_backends[response.current_account][response.region]._get_executions()  # noqa: SLF001 - as moto finds them
    waiting = (each for each in running if each.exec_worker.env.callback_pool_manager.get(token) is not None)
    return next((str(each.state_machine.arn) for each in waiting), None)


def _of_functions(response: Any, action: str, place: str) -> Iterable[tuple[str, str]]:  # noqa: ANN401 - the same
    named = re.search(r"/functions/([^/]+)", unquote(response.path))
    right = "InvokeFunction" if action == "Invoke" else action
    name = named[1].rpartition(":function:")[2] if named else "*"
    yield right, f"{place}:function:{name}"


def _of_secrets(response: Any, action: str, place: str) -> Iterable[tuple[str, str]]:  # noqa: ANN401 - the same
    name = _body(response).get("SecretId") or _body(response).get("Name") or "*"
    kept = secretsmanager_backends[response.current_account][response.region].secrets
    known = kept.get(name) if name != "*" else None
    yield action, known.arn if known else name if name.startswith("arn:") else f"{place}:secret:{name}-??????"


def _of_letters(response: Any, action: str, place: str, facts: Facts) -> Iterator[Request]:  # noqa: ANN401 - the same
    asked = _body(response)
    raw = base64.b64decode(asked.get("Content", {}).get("Raw", {}).get("Data", ""))
    sender = parseaddr(asked.get("FromEmailAddress") or str(message_from_bytes(raw)["From"] or ""))[1]
    right = "ses:SendRawEmail" if action == "SendEmail" and raw else f"ses:{action}"
    if sender:
        yield Request(right, f"{place}:identity/{sender.rpartition('@')[2]}", {**facts, "ses:FromAddress": sender})
    else:
        yield Request(right, "*", facts)


def _of_anything(_response: Any, action: str, _place: str) -> Iterable[tuple[str, str]]:  # noqa: ANN401 - the same
    yield action, "*"


def _body(response: Any) -> dict[str, Any]:  # noqa: ANN401 - the same
    if isinstance(response.body, dict):
        return response.body
    try:
        read = json.loads(response.body or "{}")
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


_READERS = {
    "dynamodb": _of_tables,
    "sqs": _of_queues,
    "states": _of_flows,
    "lambda": _of_functions,
    "secretsmanager": _of_secrets,
}
