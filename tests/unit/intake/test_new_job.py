"""A wish between two steps."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from webordinary.intake.new_job import NewRequest
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.mail.sender import Sender, Verdict
from webordinary.routing.lane import Lane


def test_a_wish_that_one_step_writes_down_is_read_by_the_next() -> None:
    job = NewJob(
        id="job-1",
        lane=Lane("amelia", "scott"),
        thread="t1",
        dedup_key="key",
        kind=Kind.INSTRUCTION,
        subject="Our website",
        request=Request("we open at nine"),
        received_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    wanted = NewRequest(
        job, 1, Sender("scott@example.org", Verdict.VERIFIED, "dkim", "signed", recipients=("a@b.example",))
    )
    assert msgspec.json.decode(msgspec.json.encode(wanted), type=NewRequest) == wanted
