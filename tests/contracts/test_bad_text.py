"""What every engine promises about text that cannot be stored as it came."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contracts.test_lanes import take
from webordinary.audit.entry import Entry, EventType
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, Request, State
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from tests.rigs.ports import Ports


def test_text_that_no_store_takes_is_kept_without_what_is_wrong_with_it(ports: Ports) -> None:
    bad = "a\ud800b\x00c"
    request = Request(bad, reply_to="scott@example.org", message_id=f"{bad}@phone", references=(bad,))
    new = replace(ports.new_job(dedup_key=f"key:{bad}"), subject=bad, request=request)
    assert ports.engine.lanes.accept(new, ports.now, ready=InterruptRule()).fresh
    assert not ports.engine.lanes.accept(new, ports.now, ready=InterruptRule()).fresh
    claim, job = take(ports)
    said = (job.subject, job.request.text, job.request.message_id or "", *job.request.references)
    assert not any(letter in text for text in said for letter in "\ud800\x00")
    found = ports.engine.threads.find_by_messages((f"{bad}@phone",))
    assert found is not None
    assert found.id == job.thread
    ending = Ending(State.FAILED, error=bad, summary=bad, template="failed", facts={"reason": bad})
    ports.engine.attempts.finish(claim, job, ending, ports.now)
    assert ports.job(job.id).state == State.FAILED


def test_a_message_id_of_any_length_names_its_thread(ports: Ports) -> None:
    long = f"{'x' * 5_000}@phone"
    request = Request("we open at nine", message_id=long)
    ports.engine.lanes.accept(replace(ports.new_job(), request=request), ports.now, ready=InterruptRule())
    found = ports.engine.threads.find_by_messages((f"{'x' * 5_001}@phone", long))
    assert found is not None
    assert ports.engine.threads.find_by_messages((f"{'x' * 5_001}@phone",)) is None


def test_a_name_that_is_no_text_can_stand_in_every_record(ports: Ports) -> None:
    """A file's name comes from a disk, where any bytes are one."""
    bad = os.fsdecode(b"caf\xe9\x00.html")
    ports.queue()
    claim, job = take(ports)
    facts = {"summary": bad, "changes": f"page_added\t{bad}"}
    job = ports.engine.attempts.journal(claim, job, "edited", facts, ports.now)
    entry = Entry(EventType.AGENT_SAID, ports.now.wall_at, lane=job.lane.key, job=job.id, text=bad, facts={"kind": bad})
    ports.engine.trail.record(entry)
    letter = Letter("l-1", "answer", "scott@example.org", "leaked", {"places": bad}, job=job.id)
    ports.engine.outbox.add(letter, ports.now)
    ports.engine.attempts.retry(claim, job, bad, timedelta(0), ports.now)
    kept = ports.job(job.id)
    told = [*kept.journal.stored.values(), *(each.text for each in ports.engine.trail.read())]
    assert any("html" in text for text in told)
    for text in told:
        text.encode()
