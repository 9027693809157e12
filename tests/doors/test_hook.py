"""The HTTP door as providers use it: what they hand in is kept byte for byte, and who shows nothing is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.doors.hooks import (
    MAILGUN,
    SECRET,
    SENDGRID,
    TOKEN,
    Booth,
    mailgun,
    open_booth,
    plain,
    postmark,
    sendgrid,
    signed_sendgrid,
)
from tests.doors.office import AMELIA, DOMAIN, MAIL
from webordinary.audit.entry import EventType
from webordinary.doors.hook_seals import MAILGUN_TRIES_FOR, SENDGRID_TRIES_FOR
from webordinary.doors.smtp_data import normalised
from webordinary.intake import LARGEST_MAIL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PATHS = ("/mail", "/postmark", "/sendgrid")
# What each provider takes as "do not come again".
NEVER = {"/mail": 422, "/mailgun/mime": 406, "/postmark": 403, f"/sendgrid/{SECRET}": 422}
ODD = MAIL + b"\xe9 8bit, \xff\xfe, --xYzZY, a=b&c=%41+\r\n.\r\n--\r\n"


@pytest.fixture
def booth(tmp_path: Path) -> Iterator[Booth]:
    booth = open_booth(tmp_path)
    yield booth
    close(booth)


@pytest.fixture
def signed(tmp_path: Path) -> Iterator[Booth]:
    booth = open_booth(tmp_path, sendgrid_key=SENDGRID)
    yield booth
    close(booth)


def close(booth: Booth) -> None:
    booth.listener.close()
    # Whatever a client did, its place and its memory are given back.
    assert (booth.listener.door.room.inside, booth.listener.door.room.taken) == (0, 0)


def hooks(booth: Booth, raw: bytes = MAIL) -> list[tuple[str, bytes, dict[str, str]]]:
    return [plain(raw), mailgun(raw, booth.now), postmark(raw), sendgrid(raw)]


@pytest.mark.parametrize("make", [plain, postmark, sendgrid])
def test_what_a_provider_hands_in_is_kept_and_decided(booth: Booth, make: Callable[[bytes], Any]) -> None:
    status, words = booth.post(*make(MAIL))
    assert status == 200
    (kept,) = booth.kept()
    assert words == f"accepted as {kept.id}\n"
    assert booth.mails() == [MAIL]
    assert (kept.envelope.door, kept.envelope.recipients) == ("hook", (AMELIA,))
    assert kept.envelope.peer is None
    booth.listener.close()
    assert booth.ports.engine.overview.mails()[0].state == "decided"


@pytest.mark.parametrize("in_parts", [False, True])
def test_what_mailgun_hands_in_is_kept_with_its_envelope(booth: Booth, in_parts: bool) -> None:  # noqa: FBT001 - pytest's
    assert booth.hand_in(mailgun(ODD, booth.now, in_parts=in_parts)) == 200
    (kept,) = booth.kept()
    assert booth.mails() == [ODD]
    assert (kept.envelope.recipients, kept.envelope.mail_from) == ((AMELIA,), "scott@example.org")


def test_no_byte_of_a_mail_is_touched_by_any_form(booth: Booth) -> None:
    for hook in (plain(ODD), sendgrid(ODD)):
        assert booth.hand_in(hook) == 200
    assert set(booth.mails()) == {ODD}


def test_lines_are_ended_as_at_the_other_doors(booth: Booth) -> None:
    assert booth.hand_in(postmark(MAIL.replace(b"\r\n", b"\n"))) == 200
    assert booth.mails() == [MAIL]
    assert booth.hand_in(plain(MAIL + b"a\rb\r\n")) == 422


def test_a_hook_that_comes_again_is_told_yes_and_makes_no_second_mail(booth: Booth) -> None:
    for hook in hooks(booth):
        said = {booth.post(*hook) for _ in range(3)}
        assert {status for status, _ in said} == {200}
        assert len(said) == 1
    assert booth.hand_in(mailgun(MAIL, booth.now, "b" * 50)) == 200
    # One that names the return path and one that does not are two ways of the same mail.
    assert len(booth.mails()) == 2


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "shown",
    ["", "Bearer", "Bearer ", f"Bearer {SECRET}0", f"Bearer {SECRET[:-1]}", f"Bearer {SECRET.upper()}", "Basic ###"],
)
def test_without_the_secret_nothing_is_taken(booth: Booth, path: str, shown: str) -> None:
    status, words = booth.post(path, MAIL, {"Content-Type": "message/rfc822", "Authorization": shown})
    # SendGrid comes again only at 500 and above, and a wrong secret is to be mended without losing a mail.
    assert status == (503 if path == "/sendgrid" else 401)
    assert booth.post(f"{path}/{SECRET[:-1]}x", MAIL)[0] == status
    assert SECRET not in words
    assert booth.mails() == []


@pytest.mark.parametrize("path", ["/mail", "/postmark", "/sendgrid"])
def test_the_secret_may_stand_in_the_address(booth: Booth, path: str) -> None:
    made = {"/mail": plain, "/postmark": postmark, "/sendgrid": sendgrid}[path](MAIL)
    headers = {name: value for name, value in made[2].items() if name != "Authorization"}
    assert booth.post(f"{path}/{SECRET}", made[1], headers)[0] == 200


@pytest.mark.parametrize(
    "change",
    [
        {"key": f"{MAILGUN}x"},
        {"at": timedelta(0) - MAILGUN_TRIES_FOR - timedelta(seconds=5)},
        {"at": timedelta(minutes=11)},
        {"token": "short"},
    ],
)
def test_a_forged_or_old_hook_of_mailgun_is_not_taken(booth: Booth, change: dict[str, Any]) -> None:
    at = booth.now + int(change.pop("at", timedelta(0)).total_seconds())
    assert booth.hand_in(mailgun(MAIL, at, **change)) == 401
    assert booth.mails() == []


def test_mailguns_signature_belongs_to_one_mail(booth: Booth, tmp_path: Path) -> None:
    assert booth.hand_in(mailgun(MAIL, booth.now)) == 200
    other = MAIL.replace(b"nine", b"noon")
    assert booth.hand_in(mailgun(other, booth.now)) == 401
    close(booth)
    # Nor after a restart.
    again = open_booth(tmp_path)
    try:
        assert again.hand_in(mailgun(other, again.now)) == 401
        assert again.hand_in(mailgun(MAIL, again.now)) == 200
        assert again.mails() == [MAIL]
    finally:
        close(again)


def test_what_sendgrid_signs_is_taken_and_nothing_else(signed: Booth) -> None:
    assert signed.hand_in(signed_sendgrid(MAIL, signed.now)) == 200
    assert signed.hand_in(sendgrid(MAIL)) == 503
    assert signed.hand_in(signed_sendgrid(MAIL, signed.now, over=b"another body")) == 503
    old = signed.now - int(SENDGRID_TRIES_FOR.total_seconds()) - 5
    assert signed.hand_in(signed_sendgrid(MAIL, old)) == 503
    path, body, headers = signed_sendgrid(MAIL, signed.now)
    headers = {**headers, "X-Twilio-Email-Event-Webhook-Timestamp": str(signed.now - 1)}
    assert signed.hand_in((path, body, headers)) == 503
    assert signed.mails() == [MAIL]


@pytest.mark.thorough
def test_a_mail_of_thirty_megabytes_is_refused_for_good_and_recorded(booth: Booth) -> None:
    large = MAIL + (b"x" * 998 + b"\r\n") * 30_000
    for path, body, headers in hooks(booth, large):
        assert booth.post(path, body, headers)[0] == NEVER[path]
    assert booth.mails() == []
    refused = [entry for entry in booth.ports.engine.trail.read() if entry.what is EventType.MAIL_REFUSED]
    assert {entry.facts["way"] for entry in refused} >= {"mail", "postmark", "sendgrid"}


@pytest.mark.thorough
def test_the_largest_mail_is_taken(booth: Booth) -> None:
    line = b"x" * 998 + b"\r\n"
    large = MAIL + line * ((LARGEST_MAIL - len(MAIL)) // len(line))
    for path, body, headers in hooks(booth, large):
        assert booth.post(path, body, headers)[0] == 200, path


def test_an_address_that_nobody_has_is_refused_for_good(booth: Booth) -> None:
    unknown = f"flora@{DOMAIN}"
    made = [
        plain(MAIL, unknown),
        mailgun(MAIL, booth.now, to=unknown),
        postmark(MAIL, unknown),
        sendgrid(MAIL, unknown),
    ]
    assert [booth.hand_in(hook) for hook in made] == list(NEVER.values())
    assert booth.mails() == []


def test_an_address_of_the_provider_says_nothing_and_the_mail_itself_does(booth: Booth) -> None:
    assert booth.hand_in(postmark(MAIL, "451d9b70cf9364d23ff6f9d51d870251@inbound.postmarkapp.com")) == 200
    assert booth.kept()[0].envelope.recipients == ()


def test_a_report_that_nobody_may_answer_has_an_empty_return_path(booth: Booth) -> None:
    assert booth.hand_in(plain(MAIL, sender="<>")) == 200
    assert booth.kept()[0].envelope.mail_from == ""
    booth.listener.close()
    assert booth.ports.engine.overview.mails()[0].outcome == "automatic"


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/mail", "text/plain", MAIL),
        ("/postmark", "application/json", b'{"RawEmail": '),
        ("/postmark", "application/json", b"[" * 100_000),
        ("/postmark", "application/json", b'{"TextBody": "We open at nine."}'),
        ("/postmark", "application/json", b'{"RawEmail": 7}'),
        ("/sendgrid", "multipart/form-data; boundary=x", b""),
        ("/sendgrid", "multipart/form-data; boundary=x", b"--x\r\n"),
        (
            "/sendgrid",
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="email"\r\n\r\n',
        ),
        ("/sendgrid", "multipart/form-data; boundary=x", b"--x\r\n\r\n\r\n" * 10_000),
        ("/sendgrid", "multipart/form-data; boundary=x", b"--x--\r\n"),
        ("/sendgrid", "multipart/form-data", b"--x--\r\n"),
        ("/sendgrid", "application/x-www-form-urlencoded", b"&" * 100_000),
        ("/sendgrid", "application/x-www-form-urlencoded", b"text=We+open+at+nine"),
    ],
)
def test_what_is_set_up_wrong_is_not_taken_and_comes_again(booth: Booth, path: str, kind: str, body: bytes) -> None:
    status, words = booth.post(path, body, {"Content-Type": kind, "Authorization": f"Bearer {SECRET}"})
    assert status == (503 if path == "/sendgrid" else 401)
    assert words.strip()
    assert booth.mails() == []


def test_every_byte_survives_the_encoding_of_forms(booth: Booth) -> None:
    raw = MAIL + bytes(range(1, 256)).replace(b"\r", b"") * 3 + b"=\n=3D %41 = =\r\n"
    path, body, headers = mailgun(raw, booth.now)
    assert booth.post(path, body, headers)[0] == 200
    assert booth.mails() == [normalised(raw)]


def test_mailgun_without_raw_mail_is_told_how_to_ask_for_it(booth: Booth) -> None:
    path, body, headers = mailgun(MAIL, booth.now)
    status, words = booth.post(path, body.replace(b"body-mime", b"body-plain"), headers)
    assert status == 401
    assert "must end with mime" in words


def test_without_space_on_the_disk_the_provider_comes_again(tmp_path: Path) -> None:
    booth = open_booth(tmp_path, reserve=2**62)
    try:
        assert {booth.hand_in(hook) for hook in hooks(booth)} == {503}
        assert booth.mails() == []
    finally:
        close(booth)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("HEAD", "/", 404),
        ("POST", "/", 404),
        ("POST", "/mailgun", 404),
        ("POST", "/mailgun/other", 404),
        ("GET", f"/mail/{SECRET}", 405),
        ("POST", "/../etc/passwd", 404),
    ],
)
def test_everything_else_is_not_there(booth: Booth, method: str, path: str, status: int) -> None:
    assert booth.post(path, method=method)[0] == status


def test_a_way_without_its_key_is_closed(tmp_path: Path) -> None:
    booth = open_booth(tmp_path, secret_file=None)
    try:
        made = [booth.hand_in(hook) for hook in hooks(booth)]
        assert made == [404, 200, 404, 404]
    finally:
        close(booth)
    other = open_booth(tmp_path, mailgun_key_file=None)
    try:
        assert other.hand_in(mailgun(MAIL, other.now, TOKEN)) == 404
    finally:
        close(other)
