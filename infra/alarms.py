"""Alarms: what a person has to look at, by mail, each with what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from constructs import Construct

from infra.figures import amazons, figure
from infra.lanes import plain_refused
from webordinary.engines.aws.dynamodb.tables import tables
from webordinary.engines.aws.s3.visitor_routes import LARGEST_STORE
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from collections.abc import Iterator

    from infra.arns import Arns
    from infra.settings import Settings

LONGEST_WITHOUT_ANSWER = 30 * 60
LONGEST_WAIT = 10 * 60
_MOST_CLAIM_FAILURES = 3
# Some are normal while a table grows.
_MOST_THROTTLED = 20
# Half of what makes Amazon look.
_MOST_BOUNCES, _MOST_COMPLAINTS = 0.025, 0.0005
_FULLEST_STORE = 0.8 * LARGEST_STORE


@dataclass(frozen=True, slots=True)
class Watched:
    """One alarm: a figure, from when on it is too much, and what a person does then."""

    name: str
    figure: cloudwatch.IMetric
    threshold: float
    what_to_do: str
    periods: int = 1
    silence_is_bad: bool = False


class Alarms(Construct):
    """They go to one topic, and from there to the agency's mail box."""

    def __init__(self, scope: Construct, settings: Settings, arns: Arns) -> None:
        super().__init__(scope, "alarms")
        topic = self._topic(settings, arns)
        self.all = [self._alarm(settings, each, topic) for each in watched(settings, arns)]

    def _topic(self, settings: Settings, arns: Arns) -> sns.Topic:
        name = f"{settings.prefix}-alarms"
        made = sns.CfnTopic(self, "topic", topic_name=name, kms_master_key_id=f"alias/{settings.prefix}")
        sns.CfnTopicPolicy(
            self,
            "topic-policy",
            topics=[made.ref],
            policy_document={
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Sid": "FromAlarms",
                        "Effect": "Allow",
                        "Principal": {"Service": "cloudwatch.amazonaws.com"},
                        "Action": "sns:Publish",
                        "Resource": made.ref,
                        "Condition": {"ArnLike": {"aws:SourceArn": arns.alarms}},
                    },
                    plain_refused("sns:Publish", made.ref),
                ],
            },
        )
        topic = sns.Topic.from_topic_arn(self, "known-topic", made.ref)
        if settings.alarm_mail:
            topic.add_subscription(subscriptions.EmailSubscription(settings.alarm_mail))
        return topic

    def _alarm(self, settings: Settings, watched: Watched, topic: sns.ITopic) -> cloudwatch.Alarm:
        missing = cloudwatch.TreatMissingData
        alarm = cloudwatch.Alarm(
            self,
            watched.name,
            alarm_name=f"{settings.prefix}-{watched.name}",
            alarm_description=watched.what_to_do,
            metric=watched.figure,
            threshold=watched.threshold,
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            evaluation_periods=watched.periods,
            treat_missing_data=missing.BREACHING if watched.silence_is_bad else missing.NOT_BREACHING,
        )
        alarm.add_alarm_action(actions.SnsAction(topic))
        return alarm


