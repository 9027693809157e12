"""The dashboard in CloudWatch: what comes in, who works it off, how it ends and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from infra.figures import figure
from webordinary.jobs.job import Outcome
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from infra.settings import Settings

_HALF = 12
_CLAIMS = ("won", "lost", "failed", "nothing waited")


class Dashboard(Construct):
    """One page for the agency."""

    def __init__(self, scope: Construct, settings: Settings, alarms: Sequence[cloudwatch.IAlarm]) -> None:
        super().__init__(scope, "dashboard")
        page = cloudwatch.Dashboard(
            self, "page", dashboard_name=f"{settings.prefix}-{settings.region}", default_interval=Duration.days(1)
        )
        page.add_widgets(cloudwatch.AlarmStatusWidget(title="Alarms", alarms=list(alarms), width=2 * _HALF, height=3))
        page.add_widgets(
            _graph("Unclaimed depth and lanes", *_lanes(settings)),
            _graph("Claims", *_claims(settings)),
        )
        page.add_widgets(
            _graph("Time to claim (s)", *_spread(settings, Metric.TIME_TO_CLAIM)),
            _graph("Waiting and processing (s)", *_times(settings)),
        )
        page.add_widgets(
            _graph("Outcomes", *_outcomes(settings)),
            _graph("Interruptions, time-outs, dead letters", *_troubles(settings)),
        )
        page.add_widgets(
            _graph("Cost of the model (USD an hour)", figure(settings, Metric.COST, "Sum", minutes=60, label="cost")),
            _graph("Longest without an answer (s)", *_oldest(settings)),
        )


def _graph(title: str, *figures: cloudwatch.Metric) -> cloudwatch.GraphWidget:
    return cloudwatch.GraphWidget(title=title, left=list(figures), width=_HALF, height=6)


def _lanes(settings: Settings) -> list[cloudwatch.Metric]:
    shown = (Metric.UNCLAIMED_DEPTH, Metric.LANES_WAITING, Metric.ACTIVE_CLAIMS)
    return [figure(settings, each, "Maximum", label=each.value) for each in shown]


def _claims(settings: Settings) -> list[cloudwatch.Metric]:
    return [figure(settings, Metric.CLAIM_ATTEMPTS, "Sum", minutes=5, label=each, result=each) for each in _CLAIMS]


def _spread(settings: Settings, metric: Metric) -> list[cloudwatch.Metric]:
    return [figure(settings, metric, each, minutes=5, label=each) for each in ("p50", "p90", "Maximum")]


def _times(settings: Settings) -> list[cloudwatch.Metric]:
    shown = (Metric.WAITING_TIME, Metric.PROCESSING_TIME, Metric.IDLE_BEFORE_RELEASE)
    return [figure(settings, each, "p90", minutes=5, label=each.value) for each in shown]


def _outcomes(settings: Settings) -> list[cloudwatch.Metric]:
    ends = [*(each.value for each in Outcome), "failed", "stopped", "dead"]
    return [figure(settings, Metric.JOBS, "Sum", minutes=60, label=each, outcome=each) for each in dict.fromkeys(ends)]


def _troubles(settings: Settings) -> list[cloudwatch.Metric]:
    shown = (Metric.INTERRUPTIONS, Metric.TIMEOUTS, Metric.DEAD_LETTERS)
    return [figure(settings, each, "Sum", minutes=60, label=each.value) for each in shown]


def _oldest(settings: Settings) -> list[cloudwatch.Metric]:
    shown = (Metric.OLDEST_UNANSWERED, Metric.OLDEST_WAITING)
    return [figure(settings, each, "Maximum", minutes=5, label=each.value) for each in shown]
