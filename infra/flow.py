"""The flow: the engine's own definition, with a role that may call its functions and wake once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from aws_cdk import aws_stepfunctions as states
from constructs import Construct

from infra.functions import LOGS_KEPT_DAYS
from infra.rights import allow, trusted
from webordinary.engines.aws.flow.functions import FUNCTIONS, definition

if TYPE_CHECKING:
    from infra.arns import Arns

# Step Functions writes its log by a delivery that has no name of its own before it is there.
_DELIVERY = (
    "logs:CreateLogDelivery",
    "logs:DeleteLogDelivery",
    "logs:DescribeLogGroups",
    "logs:DescribeResourcePolicies",
    "logs:GetLogDelivery",
    "logs:ListLogDeliveries",
    "logs:PutResourcePolicy",
    "logs:UpdateLogDelivery",
)


class Flow(Construct):
    """One execution for each mail."""

    def __init__(self, scope: Construct, arns: Arns) -> None:
        super().__init__(scope, "flow")
        text = definition(arns.names.prefix)
        self.role = iam.Role(
            self,
            "role",
            role_name=f"{arns.names.flow}-{arns.region}",
            assumed_by=trusted("states.amazonaws.com"),
        )
        called = [each.name for each in FUNCTIONS if f'"{arns.names.function(each.name)}"' in text]
        self.role.add_to_policy(allow(["lambda:InvokeFunction"], *map(arns.function, called)))
        self.role.add_to_policy(allow(["sqs:SendMessage"], arns.queue(arns.names.unclaimed)))
        self.role.add_to_policy(allow(_DELIVERY, "*"))
        log = logs.CfnLogGroup(
            self,
            "log",
            # AWS gives what begins so a policy that cannot grow too large.
            log_group_name=f"/aws/vendedlogs/states/{arns.names.flow}",
            retention_in_days=LOGS_KEPT_DAYS,
        )
        log.apply_removal_policy(RemovalPolicy.DESTROY)
        written = states.CfnStateMachine.LogDestinationProperty(
            cloud_watch_logs_log_group=states.CfnStateMachine.CloudWatchLogsLogGroupProperty(log_group_arn=log.attr_arn)
        )
        machine = states.CfnStateMachine(
            self,
            "machine",
            state_machine_name=arns.names.flow,
            state_machine_type="STANDARD",
            definition_string=text,
            role_arn=self.role.role_arn,
            logging_configuration=states.CfnStateMachine.LoggingConfigurationProperty(
                # What each state was given is in the history for 90 days; the log has what happened.
                destinations=[written],
                include_execution_data=False,
                level="ALL",
            ),
        )
        machine.node.add_dependency(self.role.node.find_child("DefaultPolicy"))
