from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.site.checks.run import Finding, Problem, check_change, find_new_leak
from webordinary.site.read.elements import Page
from webordinary.site.read.index import Leak, Secrecy, SiteIndex, index_site
from webordinary.site.read.page_reader import read_page
from webordinary.site.receipt.changes import take_receipt

if TYPE_CHECKING:
    from pathlib import Path


def site(**pages: str) -> SiteIndex:
    made = {f"{name}.html": read_page(html) for name, html in pages.items()}
    return SiteIndex(made, dict.fromkeys(made, ""))


def check(request: str, old: SiteIndex, new: SiteIndex) -> list[tuple[Problem, str]]:
    return [(found.problem, found.about) for found in check_change(request, old, new, take_receipt(old, new))]


def test_an_address_that_changed_needs_an_ok_unless_its_number_or_all_of_it_was_asked_for() -> None:
    old, new = site(i="<p>Hauptstraße 5</p>"), site(i="<p>Nebenstr. 5</p>")
    assert check("Make it nicer", old, new) == [(Problem.UNASKED, "Hauptstraße 5 → Nebenstr. 5")]
    assert check("We are in the Nebenstraße 5 now", old, new) == []
    assert check("We moved next door, to number 7", old, site(i="<p>Hauptstraße 7</p>")) == []
    assert (Problem.MISSING, "Nebenstraße 9") in check("We are in the Nebenstraße 9 now", old, new)


@pytest.mark.parametrize(
    "fact",
    ["nine", "4,50", "9:30", "24 December", "030 765 43 21", "Hauptstraße 5", "https://b.example/x", "a@b.example"],
)
def test_whatever_was_asked_for_and_is_nowhere_is_told(fact: str) -> None:
    old, new = site(i="<p>Hello</p>"), site(i="<p>Hello you</p>")
    assert check(f"Please write {fact}", old, new) == [(Problem.MISSING, fact)]
    assert check(f"Please write {fact}", old, site(i=f"<p>Hello</p><p>{fact}</p>")) == []


def test_a_change_that_was_asked_for_has_no_findings() -> None:
    assert check("We open at nine now", site(i="<p>Open 8:00 – 18:00</p>"), site(i="<p>Open 9:00 – 18:00</p>")) == []


def test_a_fact_of_the_request_that_is_nowhere_is_told() -> None:
    found = check("Our phone is 030 765 43 21 now", site(i="<p>Phone 1234567</p>"), site(i="<p>Call us!</p>"))
    assert (Problem.MISSING, "030 765 43 21") in found


def test_a_phone_number_may_stand_in_a_link() -> None:
    new = site(i="<a href='tel:+49307654321'>Call us</a>")
    assert check("Our phone is 030 765 43 21", site(i="<p>Hi</p>"), new) == []


def test_a_fact_that_changed_without_being_asked_for_needs_an_ok() -> None:
    old = site(i="<p>Open 8:00 – 18:00</p><p>Cake 4.50</p>")
    new = site(i="<p>Open 9:00 – 18:00</p><p>Cake 5.50</p>")
    assert check("We open at nine", old, new) == [(Problem.UNASKED, "Cake 4.50 → Cake 5.50")]


def test_a_price_that_an_agent_made_up_needs_an_ok() -> None:
    found = check("Add a new cake to the menu", site(i="<p>Menu</p>"), site(i="<p>Menu</p><p>New cake 3.90</p>"))
    assert found == [(Problem.UNASKED, "- → New cake 3.90")]


def test_a_new_sentence_may_repeat_what_stands_elsewhere() -> None:
    old, new = site(i="<p>Open 8:00</p>"), site(i="<p>Open 8:00</p><p>Remember: we open at 8:00!</p>")
    assert check("Remind people of our opening hours", old, new) == []


def test_a_fact_that_vanished_needs_an_ok_unless_the_request_speaks_of_it() -> None:
    old, new = site(i="<p>Winter offer 20 %</p><p>Hello</p>"), site(i="<p>Hello</p>")
    assert check("Make the page friendlier", old, new) == [(Problem.UNASKED, "Winter offer 20 % → -")]
    assert check("The winter offer is over, please remove it", old, new) == []


@pytest.mark.parametrize(
    ("request_", "before", "after"),
    [
        ("The address is Mill Road 7 now", "Mill Road 5, call 030 123456", "Mill Road 7"),
        ("We open at ten", "Open 9:00, write to a@b.example", "Open 10:00"),
        ("The bun costs 2.50 now", "Bun 2.20 €, loaf 4.80 €", "Bun 2.50 €"),
        ("Our street is Mill Road", "Mill Lane, call 030 123456", "Mill Road"),
        ("Make it friendlier, please", "Please call 030 123456", ""),
    ],
)
def test_a_fact_that_got_lost_beside_what_was_asked_for_needs_an_ok(request_: str, before: str, after: str) -> None:
    old, new = site(i=f"<p>{before}</p><p>x</p>"), site(i=f"<p>{after}</p><p>x</p>")
    assert check(request_, old, new) == [(Problem.UNASKED, f"{before} → {after or '-'}")]


