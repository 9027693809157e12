"""The words of a mail, and where its subject counts as the request."""

from __future__ import annotations

import pytest

from webordinary.intake.admit import excerpt
from webordinary.intake.hear import hear
from webordinary.mail.parse import parse_message


def heard(subject: str, text: str) -> str:
    raw = f"From: scott@example.org\r\nSubject: {subject}\r\n\r\n{text}\r\n".encode()
    return hear(parse_message(raw), None).spoken.strip()


@pytest.mark.parametrize(
    ("subject", "text", "spoken"),
    [
        ("Please open at nine now", "", "Please open at nine now"),
        ("Please open at nine now", "Thanks!", "Please open at nine now"),
        ("Please open at nine now", "Close on Monday.", "Close on Monday."),
        ("Hours", "", ""),
        ("Thank you very much", "", ""),
    ],
)
def test_a_subject_is_the_request_only_above_nothing_or_thanks(subject: str, text: str, spoken: str) -> None:
    assert heard(subject, text) == spoken


def test_the_words_of_a_mail_begin_and_end_with_words() -> None:
    raw = b"From: scott@example.org\r\nSubject: Hours\r\n\r\n\r\n  Close on Monday.  \r\n\r\n\r\n"
    assert hear(parse_message(raw), None).text == "Close on Monday."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "…"),
        ("Open at nine.", "Open at nine."),
        ("x" * 1000, "x" * 200 + "…"),
        ("see https://evil.example now", "see … now"),
    ],
)
def test_an_excerpt_is_short_and_leads_nowhere(text: str, shown: str) -> None:
    assert excerpt(text) == shown
