"""What every engine promises about mails that were accepted."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.audit.entry import EventType
from webordinary.errors import Refused
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import Vouch

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

RAW = b"From: scott@example.org\r\nSubject: \xff\r\n\r\nwe open at nine\r\n"
ENVELOPE = Envelope(
    "smtp",
    ("amelia@edit.example.com",),
    mail_from="scott@example.org",
    peer="127.0.0.1",
    vouch=Vouch(None, "local"),
    helo="phone.example.org",
    user="scott",
    authserv_id="mx.example.org",
    verdicts={"dmarcVerdict": "PASS"},
)


def test_a_kept_mail_is_read_back_byte_for_byte(ports: Ports) -> None:
    kept = ports.engine.inbox.keep(RAW, ENVELOPE, ports.now)
    assert ports.engine.inbox.read(kept.mail) == RAW
    found = ports.engine.inbox.find(kept.mail)
    assert found is not None
    assert replace(found.envelope, transport_key=None) == ENVELOPE


def test_of_a_mail_about_which_nothing_is_known_nothing_is_made_up(ports: Ports) -> None:
    bare = Envelope("smtp", ("amelia@edit.example.com",))
    found = ports.engine.inbox.find(ports.engine.inbox.keep(RAW, bare, ports.now).mail)
    assert found is not None
    assert replace(found.envelope, transport_key=None) == bare


def test_an_envelope_that_no_store_takes_is_kept_without_what_is_wrong_with_it(ports: Ports) -> None:
    bad = "a\ud800b\x00c"
    envelope = Envelope("smtp", (f"{bad}@edit.example.com",), mail_from=bad, helo=bad, user=bad)
    kept = ports.engine.inbox.keep(RAW, envelope, ports.now)
    assert not ports.engine.inbox.keep(RAW, envelope, ports.now).fresh
    found = ports.engine.inbox.find(kept.mail)
    assert found is not None
    said = (*found.envelope.recipients, found.envelope.mail_from or "", found.envelope.helo, found.envelope.user)
    assert not any(letter in str(text) for text in said for letter in "\ud800\x00")


def test_the_same_delivery_is_kept_once(ports: Ports) -> None:
    first = ports.engine.inbox.keep(RAW, ENVELOPE, ports.now)
    second = ports.engine.inbox.keep(RAW, ENVELOPE, ports.now)
    other = ports.engine.inbox.keep(RAW, Envelope("smtp", ("flora@edit.example.com",)), ports.now)
    assert (second.mail, second.fresh) == (first.mail, False)
    assert other.fresh


def test_a_sender_who_logs_in_delivers_anew_what_was_held_before(ports: Ports) -> None:
    first = ports.engine.inbox.keep(RAW, replace(ENVELOPE, user=None), ports.now)
    second = ports.engine.inbox.keep(RAW, ENVELOPE, ports.now)
    assert second.fresh
    assert second.mail != first.mail


def test_a_delivery_with_a_key_of_its_own_is_known_by_nothing_else(ports: Ports) -> None:
    first = ports.engine.inbox.keep(RAW, replace(ENVELOPE, transport_key="imap:1"), ports.now)
    same = ports.engine.inbox.keep(b"other bytes", replace(ENVELOPE, transport_key="imap:1"), ports.now)
    other = ports.engine.inbox.keep(RAW, replace(ENVELOPE, transport_key="imap:2"), ports.now)
    assert (same.mail, same.fresh) == (first.mail, False)
    assert other.fresh


def test_a_mail_is_undecided_until_it_is_decided_and_then_for_good(ports: Ports) -> None:
    kept = ports.engine.inbox.keep(RAW, ENVELOPE, ports.now)
    ports.clock.advance(timedelta(minutes=1))
    assert [each.id for each in ports.engine.inbox.undecided(ports.now.wall_at)] == [kept.mail]
    assert ports.engine.inbox.decide(kept.mail, Decision(MailOutcome.REFUSED, "a stranger", "eve@x.example"), ports.now)
    assert not ports.engine.inbox.decide(kept.mail, Decision(MailOutcome.QUEUED, ""), ports.now)
    assert list(ports.engine.inbox.undecided(ports.now.wall_at)) == []
    view = ports.engine.overview.mail(kept.mail)
    assert view is not None
    assert (view.outcome, view.reason) == ("refused", "a stranger")
    assert [entry.what for entry in ports.engine.trail.read()] == [EventType.MAIL_RECEIVED, EventType.MAIL_REFUSED]


def test_a_refusal_with_words_is_answered_once(ports: Ports) -> None:
    kept = ports.engine.inbox.keep(RAW, ENVELOPE, ports.now)
    decision = Decision(MailOutcome.REFUSED, "no text", "scott@example.org", answer="refused_empty")
    ports.engine.inbox.decide(kept.mail, decision, ports.now)
    ports.engine.inbox.decide(kept.mail, decision, ports.now)
    letters = ports.engine.outbox.take_due("sender", ports.now)
    assert [(letter.to, letter.words) for letter in letters] == [("scott@example.org", "refused_empty")]


def test_a_file_is_kept_by_its_content(ports: Ports) -> None:
    first = ports.engine.inbox.keep_file(b"a photo")
    assert ports.engine.inbox.keep_file(b"a photo") == first
    assert ports.engine.inbox.keep_file(b"another") != first
    assert ports.engine.inbox.read_file(first) == b"a photo"


def test_a_file_that_is_no_longer_kept_is_a_refusal(ports: Ports) -> None:
    with pytest.raises(Refused, match="no longer kept"):
        ports.engine.inbox.read_file("0" * 64)
