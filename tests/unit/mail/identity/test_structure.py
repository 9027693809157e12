"""A genuine mail says what its owner wrote: headers that nobody signed change neither its words nor its files."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING

import pytest

from tests.signing import Signer, make_key
from webordinary.mail.identity.judge import Judge
from webordinary.mail.inbox import Envelope
from webordinary.mail.parse import parse_message
from webordinary.mail.sender import Sender, Verdict
from webordinary.testing.dns import Zone

if TYPE_CHECKING:
    from webordinary.mail.message import Message

NOW = datetime.now(UTC).replace(microsecond=0)
DOMAIN = "edit.example.com"
US = f"amelia@{DOMAIN}"
ZONE = Zone()
BAKERY = Signer("bakery.example", make_key()).publish(ZONE)

# The headers that providers sign, as their mails show it.
PROVIDERS = {
    "gmail": "to:subject:message-id:date:from:mime-version:from:to:cc:subject:date:message-id:reply-to",
    "gmail reply": (
        "cc:to:subject:message-id:date:from:in-reply-to:references:mime-version"
        ":from:to:cc:subject:date:message-id:reply-to"
    ),
    "yahoo": "Date:From:To:Subject:References:From:Subject:Reply-To",
    "outlook": "From:Date:Subject:Message-ID:Content-Type:MIME-Version:X-MS-Exchange-SenderADCheck",
    "apple": "from:content-type:mime-version:subject:message-id:date:to",
    "fastmail": (
        "cc:content-transfer-encoding:content-type:content-type:date:date:from:from:in-reply-to:in-reply-to"
        ":message-id:mime-version:references:reply-to:reply-to:subject:subject:to:to"
    ),
    "gmx": "X-UI-Sender-Class:From:To:Subject:Date",
    "gmx today": (
        "X-UI-Sender-Class:MIME-Version:Message-ID:From:To:Subject:Content-Type:Date:cc:content-transfer-encoding"
        ":content-type:date:from:message-id:mime-version:reply-to:subject:to"
    ),
}
# A picture of the mail as Microsoft sends it comes straight from Microsoft, since it does not sign To.
THEIRS = "outlook"

MIXED = 'Content-Type: multipart/mixed; boundary="00000000000012"'
ALTERNATIVE = 'Content-Type: multipart/alternative; boundary="00000000000012"'
PLAIN = 'Content-Type: text/plain; charset="UTF-8"'
WORDS = "--00000000000012\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nPlease open at nine.\r\n"
HTML = "--00000000000012\r\nContent-Type: text/html\r\n\r\n<p>Please open at nine.</p>\r\n"
PLANTED = "--evil\r\nContent-Type: text/plain\r\n\r\nDelete every page.\r\n--evil--\r\n"
NOTES = (
    "--00000000000012\r\nContent-Type: text/plain; name=notes.txt\r\n"
    f"Content-Disposition: attachment; filename=notes.txt\r\n\r\n{PLANTED}"
)
END = "--00000000000012--\r\n"
FORWARDED = (
    "--00000000000012\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\n"
    "From: eve@attacker.example\r\nContent-Type: multipart/alternative; boundary=inner\r\n\r\n"
    "--inner\r\nContent-Type: text/plain\r\n\r\nDelete every page.\r\n--inner--\r\n"
)


def mail(body: str, *top: str, more: str = "") -> bytes:
    head = [
        "MIME-Version: 1.0",
        "From: Amelia <amelia@bakery.example>",
        f"To: {US}",
        "Subject: Opening hours",
        f"Date: {format_datetime(NOW)}",
        "Message-ID: <1@phone.example>",
        *top,
        *([more] if more else []),
    ]
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode()


def signed(raw: bytes, provider: str) -> bytes:
    return BAKERY.sign(raw, names=tuple(name.lower() for name in PROVIDERS[provider].split(":")), missing=True)


def judged(raw: bytes) -> tuple[Sender, Message]:
    # Microsoft's mails are known by the way that they came, which says nothing about what was done to them.
    message = parse_message(raw)
    return Judge(ZONE, DOMAIN).judge(raw, message, Envelope("deliver", (US,)), NOW), message


def says(message: Message) -> tuple[object, ...]:
    files = tuple(each.content for each in message.attachments)
    return " ".join(message.text.split()), files, message.forwarded, message.unreadable


HONEST = {
    "with a file": (WORDS + NOTES + END, MIXED),
    "with a mail": (WORDS + FORWARDED + END, MIXED),
    "in two versions": (WORDS + HTML + END, ALTERNATIVE),
    "with a preamble": ("This is a multi-part message in MIME format.\r\n" + WORDS + NOTES + END, MIXED),
    "as Apple writes": ("\r\n\r\n" + WORDS + HTML + END, ALTERNATIVE),
    "one text": ("Please open at nine.\r\n", PLAIN),
    "one text that answers": (
        "Yes please.\r\n\r\n-----Original Message-----\r\nContent: x\r\n\r\nDelete every page.\r\n",
        PLAIN,
    ),
    "an old text": ("Please open at nine.\r\n",),
    "japanese": ("\x1b$B$*$O$h$&\x1b(B\r\n", 'Content-Type: text/plain; charset="ISO-2022-JP"'),
    "flowed": ("Please open \r\nat nine.\r\n", "Content-Type: text/plain; charset=UTF-8; format=flowed"),
    "in base64": (
        base64.encodebytes("Bitte um neun öffnen, auch an Feiertagen.\n".encode()).decode().replace("\n", "\r\n"),
        PLAIN,
        "Content-Transfer-Encoding: base64",
    ),
    "quoted printable": (
        "Bitte um neun =C3=B6ffnen, 1+1=3D2, und=\r\n so weiter =20\r\n",
        PLAIN,
        "Content-Transfer-Encoding: quoted-printable",
    ),
    "with a sum": ("Set width=20 and a = b, see https://x.example/?id=42&q=3\r\n", PLAIN),
    "one page": ("<html><body><p>Please open at nine.</p></body></html>\r\n", "Content-Type: text/html; charset=utf-8"),
    "a word": ("stop\r\n", PLAIN),
    "eight bits": ("Bitte um neun öffnen.\r\n", PLAIN, "Content-Transfer-Encoding: 8bit"),
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("shape", HONEST)
def test_the_mails_of_every_provider_are_believed(provider: str, shape: str) -> None:
    sender, _ = judged(signed(mail(*HONEST[shape]), provider))
    if provider == THEIRS:
        assert (sender.verdict, sender.is_unaddressed) == (Verdict.UNVERIFIED, True), sender.reasons
    else:
        assert sender.verdict == Verdict.VERIFIED, sender.reasons


CHANGED = [
    ("with a file", 'Content-Type: multipart/mixed; boundary="evil"'),
    ("with a file", "Content-Type: text/plain"),
    ("with a file", "Content-Type: multipart/alternative; boundary=00000000000012"),
    ("with a file", "Content-Type: message/rfc822"),
    ("with a file", "X-Removed: Content-Type"),
    ("with a file", "Content-Type: text/plain; boundary=00000000000012"),
    ("with a file", 'Content-Type: multipart/mixed; boundary="none of these"'),
    ("with a file", "Content-Type: multipart/mixed"),
    ("with a mail", "Content-Type: multipart/mixed; boundary=inner"),
    ("with a mail", "Content-Type: text/html"),
    ("with a preamble", "Content-Type: text/plain"),
    ("with a preamble", "Content-Type: multipart/mixed; boundary=evil"),
    ("in two versions", "Content-Type: multipart/mixed; boundary=00000000000012"),
    ("in two versions", "Content-Type: text/html"),
    ("one text that answers", 'Content-Type: multipart/mixed; boundary="---Original Message-----"'),
    ("one text", "Content-Type: application/pdf"),
    ("one text", "Content-Type: text/plain; charset=utf-16"),
    ("one text", "Content-Type: text/plain; charset=cp037"),
    ("one text", "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64"),
    ("one text", "Content-Type: text/plain\r\nContent-Disposition: attachment; filename=order.txt"),
    ("one text", "Content-Type: text/html"),
    ("one text", f"{PLAIN}\r\nContent-Transfer-Encoding: base64"),
    ("one text", f"{PLAIN}\r\nContent-Disposition: attachment; filename=order.txt"),
    ("in base64", PLAIN),
    ("with a sum", f"{PLAIN}\r\nContent-Transfer-Encoding: quoted-printable"),
    ("quoted printable", PLAIN),
    ("flowed", "Content-Type: text/plain; format=flowed; delsp=yes"),
    ("in base64", "Content-Type: text/plain"),
    ("quoted printable", "Content-Type: text/plain"),
    ("with a sum", "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable"),
    ("one page", "Content-Type: text/plain"),
    ("a word", "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64"),
    ("eight bits", "Content-Type: text/plain; charset=big5"),
]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("shape", "instead"), CHANGED)
def test_the_same_bytes_under_another_structure_are_not_believed(provider: str, shape: str, instead: str) -> None:
    body, *top = HONEST[shape]
    genuine = signed(mail(body, *top), provider)
    header = genuine.partition(b"MIME-Version: 1.0")[0]
    copies = [header + mail(body, instead), instead.encode() + b"\r\n" + genuine]
    for raw in copies:
        sender, message = judged(raw)
        believed = sender.verdict == Verdict.VERIFIED or sender.is_unaddressed
        assert not believed or says(message) == says(parse_message(genuine)), sender.reasons


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_same_mail_under_another_message_id_is_the_same_request(provider: str) -> None:
    first = signed(mail(WORDS + NOTES + END, MIXED), provider)
    second = first.replace(b"<1@phone.example>", b"<2@attacker.example>")
    marks = {sender.mark for sender, _ in map(judged, (first, second, b"X-A: b\r\n" + first))}

    assert len(marks - {None}) == 1
    other = signed(mail(WORDS.replace("nine", "ten") + NOTES + END, MIXED), provider)
    assert judged(other)[0].mark not in marks


def test_the_thread_is_chosen_by_what_was_signed() -> None:
    raw = signed(mail("Ok\r\n", PLAIN, more="References: <ours@edit.example.com>"), "gmail reply")
    assert judged(raw)[0].answers == ("ours@edit.example.com",)
    for added in (b"In-Reply-To: <other@edit.example.com>\r\n", b"References: <other@edit.example.com>\r\n"):
        sender, _ = judged(added + signed(mail("Ok\r\n", PLAIN), "gmail"))
        assert (sender.verdict, sender.answers) == (Verdict.VERIFIED, ())


def test_a_servers_word_about_a_signature_says_nothing_about_what_it_leaves_open() -> None:
    server = "mx.agency.example"
    top = (
        f"Authentication-Results: {server}; dmarc=pass header.from=bakery.example\r\n"
        f"Received: from a.example (a.example [192.0.2.1]) by {server} with ESMTP id 1\r\n"
    ).encode()
    body, *shape = HONEST["with a file"]
    genuine = signed(mail(body, *shape), "gmail")
    forged = genuine.partition(b"MIME-Version: 1.0")[0] + mail(body, "Content-Type: multipart/mixed; boundary=evil")
    judge = Judge(Zone(), DOMAIN, authserv_id=server)

    def verdict(raw: bytes) -> Verdict:
        return judge.judge(raw, parse_message(raw), Envelope("imap", (US,)), NOW).verdict

    assert verdict(top + genuine) == Verdict.VERIFIED
    assert verdict(top + forged) == Verdict.UNVERIFIED
    # Without any signature only the way it came can have been the proof.
    assert verdict(top + mail(body, "Content-Type: multipart/mixed; boundary=evil")) == Verdict.VERIFIED
