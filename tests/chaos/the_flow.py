"""Chaos from the mail to its answer: events that come twice, steps over a bad network, callbacks that come too late."""

from __future__ import annotations

import importlib
from collections import Counter
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email import message_from_bytes, policy
from functools import partial
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from tests.chaos.bad_network import BadNetwork
from tests.chaos.feeder import Feeder, lane_of
from tests.chaos.many_machines import ManyMachines, clients_of, settings_of
from webordinary.config import read_config
from webordinary.engines.aws.flow.events import ses_notification
from webordinary.engines.aws.flow.functions import FUNCTIONS
from webordinary.engines.aws.flow.handlers import answer, open_here
from webordinary.testing.mail import write_mail
from webordinary_local_aws.flow import LocalFlow, s3_event
from webordinary_local_aws.schedule import Schedule
from webordinary_local_aws.server import LocalAws

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tests.chaos.ground import Ground
    from tests.chaos.plan import Plan, Result
    from webordinary.config import Config

DOMAIN = "edit.example.com"
_USERS = 6
# As short as the workers' own limits, which chaos brings along.
_CONFIG = f"""
domain = "{DOMAIN}"
engine = "aws"

[aws]
prefix = "PREFIX"
region = "eu-central-1"
account = "123456789012"

[mail]
sender_an_hour = 100000
project_a_day = 100000

[workers]
lease = "3 s"
beat = "1 s"
idle_lease = "3 s"
idle_beat = "1 s"
sweep = "1 s"
idle_release = "2 s"
attempts = 50
breaker = 1000000
backoff = ["1 s"]
first_interrupt_after = "0 s"
"""
_PROJECT = """
[[project]]
id = "{project}"
repository = "https://git.example.com/{project}.git"
"""
_EDITOR = """
[[project.editor]]
user = "{user}"
address = "{user}@example.org"
"""


class TheFlow(ManyMachines):
    """The AWS engine with its state machine and all of its functions; mails come in as SES brings them."""

    def __init__(self) -> None:
        self._flow: LocalFlow | None = None

    @contextmanager
    def opened(self, folder: Path) -> Iterator[Mapping[str, str]]:
        with LocalAws() as server:
            environment = server.environment()
            settings = settings_of(folder)
            config = read_config(config_text(settings.prefix), folder / "webordinary.toml", {})
            flow = LocalFlow(server, config, clients_of(settings, environment))
            self._flow = flow
            _trouble(flow, config, folder, environment)
            with Schedule(lambda: flow.invoke("sweep", {}), config.limits.sweep):
                yield environment

    def feeder(self, door: Ground, plan: Plan, result: Result) -> Feeder:
        assert self._flow is not None
        return MailFeeder(self._flow, door, plan, result)


class MailFeeder(Feeder):
    """Puts mails into the bucket and tells intake of each, of some twice or three times, of some by S3 as well."""

    def __init__(self, flow: LocalFlow, door: Ground, plan: Plan, result: Result) -> None:
        super().__init__(door, plan, result)
        self._flow = flow
        self._message_ids: list[str] = []
        self._mails: list[str] = []

    def bring(self, number: int) -> None:
        lane = lane_of(number % min(self._plan.lanes, _USERS))
        sender, to, key = f"{lane.user}@example.org", f"{lane.project}@{DOMAIN}", f"inbound/{number}+ä b"
        message_id = f"<{number}@phone.example.org>"
        raw = write_mail(
            sender=sender,
            to=to,
            text=f"we open at {number}",
            subject=f"request {number}",
            message_id=message_id,
            written_at=datetime.now(UTC),
        )
        self._flow.put(key, raw)
        told = ses_notification(self._flow.bucket, key, sender=sender, recipients=[to], verdict="PASS")
        mails = {self._tell(told)}
        self._message_ids.append(message_id)
        for again in (told, s3_event(self._flow.bucket, key))[: (0, 1, 2)[number % 3]]:
            mails.add(self._tell(again))
            self._result.count("duplicate events")
        assert len(mails) == 1, f"{key} became {mails}"
        self._mails += mails
        self.promised.append(self._job_of(*mails))

    def broken_promises(self) -> Iterator[str]:
        """Look at what people and operators see: one answer for each mail, and no execution that still waits."""
        yield from self._answers()
        yield from self._executions()
        yield from self._late_callbacks()

    def _answers(self) -> Iterator[str]:
        letters = [message_from_bytes(sent.raw, policy=policy.default) for sent in self._flow.aws.letters()]
        counted = Counter(str(letter["In-Reply-To"]) for letter in letters)
        for message_id in self._message_ids:
            if counted[message_id] != 1:
                yield f"the mail {message_id} was answered {counted[message_id]} times"
        self._result.count("letters", len(letters))

    def _executions(self) -> Iterator[str]:
        states = self._flow.clients.states
        pages = states.get_paginator("list_executions").paginate(stateMachineArn=self._flow.machine)
        for execution in [each for page in pages for each in page["executions"]]:
            end = self._flow.aws.outcome_of(execution["executionArn"])
            self._result.count(f"executions {end['status'].lower()}")
            if end["status"] != "SUCCEEDED":
                why = f"{end.get('error')} {end.get('cause')}"
                yield f"the execution {execution['name']} ended as {end['status']}: {why}"

    def _late_callbacks(self) -> Iterator[str]:
        """Answer every token once more at the state machine itself, past our own rows."""
        for job in self.promised:
            found = self._flow.engine.overview.job(job)
            try:
                self._flow.clients.states.send_task_success(taskToken=(found and found.token) or "none", output="{}")
            except ClientError as refused:
                self._result.count(f"late callbacks: {refused.response['Error']['Code']}")
            else:
                yield f"the token of {job} was answered a second time"

    def _tell(self, event: dict[str, object]) -> str:
        """Call intake until it has taken the mail, as SNS does."""
        while True:
            with suppress(RuntimeError):
                (mail,) = self._flow.invoke("intake", event)["mails"]
                return str(mail)
            self._result.count("intake called again")
            self._pause.wait(0.05)

    def _job_of(self, mail: str) -> str:
        """Wait until the flow, or the sweep in its place, has decided the mail."""
        overview = self._flow.engine.overview
        for _ in range(1200):
            found = overview.mail(mail)
            if found is not None and found.job:
                return found.job
            self._pause.wait(0.05)
        raise AssertionError(f"nobody has decided {mail}\n{self._flow.story()}")


def _trouble(flow: LocalFlow, config: Config, folder: Path, environment: Mapping[str, str]) -> None:
    """Let every function of the flow work over a bad network."""
    clients = clients_of(settings_of(folder), environment)
    network = BadNetwork(folder / "accidents")
    network.between(clients.dynamodb)
    network.between(clients.states)
    network.between_wakeups(clients.sqs)
    here = open_here(config, clients)
    for function in FUNCTIONS:
        step = importlib.import_module(function.module).handler.__wrapped__
        flow.replace(function.name, partial(answer, step, here))


def config_text(prefix: str) -> str:
    """Return the configuration of every lane that chaos knows."""
    lanes = [lane_of(user) for user in range(_USERS)]
    text = _CONFIG.replace("PREFIX", prefix)
    for project in sorted({lane.project for lane in lanes}):
        text += _PROJECT.format(project=project)
        text += "".join(_EDITOR.format(user=lane.user) for lane in lanes if lane.project == project)
    return text
