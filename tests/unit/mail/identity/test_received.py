"""Received lines are read by their grammar: what a client said about itself never counts for what a server wrote."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from webordinary.mail.identity.domain import domain_of
from webordinary.mail.identity.judge import Judge
from webordinary.mail.identity.received import is_one_of, read_hop
from webordinary.mail.inbox import Envelope
from webordinary.mail.parse import parse_message
from webordinary.mail.sender import Verdict
from webordinary.testing.dns import Zone

NOW = datetime.now(UTC).replace(microsecond=0)
DOMAIN = "edit.example.com"
US = f"amelia@{DOMAIN}"
TRUSTED = "mx.agency.example"
RESULT = f"Authentication-Results: {TRUSTED}; dmarc=pass header.from=bakery.example"
BELOW = f"Received: from mx.bakery.example (mx.bakery.example [192.0.2.10]) by {TRUSTED} (Postfix) with ESMTPS id 1"
LMTP = Envelope("lmtp", (US,), "eve@attacker.example", helo=TRUSTED, authserv_id=TRUSTED)
# All that Python takes for a space and Postfix for a letter.
SPACES = ["\u00a0", "\u1680", "\u2003", "\u2028", "\u202f", "\u205f", "\u3000", "\x85", "\x1c", "\x0b"]


def verdict(*lines: str, hosts: tuple[str, ...] = (), envelope: Envelope = LMTP, zone: Zone | None = None) -> Verdict:
    head = [
        *lines,
        "From: amelia@bakery.example",
        f"To: {US}",
        "Subject: Hours",
        f"Date: {format_datetime(NOW)}",
        "Message-ID: <1@phone.example>",
    ]
    raw = "\r\n".join([*head, "", "Close the shop.", ""]).encode()
    judge = Judge(zone or Zone(), DOMAIN, authserv_id=TRUSTED, hosts=hosts)
    return judge.judge(raw, parse_message(raw), envelope, NOW).verdict


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("claim", ["x by y with LMTP", f"x by {TRUSTED} with LMTP", f"from x by {TRUSTED} with LMTP"])
def test_a_client_cannot_name_itself_a_hop_of_ours(space: str, claim: str) -> None:
    name = claim.replace(" ", space)
    rest = f"\r\n\tby {TRUSTED} (Postfix) with ESMTP id 4Cx\r\n\tfor <{US}>; {format_datetime(NOW)}"
    entry = f"Received: from {name} (unknown [198.51.100.66]){rest}"

    assert verdict(entry, RESULT, BELOW) == Verdict.UNVERIFIED


@pytest.mark.parametrize(
    "client",
    [
        f"x by {TRUSTED} with LMTP (",
        f"(x) by {TRUSTED} with LMTP",
        f"x (a) by {TRUSTED} with LMTP (",
        f"x (a\\) by {TRUSTED} with LMTP (",
        f'"x" by {TRUSTED} with LMTP (',
        f"x\tby\t{TRUSTED}\twith\tLMTP",
        f"[x] by {TRUSTED} with LMTP",
        "",
    ],
)
def test_what_is_no_name_of_a_host_ends_the_reading(client: str) -> None:
    entry = f"Received: from {client} (unknown [198.51.100.66]) by {TRUSTED} (Postfix) with ESMTP id 4Cx"

    assert verdict(entry, RESULT, BELOW) == Verdict.UNVERIFIED


INTO_MAILBOX = "Received: from mx.agency.example ([127.0.0.1])\r\n\tby {by} with {protocol}\r\n\tid 2 for <a@b>; {date}"


@pytest.mark.parametrize("protocol", ["LMTP", "lmtp", "LMTPS", "LMTPA"])
@pytest.mark.parametrize("by", [TRUSTED, "imap.agency.example", "MX.agency.example", "agency.example"])
def test_the_last_hop_into_a_mailbox_of_the_same_owner_is_skipped(by: str, protocol: str) -> None:
    hop = INTO_MAILBOX.format(by=by, protocol=protocol, date=format_datetime(NOW))

    assert verdict(hop, RESULT, BELOW) == Verdict.VERIFIED


def test_the_hop_of_another_host_is_skipped_only_if_it_is_named() -> None:
    for by in ("store.internal", "imap.agency.example.attacker.example", "xagency.example", "localhost"):
        hop = INTO_MAILBOX.format(by=by, protocol="LMTP", date="")
        assert verdict(hop, RESULT, BELOW) == Verdict.UNVERIFIED
        assert verdict(hop, RESULT, BELOW, hosts=("Store.internal", by)) == Verdict.VERIFIED


@pytest.mark.parametrize("protocol", ["ESMTP", "LMTPX", "LMTP-x", "SMTP", ""])
def test_only_the_last_hop_into_a_mailbox_is_skipped(protocol: str) -> None:
    hop = INTO_MAILBOX.format(by=TRUSTED, protocol=protocol, date="")

    assert verdict(hop, RESULT, BELOW) == Verdict.UNVERIFIED


def test_a_filter_that_says_nothing_of_dmarc_does_not_hide_one_that_does() -> None:
    signatures = f"Authentication-Results: {TRUSTED}; dkim=pass header.d=bakery.example"
    refused = RESULT.replace("pass", "fail")

    assert verdict(signatures, RESULT, BELOW) == Verdict.VERIFIED
    assert verdict(refused, RESULT, BELOW) == Verdict.UNVERIFIED


@pytest.mark.parametrize("space", SPACES[:7])
def test_a_space_that_is_none_divides_nothing_in_a_servers_word(space: str) -> None:
    says = f"spf=fail smtp.mailfrom=x;{space}dmarc=pass{space}header.from=bakery.example"
    word = f"Authentication-Results: {TRUSTED}; {says}"

    assert verdict(word, BELOW) == Verdict.UNVERIFIED


@pytest.mark.parametrize(
    ("value", "client", "address", "by", "protocol"),
    [
        (
            "from a.example (b.example [192.0.2.1])\r\n\tby mx.example (Postfix) with ESMTP id 1\r\n\tfor <a@b>; Mon",
            "a.example",
            "192.0.2.1",
            "mx.example",
            "ESMTP",
        ),
        (
            "from a (unknown [IPv6:2001:db8::1]) (TLSv1.3 (256/256 bits)) (No) by mx.example with ESMTPS id 1; Mon",
            "a",
            "2001:db8::1",
            "mx.example",
            "ESMTPS",
        ),
        (
            "FROM [192.0.2.9] ([192.0.2.1]) BY mx.example WITH UTF8SMTP ID x",
            "[192.0.2.9]",
            "192.0.2.1",
            "mx.example",
            "UTF8SMTP",
        ),
        ("from a (helo=b) by mx.example with esmtp (Exim 4.96) id 1", "a", None, "mx.example", "ESMTP"),
        ("from a by mx.example via TCP with SMTP; Mon", "a", None, "mx.example", "SMTP"),
        ("from a (x [192.0.2.1] helo=[192.0.2.7]) by mx.example with SMTP", "a", None, "mx.example", "SMTP"),
        ("from a (b [1.2.3.4.5]) by mx.example with SMTP", "a", None, "mx.example", "SMTP"),
    ],
)
def test_a_line_of_the_usual_servers_is_understood(
    value: str, client: str, address: str | None, by: str, protocol: str
) -> None:
    hop = read_hop(value)

    assert hop is not None
    assert (hop.client, hop.address, hop.by, hop.protocol) == (client, address, by, protocol)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "by mx.example with LMTP",
        "(from a by b with LMTP)",
        "from a b by mx.example with LMTP",
        "from a (b by mx.example with LMTP",
        "from a (b)) by mx.example with LMTP",
        "from a\u00a0by mx.example with LMTP",
        "from a by mx.example; with LMTP",
        "from \u0430 by mx.example with LMTP",
        "from " + "(" * 50_000,
        "from a " + "(x) " * 50_000,
        "from a by mx.example " + "(x) " * 50_000 + "with LMTP",
    ],
)
def test_every_other_line_is_no_hop(value: str) -> None:
    assert read_hop(value) is None


def test_the_mark_of_a_comment_cannot_be_written_by_anybody() -> None:
    assert read_hop(f"from x (y [192.0.2.10]) by {TRUSTED} with LMTP") is not None
    assert read_hop(f"from x \0 by {TRUSTED} with LMTP") is None


@pytest.mark.parametrize(
    ("host", "hosts", "server", "is_one"),
    [
        ("MX.Agency.example.", ("mx.agency.EXAMPLE",), None, True),
        ("mx2.agency.example", (), "MX1.Agency.Example", True),
        ("mx.elsewhere.example", (), "mx1.agency.example", False),
        ("localhost", (), "LOCALHOST", True),
        ("localhost", (), "otherhost", False),
        ("mx.agency.example", (), None, False),
    ],
)
def test_a_host_is_known_however_it_is_written(
    host: str,
    hosts: tuple[str, ...],
    server: str | None,
    is_one: bool,  # noqa: FBT001 - a table
) -> None:
    assert is_one_of(host, hosts, server) == is_one


def test_a_domain_is_the_same_in_capitals_and_with_a_dot_behind_it() -> None:
    assert domain_of("Amelia@Home@Bakery.Example.") == "bakery.example"


@pytest.mark.parametrize(
    ("by", "peer", "mail_from", "outcome"),
    [
        (TRUSTED, "192.0.2.10", "amelia@bakery.example", Verdict.VERIFIED),
        (TRUSTED, "192.0.2.10", "eve@attacker.example", Verdict.UNVERIFIED),
        (TRUSTED, "198.51.100.66", "amelia@bakery.example", Verdict.UNVERIFIED),
        ("mx.elsewhere.example", "192.0.2.10", "amelia@bakery.example", Verdict.UNVERIFIED),
    ],
)
def test_from_where_our_server_got_a_mail_proves_its_author_and_nobody_else(
    by: str, peer: str, mail_from: str, outcome: Verdict
) -> None:
    zone = Zone()
    for domain in ("bakery.example", "attacker.example"):
        zone.put(domain, "TXT", "v=spf1 ip4:192.0.2.10 -all")
    line = f"Received: from mx.example (mx.example [{peer}]) by {by} (Postfix) with ESMTPS id 1; x"
    envelope = Envelope("lmtp", (US,), mail_from, helo=TRUSTED)

    assert verdict(line, envelope=envelope, zone=zone) == outcome


@pytest.mark.parametrize(
    "said",
    [
        "dmarc=pass header.from=bakery.example",
        "dmarc=pass(p=reject)header.from=bakery.example",
        "dmarc=pass (p=reject) header.from=bakery.example header.from=attacker.example",
    ],
)
def test_a_comment_divides_words_and_the_first_of_two_counts(said: str) -> None:
    result = RESULT.replace("dmarc=pass header.from=bakery.example", said)

    assert verdict(result, BELOW) == Verdict.VERIFIED
    assert verdict(result.replace("from=bakery.example", "from=attacker.example", 1), BELOW) == Verdict.UNVERIFIED
