"""What every engine promises about letters."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.audit.entry import EventType
from webordinary.errors import TryAgain
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

LETTER = Letter("job-1.answer", "answer", "scott@example.org", "published", {"summary": "hours"})


def test_a_letter_is_recorded_once(ports: Ports) -> None:
    assert ports.engine.outbox.add(LETTER, ports.now)
    assert not ports.engine.outbox.add(LETTER, ports.now)
    assert len(ports.engine.outbox.take_due("sender", ports.now)) == 1


def test_two_senders_never_have_the_same_letter(ports: Ports) -> None:
    ports.engine.outbox.add(LETTER, ports.now)
    assert len(ports.engine.outbox.take_due("one", ports.now)) == 1
    assert len(ports.engine.outbox.take_due("two", ports.now)) == 0


def test_a_letter_can_be_taken_by_its_key_the_moment_it_was_recorded(ports: Ports) -> None:
    ports.engine.outbox.add(LETTER, ports.now)
    taken = ports.engine.outbox.take(LETTER.key, "flow", ports.now)
    assert taken is not None
    assert (taken.key, taken.words, taken.tries) == (LETTER.key, LETTER.words, 1)
    assert ports.engine.outbox.take(LETTER.key, "another", ports.now) is None
    assert not ports.engine.outbox.take_due("another", ports.now)
    assert ports.engine.outbox.take("job-2.answer", "flow", ports.now) is None


def test_a_letter_that_was_sent_cannot_be_taken_again(ports: Ports) -> None:
    ports.engine.outbox.add(LETTER, ports.now)
    taken = ports.engine.outbox.take(LETTER.key, "flow", ports.now)
    assert taken is not None
    ports.engine.outbox.mark_sent(taken, ports.now)
    ports.clock.advance(timedelta(minutes=10))
    assert ports.engine.outbox.take(LETTER.key, "flow", ports.now) is None


def test_the_letter_of_a_sender_that_died_is_sent_by_another_with_the_same_text(ports: Ports) -> None:
    ports.engine.outbox.add(LETTER, ports.now)
    (letter,) = ports.engine.outbox.take_due("one", ports.now)
    ports.engine.outbox.seal(letter, b"the bytes", "id@edit.example.com", ports.now)
    ports.clock.advance(timedelta(minutes=10))
    (again,) = ports.engine.outbox.take_due("two", ports.now)
    assert again.sealed == b"the bytes"
    ports.engine.outbox.seal(again, b"other bytes", "id@edit.example.com", ports.now)
    ports.clock.advance(timedelta(minutes=10))
    assert ports.engine.outbox.take_due("two", ports.now)[0].sealed == b"the bytes"


def test_of_two_texts_for_one_letter_only_the_first_is_ever_sent(ports: Ports) -> None:
    ports.engine.outbox.add(LETTER, ports.now)
    (slow,) = ports.engine.outbox.take_due("one", ports.now)
    ports.clock.advance(timedelta(minutes=10))
    (quick,) = ports.engine.outbox.take_due("two", ports.now)
    assert ports.engine.outbox.seal(quick, b"first", "id@edit.example.com", ports.now) == b"first"
    assert ports.engine.outbox.seal(slow, b"second", "id@edit.example.com", ports.now) == b"first"


def test_a_sender_whose_reservation_is_over_cannot_delay_the_letter(ports: Ports) -> None:
    ports.engine.outbox.add(LETTER, ports.now)
    (slow,) = ports.engine.outbox.take_due("one", ports.now)
    ports.clock.advance(timedelta(minutes=10))
    ports.engine.outbox.take_due("two", ports.now)
    ports.engine.outbox.mark_delayed(slow, "the server is away", ports.now)
    ports.clock.advance(timedelta(seconds=60))
    assert len(ports.engine.outbox.take_due("one", ports.now)) == 0


def test_a_sent_letter_is_gone(ports: Ports) -> None:
    ports.engine.outbox.add(LETTER, ports.now)
    (letter,) = ports.engine.outbox.take_due("one", ports.now)
    ports.engine.outbox.deliver(letter, b"the bytes")
    ports.engine.outbox.mark_sent(letter, ports.now)
    ports.clock.advance(timedelta(days=1))
    assert len(ports.engine.outbox.take_due("one", ports.now)) == 0
    assert ports.delivered == [("scott@example.org", b"the bytes")]
    assert ports.engine.trail.read()[-1].what == EventType.ANSWERED


def test_a_letter_that_is_not_taken_is_tried_again_later(ports: Ports) -> None:
    ports.refuse_mail("the server is away")
    ports.engine.outbox.add(LETTER, ports.now)
    (letter,) = ports.engine.outbox.take_due("one", ports.now)
    with pytest.raises(TryAgain):
        ports.engine.outbox.deliver(letter, b"the bytes")
    ports.engine.outbox.mark_delayed(letter, "the server is away", ports.now)
    assert len(ports.engine.outbox.take_due("one", ports.now)) == 0
    ports.clock.advance(timedelta(seconds=11))
    (again,) = ports.engine.outbox.take_due("one", ports.now)
    assert again.tries == 2


def test_a_letter_that_waits_for_a_person_is_tried_every_five_minutes_and_never_given_up(ports: Ports) -> None:
    ports.engine.outbox.add(LETTER, ports.now)
    for _ in range(3):
        (letter,) = ports.engine.outbox.take_due("one", ports.now)
        assert letter.tries == 1
        assert not ports.engine.outbox.mark_delayed(letter, "somebody has to log in", ports.now, counts=False)
        assert len(ports.engine.outbox.take_due("one", ports.now)) == 0
        ports.clock.advance(timedelta(minutes=5, seconds=1))


def test_a_reply_to_our_letter_finds_its_thread(ports: Ports) -> None:
    job = ports.queue(thread="t9", reply_to="scott@example.org")
    ports.engine.outbox.add(Letter(f"{job}.ack", "ack", "scott@example.org", "ack", job=job), ports.now)
    (letter,) = ports.engine.outbox.take_due("one", ports.now)
    ports.engine.outbox.seal(letter, b"bytes", "ours@edit.example.com", ports.now)
    found = ports.engine.threads.find_by_messages(("theirs@phone", "ours@edit.example.com"))
    assert found is not None
    assert (found.id, found.lane.key, found.branch) == ("t9", "amelia#scott", "thread-t9")


def test_a_thread_is_found_by_its_own_first_mail_and_keeps_its_session(ports: Ports) -> None:
    ports.queue(thread="t9")
    found = ports.engine.threads.find_by_messages(("m1@phone",))
    assert found is not None
    assert ports.engine.threads.begin_session(found.id, "session-7") == "session-7"
    assert ports.engine.threads.begin_session(found.id, "session-8") == "session-7"
    again = ports.engine.threads.find("t9")
    assert again is not None
    assert again.session == "session-7"
    assert ports.engine.threads.find_by_messages(("unknown@x",)) is None


def test_a_letter_with_pictures_is_kept_whole_until_it_is_sent(ports: Ports) -> None:
    raw = b"From: us\r\n\r\n" + bytes(range(256)) * 5_000
    picture = ports.engine.inbox.keep_file(b"a picture")
    ports.engine.outbox.add(replace(LETTER, facts={"pictures": f"{picture}\tpng"}), ports.now)
    (letter,) = ports.engine.outbox.take_due("one", ports.now)
    long_after = ports.now.wall_at + timedelta(days=1000)
    ports.engine.inbox.forget_before(long_after)
    assert ports.engine.inbox.read_file(picture) == b"a picture"
    assert ports.engine.outbox.seal(letter, raw, "id@edit.example.com", ports.now) == raw
    ports.engine.inbox.forget_before(long_after)
    assert ports.engine.outbox.seal(letter, b"other bytes", "id@edit.example.com", ports.now) == raw
    ports.clock.advance(timedelta(minutes=10))
    (again,) = ports.engine.outbox.take_due("two", ports.now)
    assert again.sealed == raw
    assert ports.engine.outbox.written(LETTER.key) == raw
