"""Traces by OpenTelemetry's protocol over HTTP, with the extra `otel`."""

from __future__ import annotations

import hashlib
import logging
from importlib.metadata import version
from typing import TYPE_CHECKING, Protocol

from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

_SECONDS = 2.0
_NANOSECONDS = 1_000_000_000
_NEEDED = "telemetry.endpoint needs OpenTelemetry, which is not installed: `pip install 'webordinary[otel]'`"


class SentSpan(Protocol):
    """What a piece of a trace says."""

    @property
    def name(self) -> str: ...
    @property
    def begins_at(self) -> datetime: ...
    @property
    def ends_at(self) -> datetime: ...
    @property
    def within(self) -> int | None: ...
    @property
    def facts(self) -> Mapping[str, str]: ...
    @property
    def is_broken(self) -> bool: ...


class OtlpTraces:
    """Sends whole traces; every sender gives the same trace the same ids, so that a retry adds no second trace."""

    def __init__(self, endpoint: str, installation: str) -> None:
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - an extra
            from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - the same
        except ImportError as missing:
            raise Misconfigured(_NEEDED) from missing
        # It would write the collector's own words into our log, which holds only ours.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        self._exporter = OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces", timeout=_SECONDS)
        about = {"service.name": "webordinary", "service.version": version("webordinary")}
        self._resource = Resource({**about, "service.namespace": installation})

    def send(self, trace: str, spans: Sequence[SentSpan]) -> bool:
        from opentelemetry.sdk.trace import ReadableSpan  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace.export import SpanExportResult  # noqa: PLC0415 - the same
        from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags  # noqa: PLC0415 - the same

        whole = spans[0].facts.get("job", trace)
        contexts = [
            SpanContext(_number(trace, 16), _number(f"{whole} {place}", 8), False, TraceFlags(TraceFlags.SAMPLED))  # noqa: FBT003 - its own signature
            for place in range(len(spans))
        ]
        made = [
            ReadableSpan(
                span.name,
                context,
                None if span.within is None else contexts[span.within],
                self._resource,
                {f"webordinary.{name}": value for name, value in span.facts.items()},
                kind=SpanKind.CONSUMER if span.within is None else SpanKind.INTERNAL,
                status=Status(StatusCode.ERROR if span.is_broken else StatusCode.UNSET),
                start_time=_nanoseconds(span.begins_at),
                end_time=_nanoseconds(span.ends_at),
            )
            for span, context in zip(spans, contexts, strict=True)
        ]
        return self._exporter.export(made) is SpanExportResult.SUCCESS


def _number(text: str, size: int) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:size], "big")


def _nanoseconds(at: datetime) -> int:
    return int(at.timestamp() * _NANOSECONDS)
