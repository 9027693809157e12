"""Bodies of every shape: versions, flowed lines, signed and encrypted ones, forwards, and pictures in their place."""

from __future__ import annotations

import base64

import pytest

from webordinary.mail.parse import parse_message

HEAD = b"From: amelia@bakery.example\n"


def multipart(kind: str, *parts: bytes, boundary: str = "b") -> bytes:
    body = b"".join(f"--{boundary}\n".encode() + part + b"\n" for part in parts)
    return f"Content-Type: multipart/{kind}; boundary={boundary}\n\n".encode() + body + f"--{boundary}--\n".encode()


def text(words: str) -> bytes:
    return f"Content-Type: text/plain; charset=utf-8\n\n{words}".encode()


def page(words: str) -> bytes:
    return f"Content-Type: text/html; charset=utf-8\n\n{words}".encode()


def picture(name: str, *, cid: str = "", disposition: str = "inline") -> bytes:
    given = f"Content-ID: <{cid}>\n" if cid else ""
    return f'Content-Type: image/png\n{given}Content-Disposition: {disposition}; filename="{name}"\n\nPNG'.encode()


@pytest.mark.parametrize(
    ("flowed", "lines"),
    [
        ("This line \nis one.\nThis another.", ["This line is one.", "This another."]),
        ("> quoted \n> too\n own ", ["> quoted too", "own"]),
        (" From here\n >not quoted", ["From here", ">not quoted"]),
        ("Bye\n-- \nAmelia", ["Bye", "-- ", "Amelia"]),
        ("> deep \n>> deeper", ["> deep", ">> deeper"]),
    ],
)
def test_lines_that_a_program_broke_are_joined(flowed: str, lines: list[str]) -> None:
    raw = f"Content-Type: text/plain; format=flowed\n\n{flowed}".encode()
    assert parse_message(raw).text.split("\n") == lines


def test_a_break_inside_of_a_word_is_joined_without_a_space() -> None:
    raw = "Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n\n営業時間を \n変更".encode()
    assert parse_message(raw).text == "営業時間を変更"


@pytest.mark.parametrize(
    ("charset", "words"),
    [
        ("cp1251", "Пожалуйста, измените часы работы на девять часов утра"),
        ("gb18030", "请把营业时间改为九点，谢谢你们的帮助"),
        ("cp932", "営業時間を9時に変更してください。よろしくお願いします。"),
        ("cp949", "영업 시간을 9시로 변경해 주세요. 감사합니다"),
        ("cp1253", "Παρακαλώ αλλάξτε το ωράριο λειτουργίας"),
    ],
)
def test_a_charset_that_nobody_named_is_guessed(charset: str, words: str) -> None:
    for declared in ("utf-8", "x-unknown"):
        raw = f"Content-Type: text/plain; charset={declared}\n\n".encode() + words.encode(charset)
        assert parse_message(raw).text == words


def test_utf8_that_claims_to_be_an_old_charset_is_still_utf8() -> None:
    for words, charset in (("Preis: 4,50 €, Grüße", "utf-8"), ("Preis: 4,50 €, Grüße", "cp1252"), ("déjà", "latin-1")):
        raw = b"Content-Type: text/plain; charset=iso-8859-1\n\n" + words.encode(charset)
        assert parse_message(raw).text == words


def test_a_few_lost_bytes_do_not_spoil_the_rest() -> None:
    words = "Die Öffnungszeiten ändern sich: größer, schöner, früher, süßer, täglich für Gäste"
    raw = b"Content-Type: text/plain; charset=utf-8\n\n" + words.encode() + b" \xff"
    assert parse_message(raw).text.startswith(words)


def test_raw_bytes_in_a_subject_are_guessed_too() -> None:
    raw = b"Subject: " + "Часы работы и телефон".encode("cp1251") + b"\n\nx"
    assert parse_message(raw).subject == "Часы работы и телефон"


def test_the_page_counts_where_it_tells_more_than_the_plain_version() -> None:
    plain, quoted = text("New.\n\nOld words"), page("<p>New.</p><div class=yahoo_quoted>Old words</div>")
    assert "> Old words" in parse_message(HEAD + multipart("alternative", plain, quoted)).text
    assert "Old words" not in parse_message(HEAD + multipart("alternative", plain, page("<p>N</p>"))).text.replace(
        "New.\n\nOld words", ""
    )