@pytest.mark.parametrize(
    ("request_", "before", "after"),
    [
        (
            "The address is Mill Road 7 now, and take the phone number off",
            "Mill Road 5, call 030 123456",
            "Mill Road 7",
        ),
        ("We are open from 9 to 16 now", "Open 9-12 and 14-18", "Open 9-16"),
        ("Neue Nummer: 030 654321", "Tel. 030 123456", "Tel. 030 654321"),
        ("The bun costs 2.50, the loaf is no more, it was 4.80", "Bun 2.20 €, loaf 4.80 €", "Bun 2.50 €"),
    ],
)
def test_a_fact_that_the_request_speaks_of_may_go(request_: str, before: str, after: str) -> None:
    assert check(request_, site(i=f"<p>{before}</p>"), site(i=f"<p>{after}</p>")) == []


def test_a_picture_that_is_gone_is_a_broken_link() -> None:
    page = {"i.html": Page(pictures=("photo.jpg", "https://elsewhere.example/x.jpg"))}
    old = SiteIndex(page, {"i.html": "", "photo.jpg": "", "a.css": ""})
    assert check("x", old, SiteIndex(page, {"i.html": "", "a.css": ""})) == [(Problem.BROKEN_LINK, "i.html: photo.jpg")]


def test_a_new_picture_of_a_site_below_a_path_is_no_broken_link() -> None:
    old = SiteIndex({"i.html": Page(links=("/shop/menu.html",), pictures=("a.jpg",))}, {"i.html": "", "a.jpg": ""})
    pages = {"i.html": Page(links=("/shop/menu.html",), pictures=("a.jpg", "/shop/b.jpg"))}
    assert check("x", old, SiteIndex(pages, {"i.html": "", "a.jpg": "", "b.jpg": ""})) == []
    assert check("x", old, SiteIndex(pages, {"i.html": "", "b.jpg": ""})) == [(Problem.BROKEN_LINK, "i.html: a.jpg")]


def test_a_link_that_broke_needs_an_ok_and_an_old_one_does_not() -> None:
    old = SiteIndex({"i.html": Page(links=("gone.html", "menu.html"))}, {"i.html": "", "menu.html": ""})
    new = SiteIndex({"i.html": Page(links=("gone.html", "menu.html"))}, {"i.html": ""})
    assert check("x", old, new) == [(Problem.BROKEN_LINK, "i.html: menu.html")]


def test_a_page_that_is_gone_needs_an_ok_unless_the_request_names_it() -> None:
    old, new = site(i="x", menu="<title>Our dishes</title>"), site(i="x")
    assert check("We open at nine", old, new)[0] == (Problem.PAGE_GONE, "menu.html")
    assert (Problem.PAGE_GONE, "menu.html") not in check("Please remove the menu page", old, new)
    assert (Problem.PAGE_GONE, "menu.html") not in check("Take our dishes off the site", old, new)


@pytest.mark.parametrize(
    ("request_", "is_named"),
    [
        ("The bakery has a new slogan", False),
        ("Remove the steam from the picture", False),
        ("Bitte die Teamseite entfernen", True),
        ("Remove the page about our people", True),
    ],
)
def test_a_page_is_not_named_by_what_stands_in_every_title(request_: str, *, is_named: bool) -> None:
    home = "<title>Amelia's Bakery</title><p>x</p>"
    old, new = site(i=home, team="<title>Our people - Amelia's Bakery</title><p>Scott</p>"), site(i=home)
    gone = (Problem.PAGE_GONE, "team.html")
    assert (gone not in check(request_, old, new)) is is_named
    blank = site(i=home, team="<title>Our people - Amelia's Bakery</title>")
    assert (gone not in check(request_.replace("bakery", "shop"), old, blank)) is is_named


def test_a_site_that_shrank_by_a_third_needs_an_ok() -> None:
    old, new = SiteIndex({}, dict.fromkeys("abcdef", "")), SiteIndex({}, dict.fromkeys("abc", ""))
    assert check("x", old, new) == [(Problem.SHRUNK, "6 → 3")]
    # Pictures do not hide it.
    pictures, pages = dict.fromkeys(map(str, range(50)), ""), {name: Page() for name in "abc"}
    old, new = SiteIndex(pages, pictures), SiteIndex({"a": Page()}, pictures)
    assert (Problem.SHRUNK, "3 → 1") in check("x", old, new)


