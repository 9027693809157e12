"""The chores of a worker: one that breaks keeps no other from being done."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, cast

import pytest

from tests.contracts.test_lanes import take
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.audit.entry import EventType
from webordinary.errors import JobFailed
from webordinary.intake import Intake
from webordinary.jobs.job import Ending, State
from webordinary.jobs.retention import Lifetimes
from webordinary.mail.inbox import Envelope
from webordinary.reply.bounces import Bounce
from webordinary.reply.outbox import AddressRefused, Letter
from webordinary.reply.write import Writer
from webordinary.worker.chores.prune import Prune
from webordinary.worker.chores.rounds import Chores

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports
    from webordinary.reply.outbox import Outbox

AGENCY = "agency@example.com"


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    return open_embedded_ports(tmp_path)


def chores_of(ports: Ports) -> Chores:
    engine = ports.engine
    writer = Writer(
        engine.outbox,
        engine.overview,
        engine.inbox,
        engine.projects,
        engine.reply_keys,
        "edit.example.com",
        ports.clock,
    )
    intake = Intake(engine, "edit.example.com", ports.clock, ports.limits)
    prune = Prune(engine, ports.clock, Lifetimes())
    return Chores("w1", engine, writer, intake.decide_forgotten, ports.limits, AGENCY, [prune.look])


def test_a_letter_that_cannot_be_written_does_not_stand_in_the_way(ports: Ports) -> None:
    ports.engine.outbox.add(Letter("broken", "answer", "scott@example.org", "no-such-words"), ports.now)
    ports.engine.outbox.add(Letter("whole", "alarm", AGENCY, "paused", {"project": "amelia", "reason": "x"}), ports.now)
    chores_of(ports).tidy_up()
    assert [to for to, _ in ports.delivered] == [AGENCY]
    assert [entry.what for entry in ports.engine.trail.read()] == [EventType.ANSWER_DELAYED, EventType.ANSWERED]


def test_an_answer_is_tried_until_the_server_takes_it_and_is_sent_once(ports: Ports) -> None:
    ports.queue(reply_to="scott@example.org")
    claim, job = take(ports)
    ports.refuse_mail("the server is away")
    ports.engine.attempts.finish(claim, job, Ending(State.FAILED, error="no", template="failed"), ports.now)
    chores = chores_of(ports)
    chores.tidy_up()
    ports.refuse_mail(None)
    for _ in range(5):
        ports.clock.advance(timedelta(seconds=15))
        chores.tidy_up()
    assert len(ports.delivered) == 1


def test_an_answer_that_is_refused_for_good_is_given_up_and_the_agency_told_once(ports: Ports) -> None:
    ports.queue(reply_to="scott@example.org")
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, Ending(State.FAILED, error="no", template="failed"), ports.now)
    ports.refuse_mail(JobFailed("no such user"))
    chores = chores_of(ports)
    while ports.engine.trail.read(job=job.id)[-1].what != EventType.ANSWER_GIVEN_UP:
        chores.send(f"{job.id}.answer")  # the alarm must find a server again
        ports.clock.advance(timedelta(hours=1))
    ports.refuse_mail(None)
    for _ in range(5):
        ports.clock.advance(timedelta(hours=2))
        chores.tidy_up()
    assert [to for to, _ in ports.delivered] == [AGENCY]
    assert b"no such user" in ports.delivered[0][1]
    assert [entry.what for entry in ports.engine.trail.read(job=job.id)][-1] == EventType.ANSWER_GIVEN_UP


def test_an_address_that_returns_everything_is_given_up_with_one_alarm(ports: Ports) -> None:
    for number in range(3):
        bounce = Bounce(
            f"job-{number}.answer",
            "Scott@example.org",
            is_for_good=True,
            reason="no such user",
            bounced_at=ports.now.wall_at,
        )
        ports.engine.bounces.record(bounce)
        ports.clock.advance(timedelta(hours=12))
    chores = chores_of(ports)
    for number in range(3):
        letter = Letter(f"new-{number}.answer", "answer", "scott@example.org", "stopped")
        ports.engine.outbox.add(letter, ports.now)
        chores.tidy_up()
    assert [to for to, _ in ports.delivered] == [AGENCY]
    assert b"webordinary forgive" in ports.delivered[0][1]
    ports.engine.bounces.clear("scott@example.org", "operator", ports.now)
    ports.engine.outbox.add(Letter("later.answer", "answer", "scott@example.org", "stopped"), ports.now)
    chores.tidy_up()
    assert [to for to, _ in ports.delivered] == [AGENCY, "scott@example.org"]


def test_a_refused_recipient_counts_as_a_mail_that_came_back(ports: Ports) -> None:
    ports.refuse_mail(JobFailed("554 we do not like your server"))
    chores = chores_of(ports)
    ports.engine.outbox.add(Letter("ours.answer", "answer", "scott@example.org", "stopped"), ports.now)
    chores.send("ours.answer")
    ports.refuse_mail(AddressRefused("550 no such user"))
    for number in range(4):
        ports.engine.outbox.add(Letter(f"{number}.answer", "answer", "scott@example.org", "stopped"), ports.now)
        chores.send(f"{number}.answer")
        ports.clock.advance(timedelta(hours=12))
    assert [each.letter for each in ports.engine.bounces.of("scott@example.org")] == [
        "0.answer",
        "1.answer",
        "2.answer",
    ]


def test_nobody_hears_that_a_request_is_slow_when_it_is_done(ports: Ports) -> None:
    ports.queue(reply_to="scott@example.org")
    claim, job = take(ports)
    ports.engine.outbox.add(Letter(f"{job.id}.ack", "ack", "scott@example.org", "ack", job=job.id), ports.now)
    ports.engine.attempts.finish(claim, job, Ending(State.FAILED, error="no", template="failed"), ports.now)
    chores_of(ports).tidy_up()
    assert [b"could not make this change" in raw for _, raw in ports.delivered] == [True]


def test_a_letter_is_not_reserved_while_another_one_is_being_sent(ports: Ports) -> None:
    for number in range(3):
        ports.engine.outbox.add(
            Letter(f"alarm-{number}", "alarm", AGENCY, "paused", {"project": "amelia", "reason": "x"}), ports.now
        )
    free: list[int] = []
    outbox = ports.engine.outbox

    class Watched:
        def __getattr__(self, name: str) -> object:
            return getattr(outbox, name)

        def deliver(self, letter: Letter, raw: bytes) -> None:
            free.append(len(outbox.take_due("another", ports.now)))
            outbox.deliver(letter, raw)

    ports.engine = replace(ports.engine, outbox=cast("Outbox", Watched()))
    chores_of(ports).tidy_up()
    assert free == [2]


def test_a_mail_that_nobody_decided_is_decided_by_the_sweep(ports: Ports) -> None:
    raw = b"From: eve@elsewhere.example\r\nSubject: hello\r\n\r\nlet me in\r\n"
    kept = ports.engine.inbox.keep(raw, Envelope("smtp", ("amelia@edit.example.com",)), ports.now)
    chores = chores_of(ports)
    chores.tidy_up()
    view = ports.engine.overview.mail(kept.mail)
    assert view is not None
    assert view.state == "received"
    ports.clock.advance(ports.limits.undecided_after)
    chores.tidy_up()
    view = ports.engine.overview.mail(kept.mail)
    assert view is not None
    assert (view.state, view.outcome) == ("decided", "ignored")


def test_a_mail_whose_text_is_gone_stands_in_nobodys_way(ports: Ports, tmp_path: Path) -> None:
    envelope = Envelope("smtp", ("amelia@edit.example.com",))
    lost = ports.engine.inbox.keep(b"From: a@b.example\r\n\r\nlost", envelope, ports.now)
    for file in (tmp_path / "mail").rglob("*"):
        if file.is_file():
            file.unlink()
    other = ports.engine.inbox.keep(b"From: a@b.example\r\n\r\nkept", envelope, ports.now)
    ports.clock.advance(ports.limits.undecided_after)
    chores_of(ports).tidy_up()
    outcomes = {view.id: view.outcome for view in ports.engine.overview.mails()}
    assert outcomes == {lost.mail: "refused", other.mail: "ignored"}


def test_the_agency_is_told_once_of_a_paused_project_and_of_a_dead_letter(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, Ending(State.DEAD, error="its worker died"), ports.now)
    ports.engine.lanes.pause("amelia", "three in a row", ports.now)
    for _ in range(3):
        chores_of(ports).tidy_up()
    assert [to for to, _ in ports.delivered] == [AGENCY, AGENCY]
    assert b"three in a row" in b"".join(raw for _, raw in ports.delivered)


def test_the_agency_is_told_of_every_dead_job_however_many_there_are(ports: Ports) -> None:
    for _ in range(150):
        ports.queue()
        claim, job = take(ports)
        ports.engine.attempts.finish(claim, job, Ending(State.DEAD, error="its worker died"), ports.now)
        ports.engine.claims.release(claim, ports.now)
    chores = chores_of(ports)
    for _ in range(10):
        chores.tidy_up()
    assert len(ports.delivered) == 150


def test_a_worker_whose_process_is_gone_loses_its_lanes(ports: Ports) -> None:
    ports.engine.claims.wait_for_work("w9", ports.now)
    ports.queue()
    take(ports, "w9")
    (worker,) = ports.engine.overview.workers()
    assert worker.process
    chores_of(ports).tidy_up()
    assert ports.engine.claims.claim("w2", ports.now) is None


def test_the_trail_is_kept_for_thirty_days(ports: Ports) -> None:
    ports.queue()
    ports.clock.advance(timedelta(days=29))
    chores_of(ports).tidy_up()
    assert any(entry.what == EventType.JOB_ACCEPTED for entry in ports.engine.trail.read())
    ports.clock.advance(timedelta(days=2))
    chores_of(ports).tidy_up()
    assert not any(entry.what == EventType.JOB_ACCEPTED for entry in ports.engine.trail.read())
