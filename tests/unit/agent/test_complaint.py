"""What an agent complained about at its end, as the agency may read it."""

from __future__ import annotations

import pytest

from webordinary.agent.said import read_complaint, with_complaint
from webordinary.child import Finished


def said(text: str) -> Finished:
    return Finished(1, b"", text.encode(errors="surrogateescape"))


def test_the_end_of_the_error_output_is_one_line() -> None:
    assert (
        read_complaint(said("\x1b[31mEACCES\x1b[0m: mkdir '/tmp/x'\n\n  Bun v1\n")) == "EACCES: mkdir '/tmp/x' Bun v1"
    )
    assert with_complaint("it left", said("\n")) == "it left"


def test_it_is_bounded_and_the_end_stays() -> None:
    read = read_complaint(said("a " * 5000 + "the reason"))
    assert len(read) < 600
    assert read.endswith("the reason")


@pytest.mark.parametrize(
    "text",
    [
        "ANTHROPIC_API_KEY=hunter2-hunter2",
        '{"api_key": "hunter2-hunter2"}',
        "authorization: Bearer hunter2-hunter2",
        "Bearer hunter2-hunter2",
        "sk-hunter2-hunter2 is no key",
        "https://user:hunter2-hunter2@example.org/x",
        "ghp_hunter2hunter2 did not work",
        "password : 'hunter2-hunter2'",
        "the value was named-hunter2",
    ],
)
def test_what_is_secret_does_not_stand_in_it(text: str) -> None:
    read = read_complaint(said(f"before {text} behind"), ("named-hunter2", "x"))
    assert "hunter2" not in read
    assert read.startswith("before")
    assert "…" in read


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert read_complaint(Finished(1, b"", b"\xff\x00 broken \x07")) != ""
