"""The dashboard as a small service, where somebody wants it: one task that nobody can call from outside.

People come through a session of AWS itself, which knows who they are; there is no load balancer to pay and no door
to guard. The link that lets them in is printed by a command inside the task, and by nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import RemovalPolicy
from aws_cdk import aws_ecs as ecs
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.rights import allow, statements, trusted
from webordinary.engines.aws.flow.functions import WORKER

if TYPE_CHECKING:
    from infra.arns import Arns
    from infra.settings import Settings
    from infra.workers import Workers

CPU, MEMORY = 256, 1024
# What a session through AWS needs; AWS names no thing for it.
_SESSION = ("CreateControlChannel", "CreateDataChannel", "OpenControlChannel", "OpenDataChannel")


class Face(Construct):
    """It reads and does what a person at a terminal could: the needs of a worker, and no more."""

    def __init__(self, scope: Construct, settings: Settings, arns: Arns, workers: Workers) -> None:
        super().__init__(scope, "face")
        self._settings, self._arns, self._workers = settings, arns, workers
        ecs.FargateService(
            self,
            "service",
            cluster=workers.cluster,
            task_definition=self._task(),
            service_name=f"{arns.names.prefix}-dashboard",
            # Sessions are files of the task, so there is one; a new one asks people to sign in again.
            desired_count=1,
            min_healthy_percent=0,
            max_healthy_percent=100,
            assign_public_ip=True,
            security_groups=[workers.network.outwards],
            enable_execute_command=True,
            circuit_breaker=ecs.DeploymentCircuitBreaker(enable=True, rollback=True),
            propagate_tags=ecs.PropagatedTagSource.SERVICE,
        )

    def _task(self) -> ecs.TaskDefinition:
        names = self._arns.names
        task = ecs.FargateTaskDefinition(
            self,
            "task",
            family=f"{names.prefix}-dashboard",
            cpu=CPU,
            memory_limit_mib=MEMORY,
            task_role=self._role(),
            execution_role=self._workers.starter,
        )
        log = logs.LogGroup(
            self,
            "log",
            log_group_name=f"/{names.prefix}/dashboard",
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=RemovalPolicy.DESTROY,
        )
        task.add_container(
            "dashboard",
            image=self._workers.image,
            command=["webordinary", "dashboard", "--no-browser", "--no-link"],
            environment=self._workers.variables,
            secrets=self._workers.secrets,
            logging=ecs.LogDrivers.aws_logs(stream_prefix="dashboard", log_group=log),
            linux_parameters=ecs.LinuxParameters(self, "processes", init_process_enabled=True),
        )
        return task

    def _role(self) -> iam.Role:
        named = f"{self._arns.names.prefix}-dashboard-{self._arns.region}"
        role = iam.Role(self, "role", role_name=named, assumed_by=trusted("ecs-tasks.amazonaws.com"))
        for statement in statements(WORKER, self._arns, self._settings.domain):
            role.add_to_policy(statement)
        role.add_to_policy(allow([f"ssmmessages:{each}" for each in _SESSION], "*"))
        return role
