"""What the steps of a mail promise on every engine."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.pictures import TRACES, opened, photo
from webordinary.errors import Misconfigured
from webordinary.intake import Intake, NewRequest
from webordinary.jobs.job import FileKind, FileProblem, State
from webordinary.mail.inbox import Envelope
from webordinary.mail.sender import OPERATOR, Vouch
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

SCOTT = Vouch("scott@example.org", OPERATOR)


def intake_of(ports: Ports) -> Intake:
    return Intake(ports.engine, "edit.example.com", ports.clock, ports.limits)


def receive(intake: Intake, *, photos: int = 0, files: tuple[tuple[str, str, bytes], ...] = ()) -> str:
    files = files or tuple((f"{number}.txt", "text/plain", f"photo {number}".encode()) for number in range(photos))
    raw = write_mail(sender="scott@example.org", to="amelia@edit.example.com", text="We open at nine.", files=files)
    return intake.receive(raw, Envelope("deliver", ("amelia@edit.example.com",), vouch=SCOTT)).mail


def test_a_mail_with_files_waits_for_its_turn_with_all_of_them(ports: Ports) -> None:
    intake = intake_of(ports)
    decision = intake.decide(receive(intake, photos=2))
    assert decision is not None
    job = ports.engine.overview.job(decision.job or "")
    assert job is not None
    assert job.state == State.QUEUED
    assert [ports.engine.inbox.read_file(each.digest) for each in job.request.attachments] == [b"photo 0", b"photo 1"]


def test_a_crash_while_files_are_prepared_is_made_good_by_deciding_again(ports: Ports) -> None:
    intake = intake_of(ports)
    mail = receive(intake, photos=1)
    wanted = intake.read(mail)
    assert isinstance(wanted, NewRequest)
    first = intake.accept(wanted)
    decision = intake.decide(mail)
    assert decision is not None
    assert (decision.outcome, decision.job, decision.thread) == ("queued", first.job, first.thread)
    job = ports.engine.overview.job(first.job or "")
    assert job is not None
    assert (job.state, len(job.request.attachments)) == (State.QUEUED, 1)


def test_the_steps_one_by_one_come_to_the_same_as_all_in_a_row(ports: Ports) -> None:
    intake = intake_of(ports)
    mail = receive(intake, photos=1)
    wanted = intake.read(mail)
    assert isinstance(wanted, NewRequest)
    intake.accept(wanted)
    intake.enqueue(wanted.job, (intake.prepare(mail, 0),))
    job = ports.engine.overview.job(wanted.job.id)
    assert job is not None
    assert (job.state, len(job.request.attachments)) == (State.QUEUED, 1)


def test_a_photo_is_kept_in_all_its_versions_and_not_as_it_came(ports: Ports) -> None:
    intake = intake_of(ports)
    files = (("oven.heic", "image/heic", photo("HEIF")), ("broken.jpg", "image/jpeg", photo("JPEG")[:200]))
    mail = receive(intake, files=files)
    decision = intake.decide(mail)
    assert decision is not None
    job = ports.engine.overview.job(decision.job or "")
    assert job is not None
    oven, broken = job.request.attachments
    assert (oven, broken) == (intake.prepare(mail, 0), intake.prepare(mail, 1))
    kept = [ports.engine.inbox.read_file(each.digest) for each in oven.versions]
    assert [opened(content).format for content in kept] == ["AVIF", "JPEG"]
    assert [trace for trace in TRACES for content in kept if trace in content] == []
    assert (broken.fate, broken.problem, broken.versions) == (FileKind.REFUSED, FileProblem.UNREADABLE, ())


def test_files_that_somebody_prepares_are_left_alone_until_that_must_have_failed(
    ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake = intake_of(ports)
    mail = receive(intake, photos=1)
    with monkeypatch.context() as broken:
        broken.setattr("sys.executable", "/nonexistent/python")
        with pytest.raises(Misconfigured):
            intake.decide(mail)
    ports.clock.advance(timedelta(seconds=60))
    assert intake.decide_forgotten() == 0
    ports.clock.advance(timedelta(seconds=90))
    assert intake.decide_forgotten() == 1
    view = ports.engine.overview.mail(mail)
    assert view is not None
    assert view.outcome == "queued"
