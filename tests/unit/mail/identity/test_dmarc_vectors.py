"""DMARC as RFC 7489 and its successor write it: which record counts, what it asks for, and who is the same owner."""

from __future__ import annotations

import pytest

from webordinary.mail.identity.domain import find_policy, is_aligned
from webordinary.testing.dns import FAILS, Zone


def zone(**records: str) -> Zone:
    found = Zone()
    for name, text in records.items():
        found.put(f"_dmarc.{name.replace('_', '.')}", "TXT", text)
    return found


@pytest.mark.parametrize(
    ("record", "request_of_domain", "of_subdomain"),
    [
        ("v=DMARC1; p=reject", "reject", "reject"),
        ("v=DMARC1;p=quarantine;sp=none", "quarantine", "none"),
        ("v=DMARC1 ; p = NONE ; sp=reject", "none", "reject"),
        ("v=DMARC1; p=reject; pct=0", "none", "none"),
        ("v=DMARC1; p=reject; t=y", "none", "none"),
        ("v=DMARC1; p=reject; t=n", "reject", "reject"),
        ("v=DMARC1; rua=mailto:a@b.example", "none", "none"),
        ("v=DMARC1; p=reject; unknown=1; =; ;", "reject", "reject"),
        ("p=reject; v=DMARC1", "none", "none"),
        ("v=DMARC2; p=reject", "none", "none"),
        ("v=spf1 -all", "none", "none"),
        ("", "none", "none"),
    ],
)
def test_a_record_says_what_is_asked_for(record: str, request_of_domain: str, of_subdomain: str) -> None:
    here = zone(bakery_example=record)
    here.put("shop.bakery.example", "A", "192.0.2.1")

    assert find_policy("bakery.example", here).request == request_of_domain
    assert find_policy("shop.bakery.example", here).request == of_subdomain


@pytest.mark.parametrize("kind", ["A", "AAAA", "MX"])
def test_a_subdomain_that_does_not_exist_has_a_request_of_its_own(kind: str) -> None:
    here = zone(bakery_example="v=DMARC1; p=none; sp=quarantine; np=reject")
    here.put("shop.bakery.example", kind, "10 x" if kind == "MX" else "192.0.2.1")

    assert find_policy("shop.bakery.example", here).request == "quarantine"
    assert find_policy("nothing.bakery.example", here).request == "reject"
    assert find_policy("bakery.example", here).request == "none"
    assert find_policy("nothing.bakery.example", zone(bakery_example="v=DMARC1; p=reject")).request == "reject"


def test_the_nearest_record_counts() -> None:
    here = zone(
        a_b_bakery_example="v=DMARC1; p=none",
        b_bakery_example="v=DMARC1; p=quarantine",
        bakery_example="v=DMARC1; p=reject",
    )
    found = [
        find_policy(name, here).found_at for name in ("a.b.bakery.example", "x.b.bakery.example", "x.bakery.example")
    ]

    assert found == ["a.b.bakery.example", "b.bakery.example", "bakery.example"]


def test_two_records_are_none_and_the_next_one_counts() -> None:
    here = zone(bakery_example="v=DMARC1; p=reject")
    here.put("_dmarc.shop.bakery.example", "TXT", "v=DMARC1; p=none", "v=DMARC1; p=quarantine")

    assert find_policy("shop.bakery.example", here).request == "reject"


def test_a_long_name_costs_eight_questions() -> None:
    here = zone(bakery_example="v=DMARC1; p=reject")
    long = ".".join(["a"] * 30 + ["bakery", "example"])

    assert find_policy(long, here).request == "reject"
    assert len(here.asked) <= 8
    nobody = Zone()
    find_policy(long, nobody)
    assert len(nobody.asked) <= 8


def test_a_public_suffix_speaks_for_those_below_only_if_it_says_so() -> None:
    assert find_policy("shop.co.uk", zone(co_uk="v=DMARC1; p=reject; psd=y")).request == "reject"
    assert find_policy("shop.co.uk", zone(co_uk="v=DMARC1; p=reject")).request == "none"
    assert find_policy("shop.co.uk", zone(uk="v=DMARC1; p=reject; psd=y; sp=quarantine")).request == "quarantine"
    assert find_policy("shop.co.uk", zone(co_uk=FAILS)).request == "none"


def test_who_is_an_organisation_of_their_own_says_so() -> None:
    here = zone(shop_bakery_example="v=DMARC1; p=reject; psd=n")
    policy = find_policy("a.shop.bakery.example", here)

    def aligned(domain: str) -> bool:
        return is_aligned(domain, "a.shop.bakery.example", strict=False, within=policy.within)

    assert [aligned(each) for each in ("shop.bakery.example", "b.shop.bakery.example")] == [True, True]
    assert [aligned(each) for each in ("bakery.example", "x.bakery.example", "ashop.bakery.example")] == [False] * 3


@pytest.mark.parametrize(
    ("proven", "author", "relaxed", "strict"),
    [
        ("example.com", "example.com", True, True),
        ("Example.COM.", "example.com", True, True),
        ("news.example.com", "example.com", True, False),
        ("example.com", "news.example.com", True, False),
        ("a.example.com", "b.example.com", True, False),
        ("example.net", "example.com", False, False),
        ("badexample.com", "example.com", False, False),
        ("example.com.attacker.net", "example.com", False, False),
        ("com", "example.com", False, False),
        ("co.uk", "example.co.uk", False, False),
        ("other.co.uk", "example.co.uk", False, False),
        ("", "example.com", False, False),
    ],
)
def test_a_domain_is_the_same_owners_or_not(proven: str, author: str, relaxed: bool, strict: bool) -> None:  # noqa: FBT001 - a table
    assert is_aligned(proven, author, strict=False) == relaxed
    assert is_aligned(proven, author, strict=True) == strict
