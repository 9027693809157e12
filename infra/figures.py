"""The engine's figures as CloudWatch knows them, and Amazon's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch

from webordinary.metrics.emf import INSTALLATION, NAMESPACE

if TYPE_CHECKING:
    from infra.settings import Settings
    from webordinary.metrics.meter import Metric


def figure(
    settings: Settings, metric: Metric, statistic: str, *, minutes: int = 1, label: str | None = None, **more: str
) -> cloudwatch.Metric:
    """Return one figure of this installation."""
    return cloudwatch.Metric(
        namespace=NAMESPACE,
        metric_name=metric.value,
        dimensions_map={INSTALLATION: settings.prefix, **more},
        statistic=statistic,
        period=Duration.minutes(minutes),
        label=label,
    )


def amazons(
    namespace: str, name: str, statistic: str, dimensions: dict[str, str], *, minutes: int = 5, label: str | None = None
) -> cloudwatch.Metric:
    """Return a figure that AWS measures itself."""
    return cloudwatch.Metric(
        namespace=namespace,
        metric_name=name,
        dimensions_map=dimensions,
        statistic=statistic,
        period=Duration.minutes(minutes),
        label=label,
    )