@pytest.mark.parametrize(
    "raw",
    [
        multipart("mixed", text("We open at nine."), picture("a.png", disposition="attachment")),
        multipart("mixed", picture("a.png", disposition="attachment"), text("We open at nine.")),
        multipart(
            "related", multipart("alternative", text("We open at nine."), boundary="c"), picture("a.png", cid="x")
        ),
        multipart("alternative", multipart("mixed", text("We open at nine."), boundary="c"), picture("a.png", cid="x")),
        multipart("mixed", b"", b"\n", text("We open at nine."), b"Content-Type: image/png; name=a.png\n\nx"),
        multipart("x-unknown", text("We open at nine."), picture("a.png", disposition="attachment")),
        multipart("mixed", page("<p>We open at nine.</p>"), picture("a.png", disposition="attachment")),
        multipart("alternative", text(" "), page("We open at nine."), picture("a.png", cid="x")),
    ],
)
def test_parts_in_any_order_and_kind_give_the_words_and_the_file(raw: bytes) -> None:
    message = parse_message(HEAD + raw)
    assert message.text.strip() == "We open at nine."
    assert [each.name for each in message.attachments] == ["a.png"]


@pytest.mark.parametrize("named", ['boundary="other"', "boundary=", "", 'boundary="' + "x" * 300 + '"'])
def test_a_wrong_boundary_is_replaced_by_the_one_that_is_there(named: str) -> None:
    parts = multipart("mixed", text("We open at nine."), picture("a.png", disposition="attachment"))
    raw = parts.replace(b"boundary=b", named.encode())
    message = parse_message(HEAD + raw)
    assert (message.text, len(message.attachments)) == ("We open at nine.", 1)
    assert len(message.defects) == 1


def test_base64_garbage_is_an_empty_text_and_no_error() -> None:
    raw = b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n\xff\xfe!!!!====\n"
    assert parse_message(raw).text == ""


@pytest.mark.parametrize(
    "words",
    [
        "We open at nine now.",
        "Okay",
        "Perfect!",
        "Bitte die Öffnungszeiten ändern: Montag bis Freitag 9:00 bis 18:00 Uhr.\n\nViele Grüße\nEva",
        "Ajoutez la soupe du jour à 4,50 € s'il vous plaît",
        "Añade por favor: sopa 4,50 €",
        "undo",
    ],
)
@pytest.mark.parametrize("charset", ["utf-8", "", "us-ascii"])
def test_plain_text_that_is_marked_as_base64_is_read_as_it_stands(words: str, charset: str) -> None:
    named = f"; charset={charset}" if charset else ""
    raw = f"Content-Type: text/plain{named}\nContent-Transfer-Encoding: base64\n\n{words}\n".encode()
    assert parse_message(raw).text.strip() == words


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "utf-16", "cp1251", "gb18030", "iso-2022-jp", ""])
def test_what_is_base64_stays_so(charset: str) -> None:
    words = {"cp1251": "Часы работы", "gb18030": "营业时间", "iso-2022-jp": "営業時間"}.get(charset, "Grüße")
    for text_ in (words, f"{words} " * 200):
        encoded = base64.encodebytes(text_.encode(charset or "utf-8"))
        named = f"; charset={charset}".encode() if charset else b""
        raw = b"Content-Type: text/plain" + named + b"\nContent-Transfer-Encoding: base64\n\n" + encoded
        assert parse_message(raw).text.strip() == text_.strip()
        assert words in parse_message(raw.replace(encoded, encoded.replace(b"\n", b" \n ") + b"\n\n")).text


def test_a_few_letters_in_base64_of_a_charset_that_nobody_named_are_still_guessed() -> None:
    words = "Часы работы"
    encoded = base64.encodebytes(words.encode("cp1251"))
    raw = b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + encoded
    assert parse_message(raw).text == words


def test_damaged_base64_is_not_shown_as_words() -> None:
    encoded = base64.encodebytes(("We open at nine now. " * 50).encode())
    raw = b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + encoded[:200] + b"!" + encoded[203:]
    assert encoded[:40].decode() not in parse_message(raw).text


def test_outlooks_own_container_is_named_as_unreadable() -> None:
    raw = multipart("mixed", text("See the file."), b"Content-Type: application/ms-tnef; name=winmail.dat\n\nx")
    message = parse_message(HEAD + raw)
    assert message.text == "See the file."
    assert "winmail.dat" in " ".join(message.unreadable)


@pytest.mark.parametrize(
    "raw",
    [
        multipart(
            "encrypted", b"Content-Type: application/pgp-encrypted\n\nVersion: 1", text("-----BEGIN PGP MESSAGE-----")
        ),
        b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n\nMIAGCSqGSIb3DQEHA6CA",
        text("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----"),
    ],
)
def test_an_encrypted_mail_is_named_as_unreadable(raw: bytes) -> None:
    assert "encrypted" in " ".join(parse_message(HEAD + raw).unreadable)


