"""What is removed after its time, and what is needed longer."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import DONE, take
from tests.contracts.test_what_waits import proposal, schedule
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.errors import Refused
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Attached, Ending, Outcome, State
from webordinary.jobs.journal import Journal
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports

MONTH = timedelta(days=30)
PROPOSED = Ending(State.DONE, Outcome.PROPOSED)
ASKED = Ending(State.DONE, Outcome.ASKED)
PLANNED = Ending(State.DONE, Outcome.SCHEDULED)


def grow_old(folder: Path, ports: Ports) -> None:
    """Let every kept file be two months old."""
    long_ago = (ports.now.wall_at - 2 * MONTH).timestamp()
    for path in folder.rglob("??/*"):
        os.utime(path, (long_ago, long_ago))


def test_files_and_raw_mails_are_removed_after_their_time(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    inbox = ports.engine.inbox
    mail = inbox.keep(b"From: a@b\n\nhello", Envelope("deliver", ()), ports.now).mail
    inbox.decide(mail, Decision(MailOutcome.REFUSED, "x"), ports.now)
    transcript = inbox.keep_file(b"what the agent said")
    assert inbox.forget_before(ports.now.wall_at - MONTH) == 0
    grow_old(tmp_path, ports)
    again = inbox.keep_file(b"kept again today")
    assert inbox.forget_before(ports.now.wall_at - MONTH) == 2
    assert inbox.read_file(again) == b"kept again today"
    with pytest.raises(Refused):
        inbox.read_file(transcript)


def test_a_file_that_is_kept_again_is_as_good_as_new(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    inbox = ports.engine.inbox
    digest = inbox.keep_file(b"photo")
    grow_old(tmp_path, ports)
    assert inbox.keep_file(b"photo") == digest
    assert inbox.forget_before(ports.now.wall_at - MONTH) == 0


def test_what_a_live_job_or_a_held_mail_needs_stays(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    inbox = ports.engine.inbox
    held = inbox.keep(b"From: a@b\n\nheld", Envelope("deliver", ()), ports.now).mail
    inbox.decide(held, Decision(MailOutcome.HELD, "x"), ports.now)
    inbox.keep(b"From: a@b\n\nundecided", Envelope("deliver", ()), ports.now)
    job = ports.new_job()
    ports.engine.lanes.accept(job, ports.now)
    photo = Attached("a.jpg", "image/jpeg", inbox.keep_file(b"photo"))
    ports.engine.lanes.enqueue(job.id, InterruptRule(), ports.now, attachments=(photo,))
    grow_old(tmp_path, ports)
    assert inbox.forget_before(ports.now.wall_at - MONTH) == 0


def test_files_of_what_waits_for_an_ok_an_answer_or_its_moment_stay(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    inbox = ports.engine.inbox
    kept = []
    for number, ending in enumerate((PROPOSED, ASKED, PLANNED, DONE)):
        job = ports.new_job(thread=f"t{number}")
        ports.engine.lanes.accept(job, ports.now)
        photo = Attached("a.jpg", "image/jpeg", inbox.keep_file(f"photo {number}".encode()))
        kept.append(photo.digest)
        ports.engine.lanes.enqueue(job.id, InterruptRule(), ports.now, attachments=(photo,))
        claim, taken = take(ports)
        put = proposal(ports, job.id, f"t{number}") if ending is PROPOSED else None
        plans = (replace(schedule(ports, f"{job.id}.publish", MONTH), job=job.id),) if ending is PLANNED else ()
        ports.engine.attempts.finish(claim, taken, replace(ending, proposal=put, schedules=plans), ports.now)
        ports.engine.claims.give_back(claim, ports.now)
    grow_old(tmp_path, ports)
    assert inbox.forget_before(ports.now.wall_at - MONTH) == 1
    assert [(tmp_path / "mail" / digest[:2] / digest).exists() for digest in kept] == [True, True, True, False]


def test_of_the_indexes_of_a_site_the_live_one_stays(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    inbox = ports.engine.inbox
    indexes = [inbox.keep_file(f"index {number}".encode()) for number in range(3)]
    for index in indexes:
        ports.queue()
        claim, job = take(ports)
        noted = dict([Journal.index(index), Journal.commit_live("c0ffee")])
        job = ports.engine.attempts.journal(claim, job, "built", noted, ports.now)
        job = ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
        ports.clock.advance(MONTH / 1000)
        ports.engine.attempts.finish(claim, job, DONE, ports.now)
        ports.engine.claims.give_back(claim, ports.now)
    photo = inbox.keep_file(b"a photo")
    assert inbox.forget_before(ports.now.wall_at - MONTH) == 2
    assert inbox.read_file(indexes[-1]) == b"index 2"
    assert inbox.read_file(photo) == b"a photo"
