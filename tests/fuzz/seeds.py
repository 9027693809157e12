"""Mails to begin with: honest ones of every kind, and those that are hard to read on purpose."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tests.clients.instructions import INSTRUCTIONS
from tests.clients.languages import LANGUAGES
from tests.clients.ours import Ours
from tests.clients.programs import PROGRAMS
from tests.fuzz.examine import BAKERY
from webordinary.mail.words.quoting import MARKER

if TYPE_CHECKING:
    from collections.abc import Callable

_HEAD = (
    b"From: amelia@bakery.example\r\nTo: amelia@edit.example.com\r\nSubject: Hours\r\n"
    b"References: <webordinary.a.b@x>\r\n"
)
_OURS = Ours(
    name="Bakery",
    address="amelia@edit.example.com",
    to="amelia@bakery.example",
    subject="Re: Hours",
    message_id="<webordinary.job-1.answer@edit.example.com>",
    references="",
    text=f"{MARKER}\n\nDone, your change is live.\n\nWhich colour should the banner have?\n",
    page=f"<div>{MARKER}</div><h1>Done, your change is live.</h1><p>Which colour should the banner have?</p>",
)
_PARTS = (
    b"Content-Type: multipart/mixed; boundary=outer\r\n\r\n--outer\r\n"
    b"Content-Type: multipart/related; boundary=inner\r\n\r\n--inner\r\nContent-Type: text/html; charset=latin1\r\n\r\n"
    b"<p>Left: <img src=cid:one></p><div style='display:none'>hidden</div>\r\n--inner\r\nContent-Type: image/png\r\n"
    b"Content-ID: <one>\r\nContent-Disposition: inline; filename*=utf-8''B%C3%A4r.png\r\n"
    b"Content-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--inner--\r\n--outer\r\n"
    b"Content-Type: message/rfc822\r\n\r\nFrom: =?utf-8?q?Ann?= <ann@guest.example>\r\n"
    b"Subject: Praise\r\n\r\nBest bread.\r\n--outer--\r\n"
)
_ENVELOPE = (
    b"Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\nMIAGCSqGSIb3DQEHAqCAMIACAQE=\r\n"
)
_FORWARD = (
    b"\r\nSee below.\r\n\r\n---------- Forwarded message ---------\r\nFrom: Ann <ann@guest.example>\r\n"
    b"Date: Tue, 3 Nov 2026 10:00\r\nSubject: Praise\r\nTo: Us\r\n\r\nBest bread.\r\n"
)


@cache
def honest() -> tuple[bytes, ...]:
    """Return replies of every program, signed ones among them, and mails with parts, files and forwards."""
    replies = [
        program(_OURS, INSTRUCTIONS[language][number % 4], LANGUAGES[language])
        for number, (program, language) in enumerate(zip(PROGRAMS.values(), 2 * list(LANGUAGES), strict=False))
    ]
    signed = [BAKERY.sign(_HEAD + b"Date: Tue, 3 Nov 2026 10:00:00 +0000\r\n\r\nWe open at nine.\r\n")]
    return (*replies, *signed, _HEAD + _PARTS, _HEAD + _ENVELOPE, _HEAD + _FORWARD)


def _page(piece: str) -> Callable[[int], bytes]:
    return lambda size: _HEAD + b"Content-Type: text/html\r\n\r\n" + _filled(piece.encode(), size)


def _text(piece: str, options: str = "") -> Callable[[int], bytes]:
    return lambda size: _HEAD + f"Content-Type: text/plain{options}\r\n\r\n".encode() + _filled(piece.encode(), size)


def _field(name: str, piece: bytes) -> Callable[[int], bytes]:
    return lambda size: name.encode() + b": " + _filled(piece, min(size, 65_000)) + b"\r\n" + _HEAD + b"\r\nx"


def _fields(piece: bytes) -> Callable[[int], bytes]:
    return lambda size: _filled(piece, min(size, 250_000) // len(piece) * len(piece)) + _HEAD + b"\r\nx"


def _parts(piece: bytes) -> Callable[[int], bytes]:
    head = _HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    return lambda size: head + b"".join(b"--b\r\n" + piece + b"x" * (size // 199) + b"\r\n" for _ in range(199))


def _encoded(encoding: str, piece: bytes) -> Callable[[int], bytes]:
    return lambda size: _HEAD + f"Content-Transfer-Encoding: {encoding}\r\n\r\n".encode() + _filled(piece, size)


def _signature(piece: bytes) -> Callable[[int], bytes]:
    signed = b"DKIM-Signature: v=1; a=rsa-sha256; d=bakery.example; s=one; c=relaxed/relaxed; h=from:to:subject:date; "
    return lambda size: signed + _filled(piece, min(size, 60_000)) + b"\r\n" + _HEAD + b"\r\n" + b" " * size


def _filled(piece: bytes, size: int) -> bytes:
    return (piece * (size // len(piece) + 1))[:size]


_PAGES = (
    *("<a ", "<!--", "<b>", "<a b='", "<blockquote type=cite>", "&#9", "</p>", "<p>x", "<li>", "<td>", "&amp;", " \n"),
    *("<div style='color:#fff;background:#fff'>x", "<div class=gmail_quote><div class=gmail_attr>---", "<pre>\n\n x"),
    *("<style>.a{display:none}</style>", "<style>a{", "<img src=cid:a>", "<a href='http://x.example/'>y</a>"),
    *("<p class=msonormal>&nbsp;</p>", "<div id=divRplyFwdMsg>", "<font color=white>x</font>", "<x y z=1 w='2'>"),
)
_TEXTS = (
    *(
        "> x\n",
        "\n",
        "a\n",
        " ",
        "-----\n",
        "> > > \n",
        "a@",
        "<a@b",
        ">\n\n",
        "-- \n",
        "x:\n",
        ":",
        "\u200b\n",
        "[cid:a]",
    ),
    *(
        "-----Original Message-----\n",
        "On 3 Nov 2026 at 10:00 a <a@x.example> wrote:\n> x\n",
        "On 3 Nov 2026 at 10:00\n",
    ),
    *("From: a <a@x.example>\nSent: 3 Nov 2026 10:00\nTo: b\n", "---------- Forwarded message ---------\n> x\n"),
    *(f"{MARKER}\n", "Done, your change is live.\n x\n", "Sent from my samsung samsung samsung\n", "http://x.example/"),
    "-----BEGIN PGP SIGNED MESSAGE-----\n",
)
_PIECES = (
    b"(",
    b"<",
    b",",
    b'"',
    b"a@b, ",
    b"<a@b> ",
    b"=?utf-8?q?a?= ",
    b"=?x?q?=ff?= =?y?q?=ff?= ",
    b"; a*0*=x",
    b"\\",
)
_NAMES = (
    "To",
    "From",
    "Subject",
    "References",
    "Content-Type",
    "Date",
    "Message-ID",
    "Authentication-Results",
    "Received",
)

HOSTILE: dict[str, Callable[[int], bytes]] = {
    **{f"page of {piece!r}": _page(piece) for piece in _PAGES},
    **{f"text of {piece!r}": _text(piece) for piece in _TEXTS},
    **{f"{name} of {piece!r}": _field(name, piece) for name in _NAMES for piece in (*_PIECES, b"\xff", b" ", b"=?")},
    **{
        f"headers of {piece!r}": _fields(piece)
        for piece in (
            b"X: y\r\n",
            b"To: a@x.example\r\n",
            b"X: \xff\r\n",
            b"Subject: =?utf-8?q?a?=\r\n",
            b"DKIM-Signature: a\r\n",
        )
    },
    **{
        f"parts of {piece!r}": _parts(piece)
        for piece in (
            b"\r\n",
            b"Content-Type: text/html\r\n\r\n<p>",
            b"Content-Type: message/rfc822\r\n\r\nFrom: x\r\n\r\n",
            b"Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n",
            b"Content-Type: text/plain; charset=x\r\n\r\n\xe4\xf6 a ",
        )
    },
    **{
        f"{encoding} of {piece!r}": _encoded(encoding, piece)
        for encoding, piece in (("base64", b"Pg=a!"), ("quoted-printable", b"= "), ("quoted-printable", b"=3D=\r\n"))
    },
    **{
        f"charset {name}": _text("+AAA-\x1b$B!!~{", f"; charset={name}")
        for name in ("utf-7", "iso-2022-jp", "hz", "gb18030", "utf-16", "utf-32", "big5", "idna", "unicode_escape")
    },
    **{
        f"signature of {piece!r}": _signature(piece) for piece in (b" ", b"b=", b"; ", b"h=a:", b"bh=AAAA; ", b"\r\n\t")
    },
    "flowed lines": _text("> a \n", "; format=flowed; delsp=yes"),
    "one flowed line": _text("a ", "; format=flowed"),
    "signed envelopes": lambda size: (
        _HEAD + b"Content-Type: application/pkcs7-mime\r\n\r\n" + _filled(b"\x30\x80", size)
    ),
    "no boundary": lambda size: (
        _HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + _filled(b"x--b\r\n", size)
    ),
}
