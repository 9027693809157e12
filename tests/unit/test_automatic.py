"""Mail that no person wrote."""

from __future__ import annotations

import email

import pytest

from webordinary.mail.automatic import automatic_reason
from webordinary.mail.parse import parse_message


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-generated; owner=x",
        "X-Autoreply: yes",
        "X-Autorespond: vacation",
        "Precedence: bulk",
        "Precedence: Auto_Reply",
        "List-Id: <news.x.example>",
        "List-Unsubscribe: <mailto:x@x.example>",
        "Return-Path: <>",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "From: Mail Delivery <MAILER-DAEMON@x.example>",
        "From: postmaster@x.example",
        "Subject: Automatic reply: Hours",
        "Subject: =?utf-8?q?R=C3=A9ponse_automatique_=3A?= Re: Hours",
        "Subject: Abwesenheitsnotiz",
        "X-WebOrdinary-Loop: answer",
        "Message-ID: <webordinary.job-1.answer@elsewhere.example>",
    ],
)
def test_no_person_wrote_this(header: str) -> None:
    assert parse_message(f"{header}\nX-Other: x\n\nhello".encode()).automatic is not None


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: no",
        "X-Auto-Response-Suppress: All",
        "Precedence: first-class",
        "Return-Path: <amelia@bakery.example>",
        "From: amelia@bakery.example",
        "Subject: Out of office banner on the first page, please",
        "Subject: Re: Automatic reply: Hours",
        "Message-ID: <webordinary@bakery.example>",
    ],
)
def test_a_person_wrote_this(header: str) -> None:
    assert parse_message(f"{header}\nX-Other: x\n\nhello".encode()).automatic is None


@pytest.mark.parametrize(
    ("envelope_from", "automatic"), [("", True), ("<>", True), ("a@x.example", False), (None, False)]
)
def test_a_bounce_has_no_sender_on_its_envelope(envelope_from: str | None, *, automatic: bool) -> None:
    headers = email.message_from_string("From: a@x.example\n\n")
    assert (automatic_reason(headers, envelope_from) is not None) == automatic
    assert (parse_message(b"From: a@x.example\n\n", envelope_from=envelope_from).automatic is not None) == automatic
