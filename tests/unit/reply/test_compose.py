"""Answers: threaded, harmless, and in plain words."""

from __future__ import annotations

import email
import email.policy
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webordinary.errors import Misconfigured, Refused
from webordinary.mail.mime.charset import clean_line
from webordinary.mail.parse import parse_message
from webordinary.mail.words.quoting import MARKER, marker_line
from webordinary.reply.compose import Answer, Picture, compose, reply_subject

ANSWER = Answer(
    kind="answer",
    to="amelia@bakery.example",
    subject="Re: Opening hours",
    text="Done, your change is live.",
    in_reply_to="second@bakery.example",
    references=("first@bakery.example", "second@bakery.example"),
    message_id="<webordinary.job-1.answer@mail.example>",
    from_name="Amelia's bakery",
    from_address="amelia@mail.example",
    written_at=datetime(2026, 11, 3, 9, 0, tzinfo=UTC),
)
OUTLOOK = "AS8PR04MB8756F2C7E6F1B0A9D8C7E5B4A3F29AS8PR04MB8756F2C7E6F1@AS8PR04MB8756.eurprd04.prod.outlook.com"


def test_an_answer_byte_by_byte() -> None:
    assert compose(ANSWER).decode().split("\r\n") == [
        'From: "Amelia\'s bakery" <amelia@mail.example>',
        'Reply-To: "Amelia\'s bakery" <amelia@mail.example>',
        "To: amelia@bakery.example",
        "Subject: Re: Opening hours",
        "Date: Tue, 03 Nov 2026 09:00:00 +0000",
        "Message-ID: <webordinary.job-1.answer@mail.example>",
        "In-Reply-To: <second@bakery.example>",
        "References: <first@bakery.example>",
        " <second@bakery.example>",
        "Auto-Submitted: auto-replied",
        "X-Auto-Response-Suppress: All",
        "X-WebOrdinary-Loop: answer",
        'Content-Type: text/plain; charset="utf-8"',
        "Content-Transfer-Encoding: 7bit",
        "MIME-Version: 1.0",
        "",
        MARKER,
        "",
        "Done, your change is live.",
        "",
    ]


def test_a_provider_that_lets_out_only_its_own_gets_its_own_and_replies_find_the_thread() -> None:
    head = compose(replace(ANSWER, sender="website@provider.example")).decode().split("\r\n")[:2]
    assert head == [
        'From: "Amelia\'s bakery" <website@provider.example>',
        'Reply-To: "Amelia\'s bakery" <amelia@mail.example>',
    ]


def test_a_name_that_fits_stays_one_encoded_word() -> None:
    raw = compose(replace(ANSWER, from_name="Gasthaus Löwen in Tübingen")).decode()
    (line,) = [line for line in raw.split("\r\n") if line.startswith("From: ")]
    assert line.count("=?utf-8?b?") == 1
    assert email.message_from_string(raw, policy=email.policy.default)["From"].addresses[0].display_name == (
        "Gasthaus Löwen in Tübingen"
    )


@pytest.mark.parametrize("name", ["\\", 'Back\\"slash', '"'])
def test_a_name_with_quotes_and_backslashes_is_read_back(name: str) -> None:
    message = parse_message(compose(replace(ANSWER, from_name=name)))
    assert (message.from_name, message.from_address) == (name, "amelia@mail.example")


@pytest.mark.parametrize("letter", ["é", "€", "🥐"])
def test_no_encoded_word_is_longer_than_the_standard_allows(letter: str) -> None:
    raw = compose(replace(ANSWER, from_name=letter * 60, subject="a" + letter * 90)).decode()
    words = [word for line in raw.split("\r\n") for word in line.split() if word.startswith("=?")]
    assert max(map(len, words)) in range(60, 76)
    assert email.message_from_string(raw, policy=email.policy.default)["Subject"] == "a" + letter * 90


def test_long_ids_are_neither_folded_nor_encoded() -> None:
    raw = compose(replace(ANSWER, in_reply_to=OUTLOOK, references=(f"<{OUTLOOK}>",) * 2 + ("x" * 300 + "@y",)))
    assert f"\r\nIn-Reply-To: <{OUTLOOK}>\r\n".encode() in raw
    assert parse_message(raw).references == (OUTLOOK, "x" * 300 + "@y")