def test_a_signature_beside_the_mail_is_no_file() -> None:
    for kind in ("pgp-signature", "pkcs7-signature"):
        raw = multipart("signed", text("We open at nine."), f"Content-Type: application/{kind}\n\nMIAG".encode())
        message = parse_message(HEAD + raw)
        assert (message.text, message.attachments) == ("We open at nine.", ())


def test_a_signature_written_into_the_text_is_read_through() -> None:
    signed = (
        "Hello\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nWe open at nine.\n- - bread\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\nBye"
    )
    lines = parse_message(HEAD + text(signed)).text.split("\n")
    assert [line for line in lines if line] == ["Hello", "We open at nine.", "- bread", "Bye"]


def der(tag: int, content: bytes) -> bytes:
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([0x82]) + size.to_bytes(2, "big")
    return bytes([tag]) + length + content


def signed_envelope(mail: bytes, *, streamed: bool) -> bytes:
    """Return an S/MIME envelope around a mail, as one string of bytes or in pieces of unknown length."""
    octets = b"\x24\x80" + der(4, mail[:20]) + der(4, mail[20:]) + b"\0\0" if streamed else der(4, mail)
    inner = der(6, bytes.fromhex("2a864886f70d010701")) + (
        b"\xa0\x80" + octets + b"\0\0" if streamed else der(0xA0, octets)
    )
    signed = der(2, b"\1") + der(0x31, b"") + der(0x30, inner) + der(0x31, b"")
    return der(0x30, der(6, bytes.fromhex("2a864886f70d010702")) + der(0xA0, der(0x30, signed)))


@pytest.mark.parametrize("streamed", [True, False])
def test_a_signed_envelope_is_opened_without_a_key(*, streamed: bool) -> None:
    inside = multipart("mixed", text("We open at nine."), picture("a.png", disposition="attachment"))
    envelope = base64.encodebytes(signed_envelope(inside, streamed=streamed))
    raw = (
        b"Content-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n\n"
        + envelope
    )
    message = parse_message(HEAD + raw)
    assert (message.text, message.unreadable) == ("We open at nine.", ())
    assert [each.name for each in message.attachments] == ["a.png"]


def test_a_mail_that_came_as_a_file_is_kept_apart() -> None:
    inner = b"Content-Type: message/rfc822\n\nFrom: ann@guest.example\nSubject: Praise\n\nBest bread in town.\n"
    message = parse_message(HEAD + multipart("mixed", text("Use this."), inner))
    assert message.text == "Use this."
    assert message.forwarded.split("\n") == ["From: ann@guest.example", "Subject: Praise", "", "Best bread in town."]


def test_pictures_keep_their_place_and_can_be_found_by_it() -> None:
    html = page("<p>Left:</p><img src=cid:one><p>Right:</p><img src=cid:two>")
    raw = multipart("related", html, picture("l.png", cid="one"), picture("r.png", cid="two"))
    message = parse_message(
        HEAD + multipart("mixed", raw.replace(b"boundary=b", b"boundary=c").replace(b"--b", b"--c"))
    )
    assert [line for line in message.text.split("\n") if line] == [
        "Left:",
        "[picture: l.png]",
        "Right:",
        "[picture: r.png]",
    ]
    assert [(each.name, each.content_id, each.disposition) for each in message.attachments] == [
        ("l.png", "one", "inline"),
        ("r.png", "two", "inline"),
    ]


def test_a_picture_between_two_paragraphs_keeps_its_place() -> None:
    message = parse_message(HEAD + multipart("mixed", text("Left:"), picture("l.png"), text("Thanks")))
    assert [line for line in message.text.split("\n") if line] == ["Left:", "[picture: l.png]", "Thanks"]


def test_the_marks_of_plain_text_name_the_same_pictures() -> None:
    plain = text("Left: [cid:one] Right: [image: r.png] and [image: other.png]")
    message = parse_message(HEAD + multipart("mixed", plain, picture("l.png", cid="one"), picture("r.png", cid="two")))
    assert message.text.strip() == "Left: [picture: l.png] Right: [picture: r.png] and [image: other.png]"


def test_a_text_of_too_many_lines_is_read_from_its_beginning() -> None:
    message = parse_message(HEAD + text("x\n" * 100_000))
    assert message.text.count("\n") < 20_000
    assert "too long" in " ".join(message.defects)


@pytest.mark.parametrize("kind", ["text/calendar; method=REQUEST", "text/vcard"])
def test_a_mail_that_is_only_an_invitation_or_a_card_has_no_words(kind: str) -> None:
    raw = f"From: a@b.example\r\nContent-Type: {kind}\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".encode()
    message = parse_message(raw)
    assert message.text.strip() == ""
    assert [each.content_type for each in message.attachments] == [kind.partition(";")[0]]
