"""The flow of one installation on the local AWS server: the real definition, and the real functions behind it."""

from __future__ import annotations

import importlib
import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

from webordinary.engines.aws.clients import AwsSettings
from webordinary.engines.aws.flow.events import ses_notification
from webordinary.engines.aws.flow.functions import FUNCTIONS, definition
from webordinary.engines.aws.flow.handlers import answer, open_here
from webordinary.engines.aws.open import create_stores
from webordinary.engines.aws.projects import DynamoProjects
from webordinary.engines.aws.s3.buckets import buckets
from webordinary.engines.aws.sqs.queues import create_queues, lane_queues
from webordinary.routing.lane import Lane
from webordinary.testing.story import tell
from webordinary_local_aws.server import ACCOUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mypy_boto3_sesv2.type_defs import DkimSigningAttributesTypeDef

    from webordinary.clock import Clock
    from webordinary.config import Config
    from webordinary.engine import Engine
    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.flow.handlers import Here
    from webordinary.engines.aws.s3.bucket import Bucket
    from webordinary_local_aws.server import LocalAws

_ROLE = f"arn:aws:iam::{ACCOUNT}:role/local"

# What the local SES counts as proven, for no name server is asked.
_PROVEN: DkimSigningAttributesTypeDef = {"NextSigningKeyLength": "RSA_2048_BIT"}


def s3_event(bucket: str, key: str) -> dict[str, Any]:
    """Return what S3 itself says of a new object: its key is quoted."""
    told = {"bucket": {"name": bucket}, "object": {"key": quote_plus(key, safe="/")}}
    return {"Records": [{"eventSource": "aws:s3", "eventName": "ObjectCreated:Put", "s3": told}]}


def _nothing(_event: object, _context: object) -> None:
    """Stand in for a function until the real one is offered."""


class LocalFlow:
    """Makes everything that the infrastructure makes in an account, and lets mails in as SES does."""

    def __init__(
        self, aws: LocalAws, config: Config, clients: Clients, clock: Clock | None = None, flow: str = ""
    ) -> None:
        self.aws = aws
        self.config = config
        self.clients = clients
        settings = AwsSettings.of(config.aws)
        self.names = settings.names
        create_stores(settings, clients)
        projects = DynamoProjects(clients.dynamodb, self.names)
        for project in config.projects:
            projects.keep(project)
            for editor in project.editors:
                create_queues(clients.sqs, lane_queues(self.names, Lane(project.id, editor.user)))
        with suppress(clients.ses.exceptions.AlreadyExistsException):
            clients.ses.create_email_identity(EmailIdentity=config.domain, DkimSigningAttributes=_PROVEN)
        self.here: Here = open_here(config, clients, clock=clock)
        self.calls: list[tuple[str, Mapping[str, Any]]] = []
        self.failures: list[str] = []
        for function in FUNCTIONS:
            self.aws.deploy(self.names.function(function.name), _nothing)
            self.replace(function.name, self.real(function.name))
        # An earlier definition, where somebody tries what becomes of executions that are on their way.
        text = flow.replace("${prefix}", settings.prefix) or definition(settings.prefix)
        made = clients.states.create_state_machine(name=self.names.flow, definition=text, roleArn=_ROLE)
        self.machine = made["stateMachineArn"]

    @property
    def bucket(self) -> str:
        return self.here.mails.aws.inbox.bucket

    def real(self, name: str) -> Callable[[Any], object]:
        """Return what a function of the flow does."""
        (function,) = (function for function in FUNCTIONS if function.name == name)
        handler = importlib.import_module(function.module).handler
        return partial(answer, handler.__wrapped__, self.here)

    def replace(self, name: str, call: Callable[[Any], object]) -> None:
        """Let a function of the flow do this from now on."""

        def function(event: Any, _context: object) -> object:  # noqa: ANN401 - whatever the flow sends
            self.calls.append((name, event))
            try:
                return call(event)
            except Exception as broken:
                self.failures.append(f"{name}: {type(broken).__name__}: {broken}")
                raise

        self.aws.lambdas.offer(self.names.function(name), function)

    def invoke(self, name: str, event: Mapping[str, Any]) -> Any:  # noqa: ANN401 - whatever the function returns
        """Call a function as AWS does, and return its answer or raise what it says."""
        words, failed = self.aws.lambdas.call(self.names.function(name), json.dumps(event).encode())
        told = json.loads(words)
        if failed:
            raise RuntimeError(f"{told['errorType']}: {told['errorMessage']}")
        return told

    def put(self, key: str, raw: bytes) -> None:
        self.clients.s3.put_object(Bucket=self.bucket, Key=key, Body=raw)

    def deliver(self, key: str, raw: bytes, *, sender: str, recipients: Sequence[str], verified: bool = True) -> str:
        """Bring a mail in as SES does, and return its id."""
        self.put(key, raw)
        verdict = "PASS" if verified else "FAIL"
        event = ses_notification(self.bucket, key, sender=sender, recipients=recipients, verdict=verdict, raw=raw)
        (mail,) = self.invoke("intake", event)["mails"]
        return str(mail)

    @property
    def engine(self) -> Engine:
        return self.here.mails.aws.engine

    @property
    def sites(self) -> Bucket:
        return buckets(self.clients.s3, self.names.prefix, self.clients.account).sites

    def story(self) -> str:
        """Return what the trail, the functions and the executions say, for whoever waited in vain."""
        seen = [str(self.states_of(each)) for each in self.executions()]
        return "\n".join([tell(self.engine.trail.read(limit=10_000)), *self.failures, *seen])

    def executions(self) -> list[str]:
        """Return every execution of the flow, the oldest first."""
        found = self.clients.states.list_executions(stateMachineArn=self.machine)["executions"]
        return [each["executionArn"] for each in sorted(found, key=lambda each: each["startDate"])]

    def states_of(self, execution: str) -> list[str]:
        """Return the names of the states that an execution has entered, in their order."""
        pages = self.clients.states.get_paginator("get_execution_history").paginate(executionArn=execution)
        events = [event for page in pages for event in page["events"]]
        return [event["stateEnteredEventDetails"]["name"] for event in events if "stateEnteredEventDetails" in event]
