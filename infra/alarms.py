"""Alarms: what a person has to look at, by mail, each with what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from constructs import Construct

from infra.figures import amazons, figure
from infra.lanes import plain_refused
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from collections.abc import Iterator

    from infra.arns import Arns
    from infra.settings import Settings

LONGEST_WITHOUT_ANSWER = 30 * 60
LONGEST_WAIT = 10 * 60
_MOST_CLAIM_FAILURES = 3


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
