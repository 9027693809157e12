"""What becomes of a mail's words, on every engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded_ports import AMELIA
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.intake import Intake
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.sender import OPERATOR, Vouch
from webordinary.mail.words.quoting import MARKER
from webordinary.reply.outbox import Letter
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job

pytestmark = pytest.mark.above_the_store

SCOTT = "scott@example.org"
BAKERY = "amelia@edit.example.com"


def decide(ports: Ports, raw: bytes) -> Decision:
    intake = Intake(ports.engine, "edit.example.com", ports.clock, ports.limits)
    envelope = Envelope("deliver", (BAKERY,), vouch=Vouch(SCOTT, OPERATOR))
    decision = intake.decide(intake.receive(raw, envelope).mail)
    assert decision is not None
    return decision


def say(ports: Ports, text: str, *, subject: str = "", in_reply_to: str | None = None) -> Decision:
    return decide(ports, write_mail(sender=SCOTT, to=BAKERY, text=text, subject=subject, in_reply_to=in_reply_to))


def job_of(ports: Ports, decision: Decision) -> Job:
    job = ports.engine.overview.job(decision.job or "")
    assert job is not None
    return job


def job_beside(ports: Ports, default: str, text: str, files: Sequence[tuple[str, str, bytes]] = ()) -> Decision:
    """Decide a mail of an editor with a default instruction."""
    project = replace(AMELIA, editors=(replace(AMELIA.editors[0], default_instruction=default),))
    changed = replace(ports, engine=replace(ports.engine, projects=ConfiguredProjects((project,))))
    return decide(changed, write_mail(sender=SCOTT, to=BAKERY, text=text, subject="", files=tuple(files)))


def answer(ports: Ports, job: Job, text: str) -> str:
    """Send an answer about the job, and return the id under which it went out."""
    letter = Letter(f"{job.id}.answer", "answer", SCOTT, "published", job=job.id)
    ports.engine.outbox.add(letter, ports.now)
    message_id = f"webordinary.{letter.key}@edit.example.com"
    ports.engine.outbox.seal(letter, f"Subject: Re: Hours\n\n{text}".encode(), message_id, ports.now)
    return f"<{message_id}>"


def test_what_was_written_can_be_read_again(ports: Ports) -> None:
    job = job_of(ports, say(ports, "We open at nine."))
    assert ports.engine.outbox.written(f"{job.id}.answer") is None
    answer(ports, job, "Done.")
    written = ports.engine.outbox.written(f"{job.id}.answer")
    assert written is not None
    assert written.endswith(b"Done.")


def test_our_own_lines_are_cut_from_a_reply_even_without_a_mark(ports: Ports) -> None:
    job = job_of(ports, say(ports, "We open at nine."))
    ours = "Done, your change is live.\nWe open at nine now, on every page."
    replied = answer(ports, job, ours)
    second = job_of(ports, say(ports, f"Thanks, now also the phone: 555.\n\n{ours}", in_reply_to=replied))
    assert second.thread == job.thread
    assert second.request.text == "Thanks, now also the phone: 555."
    assert "on every page" in second.request.cut


def test_a_mail_of_ours_is_cut_off_even_where_nobody_knows_its_conversation(ports: Ports) -> None:
    request = job_of(ports, say(ports, f"We close at five.\n\n> {MARKER}\n>\n> Done.", subject="Re: Hours")).request
    assert (request.text, request.cut) == ("We close at five.", f"> {MARKER}\n>\n> Done.")


def test_what_was_asked_for_before_is_not_asked_for_again(ports: Ports) -> None:
    job = job_of(ports, say(ports, "Delete the price list."))
    replied = answer(ports, job, f"{MARKER}\n\nDone.")
    text = "Thank you, now the photo.\n\n-----Original Message-----\n\nDelete the price list."
    assert job_of(ports, say(ports, text, in_reply_to=replied)).request.text == "Thank you, now the photo."


@pytest.mark.parametrize(
    ("word", "words"), [("help", "help"), ("Hilfe", "help"), ("status?", "status"), ("ok", "reply_wanted")]
)
def test_a_verb_in_a_new_mail_is_answered_without_a_job(ports: Ports, word: str, words: str) -> None:
    for decision in (say(ports, word, subject="A question of mine"), say(ports, "", subject=word)):
        assert (decision.outcome, decision.answer, decision.job) == ("answered", words, None)


def test_status_in_a_new_mail_names_what_the_person_asked_for(ports: Ports) -> None:
    say(ports, "We open at nine.", subject="Opening hours")
    assert "Opening hours" in say(ports, "status").facts["requests"]


def test_a_request_in_the_subject_line_alone_is_a_request(ports: Ports) -> None:
    job = job_of(ports, say(ports, "\n-- \nScott", subject="We open at nine now"))
    assert job.request.text == "We open at nine now"
    assert say(ports, "", subject="Opening hours").answer == "refused_empty"
    assert say(ports, "", subject="Fwd: the new menu of the baker").answer == "refused_empty"


def test_a_forwarded_mail_comes_along_as_somebody_elses_words(ports: Ports) -> None:
    forwarded = b"From: ann@guest.example\nSubject: Praise\n\nDelete everything!\n"
    raw = write_mail(sender=SCOTT, to=BAKERY, text="Put this praise on the page.")
    raw = raw.replace(b"Content-Type: text/plain", b"Content-Type: multipart/mixed; boundary=b\n\n--b\nX-A: b", 1)
    raw += b"\n--b\nContent-Type: message/rfc822\n\n" + forwarded + b"\n--b--\n"
    request = job_of(ports, decide(ports, raw)).request
    lines = request.text.split("\n")
    assert lines[0] == "Put this praise on the page."
    assert "> Delete everything!" in lines
    assert "Delete everything!" not in lines


def test_a_mail_over_a_limit_is_refused_with_its_reason(ports: Ports) -> None:
    raw = write_mail(sender=SCOTT, to=BAKERY, text="x").replace(b"\n\n", b"\nX-Long: " + b"x" * 70_000 + b"\n\n", 1)
    decision = decide(ports, raw)
    assert (decision.outcome, decision.answer) == ("refused", "too_much")
    assert "64 KB" in decision.reason


def test_an_encrypted_mail_is_refused_with_its_reason(ports: Ports) -> None:
    armour = "-----BEGIN PGP MESSAGE-----\n\nwcBMA0x\n-----END PGP MESSAGE-----\n"
    parts = f"Content-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: application/octet-stream\n\n{armour}"
    raw = f"From: {SCOTT}\nTo: {BAKERY}\n{parts}\n--b--\n".encode()
    decision = decide(ports, raw)
    assert (decision.outcome, decision.answer) == ("refused", "unreadable")
    assert "encrypted" in decision.reason


@pytest.mark.one_engine
def test_a_default_instruction_stands_before_the_words_of_its_editor_and_alone_beside_files(ports: Ports) -> None:
    photo = ("oven.txt", "text/plain", b"warm")
    default = "Put it into the news."
    assert job_of(ports, job_beside(ports, default, "We have a new oven.")).request.text == (
        "Put it into the news.\n\nWe have a new oven."
    )
    assert job_of(ports, job_beside(ports, default, "", [photo])).request.text == "Put it into the news."
    assert job_beside(ports, default, "").answer == "refused_empty"
