"""Who is believed: the ways in which mail was forged elsewhere, each with its verdict; name servers are a table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from tests.signing import SIGNED, Key, Signer, make_key, public_record
from webordinary.mail.identity.judge import Judge
from webordinary.mail.identity.signatures import MOST_SIGNATURES
from webordinary.mail.inbox import Envelope
from webordinary.mail.parse import parse_message
from webordinary.mail.sender import OPERATOR, Sender, Verdict, Vouch
from webordinary.testing.dns import FAILS, Zone

NOW = datetime.now(UTC).replace(microsecond=0)
DOMAIN = "edit.example.com"
AMELIA = "amelia@bakery.example"
US = f"amelia@{DOMAIN}"
PEER = "192.0.2.10"
VERIFIED, UNVERIFIED, FORGED = Verdict.VERIFIED, Verdict.UNVERIFIED, Verdict.FORGED

BAKERY = Signer("bakery.example", make_key())
ATTACKER = Signer("attacker.example", make_key(number=1))


@pytest.fixture
def zone() -> Zone:
    zone = Zone()
    zone.put("_dmarc.bakery.example", "TXT", "v=DMARC1; p=reject")
    zone.put("bakery.example", "TXT", f"v=spf1 ip4:{PEER} -all")
    zone.put("attacker.example", "TXT", "v=spf1 ip4:198.51.100.66 -all")
    BAKERY.publish(zone)
    ATTACKER.publish(zone)
    return zone


def mail(
    *,
    author: str = f"From: Amelia <{AMELIA}>",
    to: str = US,
    date: datetime = NOW,
    top: str = "",
    text: str = "Please open at nine.",
) -> bytes:
    lines = [
        *([top] if top else []),
        author,
        f"To: {to}",
        "Subject: Opening hours",
        f"Date: {format_datetime(date)}",
        "Message-ID: <1@phone.example>",
        "",
        text,
        "",
    ]
    return "\r\n".join(lines).encode()


def smtp(
    *,
    mail_from: str = AMELIA,
    peer: str = PEER,
    to: tuple[str, ...] = (US,),
    user: str | None = None,
) -> Envelope:
    return Envelope("smtp", to, mail_from, peer, helo="mx.bakery.example", user=user)


FILE = Envelope("deliver", (US,))
FROM_ATTACKER = smtp(mail_from="eve@attacker.example", peer="198.51.100.66")


def judge(
    raw: bytes,
    zone: Zone,
    envelope: Envelope = FILE,
    *,
    relays: tuple[str, ...] = (),
    authserv_id: str | None = None,
) -> Sender:
    return Judge(zone, DOMAIN, relays, authserv_id).judge(raw, parse_message(raw), envelope, NOW)


def test_a_signature_of_the_domain_in_from_proves_the_sender(zone: Zone) -> None:
    sender = judge(BAKERY.sign(mail()), zone)

    assert (sender.verdict, sender.method, sender.address) == (VERIFIED, "dkim", AMELIA)
    assert sender.recipients == (US,)
    assert sender.proves_id


@pytest.mark.parametrize("form", ["simple/simple", "relaxed/simple", "simple/relaxed", "relaxed", "simple"])
def test_every_way_to_write_a_signature_is_understood(zone: Zone, form: str) -> None:
    raw = mail(text="Please \t open   at nine. \r\n\r\n two\r\n\r\n\r\n")

    assert judge(BAKERY.sign(raw, form=form), zone).verdict == VERIFIED


def test_a_mail_file_with_unix_line_ends_is_the_same_mail(zone: Zone) -> None:
    assert judge(BAKERY.sign(mail()).replace(b"\r\n", b"\n"), zone).verdict == VERIFIED


def test_our_own_listener_knows_where_a_mail_came_from(zone: Zone) -> None:
    sender = judge(mail(), zone, smtp())

    assert (sender.verdict, sender.method) == (VERIFIED, "spf")


def test_from_alone_proves_nothing_and_asks_nobody(zone: Zone) -> None:
    sender = judge(mail(), zone)

    assert (sender.verdict, sender.method, sender.is_open) == (UNVERIFIED, "none", False)
    assert zone.asked == []


def test_a_mail_that_nothing_proves_is_forged_where_the_domain_refuses_such_mail(zone: Zone) -> None:
    assert judge(mail(), zone, FROM_ATTACKER).verdict == FORGED
    zone.put("_dmarc.bakery.example", "TXT", "v=DMARC1; p=quarantine")
    assert judge(mail(), zone, FROM_ATTACKER).verdict == FORGED
    zone.put("_dmarc.bakery.example", "TXT", "v=DMARC1; p=none")
    assert judge(mail(), zone, FROM_ATTACKER).verdict == UNVERIFIED
    zone.put("_dmarc.bakery.example", "TXT", "v=spf1 -all")
    assert judge(mail(), zone, FROM_ATTACKER).verdict == UNVERIFIED


@pytest.mark.parametrize(
    "author",
    [
        f"From: {AMELIA}\r\nFrom: eve@attacker.example",
        f"From: eve@attacker.example\r\nFrom: {AMELIA}",
        f"From: {AMELIA}, eve@attacker.example",
        f"From: eve@attacker.example <{AMELIA}>",
        f"From: {AMELIA} <eve@attacker.example>",
        f"From: {AMELIA} (comment) <eve@attacker.example>",
        f"From: <{AMELIA}> <eve@attacker.example>",
        f"From: (<{AMELIA}>) eve@attacker.example",
        "From: ",
        "Sender: nobody@bakery.example",
        "From: amelia@b\u0430kery.example",
    ],
)
def test_a_from_that_programs_could_read_differently_is_nobody(zone: Zone, author: str) -> None:
    raw = mail(author=author)
    for signed in (ATTACKER.sign(raw), BAKERY.sign(raw, names=("to", "subject", "date"))):
        sender = judge(signed, zone, FROM_ATTACKER)
        assert (sender.verdict, sender.address) == (UNVERIFIED, None)


def test_a_name_that_looks_like_another_address_is_only_a_name(zone: Zone) -> None:
    raw = ATTACKER.sign(mail(author=f'From: "{AMELIA}" <eve@attacker.example>'))

    assert judge(raw, zone).address == "eve@attacker.example"


def test_a_look_alike_domain_is_another_domain(zone: Zone) -> None:
    look_alike = Signer("xn--bkery-4nf.example", make_key(number=2)).publish(zone)
    sender = judge(look_alike.sign(mail(author="From: amelia@xn--bkery-4nf.example")), zone)

    assert (sender.verdict, sender.address) == (VERIFIED, "amelia@xn--bkery-4nf.example")


def test_a_return_path_that_only_contains_the_domain_is_not_the_domain(zone: Zone) -> None:
    trick = "bakery.example-evil.attacker.example"
    zone.put(trick, "TXT", "v=spf1 +all")
    for domain in (trick, "bakery.example.attacker.example", "evilbakery.example", "attacker.example"):
        zone.put(domain, "TXT", "v=spf1 +all")
        assert judge(mail(), zone, smtp(mail_from=f"x@{domain}", peer="198.51.100.66")).verdict == FORGED


@pytest.mark.parametrize(
    "mail_from",
    ["x@attacker.example@bakery.example", '"x@bakery.example"@attacker.example', "x@bakery.example>", "bakery.example"],
)
def test_a_return_path_that_is_no_plain_address_proves_nothing(zone: Zone, mail_from: str) -> None:
    assert judge(mail(), zone, smtp(mail_from=mail_from)).verdict == FORGED


def test_what_was_appended_to_a_text_signed_in_part_is_not_believed(zone: Zone) -> None:
    raw = mail()
    body = raw.partition(b"\r\n\r\n")[2]
    signed = BAKERY.sign(raw, length=len(body))

    assert judge(signed, zone).verdict == UNVERIFIED
    sender = judge(signed + b"And delete everything.\r\n", zone)
    assert sender.verdict == UNVERIFIED
    assert any("l=" in reason for reason in sender.reasons)


def test_the_attackers_signature_does_not_stand_for_the_owners_broken_one(zone: Zone) -> None:
    broken = BAKERY.sign(mail()).replace(b"at nine", b"at four")
    both = ATTACKER.sign(broken)

    assert judge(both, zone).verdict == UNVERIFIED
    assert judge(both, zone, FROM_ATTACKER).verdict == FORGED


def test_the_owners_signature_may_stand_second(zone: Zone) -> None:
    assert judge(ATTACKER.sign(BAKERY.sign(mail())), zone).verdict == VERIFIED


def test_the_signatures_of_others_do_not_hide_the_owners(zone: Zone) -> None:
    raw = BAKERY.sign(mail())
    for _ in range(30):
        raw = ATTACKER.header(raw) + raw

    assert judge(raw, zone).verdict == VERIFIED


def test_no_more_signatures_are_checked_than_an_honest_mail_has(zone: Zone) -> None:
    raw = BAKERY.sign(mail())
    broken = BAKERY.header(mail(text="Something else."))

    assert judge(broken * 6 + raw, zone).verdict == VERIFIED
    sender = judge(broken * MOST_SIGNATURES + raw, zone)
    assert sender.verdict == UNVERIFIED
    assert any("too many" in reason for reason in sender.reasons)


def test_a_subdomain_belongs_to_its_owner_unless_the_owner_is_strict(zone: Zone) -> None:
    news = Signer("news.bakery.example", make_key(number=3)).publish(zone)
    assert judge(news.sign(mail()), zone).verdict == VERIFIED
    from_below = mail(author="From: amelia@shop.bakery.example")
    assert judge(BAKERY.sign(from_below), zone).verdict == VERIFIED

    zone.put("_dmarc.bakery.example", "TXT", "v=DMARC1; p=reject; adkim=s; aspf=s")
    zone.put("news.bakery.example", "TXT", f"v=spf1 ip4:{PEER} -all")
    assert judge(news.sign(mail()), zone).verdict == UNVERIFIED
    assert judge(mail(), zone, smtp(mail_from="x@news.bakery.example")).verdict == FORGED
    assert judge(BAKERY.sign(mail()), zone).verdict == VERIFIED


def test_neighbours_under_a_public_suffix_are_strangers(zone: Zone) -> None:
    for suffix in ("co.uk", "github.io", "example"):
        mallory = Signer(f"mallory.{suffix}", make_key(number=4)).publish(zone)
        above = Signer(suffix, make_key(number=4)).publish(zone)
        raw = mail(author=f"From: alice@alice.{suffix}")
        zone.put(f"mallory.{suffix}", "TXT", "v=spf1 +all")
        assert judge(mallory.sign(raw), zone).verdict == UNVERIFIED
        assert judge(above.sign(raw), zone).verdict == UNVERIFIED
        assert judge(raw, zone, smtp(mail_from=f"x@mallory.{suffix}")).verdict == UNVERIFIED


def test_the_policy_for_subdomains_counts_for_subdomains(zone: Zone) -> None:
    zone.put("_dmarc.bakery.example", "TXT", "v=DMARC1; p=none; sp=reject")
    assert judge(mail(), zone, FROM_ATTACKER).verdict == UNVERIFIED
    assert judge(mail(author="From: a@x.bakery.example"), zone, FROM_ATTACKER).verdict == FORGED
    zone.put("_dmarc.x.bakery.example", "TXT", "v=DMARC1; p=none")
    assert judge(mail(author="From: a@x.bakery.example"), zone, FROM_ATTACKER).verdict == UNVERIFIED


def test_an_expired_signature_proves_nothing(zone: Zone) -> None:
    assert judge(BAKERY.sign(mail(), expires_at=NOW + timedelta(hours=1)), zone).verdict == VERIFIED
    sender = judge(BAKERY.sign(mail(), expires_at=NOW - timedelta(minutes=1)), zone)
    assert sender.verdict == UNVERIFIED
    assert any("expired" in reason for reason in sender.reasons)


def test_a_key_of_512_bits_proves_nothing(zone: Zone) -> None:
    weak = Signer("bakery.example", make_key(512), "weak").publish(zone)

    assert judge(weak.sign(mail()), zone).verdict == UNVERIFIED


def test_a_signature_with_sha1_proves_nothing(zone: Zone) -> None:
    assert judge(BAKERY.sign(mail(), algorithm="rsa-sha1"), zone).verdict == UNVERIFIED


@pytest.mark.parametrize("record", ["", "v=DKIM1; p=", "v=DKIM1; k=rsa; p=AAAA", "p=====", "v=DKIM2; p=x", "p=\xff"])
def test_a_key_that_is_missing_revoked_or_broken_proves_nothing(zone: Zone, record: str) -> None:
    zone.put("s1._domainkey.bakery.example", "TXT", record)

    assert judge(BAKERY.sign(mail()), zone).verdict == UNVERIFIED


def test_a_key_that_would_take_long_to_compute_with_is_none(zone: Zone) -> None:
    huge = (1 << 16_000) - 1
    for record in (public_record(huge, 65537), public_record((1 << 4000) - 1, (1 << 3999) + 1)):
        Signer("bakery.example", Key(BAKERY.key.private, record)).publish(zone)
        assert judge(BAKERY.sign(mail()), zone).verdict == UNVERIFIED


def test_an_old_signed_mail_cannot_be_sent_again(zone: Zone) -> None:
    old = BAKERY.sign(mail(date=NOW - timedelta(days=8)))
    sender = judge(old, zone, FROM_ATTACKER)

    assert sender.verdict == UNVERIFIED
    assert any("Date" in reason for reason in sender.reasons)
    assert judge(BAKERY.sign(mail(date=NOW - timedelta(days=6))), zone).verdict == VERIFIED
    assert judge(BAKERY.sign(mail(date=NOW + timedelta(days=2))), zone).verdict == UNVERIFIED


def test_a_mail_that_was_signed_for_somebody_else_cannot_be_sent_to_us(zone: Zone) -> None:
    other = BAKERY.sign(mail(to="friend@elsewhere.example"))

    assert judge(other, zone).verdict == UNVERIFIED
    # Nor can our address be added: a second To stands above the signed one and is not signed.
    for added in (f"To: {US}\r\n", f"Cc: {US}\r\n", f"to : {US}\r\n", f"X-A: a\rTo: {US}\r\n"):
        assert judge(added.encode() + other, zone).verdict == UNVERIFIED


def test_our_address_may_stand_in_a_signed_cc(zone: Zone) -> None:
    raw = mail(to=f"friend@elsewhere.example\r\nCc: {US}")

    assert judge(BAKERY.sign(raw), zone).verdict == VERIFIED
    unsigned_cc = judge(BAKERY.sign(raw, names=[name for name in SIGNED if name != "cc"]), zone)
    assert unsigned_cc.verdict == UNVERIFIED


def test_a_signed_mail_counts_only_for_the_projects_it_was_written_to(zone: Zone) -> None:
    replayed = Envelope("smtp", (f"flora@{DOMAIN}",), "eve@attacker.example", "198.51.100.66")
    sender = judge(BAKERY.sign(mail()), zone, replayed)

    assert (sender.verdict, sender.recipients) == (VERIFIED, (US,))


def test_what_was_written_to_an_address_that_is_forwarded_here_was_written_to_us(zone: Zone) -> None:
    raw = BAKERY.sign(mail(to="Info@bakery.example"))
    forwarded = Judge(zone, DOMAIN, addresses=frozenset({"info@bakery.example"}))
    sender = forwarded.judge(raw, parse_message(raw), FILE, NOW)

    assert (sender.verdict, sender.recipients) == (VERIFIED, None)
    assert judge(raw, zone).verdict == UNVERIFIED


@pytest.mark.parametrize("missing", ["to", "subject", "date"])
def test_a_signature_must_cover_what_we_act_on(zone: Zone, missing: str) -> None:
    names = [name for name in SIGNED if name != missing]

    assert judge(BAKERY.sign(mail(), names=names), zone).verdict == UNVERIFIED


def test_a_message_id_that_nobody_signed_may_have_been_changed_on_the_way(zone: Zone) -> None:
    names = [name for name in SIGNED if name != "message-id"]
    sender = judge(BAKERY.sign(mail(), names=names), zone)

    assert sender.verdict == VERIFIED
    assert not sender.proves_id


def test_a_name_server_that_fails_leaves_the_verdict_open(zone: Zone) -> None:
    zone.put("s1._domainkey.bakery.example", "TXT", FAILS)
    sender = judge(BAKERY.sign(mail()), zone, FROM_ATTACKER)
    assert (sender.verdict, sender.is_open) == (UNVERIFIED, True)

    zone.put("bakery.example", "TXT", FAILS)
    sender = judge(mail(), zone, smtp())
    assert (sender.verdict, sender.is_open) == (UNVERIFIED, True)


def test_a_policy_that_cannot_be_read_takes_only_the_very_same_domain(zone: Zone) -> None:
    zone.put("_dmarc.bakery.example", "TXT", FAILS)
    news = Signer("news.bakery.example", make_key(number=3)).publish(zone)

    assert judge(BAKERY.sign(mail()), zone).verdict == VERIFIED
    sender = judge(news.sign(mail()), zone)
    assert (sender.verdict, sender.is_open) == (UNVERIFIED, True)


def test_one_failing_key_does_not_hide_another_signature(zone: Zone) -> None:
    zone.put("s2._domainkey.bakery.example", "TXT", FAILS)
    second = Signer("bakery.example", make_key(number=5), "s2")

    assert judge(second.sign(BAKERY.sign(mail())), zone).verdict == VERIFIED


def test_behind_a_relay_spf_is_not_asked_and_honest_mail_is_not_forged(zone: Zone) -> None:
    relayed = smtp(peer="203.0.113.5")
    assert judge(mail(), zone, relayed).verdict == FORGED
    assert judge(mail(), zone, relayed, relays=("203.0.113.0/24",)).verdict == UNVERIFIED
    assert judge(BAKERY.sign(mail()), zone, relayed, relays=("203.0.113.0/24",)).verdict == VERIFIED
    for local in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "/run/lmtp.sock"):
        assert judge(mail(), zone, smtp(peer=local)).verdict == UNVERIFIED


def test_somebody_who_logged_in_is_verified_for_their_own_from_only(zone: Zone) -> None:
    own = judge(mail(), zone, smtp(user="Amelia@bakery.example", peer="198.51.100.66"))
    assert (own.verdict, own.method) == (VERIFIED, "login")
    other = judge(mail(), zone, smtp(user="eve@attacker.example"))
    assert other.verdict == UNVERIFIED


def test_the_operators_word_is_named_in_the_record(zone: Zone) -> None:
    sender = judge(mail(), zone, Envelope("deliver", (US,), vouch=Vouch("scott@example.org", OPERATOR)))

    assert (sender.address, sender.method) == ("scott@example.org", "operator")
    assert sender.reasons


TRUSTED = "mx.agency.example"
RESULT = f"Authentication-Results: {TRUSTED}; spf=pass smtp.mailfrom=x@y.example; dmarc=pass header.from=bakery.example"
RECEIVED = f"Received: from mx.bakery.example (mx.bakery.example [192.0.2.10]) by {TRUSTED} with ESMTPS id 1"
INTO_MAILBOX = f"Received: from {TRUSTED} ([127.0.0.1])\r\n\tby imap.agency.example with LMTP\r\n\tid 2"
IMAP = Envelope("imap", (US,), authserv_id=TRUSTED)


def results(*lines: str, zone: Zone, envelope: Envelope = IMAP, **how: object) -> Sender:
    return judge(mail(top="\r\n".join(lines)), zone, envelope, **how)  # type: ignore[arg-type]  # passed on as it came


def test_the_configured_servers_word_above_its_own_received_line_counts(zone: Zone) -> None:
    sender = results(RESULT, RECEIVED, zone=zone)

    assert (sender.verdict, sender.method) == (VERIFIED, "authentication-results")
    assert results(INTO_MAILBOX, RESULT, RECEIVED, zone=zone).verdict == VERIFIED
    other = "Authentication-Results: other.example; dmarc=fail"
    assert results("X-A: b", other, RESULT, RECEIVED, zone=zone).verdict == VERIFIED


def test_a_word_below_the_received_line_anybody_could_have_written(zone: Zone) -> None:
    assert results(RECEIVED, RESULT, zone=zone).verdict == UNVERIFIED
    assert results(RECEIVED, RESULT, RECEIVED, zone=zone).verdict == UNVERIFIED
    assert results(RESULT, zone=zone).verdict == UNVERIFIED
    assert results(RESULT, INTO_MAILBOX, zone=zone).verdict == UNVERIFIED
    fake = f'Received: from x-with-LMTP by {TRUSTED} with ESMTP id 3 for <"a by b with LMTP"@x>'
    assert results(fake, RESULT, RECEIVED, zone=zone).verdict == UNVERIFIED


def test_a_forged_word_below_the_real_one_is_not_read(zone: Zone) -> None:
    real = RESULT.replace("dmarc=pass", "dmarc=fail")

    assert results(real, RESULT, RECEIVED, zone=zone).verdict == FORGED
    assert results(real, RECEIVED, RESULT, zone=zone).verdict == FORGED


@pytest.mark.parametrize(
    "value",
    [
        "other.example; dmarc=pass header.from=bakery.example",
        f"{TRUSTED}.evil.example; dmarc=pass header.from=bakery.example",
        f"evil.{TRUSTED}; dmarc=pass header.from=bakery.example",
        f"{TRUSTED}; dmarc=pass header.from=attacker.example",
        f"{TRUSTED}; dmarc=pass header.from=sub.bakery.example",
        f"{TRUSTED}; dmarc=pass",
        f"{TRUSTED}; dmarc=none header.from=bakery.example",
        f"{TRUSTED}; dkim=pass header.d=bakery.example; spf=pass",
        f"{TRUSTED}; dmarc=fail header.from=bakery.example; dmarc=pass header.from=bakery.example",
        f"{TRUSTED}; dmarc=none (dmarc=pass header.from=bakery.example)",
        f'{TRUSTED}; dmarc=none reason="; dmarc=pass header.from=bakery.example"',
        f'{TRUSTED}; spf=pass smtp.mailfrom="x; dmarc=pass header.from=bakery.example"@y',
        f"({TRUSTED}); dmarc=pass header.from=bakery.example",
        f"{TRUSTED}; none",
        "",
        ";;;;==(((",
    ],
)
def test_every_other_word_proves_nothing(zone: Zone, value: str) -> None:
    assert results(f"Authentication-Results: {value}", RECEIVED, zone=zone).verdict == UNVERIFIED


@pytest.mark.parametrize(
    "value",
    [
        f"{TRUSTED} 1; dmarc=pass (p=REJECT sp=NONE dis=NONE) header.from=bakery.example",
        f"{TRUSTED};\r\n\tdkim=pass (2048-bit key) header.d=x.example;\r\n\tdmarc=pass header.from=Bakery.Example",
        f"{TRUSTED.upper()}; spf=pass smtp.mailfrom=a@b.example; dmarc=pass action=none header.from=bakery.example",
    ],
)
def test_servers_write_their_word_in_many_ways(zone: Zone, value: str) -> None:
    assert results(f"Authentication-Results: {value}", RECEIVED, zone=zone).verdict == VERIFIED


def test_at_our_own_listener_nobody_elses_word_counts_except_a_relays(zone: Zone) -> None:
    direct = Envelope("smtp", (US,), "x@y.example", "203.0.113.5")
    how = {"authserv_id": TRUSTED}
    assert results(RESULT, RECEIVED, zone=zone, envelope=direct, **how).verdict == FORGED
    behind = {**how, "relays": ("203.0.113.5",)}
    assert results(RESULT, RECEIVED, zone=zone, envelope=direct, **behind).verdict == VERIFIED


def test_a_word_about_an_old_mail_or_one_to_somebody_else_is_not_taken(zone: Zone) -> None:
    top = f"{RESULT}\r\n{RECEIVED}"
    assert judge(mail(top=top, date=NOW - timedelta(days=8)), zone, IMAP).verdict == UNVERIFIED
    assert judge(mail(top=top, to="friend@elsewhere.example"), zone, IMAP).verdict == UNVERIFIED


def ses(verdict: str, policy: str = "") -> Envelope:
    return Envelope(
        "ses", (US,), AMELIA, verdicts={"dmarcVerdict": verdict, "dmarcPolicy": policy, "spfVerdict": "PASS"}
    )


def test_the_receipt_of_ses_counts_and_its_headers_do_not(zone: Zone) -> None:
    sender = judge(mail(), zone, ses("PASS"))
    assert (sender.verdict, sender.method) == (VERIFIED, "ses")

    claimed = mail(top="Authentication-Results: amazonses.com; dmarc=pass header.from=bakery.example\r\nX-SES: PASS")
    assert judge(claimed, zone, ses("GRAY"), authserv_id="amazonses.com").verdict == UNVERIFIED


@pytest.mark.parametrize("verdict", ["GRAY", "PROCESSING_FAILED", "", "FAIL"])
def test_every_other_receipt_of_ses_proves_nothing(zone: Zone, verdict: str) -> None:
    assert judge(mail(), zone, ses(verdict)).verdict == UNVERIFIED


def test_ses_says_when_a_mail_is_forged(zone: Zone) -> None:
    assert judge(mail(), zone, ses("FAIL", "reject")).verdict == FORGED
    assert judge(mail(), zone, ses("FAIL", "QUARANTINE")).verdict == FORGED
    assert judge(mail(), zone, ses("FAIL", "none")).verdict == UNVERIFIED


def test_a_receipt_counts_only_at_the_door_of_ses(zone: Zone) -> None:
    envelope = Envelope("deliver", (US,), verdicts={"dmarcVerdict": "PASS"})

    assert judge(mail(), zone, envelope).verdict == UNVERIFIED


def test_the_reasons_tell_the_whole_story(zone: Zone) -> None:
    reasons = " ".join(judge(ATTACKER.sign(mail()), zone, FROM_ATTACKER).reasons)

    for word in ("DKIM of attacker.example", "SPF: pass for attacker.example", "not the domain in From", "reject"):
        assert word in reasons


def test_a_signature_holds_up_to_the_second_in_which_it_expires(zone: Zone) -> None:
    assert judge(BAKERY.sign(mail(), expires_at=NOW), zone).verdict == VERIFIED
    assert judge(BAKERY.sign(mail(), expires_at=NOW - timedelta(seconds=1)), zone).verdict != VERIFIED


@pytest.mark.parametrize(("policy", "asked"), [("reject", "refuse"), ("quarantine", "put aside")])
def test_why_a_mail_counts_as_forged_says_what_its_domain_asks_for(zone: Zone, policy: str, asked: str) -> None:
    zone.put("_dmarc.bakery.example", "TXT", f"v=DMARC1; p={policy}")
    sender = judge(mail(), zone, FROM_ATTACKER)
    assert sender.verdict == FORGED
    assert sender.reason.endswith(f"asks to {asked} such mail.")


def test_a_signature_over_the_lack_of_an_id_proves_no_id(zone: Zone) -> None:
    without = mail().replace(b"Message-ID: <1@phone.example>\r\n", b"")
    sender = judge(BAKERY.sign(without, missing=True), zone)
    assert (sender.verdict, sender.proves_id) == (VERIFIED, False)


@pytest.mark.parametrize(
    ("said", "verdict"),
    [("h=sha1 : sha256; s=other : email", VERIFIED), ("h=sha1", UNVERIFIED), ("s=other", UNVERIFIED)],
)
def test_what_a_key_is_for_is_a_list_with_spaces_in_it(zone: Zone, said: str, verdict: Verdict) -> None:
    zone.put("_dmarc.bakery.example", "TXT", "v=DMARC1; p=none")
    zone.put("s1._domainkey.bakery.example", "TXT", BAKERY.key.record.replace("k=rsa;", f"k=rsa; {said};"))
    assert judge(BAKERY.sign(mail()), zone).verdict == verdict