def test_an_id_that_cannot_stand_in_a_header_is_left_out() -> None:
    raw = compose(replace(ANSWER, in_reply_to="a b@c", references=("ü@x", "a>\r\nBcc: x@y", "", "good@x")))
    assert b"In-Reply-To" not in raw
    assert parse_message(raw).references == ("good@x",)


def test_the_newest_twenty_references_are_sent() -> None:
    raw = compose(replace(ANSWER, references=tuple(f"{number}@x" for number in range(50)), in_reply_to="49@x"))
    assert parse_message(raw).references == tuple(f"{number}@x" for number in range(30, 50))


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("Opening hours", "Re: Opening hours"),
        ("RE: re: AW: Re[2]: Opening hours", "Re: Opening hours"),
        ("Fwd: Opening hours", "Re: Fwd: Opening hours"),
        ("Regarding: hours", "Re: Regarding: hours"),
        ("", "Re:"),
        ("a\r\nBcc: everyone@x.example", "Re: a Bcc: everyone@x.example"),
        ("Antw: SV: Rif: 回复：Öffnungszeiten", "Re: Öffnungszeiten"),
        ("Re: Re: Re:", "Re:"),
        ("x" * 500, "Re: " + "x" * 196),
    ],
)
def test_their_subject_gets_exactly_one_re(theirs: str, ours: str) -> None:
    assert reply_subject(theirs) == ours
    assert parse_message(compose(replace(ANSWER, subject=reply_subject(theirs)))).subject == ours


def test_our_own_answer_would_never_be_acted_on() -> None:
    assert parse_message(compose(ANSWER)).automatic is not None


def test_an_answer_needs_an_address_on_both_ends() -> None:
    with pytest.raises(Refused):
        compose(replace(ANSWER, to="a@x.example, b@x.example"))
    with pytest.raises(Misconfigured):
        compose(replace(ANSWER, from_address="amelia@"))
    with pytest.raises(Misconfigured):
        compose(replace(ANSWER, message_id="<a b@c>"))


@settings(deadline=None, database=None)
@given(subject=st.text(), name=st.text(), text=st.text(), kind=st.text(), ids=st.lists(st.text(), max_size=3))
def test_nothing_hostile_gets_into_the_headers(subject: str, name: str, text: str, kind: str, ids: list[str]) -> None:
    raw = compose(
        replace(
            ANSWER,
            subject=reply_subject(subject),
            from_name=name,
            text=text,
            kind=kind,
            references=tuple(ids),
            in_reply_to=kind,
        )
    )
    message = parse_message(raw)
    assert message.from_address == "amelia@mail.example"
    assert message.from_name == clean_line(name)[:100].strip()
    assert message.recipients == ("amelia@bakery.example",)
    assert message.subject == reply_subject(subject)
    assert message.text.startswith(MARKER + "\n")
    names = email.message_from_bytes(raw, policy=email.policy.compat32).keys()
    assert len(names) == len(set(names))
    assert set(names) <= set(email.message_from_bytes(compose(ANSWER)).keys())
    assert b"\n" not in raw.replace(b"\r\n", b"")


def test_a_mail_has_its_words_twice_and_its_pictures_inside() -> None:
    picture = Picture("before", "The page before", "png", b"\x89PNG")
    raw = compose(replace(ANSWER, html='<p>Done.</p><img src="cid:before">', pictures=(picture,), language="de"))
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    assert [part.get_content_type() for part in mail.walk()] == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    text, related = mail.iter_parts()
    assert text.get_content().startswith(marker_line("de"))
    assert [part["Content-ID"] for part in related.iter_parts()] == [None, "<before>"]
    assert [defect for part in mail.walk() for defect in part.defects] == []
    assert raw == compose(
        replace(ANSWER, html='<p>Done.</p><img src="cid:before">', pictures=(picture,), language="de")
    )


def test_no_line_on_the_wire_is_longer_than_servers_take() -> None:
    raw = compose(replace(ANSWER, text="word " * 1000, html=f"<p>{'word ' * 1000}</p>", subject="Ü" * 500))
    assert max(map(len, raw.split(b"\r\n"))) <= 998
