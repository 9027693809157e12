"""How many workers there are: as many as lanes are owned or wait, by what the sweep measures, down to none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Aws, Duration
from aws_cdk import aws_applicationautoscaling as scaling
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_iam as iam

from infra.figures import figure
from infra.steps import Step, steps
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aws_cdk import aws_ecs as ecs
    from constructs import Construct

    from infra.settings import Settings

_QUIET_MINUTES = 5
_SCALING_ROLE = (
    "aws-service-role/ecs.application-autoscaling.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_ECSService"
)


def follow_the_lanes(scope: Construct, settings: Settings, service: ecs.BaseService) -> None:
    """Set the number of tasks to that of the lanes while there are any, and to the fewest when there are none."""
    count = scaling.ScalableTarget(
        scope,
        "count",
        service_namespace=scaling.ServiceNamespace.ECS,
        resource_id=f"service/{settings.names.cluster}/{settings.names.workers}",
        scalable_dimension="ecs:service:DesiredCount",
        # The one that AWS makes for this itself.
        role=iam.Role.from_role_arn(scope, "scaling-role", f"arn:aws:iam::{Aws.ACCOUNT_ID}:role/{_SCALING_ROLE}"),
        min_capacity=settings.min_workers,
        max_capacity=settings.max_workers,
    )
    count.node.add_dependency(service)
    wanted = cloudwatch.MathExpression(
        expression="owned + waiting",
        label="lanes owned or waiting",
        using_metrics={
            "owned": figure(settings, Metric.ACTIVE_CLAIMS, "Maximum"),
            "waiting": figure(settings, Metric.LANES_WAITING, "Maximum"),
        },
        period=Duration.minutes(1),
    )
    _when(scope, settings, "busy", wanted, _count_to(scope, "busy-count", count, steps(settings.max_workers)))
    _when(
        scope, settings, "quiet", wanted, _count_to(scope, "quiet-count", count, [Step(None, 0, settings.min_workers)])
    )


def _count_to(
    scope: Construct, name: str, count: scaling.ScalableTarget, wanted: Sequence[Step]
) -> scaling.StepScalingAction:
    action = scaling.StepScalingAction(
        scope,
        name,
        scaling_target=count,
        adjustment_type=scaling.AdjustmentType.EXACT_CAPACITY,
        cooldown=Duration.minutes(1),
        metric_aggregation_type=scaling.MetricAggregationType.MAXIMUM,
    )
    for step in wanted:
        action.add_adjustment(adjustment=step.workers, lower_bound=step.lower, upper_bound=step.upper)
    return action


def _when(
    scope: Construct,
    settings: Settings,
    name: str,
    wanted: cloudwatch.MathExpression,
    action: scaling.StepScalingAction,
) -> None:
    """Act while there is work, or after some minutes without any; silence of the sweep is no reason for either."""
    busy = name == "busy"
    compare = cloudwatch.ComparisonOperator
    alarm = cloudwatch.Alarm(
        scope,
        f"{name}-alarm",
        alarm_name=f"{settings.prefix}-workers-{name}",
        alarm_description="Sets the number of workers; nobody has to do anything.",
        metric=wanted,
        threshold=1,
        comparison_operator=compare.GREATER_THAN_OR_EQUAL_TO_THRESHOLD if busy else compare.LESS_THAN_THRESHOLD,
        evaluation_periods=1 if busy else _QUIET_MINUTES,
        treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
    )
    alarm.add_alarm_action(actions.ApplicationScalingAction(action))
