"""One trace for each mail, as a collector of OpenTelemetry receives it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.rigs.embedded import EmbeddedRig
from tests.serving import listening
from webordinary.clock import SystemClock
from webordinary.errors import Misconfigured
from webordinary.jobs.spans import WaySpan
from webordinary.metrics.otlp import OtlpTraces
from webordinary.testing.story import SCOTT, Story, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from opentelemetry.proto.trace.v1.trace_pb2 import Span

_MILLISECOND = 1_000_000


class Collector(ThreadingHTTPServer):
    """Takes what is sent to it."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        super().__init__(("127.0.0.1", 0), _Request)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Request(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Collector)
        request = ExportTraceServiceRequest()
        request.ParseFromString(self.rfile.read(int(self.headers["content-length"])))
        found = [span for each in request.resource_spans for scope in each.scope_spans for span in scope.spans]
        self.server.spans += found if self.path == "/v1/traces" else []
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@contextmanager
def collecting() -> Iterator[Collector]:
    server = Collector()
    with listening(server):
        yield server


@pytest.mark.thorough
def test_a_collector_sees_the_whole_way_of_a_mail(tmp_path: Path) -> None:
    rig = EmbeddedRig(tmp_path)
    story = Story(rig)
    with collecting() as collector:
        story.begin(settings={"telemetry": f'endpoint = "{collector.address}"'})
        mail = story.writes(SCOTT, "Hello,\nwe open at nine now.\nThanks, Scott", subject="New hours")
        job = story.waits_for_job(mail)
        spans = wait_for(lambda: list(collector.spans) or None, "a trace", str)
        rig.close()
    (root,) = [span for span in spans if not span.parent_span_id]
    by_id = {span.span_id: span for span in spans}
    assert (root.name, {span.trace_id for span in spans}) == ("mail", {root.trace_id})
    facts = {each.key: each.value.string_value for each in root.attributes}
    assert (facts["webordinary.mail"], facts["webordinary.job"]) == (mail, job.id)
    assert (facts["webordinary.project"], facts["webordinary.outcome"]) == ("amelia", "published")
    parents = {span.name: by_id[span.parent_span_id].name for span in spans if span is not root}
    assert parents.items() >= {"decide": "mail", "wait": "mail", "attempt": "mail", "answer": "mail"}.items()
    assert parents.items() >= dict.fromkeys(("checked out", "agent", "build", "push", "publish"), "attempt").items()
    for span in spans:
        around = by_id.get(span.parent_span_id, span)
        assert around.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano
        assert span.end_time_unix_nano <= around.end_time_unix_nano
    _fills(root, [span for span in spans if span.parent_span_id == root.span_id])
    said = b"".join(span.SerializeToString() for span in spans)
    assert all(word not in said for word in (b"nine", b"New hours", b"scott", b"example.org"))


def _fills(whole: Span, pieces: list[Span]) -> None:
    """The pieces follow one another without a gap, from the mail's arrival to its answer."""
    ordered = sorted(pieces, key=lambda span: (span.start_time_unix_nano, span.end_time_unix_nano))
    assert ordered[0].start_time_unix_nano == whole.start_time_unix_nano
    for before, after in pairwise(ordered):
        assert abs(after.start_time_unix_nano - before.end_time_unix_nano) < _MILLISECOND
    assert abs(whole.end_time_unix_nano - ordered[-1].end_time_unix_nano) < _MILLISECOND


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(Misconfigured, match=r"webordinary\[otel\]"):
        OtlpTraces("http://127.0.0.1:4318", "edit.example.com")


def test_a_collector_that_is_away_is_no_error() -> None:
    with collecting() as collector:
        away = collector.address
    assert OtlpTraces(away, "edit.example.com").send("mail-1", _one_span()) is False


def _one_span() -> list[WaySpan]:
    now = SystemClock().now().wall_at
    return [WaySpan("mail", now, now, None)]
