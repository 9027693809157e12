"""Small things that decide who is believed, each found by breaking it: no other test noticed."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING

import pytest

from tests.signing import SIGNED, Signer, make_key
from webordinary.mail.identity.judge import Judge
from webordinary.mail.identity.origin import check_origin, skip_reason
from webordinary.mail.identity.received import AuthResult, told_envelope, trusted_result
from webordinary.mail.inbox import Envelope
from webordinary.mail.mime.parts import read_header_block
from webordinary.mail.parse import parse_message
from webordinary.mail.sender import Sender, Verdict
from webordinary.testing.dns import Zone

if TYPE_CHECKING:
    from email.message import Message as Headers

NOW = datetime.now(UTC).replace(microsecond=0)
OURS = "mx.agency.example"
FROM_OUTSIDE = "Received: from mx.bakery.example (mx.bakery.example [192.0.2.10]) by mx.agency.example with ESMTPS id 1"


def headers(*lines: str) -> Headers:
    return read_header_block(memoryview("\r\n".join([*lines, "From: a@bakery.example", "", ""]).encode())).headers


def said(*results: str) -> AuthResult | None:
    lines = [f"Authentication-Results: {OURS}; {each}" for each in results]
    return trusted_result(headers(*lines, FROM_OUTSIDE), OURS)


DMARC = "dmarc=pass header.from=bakery.example"


@pytest.mark.parametrize(
    ("results", "origin"),
    [
        ([f"spf=pass smtp.mailfrom=a@bakery.example; {DMARC}"], "a@bakery.example"),
        ([DMARC, "spf=pass smtp.mailfrom=a@bakery.example"], "a@bakery.example"),
        ([f"spf=fail smtp.mailfrom=a@bakery.example; {DMARC}"], ""),
        ([f"spf=pass smtp.mailfrom=a@x.example; spf=pass smtp.mailfrom=b@x.example; {DMARC}"], ""),
        (["spf=fail smtp.mailfrom=a@x.example", f"spf=pass smtp.mailfrom=b@x.example; {DMARC}"], ""),
    ],
)
def test_a_return_path_counts_where_the_topmost_word_about_it_is_one_pass(results: list[str], origin: str) -> None:
    assert said(*results) == AuthResult("pass", "bakery.example", origin)


def test_two_words_about_dmarc_in_one_header_say_nothing() -> None:
    assert said(f"{DMARC}; dmarc=fail header.from=bakery.example") == AuthResult("", "")


def test_a_bracket_that_is_escaped_ends_no_comment() -> None:
    assert said(r"spf=none (a \) ; dmarc=fail header.from=bakery.example ); " + DMARC) == AuthResult(
        "pass", "bakery.example", ""
    )


LMTP = Envelope("lmtp", ("amelia@edit.example.com",), "a@bakery.example", helo=OURS)


def test_the_line_of_our_server_tells_where_a_mail_came_from() -> None:
    told = told_envelope(headers(FROM_OUTSIDE), LMTP, (), None, ())
    assert told is not None
    assert (told.door, told.peer, told.mail_from) == ("smtp", "192.0.2.10", "a@bakery.example")


def test_who_logged_in_did_not_come_from_outside() -> None:
    logged_in = Envelope("lmtp", LMTP.recipients, LMTP.mail_from, helo=OURS, user="scott")
    assert told_envelope(headers(FROM_OUTSIDE), logged_in, (), None, ()) is None


def test_a_return_path_above_every_hop_is_that_of_the_envelope() -> None:
    nobody = Envelope("lmtp", LMTP.recipients, None, helo=OURS)
    told = told_envelope(headers("Return-Path: <a@bakery.example>", FROM_OUTSIDE), nobody, (), None, ())
    assert told is not None
    assert told.mail_from == "a@bakery.example"
    twice = headers("Return-Path: <a@bakery.example>", "Return-Path: <b@bakery.example>", FROM_OUTSIDE)
    assert told_envelope(twice, nobody, (), None, ()) is None


@pytest.mark.parametrize("door", ["imap", "lmtp", "hook", "deliver"])
def test_the_peer_of_another_door_is_not_the_senders_server(door: str) -> None:
    reason = skip_reason(Envelope(door, (), "a@bakery.example", "192.0.2.10"), ())
    assert reason == "it did not come straight from its sender's server"


def test_spf_may_ask_how_the_peer_calls_itself() -> None:
    zone = Zone()
    zone.put("bakery.example", "TXT", "v=spf1 exists:%{h}.known.example -all")
    zone.put("mx.bakery.example.known.example", "A", "127.0.0.2")
    envelope = Envelope("smtp", (), "a@bakery.example", "192.0.2.10", helo="mx.bakery.example")
    assert check_origin(envelope, zone).result == "pass"


def judged(envelope: Envelope, *lines: str, author: str = "From: a@bakery.example") -> Sender:
    head = [*lines, author, "Subject: Hours", f"Date: {format_datetime(NOW)}", "Message-ID: <1@phone.example>"]
    raw = "\r\n".join([*head, "", "Open at nine.", ""]).encode()
    return Judge(Zone(), "edit.example.com", authserv_id=OURS).judge(raw, parse_message(raw), envelope, NOW)


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ({"dmarcVerdict": "FAIL"}, Verdict.UNVERIFIED),
        ({"dmarcVerdict": "GRAY", "dmarcPolicy": "REJECT"}, Verdict.UNVERIFIED),
        ({"dmarcVerdict": "FAIL", "dmarcPolicy": "REJECT"}, Verdict.FORGED),
    ],
)
def test_ses_calls_a_mail_forged_only_by_a_policy_that_it_fails(verdicts: dict[str, str], verdict: Verdict) -> None:
    envelope = Envelope("ses", ("amelia@edit.example.com",), "a@bakery.example", verdicts=verdicts)
    assert judged(envelope).verdict is verdict


def test_what_was_found_out_is_kept_as_notes() -> None:
    sender = judged(LMTP, f"Authentication-Results: {OURS}; dmarc=none header.from=bakery.example", FROM_OUTSIDE)
    assert sender.verdict is Verdict.UNVERIFIED
    notes = judged(
        Envelope("imap", (), None, authserv_id=OURS),
        f"Authentication-Results: {OURS}; dmarc=none header.from=bakery.example",
        FROM_OUTSIDE,
    ).reasons
    assert f"{OURS} says of DMARC: none for bakery.example." in notes
    broken = "From: a@bakery.example\r\nno header at all"
    strange = judged(Envelope("deliver", ()), "DKIM-Signature: v=1; d=bakery.example", author=broken).reasons
    assert any("programs could read them differently" in note for note in strange)


@pytest.mark.parametrize(
    ("author", "why"),
    [
        ("From: a@x.example, b@x.example", "The mail names more than one author."),
        ("To: a@x.example", "The mail does not say who it is from."),
    ],
)
def test_a_mail_without_one_author_says_why(author: str, why: str) -> None:
    sender = judged(Envelope("deliver", ()), author=author)
    assert sender.address is None
    assert sender.reasons == (sender.reason,)
    assert sender.reason == why


@pytest.mark.parametrize("protocol", ["ESMTPA", "ESMTPSA", "HTTP", "LMTP"])
def test_a_way_that_no_other_server_takes_tells_nothing_about_the_sender(protocol: str) -> None:
    line = FROM_OUTSIDE.replace("ESMTPS", protocol)
    assert told_envelope(headers(line), LMTP, (), None, (OURS,)) is None


@pytest.mark.parametrize(("letters", "result"), [(63, "pass"), (64, "fail")])
def test_no_name_server_is_asked_about_a_label_that_is_too_long(letters: int, result: str) -> None:
    zone, name = Zone(), f"{'a' * letters}.known.example"
    zone.put("bakery.example", "TXT", f"v=spf1 exists:{name} -all")
    zone.put(name, "A", "127.0.0.2")
    envelope = Envelope("smtp", (), "a@bakery.example", "192.0.2.10", helo="mx.bakery.example")
    assert check_origin(envelope, zone).result == result


def test_a_signed_copy_is_for_us_too() -> None:
    zone, signer = Zone(), Signer("bakery.example", make_key())
    signer.publish(zone)
    us = "amelia@edit.example.com"
    head = ["From: a@bakery.example", "To: else@example.org", f"Cc: {us}", "Subject: Hours"]
    lines = [*head, f"Date: {format_datetime(NOW)}", "Message-ID: <1@phone.example>", "", "Open at nine.", ""]
    raw = signer.sign("\r\n".join(lines).encode(), names=(*SIGNED, "cc"))
    sender = Judge(zone, "edit.example.com").judge(raw, parse_message(raw), Envelope("deliver", (us,)), NOW)
    assert (sender.verdict, sender.recipients) == (Verdict.VERIFIED, (us,))
