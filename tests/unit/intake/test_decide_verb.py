"""The job that carries out one word of a reply."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from webordinary.intake.admit import Admitted
from webordinary.intake.decide_verb import Reply
from webordinary.jobs.job import Kind
from webordinary.mail.inbox import Envelope, KeptMail
from webordinary.mail.parse import parse_message
from webordinary.mail.sender import Sender, Verdict
from webordinary.routing.lane import Lane
from webordinary.routing.project import Editor, Project, Rules, SiteTarget
from webordinary.routing.threads import Thread

NOW = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
LANE = Lane("amelia", "scott")
SCOTT = Editor("scott", "scott@example.org")
RAW = b"From: scott@example.org\r\nMessage-ID: <1@phone>\r\nReferences: <0@phone>\r\nSubject: Re: Hours\r\n\r\nok\r\n"


def test_a_word_becomes_a_job_without_words_and_without_files() -> None:
    site = SiteTarget("folder", str(Path("public")))
    project = Project("amelia", "Amelia", "amelia.git", "main", (), ".", Rules(), site, (SCOTT,))
    thread = Thread("t1", LANE, "thread-t1")
    writer = Admitted(project, SCOTT, thread, Sender(SCOTT.address, Verdict.VERIFIED, "operator", "", ()))
    reply = Reply(KeptMail("m1", Envelope("deliver", ()), NOW), parse_message(RAW), writer, thread)
    wanted = reply.job("about", "key")
    job = wanted.job
    assert (wanted.files, reply.answers) == (0, None)
    assert (job.lane, job.thread, job.dedup_key, job.kind) == (LANE, "t1", "key", Kind.VERB)
    assert (job.subject, job.received_at, job.mail, job.about) == ("Re: Hours", NOW, "m1", "about")
    assert (job.request.text, job.request.reply_to) == ("", SCOTT.address)
    assert (job.request.message_id, job.request.references) == ("1@phone", ("0@phone",))
