"""Steps that may be repeated are written with the next write about their job; the right to publish is taken unread."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.aws.accidents import counted_calls
from tests.contracts.test_lanes import take
from tests.rigs.aws_ports import aws_clients, open_aws_ports, prefix_in
from webordinary.audit.entry import EventType
from webordinary.engines.aws.dynamodb.reading import DynamoReader
from webordinary.engines.aws.names import Names
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    return open_aws_ports(tmp_path)


def journal_in_table(folder: Path, job: Job) -> Mapping[str, str]:
    """Return what somebody else reads who takes the job over."""
    found = DynamoReader(aws_clients().dynamodb, Names(prefix_in(folder))).find(job.id)
    assert found is not None
    return found.journal


def steps(ports: Ports) -> list[str]:
    told = [entry for entry in ports.engine.trail.read() if entry.what in {EventType.STEP, EventType.COMMIT_POINT}]
    return [entry.text or entry.what.value for entry in told]


def test_a_step_that_may_wait_goes_along_with_the_next_write(ports: Ports, tmp_path: Path) -> None:
    ports.queue()
    claim, started = take(ports)
    attempts = ports.engine.attempts
    with counted_calls(aws_clients().dynamodb) as calls:
        job = attempts.journal(claim, started, "pushed", {"commit": "a"}, ports.now, may_wait=True)
        job = attempts.journal(claim, job, "published", {"commit": "b"}, ports.now, may_wait=True)
    assert calls == []
    assert (job.journal.stored["commit"], "pushed" in job.journal.stored) == ("b", True)
    assert "pushed" not in journal_in_table(tmp_path, job)
    # Whoever asks in this process hears all of it.
    known = ports.engine.overview.job(job.id)
    assert known is not None
    assert known.journal.stored["commit"] == "b"
    passed = attempts.pass_commit_point(claim, job, "c0ffee", ports.now)

    assert passed.state == State.COMMITTING
    assert journal_in_table(tmp_path, job)["commit"] == "b"
    assert steps(ports) == ["pushed", "published", EventType.COMMIT_POINT.value]


def test_a_step_that_must_not_wait_is_written_at_once_with_those_before_it(ports: Ports, tmp_path: Path) -> None:
    ports.queue()
    claim, started = take(ports)
    job = ports.engine.attempts.journal(claim, started, "built", {}, ports.now, may_wait=True)
    job = ports.engine.attempts.journal(claim, job, "previewed", {}, ports.now)
    assert {"built", "previewed"} <= journal_in_table(tmp_path, job).keys()
    assert steps(ports) == ["built", "previewed"]


def test_the_right_to_publish_takes_a_step_along_and_reads_nothing(ports: Ports, tmp_path: Path) -> None:
    ports.queue()
    claim, started = take(ports)
    job = ports.engine.attempts.journal(claim, started, "edited", {}, ports.now, may_wait=True)
    with counted_calls(aws_clients().dynamodb) as calls:
        assert ports.engine.attempts.take_publish_slot(claim, job, ports.now)
    assert calls == ["TransactWriteItems"]
    assert "edited" in journal_in_table(tmp_path, job)
    # Again, and without anything to take along.
    assert ports.engine.attempts.take_publish_slot(claim, job, ports.now)


def test_who_waits_for_the_right_to_publish_has_written_what_was_done(ports: Ports, tmp_path: Path) -> None:
    ports.queue("amelia#scott")
    first, running = take(ports, "w1")
    ports.queue("amelia#anna")
    second, edited = take(ports, "w2")
    attempts = ports.engine.attempts
    assert attempts.take_publish_slot(first, running, ports.now)
    job = attempts.journal(second, edited, "edited", {}, ports.now, may_wait=True)
    assert not attempts.take_publish_slot(second, job, ports.now)
    assert "edited" in journal_in_table(tmp_path, job)
