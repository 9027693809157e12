"""A whole installation on the local AWS server: what the infrastructure makes, the sweep's clock, and mail by S3."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import TYPE_CHECKING, Self

import boto3

from webordinary.engines.aws.clients import AwsSettings, open_clients
from webordinary.engines.aws.inbox import REPLAYS
from webordinary_local_aws.flow import LocalFlow
from webordinary_local_aws.schedule import Schedule
from webordinary_local_aws.server import ACCOUNT, REGION
from webordinary_local_aws.site import SiteDoor, find_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config import Config
    from webordinary_local_aws.server import LocalAws

_SHORTEST_SWEEP = timedelta(seconds=1)


class LocalStack:
    """Lives as long as its server; everything is gone afterwards."""

    def __init__(self, aws: LocalAws, config: Config) -> None:
        self._aws = aws
        self._config = config
        connection = aws.connection()
        session = boto3.Session(connection["aws_access_key_id"], connection["aws_secret_access_key"], None, REGION)
        self._clients = open_clients(AwsSettings.of(config.aws), session)
        self.flow = LocalFlow(aws, config, self._clients)
        self._tell_of_new_objects()
        self._open = ExitStack()
        sweep = max(config.limits.sweep, _SHORTEST_SWEEP)
        self._open.enter_context(Schedule(lambda: self.flow.invoke("sweep", {}), sweep))
        self._told: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def new_states(self) -> Iterator[tuple[str, str]]:
        """Return each state that an execution has entered since the last question, with the execution's name."""
        for execution in self.flow.executions():
            states = self.flow.states_of(execution)
            seen = self._told.get(execution, 0)
            self._told[execution] = len(states)
            yield from ((execution.rpartition(":")[2], state) for state in states[seen:])

    def page(self, project: str, path: str = "index.html") -> str:
        """Return a page of the live site, found as visitors find it: by the pointer."""
        return (find_page(self.flow.sites, project, path) or b"").decode("utf-8", "replace")

    def open_site(self, project: str) -> str:
        """Show a live site to browsers until the end, and return its address."""
        return self._open.enter_context(SiteDoor(self.flow.sites, project)).address

    def letters_to(self, address: str) -> list[EmailMessage]:
        """Return the answers that somebody got."""
        sent = [letter.raw for letter in self._aws.letters() if address in letter.to]
        return [message_from_bytes(raw, _class=EmailMessage, policy=policy.default) for raw in sent]

    def _tell_of_new_objects(self) -> None:
        """Let a mail that anybody puts under `replay/` begin its way, with nobody's word but its own signature."""
        intake = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{self.flow.names.function('intake')}"
        self._clients.s3.put_bucket_notification_configuration(
            Bucket=self.flow.bucket,
            NotificationConfiguration={
                "LambdaFunctionConfigurations": [
                    {
                        "LambdaFunctionArn": intake,
                        "Events": ["s3:ObjectCreated:*"],
                        "Filter": {"Key": {"FilterRules": [{"Name": "prefix", "Value": REPLAYS}]}},
                    }
                ]
            },
        )