def watched(settings: Settings, arns: Arns) -> Iterator[Watched]:
    """Return everything that should wake somebody up."""
    names = settings.names
    yield Watched(
        "dead-letters",
        figure(settings, Metric.DEAD_LETTERS, "Sum", minutes=5),
        1,
        "Somebody's request was given up: see `webordinary aws status`, then `webordinary aws redrive`.",
    )
    for queue in (names.unclaimed_dead_letters, names.intake_dead_letters):
        dimensions = {"QueueName": queue}
        yield Watched(
            f"{queue.removeprefix(f'{settings.prefix}-')}-filled",
            amazons("AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", dimensions),
            1,
            f"Letters lie in {queue}: see `webordinary aws status`, then `webordinary aws redrive`.",
        )
    yield Watched(
        "mail-without-outcome",
        # The sweep says so every minute: should it fall silent, nobody would know of anybody who waits.
        figure(settings, Metric.OLDEST_UNANSWERED, "Maximum", minutes=5),
        LONGEST_WITHOUT_ANSWER,
        "Somebody has waited half an hour for an answer, or the sweep is silent: see `webordinary aws status`.",
        silence_is_bad=True,
    )
    yield Watched(
        "oldest-waiting-job",
        figure(settings, Metric.OLDEST_WAITING, "Maximum", minutes=5),
        LONGEST_WAIT,
        "A job waits for a worker for ten minutes: look whether tasks of the service start, or allow more workers.",
    )
    yield Watched(
        "claim-failures",
        figure(settings, Metric.CLAIM_ATTEMPTS, "Sum", minutes=5, result="failed"),
        _MOST_CLAIM_FAILURES,
        "Workers cannot claim lanes: look at their log for what DynamoDB answers.",
        periods=2,
    )
    yield Watched(
        "timeouts",
        figure(settings, Metric.TIMEOUTS, "Sum", minutes=5),
        1,
        "A job ended because nobody finished it in time: the log of handle-timeout or of the sweep names it.",
    )
    yield Watched(
        "intake-errors",
        amazons("AWS/Lambda", "Errors", "Sum", {"FunctionName": names.function("intake")}),
        1,
        "Intake broke on a mail, which lies in the bucket: look at its log; what it never took is in its dead letters.",
    )
    yield Watched(
        "sweep-errors",
        amazons("AWS/Lambda", "Errors", "Sum", {"FunctionName": names.function("sweep")}),
        3,
        "The sweep breaks again and again, so nothing that was forgotten is found: look at its log.",
    )
    yield Watched(
        "flow-failures",
        amazons("AWS/States", "ExecutionsFailed", "Sum", {"StateMachineArn": arns.flow}),
        1,
        "A flow gave up: its execution says at which state; the mail is undecided and the sweep looks at it.",
    )
    yield from _of_amazons_limits(settings, arns)
    yield Watched(
        "visitor-routes-filled",
        # Each publishing says how full the store is.
        figure(settings, Metric.VISITOR_ROUTES_BYTES, "Maximum", minutes=60),
        _FULLEST_STORE,
        "The key-value store is nearly full; beyond it new sites are published without a key, file by file, and none "
        "gets another address of its own: let the next sites begin in an installation of another prefix.",
    )


def _of_amazons_limits(settings: Settings, arns: Arns) -> Iterator[Watched]:
    """Return what says that AWS gives less than we ask for, or is about to."""
    yield Watched(
        "flow-timed-out",
        amazons("AWS/States", "ExecutionsTimedOut", "Sum", {"StateMachineArn": arns.flow}),
        1,
        "A flow waited for longer than it may: its execution says at which state; the sweep looks at the mail.",
    )
    yield Watched(
        "flow-throttled",
        amazons("AWS/States", "ExecutionThrottled", "Sum", {"StateMachineArn": arns.flow}),
        1,
        "Step Functions slows the flow down: ask Amazon for more state transitions in a second.",
        periods=3,
    )
    for kind in ("Read", "Write"):
        yield Watched(
            f"tables-{kind.lower()}-throttled",
            _all_tables(settings, f"{kind}ThrottleEvents"),
            _MOST_THROTTLED,
            "DynamoDB refuses requests: look in the console which table and which key; what was refused is repeated.",
            periods=3,
        )
    yield Watched(
        "functions-throttled",
        amazons("AWS/Lambda", "Throttles", "Sum", {}),
        1,
        "Lambda refuses calls in this account: ask Amazon for more functions at once, or see what else calls any.",
        periods=3,
    )
    for rate, most in (("Bounce", _MOST_BOUNCES), ("Complaint", _MOST_COMPLAINTS)):
        yield Watched(
            f"mail-{rate.lower()}-rate",
            amazons("AWS/SES", f"Reputation.{rate}Rate", "Maximum", {}, minutes=60),
            most,
            "So many answers come back or annoy people that SES will soon look at this account: see whose in "
            "`webordinary show mail`.",
        )


def _all_tables(settings: Settings, name: str) -> cloudwatch.MathExpression:
    counted = {
        f"t{number}": amazons("AWS/DynamoDB", name, "Sum", {"TableName": table.name})
        for number, table in enumerate(tables(settings.names))
    }
    return cloudwatch.MathExpression(
        expression=f"SUM([{', '.join(f'FILL({each}, 0)' for each in counted)}])",
        using_metrics=dict[str, cloudwatch.IMetric](counted),
        period=Duration.minutes(5),
        label=name,
    )
