"""DKIM as RFC 6376 and RFC 8463 write it: the example that the second one prints, and a case for each rule of both."""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime

import nacl.signing
import pytest

from tests.signing import Signer, make_key
from webordinary.mail.identity.signatures import Author, Checked, check_signatures
from webordinary.mail.identity.signed_form import read_signed_form
from webordinary.testing.dns import Zone

DAY = datetime(2026, 3, 2, 12, tzinfo=UTC)
PLAIN = (
    b"From: Joe SixPack <joe@football.example.com>\r\nTo: Suzie Q <suzie@shopping.example.net>\r\n"
    b"Subject: Is dinner ready?\r\nDate: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)\r\n"
    b"Message-ID: <20030712040037.46341.5F8J@football.example.com>\r\n\r\n"
    b"Hi.\r\n\r\nWe lost the game.  Are you hungry yet?\r\n\r\nJoe.\r\n"
)
DOMAIN = "football.example.com"
SIGNER = Signer(DOMAIN, make_key())
SECRET = nacl.signing.SigningKey(bytes(range(32)))
ED25519 = f"v=DKIM1; k=ed25519; p={b64encode(bytes(SECRET.verify_key)).decode()}"


def checked(raw: bytes, zone: Zone, *, domain: str = DOMAIN) -> list[Checked]:
    form = read_signed_form(raw)
    assert form is not None
    return list(check_signatures(form, Author(domain, strict=False, received_at=DAY), zone))


def proves(raw: bytes, record: str = SIGNER.key.record) -> bool:
    return any(each.proves for each in checked(raw, _zone(record)))


def _zone(record: str, name: str = f"s1._domainkey.{DOMAIN}") -> Zone:
    zone = Zone()
    zone.put(name, "TXT", record)
    return zone


def signed(**how: object) -> bytes:
    return SIGNER.sign(PLAIN, made_at=DAY, **how)


# RFC 8463, appendix A: two signatures over one mail, with the keys that are printed there.
RFC_8463_MAIL = b"""\
DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
 date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
""".replace(b"\n", b"\r\n")
RFC_8463_KEYS = {
    "brisbane": "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "test": (
        "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQi"
        "Y/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G"
        "+2kryOTIKT+l/K4w3QIDAQAB"
    ),
}


@pytest.mark.parametrize("selector", RFC_8463_KEYS)
def test_the_example_of_the_standard_is_genuine(selector: str) -> None:
    zone = _zone(RFC_8463_KEYS[selector], f"{selector}._domainkey.{DOMAIN}")
    found = checked(RFC_8463_MAIL, zone)

    assert [each.is_genuine for each in found] == [selector == "brisbane", selector == "test"]
    changed = RFC_8463_MAIL.replace(b"Is dinner ready?", b"Is breakfast ready?")
    assert not any(each.is_genuine for each in checked(changed, zone))


def test_an_ed25519_signature_is_checked() -> None:
    raw = RFC_8463_MAIL.partition(b"From:")[2]
    assert not proves(b"From:" + raw)
    bad = RFC_8463_MAIL.replace(b"/gCrinpcQOoIfuHNQIbq4pgh", b"/gCrinpcQOoIfuHNQIbq4pgi")
    zone = _zone(RFC_8463_KEYS["brisbane"], f"brisbane._domainkey.{DOMAIN}")
    assert not any(each.is_genuine for each in checked(bad, zone))


@pytest.mark.parametrize(
    "also",
    [
        "",
        "; t=s",
        "; h=sha256",
        "; h=sha1:sha256",
        "; s=email",
        "; s=*",
        "; s=other:email",
        "; n=a note",
        "; x=unknown",
    ],
)
def test_a_key_with_what_it_may_say_is_used(also: str) -> None:
    assert proves(signed(), SIGNER.key.record + also)
    assert proves(signed(), SIGNER.key.record.replace("v=DKIM1; k=rsa; ", "") + also)


@pytest.mark.parametrize(
    "also", ["; t=y", "; t=y:s", "; t=s:y", "; h=sha1", "; h=sha512", "; s=tlsrpt", "; s=other", "; h="]
)
def test_a_key_that_is_meant_for_something_else_is_not_used(also: str) -> None:
    assert not proves(signed(), SIGNER.key.record + also)


@pytest.mark.parametrize(
    "record", ["v=DKIM1; p=", "v=DKIM2; ", "v=dkim1; ", "k=ed25519; ", "k=dsa; ", "p=x; p=y; ", "garbage", ED25519]
)
def test_a_key_of_another_kind_or_of_none_is_not_used(record: str) -> None:
    is_whole = "p=" in record
    key = SIGNER.key.record.removeprefix("v=DKIM1; k=rsa; ")
    assert not proves(signed(), record if is_whole else record + key)


def test_an_identity_below_the_domain_counts_unless_the_key_forbids_it() -> None:
    raw = signed(identity="@sub.football.example.com")
    assert proves(raw)
    assert not proves(raw, SIGNER.key.record + "; t=s")
    assert not proves(signed(identity="@example.com"))
    assert not proves(signed(identity="@notfootball.example.com"))


@pytest.mark.parametrize("form", ["simple/simple", "simple/relaxed", "relaxed/simple", "relaxed/relaxed", "relaxed"])
def test_what_each_canonical_form_forgives(form: str) -> None:
    raw = signed(form=form)
    header, _, body = form.partition("/")
    folded = raw.replace(b"Subject: Is dinner", b"SUBJECT:   Is\r\n\tdinner")
    spaced = raw.replace(b"game.  Are", b"game. \t Are  ").replace(b"hungry yet?", b"hungry yet? ")
    longer = raw + b"\r\n\r\n"

    assert proves(raw)
    assert proves(longer)
    assert proves(folded) == (header == "relaxed")
    assert proves(spaced) == (body == "relaxed")


def test_what_was_signed_as_missing_must_not_be_added() -> None:
    names = ("from", "from", "to", "subject", "subject", "date", "cc", "message-id")
    raw = SIGNER.sign(PLAIN, made_at=DAY, names=names, missing=True)
    assert proves(raw)
    for added in (b"Cc: eve@attacker.example\r\n", b"Subject: Delete it\r\n", b"From: eve@attacker.example\r\n"):
        assert not proves(added + raw)
    assert proves(b"X-Added: on the way\r\n" + raw)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"v=1;", b"v=2;"),
        (b"v=1;", b""),
        (b"a=rsa-sha256", b"a=rsa-sha1"),
        (b"a=rsa-sha256", b"a=ed25519-sha256"),
        (b"d=football.example.com", b"d=attacker.example"),
        (b"s=s1", b"s=s2"),
        (b"c=relaxed/relaxed", b"c=simple/relaxed"),
        (b"c=relaxed/relaxed", b"c=nofws"),
        (b"h=from", b"h=sender"),
        (b"; bh=", b"; bh=AA"),
        (b"t=", b"t=x"),
    ],
)
def test_a_signature_whose_own_words_were_changed_is_not_genuine(old: bytes, new: bytes) -> None:
    raw = signed()
    assert old in raw
    assert not proves(raw.replace(old, new, 1))


def test_the_names_of_signed_headers_may_be_in_any_case_and_in_any_order() -> None:
    assert proves(signed(names=("date", "subject", "to", "from")))
    for missing in ("from", "subject", "date"):
        names = [name for name in ("from", "to", "subject", "date") if name != missing]
        assert not proves(signed(names=names))
