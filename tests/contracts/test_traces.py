"""What becomes of a mail's way on every engine: one trace, sent once, whoever looks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contracts.test_lanes import DONE, take
from tests.rigs.ports import AT_ONCE
from webordinary.audit.entry import Entry, EventType
from webordinary.jobs.journal import Step
from webordinary.worker.chores.traces import Traces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.rigs.ports import Ports
    from webordinary.jobs.spans import WaySpan

_SECOND = timedelta(seconds=1)


@dataclass
class Taken:
    """A sink that takes traces, or does not."""

    traces: list[tuple[str, Sequence[WaySpan]]] = field(default_factory=list)
    takes: bool = True

    def send(self, trace: str, spans: Sequence[WaySpan]) -> bool:
        if self.takes:
            self.traces.append((trace, spans))
        return self.takes


def tells_story(ports: Ports) -> str:
    """Let a mail's job wait two seconds, run for six and be answered a second later."""
    asked = replace(ports.new_job("amelia#scott", "t1"), mail="mail-1")
    job = ports.engine.lanes.accept(asked, ports.now, ready=AT_ONCE).job
    ports.clock.advance(2 * _SECOND)
    claim, running = take(ports)
    for step, seconds in ((Step.CHECKED_OUT, 1), (Step.AGENT_STARTED, 0), (Step.EDITED, 3), (Step.BUILT, 2)):
        ports.clock.advance(seconds * _SECOND)
        running = ports.engine.attempts.journal(claim, running, step.value, {}, ports.now)
    ports.engine.attempts.finish(claim, running, DONE, ports.now)
    return job


def answers(ports: Ports, job: str) -> None:
    ports.clock.advance(_SECOND)
    entry = Entry(EventType.ANSWERED, ports.now.wall_at, job=job, text="published", facts={"kind": "answer"})
    ports.engine.trail.record(entry)


def test_a_trace_is_sent_once_when_its_job_is_answered(ports: Ports) -> None:
    sink = Taken()
    first, second = (Traces(name, ports.engine, ports.clock, sink) for name in ("w1", "w2"))
    job = tells_story(ports)
    first.look()
    assert sink.traces == []
    answers(ports, job)
    for each in (first, second, first, Traces("w3", ports.engine, ports.clock, sink)):
        each.look()
    ((trace, spans),) = sink.traces
    assert trace == "mail-1"
    root = spans[0]
    assert (root.name, root.within, root.ends_at - root.begins_at) == ("mail", None, 9 * _SECOND)
    took = {span.name: (span.ends_at - span.begins_at, spans[span.within or 0].name) for span in spans[1:]}
    assert took["wait"] == (2 * _SECOND, "mail")
    assert took["attempt"] == (6 * _SECOND, "mail")
    assert took["agent"] == (3 * _SECOND, "attempt")
    assert took["build"] == (2 * _SECOND, "attempt")
    assert took["answer"] == (_SECOND, "mail")


def test_what_nobody_takes_is_tried_again_a_minute_later(ports: Ports) -> None:
    sink = Taken(takes=False)
    traces = Traces("w1", ports.engine, ports.clock, sink)
    answers(ports, tells_story(ports))
    traces.look()
    sink.takes = True
    traces.look()
    assert sink.traces == []
    ports.clock.advance(timedelta(minutes=1))
    traces.look()
    assert [trace for trace, _ in sink.traces] == ["mail-1"]


def test_a_job_that_nobody_answers_is_sent_without_its_answer(ports: Ports) -> None:
    sink = Taken()
    traces = Traces("w1", ports.engine, ports.clock, sink)
    tells_story(ports)
    traces.look()
    ports.clock.advance(timedelta(minutes=11))
    traces.look()
    ((_, spans),) = sink.traces
    assert "answer" not in {span.name for span in spans}
