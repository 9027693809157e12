"""Questions to name servers, answered by a real one on loopback."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.errors import TryAgain
from webordinary.mail.identity.dns import NoDns, OneMail, Resolver
from webordinary.mail.identity.origin import check_origin
from webordinary.mail.inbox import Envelope
from webordinary.testing.dns import FAILS, SILENT, NameServer, Zone

if TYPE_CHECKING:
    from collections.abc import Iterator

BRIEFLY = timedelta(milliseconds=300)
LONG = timedelta(seconds=20)


@pytest.fixture
def server() -> Iterator[NameServer]:
    server = NameServer(Zone())
    yield server
    server.close()


def resolver(server: NameServer, timeout: timedelta = timedelta(seconds=10)) -> Resolver:
    return Resolver(timeout, server.address)


def test_every_kind_of_record_is_read(server: NameServer) -> None:
    server.zone.put("long.example", "TXT", "x" * 600 + 'quo"ted\\', "second")
    server.zone.put("host.example", "A", "192.0.2.1", "192.0.2.2")
    server.zone.put("host.example", "AAAA", "2001:db8::1")
    server.zone.put("host.example", "MX", "10 mx.example.")
    server.zone.put("1.2.0.192.in-addr.arpa", "PTR", "host.example.")
    here = resolver(server)

    assert sorted(here.look_up("long.example", "TXT")) == ["second", "x" * 600 + 'quo"ted\\']
    assert sorted(here.look_up("HOST.example.", "A")) == ["192.0.2.1", "192.0.2.2"]
    assert here.look_up("host.example", "AAAA") == ["2001:db8::1"]
    assert here.look_up("host.example", "MX") == ["10 mx.example"]
    assert here.look_up("1.2.0.192.in-addr.arpa", "PTR") == ["host.example"]


def test_what_does_not_exist_is_nothing_and_no_failure(server: NameServer) -> None:
    server.zone.put("host.example", "A", "192.0.2.1")
    here = resolver(server)

    assert here.look_up("nobody.example", "TXT") == []
    assert here.look_up("host.example", "TXT") == []
    for name in ("", "..", "a" * 64 + ".example", "x." * 200, "a..b.example", "\udc80.example"):
        assert here.look_up(name, "TXT") == []


def test_a_server_that_fails_is_asked_again_later(server: NameServer) -> None:
    server.zone.put("busy.example", "TXT", FAILS)
    with pytest.raises(TryAgain, match=r"busy\.example"):
        resolver(server).look_up("busy.example", "TXT")


def test_a_server_that_says_nothing_is_asked_again_later_but_not_by_every_mail(server: NameServer) -> None:
    server.zone.put("silent.example", "TXT", SILENT)
    here = resolver(server, BRIEFLY)
    for _ in range(3):
        with pytest.raises(TryAgain, match="no name server answered"):
            here.look_up("silent.example", "TXT")
    asked = len(server.zone.asked)
    with pytest.raises(TryAgain, match="have not answered lately"):
        here.look_up("other.example", "TXT")
    assert len(server.zone.asked) == asked


def test_an_answer_is_remembered_for_the_next_mail(server: NameServer) -> None:
    server.zone.put("host.example", "TXT", "once")
    here = resolver(server)

    assert [here.look_up("host.example", "TXT") for _ in range(3)] == [["once"]] * 3
    assert len(server.zone.asked) == 1


def test_a_sender_cannot_make_us_ask_without_end() -> None:
    zone = Zone()
    about = OneMail(zone, LONG)
    for number in range(100):
        about.look_up(f"n{number}.example", "TXT")
    assert len(zone.asked) == 40
    with pytest.raises(TryAgain):
        OneMail(zone, timedelta(seconds=-1)).look_up("late.example", "TXT")


def test_without_a_network_everything_stays_unknown() -> None:
    with pytest.raises(TryAgain):
        NoDns().look_up("bakery.example", "TXT")


def spf(zone: Zone, peer: str, mail_from: str = "x@bakery.example") -> str:
    return check_origin(Envelope("smtp", (), mail_from, peer, helo="mx.example"), OneMail(zone, LONG)).result


def test_the_mechanisms_of_spf_ask_our_name_servers() -> None:
    zone = Zone()
    zone.put("bakery.example", "TXT", "v=spf1 mx a:www.bakery.example include:provider.example ptr -all")
    zone.put("bakery.example", "MX", "20 mx2.bakery.example", "10 mx1.bakery.example")
    zone.put("mx1.bakery.example", "A", "192.0.2.1")
    zone.put("mx2.bakery.example", "A", "192.0.2.2")
    zone.put("www.bakery.example", "A", "192.0.2.3")
    zone.put("www.bakery.example", "AAAA", "2001:db8::3")
    zone.put("mx1.bakery.example", "AAAA", "2001:db8::1")
    zone.put("mx2.bakery.example", "AAAA", "2001:db8::2")
    zone.put("provider.example", "TXT", "v=spf1 ip4:203.0.113.0/24 ip6:2001:db8:1::/48 ~all")
    zone.put("9.2.0.192.in-addr.arpa", "PTR", "evil.example")

    passing = ("192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::3", "203.0.113.77", "2001:db8:1::9")
    assert [spf(zone, peer) for peer in passing] == ["pass"] * len(passing)
    assert spf(zone, "192.0.2.9") == "fail"
    assert spf(zone, "::ffff:192.0.2.1") == "pass"


@pytest.mark.parametrize(
    ("record", "result"),
    [
        ("v=spf1 include:bakery.example -all", "permerror"),
        ("v=spf1 redirect=bakery.example", "permerror"),
        ("v=spf1 " + " ".join(f"a:h{number}.example" for number in range(12)) + " -all", "permerror"),
        ("v=spf1 exists:%{i}.%{z}.example -all", "permerror"),
        ("v=spf1 exists:%{l1r+}.%{d9999}.example ?all", "neutral"),
        ("v=spf1 ip4:nonsense -all", "permerror"),
        ("v=spf1 a:" + "x" * 300 + " ~all", "permerror"),
        ("v=spf1 \xff -all", "permerror"),
        ("nothing", "none"),
    ],
)
def test_a_record_that_is_hostile_or_broken_comes_to_an_end(record: str, result: str) -> None:
    zone = Zone()
    zone.put("bakery.example", "TXT", record)

    assert spf(zone, "198.51.100.1") == result


def test_spf_that_cannot_be_found_out_now_is_tried_again() -> None:
    zone = Zone()
    zone.put("bakery.example", "TXT", "v=spf1 include:busy.example -all")
    zone.put("busy.example", "TXT", FAILS)
    with pytest.raises(TryAgain):
        spf(zone, "198.51.100.1")
