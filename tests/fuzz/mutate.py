"""Changes to mails by chance, each of them repeatable from its number."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKENS = (
    *(
        b"\r\n",
        b"\n\n",
        b"\r",
        b"\0",
        b"\xff",
        b"--outer\r\n",
        b"--inner--",
        b"=?utf-8?b?",
        b"?=",
        b"<",
        b">",
        b'"',
        b"(",
        b")",
    ),
    *(
        b"From: ",
        b"\r\nFrom: eve@attacker.example\r\n",
        b"\r\nContent-Type: ",
        b"multipart/mixed; boundary=",
        b"text/html",
    ),
    *(
        b"message/rfc822",
        b"application/pkcs7-mime",
        b"; charset=utf-16",
        b"; format=flowed",
        b"base64",
        b"quoted-printable",
    ),
    *(
        b"<blockquote type=cite>",
        b"</blockquote>",
        b"<div class=gmail_quote>",
        b"<div id=divRplyFwdMsg>",
        b"<style>",
        b"<!--",
    ),
    *(
        b"\r\n> ",
        b"\r\n-- \r\n",
        b"-----Original Message-----\r\n",
        b"On 3 Nov 2026 at 10:00 x <a@b> wrote:\r\n",
        b"ok\r\n",
    ),
    *("\u202e".encode(), "\U000e0041".encode(), b"\xf0\x9f", b"&#x", b"&amp;", b" " * 100, b"(" * 50, b"a@b, " * 50),
    *(b"DKIM-Signature: v=1; ", b"; l=0", b"; x=1", b"Authentication-Results: mx.example.com; dmarc=pass\r\n", b"b=;"),
)
_LONGEST = 200_000


def mutate(seeds: Sequence[bytes], number: int) -> bytes:
    """Return the mail with this number: one of the seeds, changed in a few places."""
    chance = random.Random(number)  # noqa: S311 - the same mail for the same number
    raw = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 3, 5, 8, 20))):
        _change(raw, chance, seeds)
    return bytes(raw[:_LONGEST])


def _change(raw: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    start = chance.randrange(len(raw) + 1)
    length = chance.choice((0, 1, 2, 8, 40, 200, 2_000))
    piece = bytes(raw[start : start + length])
    match chance.randrange(7):
        case 0:
            del raw[start : start + length]
        case 1:
            raw[start : start + length] = chance.choice(_TOKENS)
        case 2:
            raw[start:start] = piece * chance.choice((1, 2, 50, 2_000))
        case 3:
            raw[start : start + length] = chance.randbytes(length)
        case 4:
            other = chance.choice(seeds)
            cut = chance.randrange(len(other) + 1)
            raw[start : start + length] = other[cut : cut + chance.choice((10, 500, 5_000))]
        case 5:
            raw[start : start + length] = piece[::-1]
        case _:
            raw[start:start] = chance.choice(_TOKENS) * chance.choice((1, 3, 100, 3_000))
    del raw[_LONGEST:]
