"""Who may read the figures, and where traces of mails go."""

from __future__ import annotations

from enum import StrEnum

from webordinary.values import Section, WebAddress


class MetricsAccess(StrEnum):
    """Who may read the figures of the dashboard."""

    LOOPBACK = "loopback"
    TOKEN = "token"  # noqa: S105 - a word of the configuration
    OFF = "off"


class TelemetrySection(Section, frozen=True, kw_only=True):
    """Where one trace for each mail goes, by OpenTelemetry; needs the extra `otel`."""

    endpoint: WebAddress | None = None
    """The collector's address for OTLP over HTTP, such as `http://127.0.0.1:4318`; without it nothing is sent."""
