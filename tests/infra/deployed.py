"""An installation made from the synthesized templates alone, and whoever lives in it, each with its own role."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Self

import boto3

from tests.infra.synthesis import DOMAIN
from webordinary.engines.aws.clients import AwsSettings, Clients, open_clients
from webordinary.engines.aws.flow.functions import FUNCTIONS
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.s3.hosts import Hosts
from webordinary_local_aws.runtime import Runtime
from webordinary_local_aws.server import ACCOUNT, REGION, LocalAws

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mypy_boto3_cloudfront_keyvaluestore import CloudFrontKeyValueStoreClient

    from tests.infra.synthesis import Synthesized
    from webordinary.jobs.job import Job

# A newer mail need not wait until the older one has had its time.
_IMPATIENT = {"WEBORDINARY_WORKERS_FIRST_INTERRUPT_AFTER": "0 s"}
WORKER = "worker"
FLOW = "flow"


class Noted(Runtime):
    """A function that keeps what it answered, for a test to look through."""

    def __init__(self, handler: str, variables: Mapping[str, str]) -> None:
        super().__init__(handler, variables)
        self.answers: list[str] = []

    def answer(self, event: bytes) -> tuple[bytes, bool]:
        words, failed = super().answer(event)
        self.answers.append(words.decode())
        return words, failed


class Deployed:
    """Lives on a local server of its own, where the account's own key may do everything and a role what it says."""

    def __init__(self, synthesized: Synthesized, prefix: str) -> None:
        self.names = Names(prefix)
        self._open = ExitStack()
        self.aws = self._open.enter_context(LocalAws())
        self.clients = self._clients(boto3.Session("local", "local", None, REGION))
        self.stacks = dict(self._create(synthesized))
        self.functions: dict[str, Noted] = {}
        self._offer_functions()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def role_of(self, who: str) -> str:
        """Return the role of a function, of the flow or of the workers, as AWS would know it."""
        if who == WORKER:
            return str(self.task["taskRoleArn"])
        if who == FLOW:
            return str(self.clients.states.describe_state_machine(stateMachineArn=self.machine)["roleArn"])
        return str(self.clients.functions.get_function_configuration(FunctionName=self.names.function(who))["Role"])

    @property
    def machine(self) -> str:
        return f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:{self.names.flow}"

    @property
    def task(self) -> dict[str, Any]:
        client = self.clients.more("ecs")
        found: dict[str, Any] = client.describe_task_definition(taskDefinition=self.names.workers)["taskDefinition"]
        return found

    def credentials(self, role: str) -> dict[str, str]:
        """Take a role, as a part of AWS does for what runs in it; return the variables that say so."""
        taken = self.clients.more("sts").assume_role(RoleArn=role, RoleSessionName="deployed")["Credentials"]
        return {
            "AWS_ACCESS_KEY_ID": taken["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": taken["SecretAccessKey"],
            "AWS_SESSION_TOKEN": taken["SessionToken"],
        }

    def clients_of(self, who: str) -> Clients:
        key, secret, token = self.credentials(self.role_of(who)).values()
        return replace(
            self._clients(boto3.Session(key, secret, token, REGION)),
            visitor_routes=self.visitor_routes((key, secret, token)),
        )

    def variables_of_worker(self) -> dict[str, str]:
        """Return what ECS gives the container: plain variables, and secrets that the starter's role may read."""
        (container,) = self.task["containerDefinitions"]
        key, secret, token = self.credentials(str(self.task["executionRoleArn"])).values()
        starter = boto3.Session(key, secret, token, REGION).client("secretsmanager", endpoint_url=self.aws.endpoint)
        plain = {each["name"]: each["value"] for each in container["environment"]}
        kept = {
            each["name"]: starter.get_secret_value(SecretId=each["valueFrom"].rpartition(":")[2])["SecretString"]
            for each in container["secrets"]
        }
        starter.close()
        # Amazon's own host, which is here another one.
        queue = self.clients.sqs.get_queue_url(QueueName=self.names.unclaimed)["QueueUrl"]
        return {**plain, **kept, "UNCLAIMED_QUEUE_URL": queue}

    @cached_property
    def store(self) -> str:
        """The ARN of CloudFront's store."""
        return str(
            self.clients.more("cloudfront").describe_key_value_store(Name=self.names.routes)["KeyValueStore"]["ARN"]
        )

    def visitor_routes(
        self, credentials: tuple[str, str, str | None] = ("local", "local", None)
    ) -> CloudFrontKeyValueStoreClient:
        """Return what reads and writes CloudFront's store."""
        hosts = Hosts(DOMAIN, "https://{thread}.{project}.invalid/")
        settings = AwsSettings(endpoint=self.aws.endpoint, account=ACCOUNT, key_value_store=self.store, hosts=hosts)
        client = open_clients(settings, boto3.Session(*credentials, REGION)).visitor_routes
        assert client is not None
        return client

    def execution_of(self, job: Job) -> str:
        """Return the name of the execution that waits for a job."""
        states = self.clients.states
        running = states.list_executions(stateMachineArn=self.machine, statusFilter="RUNNING")["executions"]
        told = {each["name"]: states.describe_execution(executionArn=each["executionArn"])["input"] for each in running}
        (name,) = [name for name, given in told.items() if json.loads(given)["mail"] == job.mail]
        return name

    def story(self) -> str:
        """Return what failed in each execution, for whoever waited in vain."""
        found = self.clients.states.list_executions(stateMachineArn=self.machine)["executions"]
        histories = [self.clients.states.get_execution_history(executionArn=each["executionArn"]) for each in found]
        return "\n".join(
            str(event) for history in histories for event in history["events"] if "Failed" in event["type"]
        )

    def _create(self, synthesized: Synthesized) -> Iterator[tuple[str, str]]:
        """Create every stack, those first that others lean on."""
        client = self.clients.more("cloudformation")
        for name in _in_order(synthesized):
            text = json.dumps(synthesized.templates[name])
            client.create_stack(StackName=name, TemplateBody=text, Capabilities=["CAPABILITY_NAMED_IAM"])
            (made,) = client.describe_stacks(StackName=name)["Stacks"]
            yield name, made["StackStatus"]

    def _offer_functions(self) -> None:
        for function in FUNCTIONS:
            name = self.names.function(function.name)
            made = self.clients.functions.get_function_configuration(FunctionName=name)
            said = made["Environment"]["Variables"]
            variables = {**self.aws.environment(), **said, **self.credentials(str(made["Role"])), **_IMPATIENT}
            self.functions[function.name] = self._open.enter_context(Noted(function.handler, variables))
            self.aws.lambdas.offer(name, self.functions[function.name])

    def _clients(self, session: boto3.Session) -> Clients:
        return open_clients(AwsSettings(self.names.prefix, endpoint=self.aws.endpoint, account=ACCOUNT), session)


@cache
def _stacks_of(folder: str) -> dict[str, list[str]]:
    with open(f"{folder}/manifest.json", encoding="utf-8") as file:  # noqa: PTH123 - the folder is a key of the cache
        artifacts = json.load(file)["artifacts"]
    stacks = {name: each for name, each in artifacts.items() if each["type"] == "aws:cloudformation:stack"}
    return {name: [other for other in each.get("dependencies", []) if other in stacks] for name, each in stacks.items()}


def _in_order(synthesized: Synthesized) -> Iterator[str]:
    left = dict(_stacks_of(str(synthesized.folder)))
    while left:
        ready = sorted(name for name, needed in left.items() if not set(needed) & set(left))
        yield from ready
        for name in ready:
            del left[name]
