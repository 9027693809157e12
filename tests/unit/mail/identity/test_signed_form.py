"""The form in which a mail is signed: the same as the library's, in linear time and little memory."""

from __future__ import annotations

import hashlib
import tracemalloc

import pytest
from dkim.canonicalization import Relaxed, Simple
from hypothesis import example, given, settings
from hypothesis import strategies as st

from webordinary.mail.identity import signed_form
from webordinary.mail.identity.signed_form import MOST_HEADERS, read_signed_form

MEGABYTE = 1024 * 1024
HEAD = b"From: a@b.example\r\n\r\n"


def body_hash(body: bytes, *, relaxed: bool) -> bytes:
    form = read_signed_form(HEAD + body)
    assert form is not None
    return form.body_hash(relaxed=relaxed)


@settings(deadline=None, database=None, max_examples=400)
@given(st.lists(st.sampled_from([b"a", b" ", b"\t", b"\r\n", b"\n", b"\r", b"word"]), max_size=30), st.integers(1, 9))
@example([], 1)
@example([b"\r\n"], 1)
@example([b" ", b"\r\n"], 1)
@example([b"a", b" ", b"\r\n", b" "], 2)
@example([b" ", b"a"], 1)
def test_the_hash_of_a_body_is_the_librarys(parts: list[bytes], piece: int) -> None:
    body = b"".join(parts)
    lines = body.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(signed_form, "_PIECE", piece)
        assert body_hash(body, relaxed=False) == hashlib.sha256(Simple.canonicalize_body(lines)).digest()
        assert body_hash(body, relaxed=True) == hashlib.sha256(Relaxed.canonicalize_body(lines)).digest()


@pytest.mark.parametrize("part", [b" ", b"\n", b"\r\n", b" \t\r\n", b"ab ", b"a \n", b"A" * 76 + b"\r\n"])
def test_no_body_takes_much_more_memory_than_its_own_size(part: bytes) -> None:
    raw = HEAD + part * (4 * MEGABYTE // len(part))
    form = read_signed_form(raw)
    assert form is not None
    tracemalloc.start()
    form.body_hash(relaxed=True)
    form.body_hash(relaxed=False)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert most < 48 * MEGABYTE


@pytest.mark.parametrize(
    "raw",
    [
        b"From : a@b.example\r\n\r\n",
        b"From: a@b.example\r\nno header\r\n\r\n",
        b" folded: first\r\n\r\n",
        b"Subject: a\rFrom: x@y.example\r\n\r\n",
        b"Subject: a\0\r\n\r\n",
        b"A: b\r\n" * (MOST_HEADERS + 2) + b"\r\n",
        b"A: " + b"b" * 300_000 + b"\r\n\r\n",
        b": empty\r\n\r\n",
    ],
)
def test_headers_that_two_programs_could_read_differently_have_no_signed_form(raw: bytes) -> None:
    assert read_signed_form(raw) is None


def test_a_mail_without_a_body_and_one_from_a_mailbox_file_have_one() -> None:
    for raw in (b"From: a@b.example", b"From: a@b.example\n", b"From a@b Mon\nFrom: a@b.example\n\n"):
        form = read_signed_form(raw)
        assert form is not None
        assert form.headers == ((b"From", b" a@b.example\r\n"),)
        assert bytes(form.body) == b""


def test_folded_lines_stay_as_they_are() -> None:
    form = read_signed_form(b"To: a@b.example,\n\tc@d.example\nFrom: x\n\ntext")
    assert form is not None
    assert form.values(b"to") == [b" a@b.example,\r\n\tc@d.example\r\n"]
