"""What is removed after its time, and what is needed longer."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.errors import Refused
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Attached
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports

MONTH = timedelta(days=30)


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
