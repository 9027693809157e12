"""What every engine promises about a person who wants to be forgotten."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import take, work_off
from tests.contracts.test_what_waits import propose, schedule
from webordinary.audit.entry import Entry, EventType
from webordinary.errors import Refused
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Attached, Ending, Outcome, Request, State
from webordinary.jobs.people import OpenKind, mark_of
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.tallies import TallyLimit
from webordinary.reply.bounces import Bounce
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.rigs.ports import Ports

SCOTT, AMELIA = "scott@example.org", "amelia@example.org"
MARK = mark_of(SCOTT, b"k" * 32)


def live_through(ports: Ports, who: str, words: str, thread: str, photo: bytes) -> str:
    """Let a person ask for something and be answered."""
    engine, now = ports.engine, ports.now
    raw = f"From: {who}\nMessage-ID: <{thread}@phone>\n\n{words}".encode()
    mail = engine.inbox.keep(raw, Envelope("smtp", ("amelia@edit.example.com",), mail_from=who), now).mail
    engine.inbox.take_key(f"mail:amelia:{who}:{thread}", mail, now)
    engine.tallies.note(mail, [TallyLimit(f"sender {who}", 100)], now)
    made = ports.new_job(
        f"amelia#{who.partition('@')[0]}", thread, reply_to=who, dedup_key=f"mail:amelia:{who}:{thread}"
    )
    kept = replace(made, mail=mail, request=Request(words, reply_to=who, message_id=f"{thread}@phone"))
    engine.lanes.accept(kept, now)
    attached = Attached("a.jpg", "image/jpeg", engine.inbox.keep_file(photo))
    engine.lanes.enqueue(kept.id, InterruptRule(), now, attachments=(attached,))
    decision = Decision(MailOutcome.QUEUED, f"{who} asked", who, words[:20], "amelia", kept.id, thread)
    engine.inbox.decide(mail, decision, now)
    claim, job = take(ports)
    job = engine.attempts.journal(claim, job, "edited", {"summary": f"did {words}"}, now)
    engine.attempts.finish(claim, job, Ending(State.DONE, Outcome.PUBLISHED, summary=f"did {words}"), now)
    engine.claims.give_back(claim, now)
    letter = Letter(f"{kept.id}.reply", "reply", who, "done", {"summary": words}, kept.id, mail)
    engine.outbox.add(letter, now)
    taken = engine.outbox.take(letter.key, "w1", now)
    assert taken is not None
    engine.outbox.seal(taken, f"To: {who}\n\nYou wrote: {words}".encode(), f"{kept.id}@edit.example.com", now)
    engine.outbox.mark_sent(taken, now)
    return kept.id


def everything(ports: Ports) -> Iterator[str]:
    """Return all that the ports show."""
    engine = ports.engine
    for job in engine.overview.jobs(limit=1000):
        yield repr(job)
    for mail in engine.overview.mails(limit=1000):
        yield repr(mail)
    for entry in engine.trail.read():
        yield repr(entry)
    for bounce in engine.bounces.all():
        yield repr(bounce)


def test_everything_of_a_person_goes_and_everything_of_others_stays(ports: Ports) -> None:
    engine = ports.engine
    his = live_through(ports, SCOTT, "my secret wish is marzipan", "t1", b"his photo")
    hers = live_through(ports, AMELIA, "please bake rye bread", "t2", b"her photo")
    both = live_through(ports, SCOTT, "and again marzipan", "t3", b"her photo")
    engine.bounces.record(Bounce("x.reply", SCOTT, is_for_good=False, reason="full", bounced_at=ports.now.wall_at))
    told = Entry(EventType.BOUNCES_CLEARED, ports.now.wall_at, facts={"address": "Scott@Example.org", "by": "operator"})
    engine.trail.record(told)
    person = engine.people.find("Scott@example.ORG")
    assert person.ids.jobs == {his, both}
    assert person.ids.threads == {"t1", "t3"}
    assert person.counts["mails"] == 2
    photos = {name: ports.job(job).request.attachments[0].digest for name, job in (("his", his), ("hers", hers))}
    gone = engine.people.forget(SCOTT, MARK, "operator", ports.now)
    assert gone.counts == person.counts
    left = "\n".join(everything(ports)).lower()
    assert SCOTT not in left
    assert "marzipan" not in left
    assert engine.overview.job(his) is None
    assert engine.threads.find("t1") is None
    assert engine.threads.find_by_messages(("t1@phone",)) is None
    assert engine.outbox.written(f"{his}.reply") is None
    with pytest.raises(Refused):
        engine.inbox.read_file(photos["his"])
    for mail in person.ids.mails:
        with pytest.raises(Refused):
            engine.inbox.read(mail)
    assert engine.overview.job(hers) is not None
    assert engine.inbox.read_file(photos["hers"]) == b"her photo"
    assert b"rye bread" in (engine.outbox.written(f"{hers}.reply") or b"")
    assert not engine.people.find(SCOTT).is_known
    assert engine.people.forgotten_at(MARK) == ports.now.wall_at
    assert engine.trail.newest(limit=1)[0].what is EventType.PERSON_FORGOTTEN
    assert engine.people.find(AMELIA).ids.jobs == {hers}


def test_who_only_answered_in_somebody_elses_conversation_takes_no_more_than_that_away(ports: Ports) -> None:
    engine = ports.engine
    hers = live_through(ports, AMELIA, "please bake rye bread", "t2", b"her photo")
    ok = ports.new_job("amelia#amelia", "t2", reply_to=SCOTT)
    engine.lanes.accept(ok, ports.now, ready=InterruptRule())
    work_off(ports)
    person = engine.people.find(SCOTT)
    assert person.ids.jobs == {ok.id}
    assert person.ids.threads == frozenset()
    engine.people.forget(SCOTT, MARK, "operator", ports.now)
    assert engine.overview.job(ok.id) is None
    assert engine.overview.job(hers) is not None
    assert engine.threads.find("t2") is not None


def test_what_is_not_over_keeps_a_person_from_being_forgotten(ports: Ports) -> None:
    engine = ports.engine
    put = propose(ports, thread="t-open")
    plan = schedule(ports, f"{put.id}.revert", timedelta(days=3))
    engine.schedules.add(replace(plan, job=put.id, thread="t-open"), ports.now)
    waiting = ports.queue(thread="t-live", reply_to=SCOTT)
    open_work = {(each.kind, each.id) for each in engine.people.find(SCOTT).open_work}
    assert open_work == {
        (OpenKind.REQUEST, waiting),
        (OpenKind.PROPOSAL, "t-open"),
        (OpenKind.TIMED, f"{put.id}.revert"),
    }
    with pytest.raises(Refused, match="not over yet"):
        engine.people.forget(SCOTT, MARK, "operator", ports.now)
    assert engine.overview.job(waiting) is not None
    assert engine.people.forgotten_at(MARK) is None
