from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from webordinary.intake import NewRequest
from webordinary.jobs.job import Attached, Kind, NewJob, Request
from webordinary.mail.sender import Sender, Verdict
from webordinary.routing.lane import Lane


def test_what_a_mail_asks_for_can_be_laid_aside_and_read_back() -> None:
    request = Request("We open at nine", reply_to="scott@example.org", message_id="m1@phone", references=("m0@phone",))
    job = NewJob(
        "job-1", Lane("amelia", "scott"), "t1", "key", Kind.INSTRUCTION, "Hours", request, datetime.now(UTC), mail="m1"
    )
    wanted = NewRequest(job, 2, Sender("scott@example.org", Verdict.VERIFIED, "ses", "SES says so", ("DMARC: pass",)))

    assert msgspec.json.decode(msgspec.json.encode(wanted), type=NewRequest) == wanted


def test_a_file_that_was_made_ready_can_be_too() -> None:
    attached = Attached("shop.jpg", "image/jpeg", "0" * 64)

    assert msgspec.json.decode(msgspec.json.encode(attached), type=Attached) == attached
