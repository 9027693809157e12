"""SPF as RFC 7208 writes it: every mechanism, modifier, macro and limit, asked through our own name servers."""

from __future__ import annotations

import pytest

from webordinary.errors import TryAgain
from webordinary.mail.identity.origin import check_origin
from webordinary.mail.inbox import Envelope
from webordinary.testing.dns import FAILS, Zone

HERE, ELSEWHERE, SIX = "192.0.2.10", "198.51.100.66", "2001:db8::10"


def result(record: str, peer: str = HERE, *, zone: Zone | None = None, sender: str = "amelia@bakery.example") -> str:
    zone = zone or Zone()
    zone.put("bakery.example", "TXT", record)
    return check_origin(Envelope("smtp", (), sender, peer, helo="mx.bakery.example"), zone).result


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (f"v=spf1 ip4:{HERE} -all", "pass"),
        ("v=spf1 ip4:192.0.2.0/24 -all", "pass"),
        ("v=spf1 ip4:192.0.3.0/24 -all", "fail"),
        (f"v=spf1 -ip4:{HERE} +all", "fail"),
        (f"v=spf1 ~ip4:{HERE} +all", "softfail"),
        (f"v=spf1 ?ip4:{HERE} -all", "neutral"),
        ("v=spf1", "neutral"),
        ("v=spf1 +all", "pass"),
        ("v=spf1 ~all", "softfail"),
        ("v=spf1 ?all", "neutral"),
        ("V=SPF1 -ALL", "fail"),
        (f"v=spf1 -all ip4:{HERE}", "fail"),
        ("v=spf10 +all", "none"),
        ("spf1 +all", "none"),
        ("v=spf1 ip4:192.0.2.300 +all", "permerror"),
        ("v=spf1 ip4:192.0.2.0/33 +all", "permerror"),
        ("v=spf1 nonsense +all", "permerror"),
        ("v=spf1 ip6:2001:db8::/32 -all", "fail"),
        ("v=spf1 redirect=nowhere.example", "permerror"),
        ("v=spf1 include:nowhere.example +all", "permerror"),
    ],
)
def test_a_record_says_who_may_send(record: str, expected: str) -> None:
    assert result(record) == expected


def test_addresses_of_the_sixth_version_are_understood() -> None:
    assert result("v=spf1 ip6:2001:db8::/32 -all", SIX) == "pass"
    assert result("v=spf1 ip6:2001:db9::/32 -all", SIX) == "fail"
    assert result(f"v=spf1 ip4:{HERE} -all", f"::ffff:{HERE}") == "pass"


@pytest.mark.parametrize(
    ("record", "kind", "name", "value"),
    [
        ("v=spf1 a -all", "A", "bakery.example", HERE),
        ("v=spf1 a:mail.bakery.example -all", "A", "mail.bakery.example", HERE),
        ("v=spf1 a:mail.bakery.example/24 -all", "A", "mail.bakery.example", "192.0.2.99"),
        ("v=spf1 exists:known.bakery.example -all", "A", "known.bakery.example", "127.0.0.2"),
        (
            "v=spf1 exists:%{ir}.%{l}.allow.bakery.example -all",
            "A",
            "10.2.0.192.amelia.allow.bakery.example",
            "127.0.0.2",
        ),
        ("v=spf1 exists:%{d2}.%{o}.x.example -all", "A", "bakery.example.bakery.example.x.example", "127.0.0.2"),
        ("v=spf1 include:spf.provider.example -all", "TXT", "spf.provider.example", f"v=spf1 ip4:{HERE} -all"),
        ("v=spf1 redirect=spf.provider.example", "TXT", "spf.provider.example", f"v=spf1 ip4:{HERE} -all"),
    ],
)
def test_a_mechanism_asks_for_what_it_names(record: str, kind: str, name: str, value: str) -> None:
    zone = Zone()
    zone.put(name, kind, value)

    assert result(record, zone=zone) == "pass"
    assert result(record, ELSEWHERE, zone=zone) == ("pass" if "exists:known" in record or "d2" in record else "fail")


def test_the_servers_that_take_mail_may_send_it() -> None:
    zone = Zone()
    zone.put("bakery.example", "MX", "10 mx1.bakery.example", "20 mx2.bakery.example")
    zone.put("mx2.bakery.example", "A", HERE)

    assert result("v=spf1 mx -all", zone=zone) == "pass"
    assert result("v=spf1 mx -all", ELSEWHERE, zone=zone) == "fail"


@pytest.mark.parametrize(
    ("inner", "expected"), [("-all", "fail"), ("~all", "fail"), ("?all", "fail"), ("+all", "pass")]
)
def test_what_is_included_only_ever_lets_in(inner: str, expected: str) -> None:
    zone = Zone()
    zone.put("spf.provider.example", "TXT", f"v=spf1 {inner}")

    assert result("v=spf1 include:spf.provider.example -all", zone=zone) == expected


def test_two_records_are_an_error_and_none_is_none() -> None:
    zone = Zone()
    zone.put("two.example", "TXT", "v=spf1 +all", "v=spf1 -all")
    asked = Envelope("smtp", (), "a@two.example", HERE, helo="x")
    assert check_origin(asked, zone).result == "permerror"
    assert check_origin(Envelope("smtp", (), "a@none.example", HERE, helo="x"), zone).result == "none"


def test_more_than_ten_questions_are_an_error() -> None:
    zone = Zone()
    for number in range(12):
        zone.put(f"n{number}.example", "TXT", f"v=spf1 include:n{number + 1}.example -all")
    zone.put("n12.example", "TXT", f"v=spf1 ip4:{HERE} -all")

    assert result("v=spf1 include:n3.example -all", zone=zone) == "pass"
    assert result("v=spf1 include:n0.example -all", zone=zone) == "permerror"


def test_a_record_that_includes_itself_ends() -> None:
    assert result("v=spf1 include:bakery.example -all") == "permerror"
    assert result("v=spf1 redirect=bakery.example") == "permerror"


def test_three_questions_that_find_nothing_are_an_error() -> None:
    assert result("v=spf1 a:x1.example a:x2.example -all") == "fail"
    assert result("v=spf1 a:x1.example a:x2.example a:x3.example a:x4.example +all") == "permerror"


def test_a_name_server_that_fails_is_asked_again_later() -> None:
    zone = Zone()
    zone.put("spf.provider.example", "TXT", FAILS)
    with pytest.raises(TryAgain):
        result("v=spf1 include:spf.provider.example -all", zone=zone)


@pytest.mark.parametrize(
    "sender", ["", "bakery.example", "@bakery.example", "a@b@bakery.example", '"a"@bakery.example']
)
def test_a_return_path_that_is_no_address_is_none(sender: str) -> None:
    assert result("v=spf1 +all", sender=sender) == "none"
