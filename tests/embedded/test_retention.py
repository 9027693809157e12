"""What is pruned after its time, in small steps, and what is kept because something needs it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.contracts.test_held_answers import held
from tests.contracts.test_lanes import work_off
from tests.contracts.test_what_waits import propose, schedule
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.open import DATABASE
from webordinary.jobs.retention import NEWEST_OF_A_LANE, Lifetimes
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.reply.bounces import Bounce
from webordinary.reply.outbox import WELCOME, Letter

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports

KEPT = Lifetimes()
SCOTT = "scott@example.org"


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    return open_embedded_ports(tmp_path)


def prune_all(ports: Ports) -> list[int]:
    """Prune until everything was looked at once, and return what each step has removed."""
    steps = []
    while True:
        step = ports.engine.retention.prune(KEPT, ports.now)
        steps.append(step.rows)
        if step.is_through:
            return steps


def rows_of(tmp_path: Path, table: str) -> list[tuple[Any, ...]]:
    with Database(tmp_path / DATABASE).read() as cursor:
        return list(cursor.execute(f"SELECT * FROM {table}"))  # noqa: S608 - a table's name


def live_through(ports: Ports, number: int, outcome: MailOutcome = MailOutcome.QUEUED) -> str:
    """Let a mail come in, be done and be answered; return its job."""
    raw = f"From: {SCOTT}\nMessage-ID: <{number}@phone>\n\nplease {number}".encode()
    mail = ports.engine.inbox.keep(raw, Envelope("deliver", (), mail_from=SCOTT), ports.now).mail
    ports.engine.inbox.take_key(f"mail:amelia:{SCOTT}:{number}", mail, ports.now)
    job = ports.queue(thread=f"t{number}", reply_to=SCOTT)
    ports.engine.inbox.decide(mail, Decision(outcome, "an instruction", SCOTT, "Our website", job=job), ports.now)
    work_off(ports)
    letter = Letter(f"{job}.answer", "answer", SCOTT, "done", {"summary": "nine"}, job, mail)
    ports.engine.outbox.add(letter, ports.now)
    ports.engine.outbox.seal(letter, b"Dear Scott, we open at nine", f"<{number}@edit.example.com>", ports.now)
    ports.engine.outbox.mark_sent(letter, ports.now)
    return job


def test_all_that_belongs_to_an_ended_job_goes_after_its_time(ports: Ports, tmp_path: Path) -> None:
    jobs = [live_through(ports, number) for number in range(NEWEST_OF_A_LANE + 5)]
    bounce = Bounce("x.answer", SCOTT, is_for_good=False, reason="full", bounced_at=ports.now.wall_at)
    ports.engine.bounces.record(bounce)
    ports.clock.advance(KEPT.jobs - timedelta(days=1))
    prune_all(ports)
    assert ports.engine.overview.job(jobs[0]) is not None
    ports.clock.advance(timedelta(days=2))
    prune_all(ports)
    assert [ports.engine.overview.job(job) is None for job in jobs] == [True] * 5 + [False] * NEWEST_OF_A_LANE
    kept = NEWEST_OF_A_LANE
    counts = {table: len(rows_of(tmp_path, table)) for table in ("mails", "outbox", "threads", "bounces")}
    assert counts == {"mails": kept, "outbox": kept, "threads": kept, "bounces": 0}
    assert len(rows_of(tmp_path, "thread_messages")) == 2 * kept
    assert len(rows_of(tmp_path, "requests")) == len(jobs)
    ports.clock.advance(KEPT.request_keys)
    prune_all(ports)
    assert rows_of(tmp_path, "requests") == []


def test_the_words_of_a_letter_go_before_the_letter(ports: Ports) -> None:
    job = live_through(ports, 1)
    ports.engine.outbox.add(Letter("amelia-1.welcome", WELCOME, SCOTT, WELCOME), ports.now)
    welcome = ports.engine.outbox.take("amelia-1.welcome", "w1", ports.now)
    assert welcome is not None
    ports.engine.outbox.seal(welcome, b"Welcome", "<w@edit.example.com>", ports.now)
    ports.engine.outbox.mark_sent(welcome, ports.now)
    assert ports.engine.outbox.written(f"{job}.answer") == b"Dear Scott, we open at nine"
    ports.clock.advance(KEPT.letters + timedelta(days=1))
    prune_all(ports)
    assert ports.engine.outbox.written(f"{job}.answer") is None
    assert ports.engine.outbox.find_sent("<1@edit.example.com>") is not None
    ports.clock.advance(10 * KEPT.jobs)
    prune_all(ports)
    assert ports.engine.outbox.written("amelia-1.welcome") == b"Welcome"


def test_what_waits_keeps_its_job_and_its_conversation(ports: Ports) -> None:
    planned = live_through(ports, 1)
    put = propose(ports, thread="t-open")
    ports.engine.schedules.add(schedule(ports, f"{planned}.revert", timedelta(days=900)), ports.now)
    waiting = ports.new_job(thread="t-live")
    ports.engine.lanes.accept(waiting, ports.now)
    others = [live_through(ports, number) for number in range(2, 2 + NEWEST_OF_A_LANE)]
    undecided = ports.engine.inbox.keep(b"From: a@b\n\nlater", Envelope("deliver", ()), ports.now).mail
    ports.engine.outbox.add(Letter("due.answer", "answer", SCOTT, "done"), ports.now)
    ports.clock.advance(2 * KEPT.jobs)
    prune_all(ports)
    assert ports.engine.overview.job(planned) is not None
    assert ports.engine.overview.job(put.id) is not None
    assert ports.engine.overview.job(waiting.id) is not None
    assert ports.engine.overview.job(others[-1]) is not None
    assert [ports.engine.threads.find(thread) is None for thread in ("t1", "t-open", "t-live")] == [False] * 3
    assert ports.engine.proposals.all_open() == [put]
    assert ports.engine.inbox.find(undecided) is not None
    assert ports.engine.outbox.take("due.answer", "w1", ports.now) is not None


def test_an_answer_that_waits_for_the_agency_keeps_its_words_and_its_job(ports: Ports) -> None:
    waiting = held(ports)
    for number in range(2, 2 + NEWEST_OF_A_LANE):
        live_through(ports, number)
    ports.clock.advance(2 * KEPT.jobs)
    prune_all(ports)
    assert ports.engine.held_answers.all() == [waiting]
    assert ports.engine.overview.job(waiting.job) is not None
    assert ports.engine.held_answers.take_back(waiting, "amy", "it is wrong", ports.now)
    prune_all(ports)
    assert ports.engine.overview.job(waiting.job) is None


def test_no_step_removes_much(ports: Ports) -> None:
    for number in range(250):
        ports.engine.inbox.take_key(f"mail:amelia:{SCOTT}:{number}", "mail-1", ports.now)
    ports.clock.advance(2 * KEPT.request_keys)
    assert [step for step in prune_all(ports) if step] == [100, 100, 50]