@pytest.mark.parametrize(
    ("name", "content", "secrecy"),
    [
        ("a.html", b"<img src='s3://media/x.jpg'>", Secrecy.STORAGE_ADDRESS),
        ("a.html", b"https://b.s3.eu-west-1.amazonaws.com/x?X-Amz-Signature=1", Secrecy.STORAGE_ADDRESS),
        ("app.js", b"const key = 'AKIAIOSFODNN7EXAMPLE'", Secrecy.SECRET),
        ("key.txt", b"-----BEGIN RSA PRIVATE KEY-----", Secrecy.SECRET),
        ("a.html", b"https://b.s3.amazonaws.com/x.jpg", Secrecy.STORAGE_ADDRESS),
        ("a.html", b"https://s3.eu-west-1.amazonaws.com/b/x.jpg", Secrecy.STORAGE_ADDRESS),
        ("a.js", b"https://b.s3.dualstack.eu-west-1.amazonaws.com/x.jpg", Secrecy.STORAGE_ADDRESS),
        ("app.js", b"stripe('sk_" + b"live_4eC39HqLyjWDarjtT1zdp7dc')", Secrecy.SECRET),
        ("photo.jpg", b"AKIAIOSFODNN7EXAMPLE", None),
        ("a.html", b"<p>We open at nine</p>", None),
    ],
)
def test_what_must_never_be_public_is_found(tmp_path: Path, name: str, content: bytes, secrecy: Secrecy | None) -> None:
    (tmp_path / name).write_bytes(content)
    found = {(leak.secrecy, leak.path) for leak in index_site(tmp_path).leaks.values()}
    assert found == ({(secrecy, name)} if secrecy else set())


def test_only_what_is_not_public_yet_fails_a_change() -> None:
    had = Leak(Secrecy.STORAGE_ADDRESS, "a.html", "1")
    old = SiteIndex(leaks={"1": had})
    assert find_new_leak(old, SiteIndex(leaks={"1": Leak(Secrecy.STORAGE_ADDRESS, "b.html", "1")})) is None
    new = SiteIndex(leaks={"1": had, "2": Leak(Secrecy.SECRET, "b.html", "2")})
    assert find_new_leak(old, new) == Finding(Problem.SECRET, "b.html")


def test_a_link_that_leads_elsewhere_now_needs_an_ok_unless_it_was_asked_for() -> None:
    old = site(i="<a href='https://shop.example/a'>Shop</a><a href='mailto:?subject=5'>Menu</a>")
    new = site(i="<a href='https://evil.example/a'>Shop</a><a href='mailto:?subject=6'>Menu</a>")
    assert check("Make it nicer", old, new) == [(Problem.UNASKED, "https://shop.example/a → https://evil.example/a")]
    assert check("Link the shop to https://evil.example/a", old, new) == []


def test_a_new_link_needs_an_ok_only_when_it_leads_where_none_led_before() -> None:
    old = site(i="<a href='https://shop.example/a'>Shop</a><p>x</p>")
    more = "<a href='https://shop.example/b'>Cake</a>"
    assert check("Link our cake", old, site(i=f"<a href='https://shop.example/a'>Shop</a><p>x</p>{more}")) == []
    more = "<a href='https://evil.example/b'>Cake</a>"
    found = check("Link our cake", old, site(i=f"<a href='https://shop.example/a'>Shop</a><p>x</p>{more}"))
    assert found == [(Problem.UNASKED, "- → https://evil.example/b")]


def test_facts_of_a_new_page_have_to_be_asked_for_too() -> None:
    old = site(i="<p>Open 8:00</p>")
    new = site(i="<p>Open 8:00</p>", cakes="<title>Cakes</title><p>Open 8:00</p><p>Cheesecake 4.90</p>")
    assert check("Add a page about cakes", old, new) == [(Problem.UNASKED, "- → Cheesecake 4.90")]
    assert check("Add a page about cakes: cheesecake is 4,90 €", old, new) == []


def test_words_that_came_along_may_be_shown_and_need_not_be() -> None:
    old, new = site(i="<p>News</p>"), site(i="<p>News</p><p>24 December 2026: we bake</p>")
    found = take_receipt(old, new)
    assert check_change("Add that we bake", old, new, found, brought=("2026-12-24", "2026", "IMG 0815")) == ()


@pytest.mark.parametrize(
    ("asked", "before", "after"), [("2.50", "€2.10", "€2.50"), ("13.50", "13.80 EUR", "13.50 EUR")]
)
def test_a_price_without_its_currency_is_no_time(asked: str, before: str, after: str) -> None:
    old, new = site(index=f"<p>Croissant {before}</p>"), site(index=f"<p>Croissant {after}</p>")
    assert check(f"The croissant costs {asked} now.", old, new) == []


def test_what_was_replaced_is_not_missed() -> None:
    old, new = site(index="<p>seit 1923</p>"), site(index="<p>seit 1920</p>")
    assert check('Replace "seit 1923" with "seit 1920".', old, new) == []
