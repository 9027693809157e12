"""Workers: one ECS service, one task for each, all of them the same until they claim a lane."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from aws_cdk import Aws, Duration, RemovalPolicy
from aws_cdk import aws_ecs as ecs
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from infra.machines import machines
from infra.network import Network
from infra.rights import allow, statements, trusted
from infra.scaling import follow_the_lanes
from infra.settings import Capacity
from infra.surroundings import surroundings
from webordinary.agent.registry import CLAUDE
from webordinary.config.agent import Provider
from webordinary.config.amazon import AWS_WORKERS
from webordinary.engines.aws.account.own_secrets import SECRETS
from webordinary.engines.aws.flow.functions import WORKER
from webordinary.values import Duration as Span

if TYPE_CHECKING:
    from infra.arns import Arns
    from infra.settings import Settings

CPU = 1024
# Fargate offers whole gigabytes; of a machine's eight ECS can give away somewhat less, and two workers share them.
MEMORY = {Capacity.FARGATE: 4096, Capacity.EC2: 3584}
WORKSPACE = "/workspace"
# ECS kills a task of Fargate after two minutes at the latest.
LONGEST_STOP = timedelta(minutes=2)
_AFTER_THE_DRAIN = timedelta(seconds=20)


class Workers(Construct):
    """They scale to zero, and none that owns a lane is stopped for it."""

    def __init__(self, scope: Construct, settings: Settings, arns: Arns, store: str) -> None:
        super().__init__(scope, "workers")
        self._settings = settings
        self._arns = replace(arns, visitor_routes=store)
        self._on_machines = settings.capacity is Capacity.EC2
        self.network = Network(self)
        self.cluster = ecs.Cluster(self, "cluster", cluster_name=arns.names.cluster, vpc=self.network.vpc)
        self.role, self.starter = self._role(), self._starter()
        self.image = ecs.ContainerImage.from_registry(settings.image_uri(Aws.ACCOUNT_ID))
        self.variables, self.secrets = self._variables(store), self._secrets()
        self.service = self._service(self._task(), self.network)
        follow_the_lanes(self, settings, self.service)

    def _role(self) -> iam.Role:
        names = self._arns.names
        role = iam.Role(
            self,
            "role",
            role_name=f"{names.workers}-{self._arns.region}",
            assumed_by=trusted("ecs-tasks.amazonaws.com"),
        )
        for statement in statements(WORKER, self._arns, self._settings.domain):
            role.add_to_policy(statement)
        role.add_to_policy(allow(["ecs:GetTaskProtection", "ecs:UpdateTaskProtection"], self._arns.tasks))
        if self._settings.provider is Provider.BEDROCK:
            ask = ("bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream")
            role.add_to_policy(allow(ask, self._arns.models, self._arns.profiles))
        return role

    def _starter(self) -> iam.Role:
        names = self._arns.names
        starter = iam.Role(
            self,
            "starter",
            role_name=f"{names.workers}-start-{self._arns.region}",
            assumed_by=trusted("ecs-tasks.amazonaws.com"),
        )
        starter.add_to_policy(allow(["ecr:GetAuthorizationToken"], "*"))
        pull = ("ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer")
        starter.add_to_policy(allow(pull, self._arns.repository))
        return starter

    def _secrets(self) -> dict[str, ecs.Secret]:
        names = self._arns.names
        return {
            secret.variable: ecs.Secret.from_secrets_manager(
                secretsmanager.Secret.from_secret_name_v2(self, secret.name, names.own_secret(secret.name))
            )
            for secret in SECRETS
        }

    def _task(self) -> ecs.TaskDefinition:
        names = self._arns.names
        task = ecs.TaskDefinition(
            self,
            "task",
            family=names.workers,
            compatibility=ecs.Compatibility.EC2 if self._on_machines else ecs.Compatibility.FARGATE,
            # A task with an address of its own on a machine would have no way out without a NAT.
            network_mode=ecs.NetworkMode.BRIDGE if self._on_machines else ecs.NetworkMode.AWS_VPC,
            cpu=str(CPU),
            memory_mib=str(MEMORY[self._settings.capacity]),
            task_role=self.role,
            execution_role=self.starter,
        )
        log = logs.LogGroup(
            self,
            "log",
            log_group_name=f"/{names.prefix}/workers",
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=RemovalPolicy.DESTROY,
        )
        task.add_container(
            "worker",
            image=self.image,
            command=["webordinary", "work"],
            environment=self.variables,
            secrets=self.secrets,
            health_check=ecs.HealthCheck(
                command=["CMD", "webordinary", "work", "--healthy"],
                interval=Duration.seconds(60),
                timeout=Duration.seconds(30),
                retries=3,
                start_period=Duration.seconds(120),
            ),
            stop_timeout=Duration.seconds(int(stop_after().total_seconds())),
            logging=ecs.LogDrivers.aws_logs(stream_prefix="worker", log_group=log),
            linux_parameters=self._with_init(),
            # Bubblewrap mounts a /proc of its own, which no kernel allows beside one that Docker has masked, whatever
            # capability is added; ECS has no word for unmasking alone. The worker inside is not root and has none.
            privileged=self._on_machines,
            # No program in it can gain what its user has not; Fargate has no word for it.
            docker_security_options=["no-new-privileges"] if self._on_machines else None,
        )
        return task

    def _with_init(self) -> ecs.LinuxParameters:
        """Let somebody wait for the processes that an agent leaves behind."""
        return ecs.LinuxParameters(self, "processes", init_process_enabled=True)

    def _variables(self, store: str) -> dict[str, str]:
        names, region = self._arns.names, self._settings.region
        known = {
            **surroundings(self._settings),
            "AWS_REGION": region,
            "UNCLAIMED_QUEUE_URL": f"https://sqs.{region}.amazonaws.com/{Aws.ACCOUNT_ID}/{names.unclaimed}",
            "OWNERSHIP_TABLE_NAME": names.ownership,
            "ACTIVE_JOBS_TABLE": names.jobs,
            "WORKSPACE_PATH": WORKSPACE,
            "WEBORDINARY_AWS_KEY_VALUE_STORE": store,
            "WEBORDINARY_AGENT_KIND": self._settings.agent,
        }
        if self._settings.agent == CLAUDE:
            known["WEBORDINARY_AGENT_PROVIDER"] = self._settings.provider.value
        return known

    def _service(self, task: ecs.TaskDefinition, network: Network) -> ecs.BaseService:
        named = {
            "cluster": self.cluster,
            "task_definition": task,
            "service_name": self._arns.names.workers,
            # How many there are is for the scaling to say, so that a deployment leaves it alone.
            "desired_count": None,
            "min_healthy_percent": 0,
            "max_healthy_percent": 200,
            "circuit_breaker": ecs.DeploymentCircuitBreaker(enable=True, rollback=True),
            "propagate_tags": ecs.PropagatedTagSource.SERVICE,
        }
        if self._on_machines:
            provider = machines(self, self._settings, self.cluster, network)
            strategy = ecs.CapacityProviderStrategy(capacity_provider=provider.capacity_provider_name, weight=1)
            service = ecs.Ec2Service(self, "service", capacity_provider_strategies=[strategy], **named)
            # The machines are given to the cluster before the service asks for them, and taken away after it is gone.
            service.node.add_dependency(self.cluster)
            made = service.node.find_child("Service")
            if isinstance(made, ecs.CfnService):
                # What gives them appears below the cluster only when the template is written, so all of it is named.
                made.add_metadata("cfn-lint", {"config": {"ignore_checks": ["W3005"]}})
            return service
        return ecs.FargateService(self, "service", assign_public_ip=True, security_groups=[network.outwards], **named)


def stop_after() -> timedelta:
    """Return how long a stopping worker may take: to bring a publication to its end, and then to say goodbye."""
    longest = max(Span.read(AWS_WORKERS[each]) for each in ("drain", "drain_committing"))
    return min(longest + _AFTER_THE_DRAIN, LONGEST_STOP)
