"""Functions: one for each that the engine lists, each with a role of its own and the rights that the list says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Aws, RemovalPolicy
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as functions
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.rights import allow, statements
from infra.surroundings import surroundings
from webordinary.engines.aws.account.own_secrets import REPLY_KEY, REPLY_KEY_SECRET
from webordinary.engines.aws.flow.functions import FUNCTIONS, Function, Need

if TYPE_CHECKING:
    from infra.arns import Arns
    from infra.settings import Settings

LOGS_KEPT_DAYS = 30
_INTAKE = "intake"
# Lambda repeats by itself what it was told to do without waiting, then it tells the dead letters.
_REPETITIONS = 2


class Functions(Construct):
    """All run the image of the workers, so that both sides of the tables are always of one version."""

    def __init__(self, scope: Construct, settings: Settings, arns: Arns) -> None:
        super().__init__(scope, "functions")
        self._settings = settings
        self._arns = arns
        self.roles = {each.name: self._role(each) for each in FUNCTIONS}
        self.all = {each.name: self._function(each) for each in FUNCTIONS}
        for each in FUNCTIONS:
            if each.every is not None:
                self._call_every(each)
        self._bury_what_intake_lost()

    @property
    def intake(self) -> functions.CfnFunction:
        return self.all[_INTAKE]

    def _role(self, function: Function) -> iam.Role:
        role = iam.Role(
            self,
            f"{function.name}-role",
            role_name=f"{self._arns.names.function(function.name)}-{self._settings.region}",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
        )
        log = f"{self._arns.log_of(function.name)}:*"
        role.add_to_policy(allow(["logs:CreateLogStream", "logs:PutLogEvents"], log))
        for statement in statements(function.needs, self._arns, self._settings.domain):
            role.add_to_policy(statement)
        if function.name == _INTAKE:
            lost = self._arns.queue(self._arns.names.intake_dead_letters)
            role.add_to_policy(allow(["sqs:SendMessage"], lost))
        return role

    def _function(self, function: Function) -> functions.CfnFunction:
        log = logs.CfnLogGroup(
            self, f"{function.name}-log", log_group_name=self._log(function), retention_in_days=LOGS_KEPT_DAYS
        )
        log.apply_removal_policy(RemovalPolicy.DESTROY)
        made = functions.CfnFunction(
            self,
            function.name,
            function_name=self._arns.names.function(function.name),
            description=f"{function.name} of webordinary",
            package_type="Image",
            code=functions.CfnFunction.CodeProperty(image_uri=self._settings.image_uri(Aws.ACCOUNT_ID)),
            image_config=functions.CfnFunction.ImageConfigProperty(
                entry_point=["python", "-m", "awslambdaric"], command=[function.handler]
            ),
            role=self.roles[function.name].role_arn,
            memory_size=function.memory,
            timeout=int(function.timeout.total_seconds()),
            environment=functions.CfnFunction.EnvironmentProperty(variables=self._variables(function)),
        )
        made.node.add_dependency(self.roles[function.name].node.find_child("DefaultPolicy"), log)
        return made

    def _variables(self, function: Function) -> dict[str, str]:
        known = surroundings(self._settings)
        if Need.REPLY_KEY in function.needs:
            known[REPLY_KEY_SECRET] = self._arns.names.own_secret(REPLY_KEY.name)
        return known

    def _call_every(self, function: Function) -> None:
        minutes = int((function.every or function.timeout).total_seconds() // 60)
        called = self.all[function.name]
        rule = events.CfnRule(
            self,
            f"{function.name}-schedule",
            name=self._arns.names.function(function.name),
            schedule_expression=f"rate({minutes} minute{'s' if minutes > 1 else ''})",
            targets=[events.CfnRule.TargetProperty(arn=called.attr_arn, id=function.name)],
        )
        functions.CfnPermission(
            self,
            f"{function.name}-calls",
            action="lambda:InvokeFunction",
            function_name=called.ref,
            principal="events.amazonaws.com",
            source_arn=rule.attr_arn,
        )
        # What failed is done by the next call, a minute later.
        self._repeat(function.name, 0)

    def _bury_what_intake_lost(self) -> None:
        lost = self._arns.queue(self._arns.names.intake_dead_letters)
        self._repeat(_INTAKE, _REPETITIONS, lost)

    def _repeat(self, name: str, times: int, dead_letters: str | None = None) -> None:
        on_failure = functions.CfnEventInvokeConfig.OnFailureProperty(destination=dead_letters or "")
        functions.CfnEventInvokeConfig(
            self,
            f"{name}-repetitions",
            function_name=self.all[name].ref,
            qualifier="$LATEST",
            maximum_retry_attempts=times,
            destination_config=functions.CfnEventInvokeConfig.DestinationConfigProperty(on_failure=on_failure)
            if dead_letters
            else None,
        )

    def _log(self, function: Function) -> str:
        return f"/aws/lambda/{self._arns.names.function(function.name)}"
