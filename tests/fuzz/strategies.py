"""Mails of any structure, for the property-based fuzzer."""

from __future__ import annotations

from hypothesis import strategies as st

_WORDS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "We open at nine.",
            "> quoted",
            "-- ",
            "On 3 Nov 2026 at 10:00, Bakery <a@b.example> wrote:",
            "-----Original Message-----",
            "---------- Forwarded message ---------",
            "From: a <a@b.example>",
            "Sent: 3 Nov 2026 10:00",
            "To: x",
            "ok",
            "^^^ WebOrdinary: reply above this line ^^^",
            "Done, your change is live.",
            "Sent from my iPhone",
            "",
        ]
    ),
)
_LINES = st.lists(_WORDS, max_size=12).map("\r\n".join)
_TAGS = st.sampled_from(
    [
        *(
            "<p>",
            "</p>",
            "<br>",
            "<div>",
            "</div>",
            "<ul><li>",
            "</ul>",
            "<table><tr><td>",
            "</table>",
            "<pre>",
            "</pre>",
        ),
        *(
            "<blockquote type=cite>",
            "</blockquote>",
            "<div class=gmail_quote>",
            "<div class=gmail_attr>",
            "<!--",
            "-->",
        ),
        *(
            "<div style='display:none'>",
            "<span style=color:#fff>",
            "<style>.x{display:none}</style>",
            "<i class=x>",
            "</i>",
        ),
        *(
            "<div id=divRplyFwdMsg>",
            "<div class=yahoo_quoted>",
            "<img src=cid:a>",
            "<a href=https://x.example>",
            "</a>",
            "&#x",
        ),
    ]
)
_PAGE = st.lists(st.one_of(_TAGS, _WORDS), max_size=25).map("".join)
_CHARSETS = st.sampled_from(["utf-8", "iso-8859-1", "utf-16", "utf-7", "x", "", "shift_jis", "us-ascii"])
_VALUES = st.one_of(
    st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace")),
    st.binary(max_size=60),
    st.sampled_from(
        [b"amelia@bakery.example", b"a@b, c@d", b'"a" <b@c>', b"=?utf-8?q?=C3=A4?=", b"<webordinary.a.b@c>", b"<>"]
    ),
)
_HEADERS = st.sampled_from(
    [
        *(b"From", b"To", b"Cc", b"Subject", b"Date", b"Message-ID", b"References", b"In-Reply-To", b"Return-Path"),
        *(
            b"Auto-Submitted",
            b"Precedence",
            b"List-Id",
            b"DKIM-Signature",
            b"Authentication-Results",
            b"Received",
            b"X",
        ),
    ]
)


@st.composite
def _leaf(draw: st.DrawFn) -> bytes:
    kind = draw(st.sampled_from(["text/plain", "text/html", "text/plain; format=flowed", "image/png; name=a.png"]))
    charset = draw(_CHARSETS)
    content = draw(_PAGE if "html" in kind else _LINES)
    encoded = content.encode(draw(st.sampled_from(["utf-8", "utf-16", "cp1252"])), "replace")
    extra = draw(
        st.sampled_from(
            ["", "Content-ID: <a>\r\n", "Content-Disposition: inline\r\n", "Content-Transfer-Encoding: base64\r\n"]
        )
    )
    return f"Content-Type: {kind}; charset={charset}\r\n{extra}\r\n".encode() + encoded


def _joined(kind: str, children: list[bytes], boundary: str, named: str) -> bytes:
    body = b"".join(f"--{boundary}\r\n".encode() + child + b"\r\n" for child in children)
    return f"Content-Type: {kind}; boundary={named}\r\n\r\n".encode() + body + f"--{boundary}--\r\n".encode()


_KINDS = st.sampled_from(
    ["multipart/mixed", "multipart/alternative", "multipart/related", "multipart/signed", "multipart/report"]
)
_BOUNDARIES = st.sampled_from(["b", "c", "-", "b b", ""])
_TREES = st.recursive(
    _leaf(),
    lambda inner: st.one_of(
        st.builds(_joined, _KINDS, st.lists(inner, max_size=4), _BOUNDARIES, _BOUNDARIES),
        inner.map(lambda part: b"Content-Type: message/rfc822\r\n\r\n" + part),
    ),
    max_leaves=8,
)


@st.composite
def mails(draw: st.DrawFn) -> bytes:
    """Return a mail with any headers and any tree of parts."""
    fields = draw(st.lists(st.tuples(_HEADERS, _VALUES), max_size=8))
    head = b"".join(name + b": " + value + b"\r\n" for name, value in fields)
    return b"From: Amelia <amelia@bakery.example>\r\n" * draw(st.integers(0, 1)) + head + draw(_TREES)
