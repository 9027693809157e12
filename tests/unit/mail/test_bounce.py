"""Delivery reports: which mail of ours came back from whom, and everything that only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webordinary.mail.bounce import Returned, read_bounce
from webordinary.mail.parse import parse_message

OURS = "webordinary.job-1a2b.answer@edit.example.com"


def report(
    *,
    status: str = "5.1.1",
    action: str = "failed",
    recipient: str = "Final-Recipient: rfc822; scott@example.org",
    returned: str = f"Message-ID: <{OURS}>\r\nSubject: Re: hours\r\n",
    returned_type: str = "message/rfc822",
    kind: str = "multipart/report; report-type=delivery-status",
) -> bytes:
    return (
        "From: MAILER-DAEMON@mx.example.org\r\nTo: re+token@edit.example.com\r\nSubject: Undelivered\r\n"
        f'Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\nContent-Type: {kind}; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nI am sorry.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.org\r\nArrival-Date: Mon, 02 Mar 2026 09:00:00 +0000\r\n\r\n"
        f"{recipient}\r\nAction: {action}\r\nStatus: {status}\r\n"
        "Diagnostic-Code: smtp; 550 5.1.1 <scott@example.org>: no such\r\n user here\r\n\r\n"
        f"--b\r\nContent-Type: {returned_type}\r\n\r\n{returned}\r\n--b--\r\n"
    ).encode()


def test_a_report_names_the_mail_the_address_and_the_reason() -> None:
    expected = Returned(OURS, "scott@example.org", True, "550 5.1.1 <scott@example.org>: no such user here")  # noqa: FBT003 - a field of a value
    assert read_bounce(report()) == (expected,)
    assert read_bounce(report(returned_type="text/rfc822-headers")) == (expected,)
    assert parse_message(report()).automatic is not None


@pytest.mark.parametrize(("status", "for_good"), [("5.1.1", True), ("4.2.2", False), ("nonsense", False)])
def test_only_a_status_of_five_is_for_good(status: str, *, for_good: bool) -> None:
    assert [each.is_for_good for each in read_bounce(report(status=status))] == [for_good]


def test_the_address_that_we_wrote_to_counts_and_not_where_it_was_forwarded() -> None:
    both = "Original-Recipient: rfc822;Scott@example.org\r\nFinal-Recipient: rfc822; somebody@inside.example"
    assert [each.address for each in read_bounce(report(recipient=both))] == ["Scott@example.org"]


@pytest.mark.parametrize(
    "raw",
    [
        report(action="delayed"),
        report(action="delivered", status="2.0.0"),
        report(recipient="Final-Recipient: x400; whatever"),
        report(returned="Subject: no id\r\n"),
        report(kind="multipart/mixed"),
        b"From: a@b.example\r\n\r\nhello",
        b"",
    ],
)
def test_what_is_no_failed_delivery_of_a_named_mail_is_nothing(raw: bytes) -> None:
    assert read_bounce(raw) == ()


def test_several_recipients_are_several_bounces() -> None:
    two = (
        "Final-Recipient: rfc822; a@example.org\r\nAction: failed\r\nStatus: 5.0.0\r\n\r\n"
        "Final-Recipient: rfc822; b@example.org"
    )
    assert [each.address for each in read_bounce(report(recipient=two))] == ["a@example.org", "b@example.org"]


@given(st.binary(max_size=2000), st.integers(0, 800))
def test_a_broken_report_breaks_nothing(noise: bytes, position: int) -> None:
    whole = report()
    read_bounce(whole[:position] + noise + whole[position:])
    read_bounce(whole[:position])
