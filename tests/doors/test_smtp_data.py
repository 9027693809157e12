"""The reader of mails after DATA: however the bytes come, the mail is the same."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from webordinary.doors.smtp_data import LONGEST_LINE, normalised, problem_with, read_mail

PIECES = [b"\r\n", b".", b"\n", b"\r", b"\r\n.\r\n", b"\r\n..", b"a", b"\x00", b"From: x", b"x" * 40]
LARGEST = 10_000
contents = st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join)


def as_the_standard_says(stream: bytes) -> tuple[bytes, bytes]:
    """Return the mail and what comes after it, line by line as RFC 5321 describes it."""
    mail, rest = b"", stream
    while True:
        line, end, rest = rest.partition(b"\r\n")
        if not end:
            raise AssertionError("no end")
        if line == b".":
            return mail, rest
        mail += line.removeprefix(b".") + b"\r\n"


async def read(stream: bytes, cuts: list[int], limit: int) -> tuple[bytes, str | None, bytes]:
    """Feed the stream in pieces, and return the mail, the refusal and what is left for the next command."""
    reader = asyncio.StreamReader(limit=limit)
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})

    loop = asyncio.get_running_loop()
    pieces = iter([stream[begin:end] for begin, end in pairwise(places)])

    def feed() -> None:
        piece = next(pieces, None)
        if piece is None:
            reader.feed_eof()
            return
        reader.feed_data(piece)
        loop.call_soon(feed)

    loop.call_soon(feed)
    mail, refusal = await read_mail(reader, lambda size: None if size < LARGEST else "552 too large")
    return mail, refusal, await reader.read()


@given(contents, st.lists(st.integers(0, 2000), max_size=6), st.integers(8, 64))
def test_a_mail_is_what_the_standard_says_however_it_is_cut(content: bytes, cuts: list[int], limit: int) -> None:
    stream = content + b"\r\n.\r\nQUIT\r\n"
    mail, rest = as_the_standard_says(stream)

    assert asyncio.run(read(stream, cuts, limit)) == (mail, None, rest)


@given(st.integers(0, 40_000), st.integers(8, 300))
def test_a_mail_that_is_too_large_is_read_to_its_end_and_not_kept(size: int, limit: int) -> None:
    mail, refusal, rest = asyncio.run(read(b"x" * size + b"\r\n.\r\nNOOP\r\n", [size // 2], limit))

    carried = len(b"\r\n") + size + len(b"\r\n.\r\n")
    assert rest == b"NOOP\r\n"
    assert (mail, refusal) == ((b"x" * size + b"\r\n", None) if carried < LARGEST else (b"", "552 too large"))


@given(contents)
def test_after_normalising_every_line_feed_follows_a_carriage_return(content: bytes) -> None:
    mail = normalised(content)

    assert mail.count(b"\n") == mail.count(b"\r\n")
    assert mail.replace(b"\r", b"") == content.replace(b"\r", b"")


@given(st.lists(st.integers(LONGEST_LINE - 3, LONGEST_LINE + 3) | st.integers(0, 200), max_size=5))
def test_long_lines_are_found_wherever_they_are(lengths: list[int]) -> None:
    mail = b"".join(b"x" * length + b"\r\n" for length in lengths)

    assert (problem_with(mail) is not None) == any(length + 2 > LONGEST_LINE for length in lengths)
